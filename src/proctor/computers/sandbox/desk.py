"""A running desktop with every way into it: machine, session, keyboard, tree, code; made whole, ended whole."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from proctor.computers import userns
from proctor.computers.channels.atspi import AtSpi
from proctor.computers.channels.dbus import DBus
from proctor.computers.channels.keyboard import Keyboard
from proctor.computers.channels.x11 import X11
from proctor.computers.channels.x11_windows import Popup, XWindow
from proctor.computers.images import store
from proctor.computers.sandbox import limits, network, state
from proctor.computers.sandbox.code import Interpreters
from proctor.computers.sandbox.limits import Groups, Limits
from proctor.computers.sandbox.looks import Look
from proctor.computers.sandbox.machine import AGENT_UID, Machine
from proctor.computers.sandbox.scratch import scratch_folder
from proctor.computers.sandbox.session import BUS_SOCKET, X_SOCKET, Session, Setting, machine_folders
from proctor.observations.tree import Node, Tree

DISK_FILES = 400_000
BACKGROUND = ("dock", "desktop")


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Everything a desktop is made from."""

    image: store.Image
    look: Look
    setting: Setting
    limits: Limits
    network: network.Network


@dataclass(kw_only=True)
class Desk:
    """A started desktop."""

    machine: Machine
    session: Session
    groups: Groups
    keyboard: Keyboard
    tree: AtSpi
    code: Interpreters
    _ending: contextlib.ExitStack = field(repr=False)

    @property
    def x(self) -> X11:
        """The display."""
        return self.session.x

    def read_tree(self) -> Tree:
        """Return the accessibility tree; windows that no application answers for make it degraded."""
        return self.tree.read(windows=[window for window in self.x.windows() if window.kind not in BACKGROUND])

    def element_at(self, x: int, y: int) -> Node | None:
        """Return the element of the topmost window at a point."""
        shown = [window for window in self.x.windows() if not window.minimised]
        # Menus lie above every window and need no window manager.
        layers: list[XWindow | Popup] = [*shown, *self.x.popups()]
        top = next((layer for layer in reversed(layers) if layer.box.contains(x, y)), None)
        return self.tree.element_at(x, y, window=top)

    def connect_display(self) -> X11:
        """Open a second connection to the display, for a thread of its own."""
        return X11(self.machine.connect(X_SOCKET))

    def close(self) -> None:
        """End everything; nothing is left behind."""
        self._ending.close()


def start(plan: Plan, layer: BinaryIO | None = None) -> Desk:
    """Start a desktop, on top of a packed layer if one is given; a failed start leaves nothing behind."""
    with contextlib.ExitStack() as ending:
        ending.callback(store.hold(plan.image).close)
        groups = limits.make(plan.limits)
        machine = Machine(_config(plan, groups))
        ending.callback(machine.close)
        if layer is not None:
            state.unpack(machine, layer)
        with machine.open("/etc/hosts", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, uid=0) as hosts:
            hosts.write(plan.network.hosts_file.encode())
        if plan.network.targets:
            ending.callback(network.Relay(machine, plan.network.targets).close)
        session = Session(machine, plan.look, plan.setting)
        session.start(plan.image.rootfs, fresh=layer is None)
        ending.callback(session.x.close)
        bus = DBus(machine.connect(BUS_SOCKET), uid=AGENT_UID)
        ending.callback(bus.close)
        tree = AtSpi(bus, machine.connect, uid=AGENT_UID, size=plan.setting.size)
        ending.callback(tree.close)
        code = Interpreters(machine, session.env)
        ending.callback(code.close)
        return Desk(
            machine=machine,
            session=session,
            groups=groups,
            keyboard=Keyboard(session.x),
            tree=tree,
            code=code,
            _ending=ending.pop_all(),
        )


def _config(plan: Plan, groups: Groups) -> dict[str, Any]:
    rootless = not userns.is_root()
    allowed = plan.limits
    rlimits = {"data_bytes": allowed.memory_bytes}
    if groups.processes == "rlimit":
        rlimits["processes"] = allowed.processes
    return {
        "image": str(plan.image.rootfs),
        "scratch": scratch_folder(rootless=rootless),
        "disk_bytes": allowed.disk_mb << 20,
        "disk_files": DISK_FILES,
        "shm_bytes": min(allowed.disk_mb, 512) << 20,
        "rootless": rootless,
        "hostname": "desktop",
        "loopback": plan.network.kind != "off",
        "cgroups": list(groups.folders),
        "rlimits": rlimits,
        "watch_memory_bytes": allowed.memory_bytes if groups.memory == "watched" else 0,
        "agent_uid": AGENT_UID,
        "folders": machine_folders(),
    }
