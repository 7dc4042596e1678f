"""A virtual machine in QEMU: seen and touched over RFB, with snapshots of its memory, and commands by its agent."""

from __future__ import annotations

import contextlib
import socket
import time
import weakref
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self

from proctor.computers.backends.qemu import host
from proctor.computers.backends.qemu.machine import QemuMachine
from proctor.computers.backends.qemu.options import QemuOptions, check, from_image
from proctor.computers.backends.qemu.parts import (
    GuestNetwork,
    LastingSource,
    MachineSnapshot,
    MachineSnapshots,
    ServerScreen,
    fitting_snapshot,
    server_plan,
)
from proctor.computers.backends.qemu.shelf import DiskShelf, describe
from proctor.computers.backends.qemu.tree import GuestTree
from proctor.computers.capabilities import Parts
from proctor.computers.channels.guest_agent.client import GuestAgent
from proctor.computers.channels.guest_agent.commands import AgentCommands
from proctor.computers.channels.osworld.commands import OsworldCommands, OsworldTree
from proctor.computers.channels.osworld.server import OsworldServer
from proctor.computers.channels.remote_files import PiecemealFiles
from proctor.computers.channels.remote_shell import RemoteShell
from proctor.computers.channels.rfb.client import RfbHands
from proctor.computers.channels.rfb.film import Films, RfbSource, VncViewer
from proctor.computers.channels.rfb.link import RfbLink
from proctor.computers.channels.rfb.parts import VncKeys, VncPointer, VncScreen
from proctor.computers.channels.rfb.rest import PictureRest
from proctor.computers.existing_machine import ForeignComputer
from proctor.computers.fit import Fit, Lack, MachineNeeds
from proctor.computers.host_checks import Check
from proctor.computers.images import vm
from proctor.computers.images.locks import ImageHold, hold
from proctor.computers.incidents import Incidents
from proctor.computers.options import take_options
from proctor.computers.parts.clock import PatientClock
from proctor.computers.values import Snapshot
from proctor.errors import ComputerError, NotReady, SpecError

ASK_SEC = 1.0
"""How long one try to reach a guest that is starting may take."""


class QemuComputer(ForeignComputer):
    """A virtual machine of its own; its disk is only read, and what changes goes with the machine."""

    backend = "qemu"
    home = "wherever its user has it"
    system = "a desktop in a virtual machine"
    example: ClassVar[Mapping[str, Any]] = {"disk": __file__}
    _machine: QemuMachine | None = None
    _tree: GuestTree | None = None
    _shelf: DiskShelf | None = None
    _hold: ImageHold | None = None

    Options = QemuOptions

    def __init__(self, options: QemuOptions | None = None, /, **given: object) -> None:
        self._told = told = take_options(QemuOptions, options, given)
        self._image = vm.find(told.image) if told.image else None
        self.made = check(from_image(told.made, self._image) if self._image else told.made)
        if told.screen == "server" and not told.osworld:
            raise SpecError("option screen=server is not possible", remedy="give qemu, or server with osworld=on")
        incidents = Incidents()
        self._link = RfbLink(server_plan(""), partial(incidents.note, "display"))
        self._described: dict[str, Any] = {}
        self._films = Films(lambda: LastingSource(self._looked_at), told.clip_sec)
        self._server = OsworldServer(self._dial_server) if told.osworld else None
        self._commands = AgentCommands(self._agent, self.made.user) if self.made.agent else None
        if self._commands and self.made.tree:
            self._tree = GuestTree(self._commands, self._lines, lambda: self.size, incidents)
        super().__init__(self._made_of(told.screen), pace=told.pace)
        self.incidents = incidents
        self._closed = False

    def _made_of(self, screen: str) -> Parts:
        clock, made, server, commands = PatientClock(), self.made, self._server, self._commands
        picture = VncScreen(self._link)
        way, scripts = commands or (OsworldCommands(server) if server else None), commands or server
        return Parts(
            screen=ServerScreen(server) if server and screen == "server" else picture,
            pointer=VncPointer(self._link, clock),
            keys=VncKeys(self._link, clock, made.guest, made.typing_ms),
            tree=self._tree or (OsworldTree(server) if server else None),
            shell=RemoteShell(way) if way else None,
            files=PiecemealFiles(scripts) if scripts else None,
            snapshot=MachineSnapshots(self),
            network=GuestNetwork(made.network),
            clip=self._films,
            viewer=VncViewer(lambda timeout_sec: self._link.plan.address.dial(timeout_sec), self._films),
            rest=PictureRest(self._link, clock),
            clock=clock,
        )

    @classmethod
    def checks(cls) -> Mapping[str, Check]:
        """Return what is looked at: how machines would be run here."""
        return {"virtual machines": host.check}

    @classmethod
    def lacks_here(cls) -> list[Lack]:
        """Tell which of QEMU's programs are not installed."""
        return host.lacks()

    @classmethod
    def meet(cls, needs: MachineNeeds, given: Mapping[str, Any]) -> Fit:
        """Say how it meets a task; one that is given its disk is not built from the task's recipe."""
        if given.get("disk") or given.get("kernel"):
            settings = {name: value for name, value in needs.settings.items() if name != "image"}
            needs = replace(needs, settings=settings, insists=needs.insists - {"image"})
        return super().meet(needs, given)

    # -- life ---------------------------------------------------------------------------------------------------------

    def start(self) -> Self:
        """Start the machine, and return when its screen is there and its agent or server answers."""
        if self._closed:
            raise ComputerError("this computer is closed", remedy="open another one")
        if self._machine is None:
            self._begin(None)
        return self

    def _begin(self, snapshot: MachineSnapshot | None) -> None:
        try:
            self._hold = hold(self._image) if self._image else None
            self._shelf = snapshot.shelf.hold() if snapshot else DiskShelf()
            if self.made.disk:
                self._described = describe(self.made.disk, self.made.format)
            self._boot(snapshot)
            self._films.start(self.size)
        except BaseException:
            self._let_go()
            raise

    def _boot(self, snapshot: MachineSnapshot | None) -> None:
        """Start QEMU, from a snapshot or from its disk, and wait until the guest can be reached."""
        assert self._shelf
        disk = ""
        if snapshot and snapshot.layer:
            disk = self._shelf.layer(snapshot.layer, "qcow2")
        elif self.made.disk:
            disk = self._shelf.layer(self.made.disk, self._described["format"])
        self._machine = QemuMachine(self.made, self._shelf, disk=disk, memory=snapshot.path if snapshot else None)
        self._link.plan = server_plan(self._shelf.dialled(self._machine.rfb))
        self._link.hands = RfbHands()
        self._link.open()
        self._await_guest()
        self.parts.screen.screenshot(cursor=False)

    def _await_guest(self) -> None:
        """Wait until all that was said to be in the guest answers, or raise NotReady."""
        machine, made = self._running, self.made
        waited: list[tuple[str, GuestAgent | OsworldServer | None]] = [
            ("QEMU's guest agent", machine.agent),
            ("OSWorld's server", self._server),
        ]
        began = time.monotonic()
        for name, other in waited:
            while other and not other.answers(ASK_SEC):
                status = machine.status()
                if status != "running":
                    raise NotReady(
                        f"the guest stopped before {name} answered: {machine.autopsy().get('ended', status)}"
                        f"{_console(machine)}", remedy=_BOOT_REMEDY
                    )  # fmt: skip
                if time.monotonic() - began > made.boot_sec:
                    raise NotReady(
                        f"{name} did not answer within {made.boot_sec:g} s of the start ({machine.accel})"
                        f"{_console(machine)}", remedy=_BOOT_REMEDY
                    )  # fmt: skip

    def close(self) -> None:
        """End the machine and remove all that it wrote."""
        self._let_go()
        self._closed = True
        super().close()

    def _let_go(self) -> None:
        self._films.end()
        self._hang_up()
        machine, self._machine = self._machine, None
        if machine:
            machine.end()
        shelf, self._shelf = self._shelf, None
        if shelf:
            shelf.let_go()
        if self._hold:
            self._hold.close()

    def _hang_up(self) -> None:
        self._link.close()
        if self._tree:
            self._tree.close()

    @property
    def _running(self) -> QemuMachine:
        if self._machine is None:
            raise ComputerError("this computer has not been started", remedy="use `with`, or call its start()")
        return self._machine

    def facts(self) -> dict[str, Any]:
        """Return what a record needs to have such a machine again."""
        made, machine = self.made, self._running
        return {
            **super().facts(),
            "accel": machine.accel,
            "accel_why": machine.why,
            "qemu": machine.qmp.version,
            "machine": host.arch(made.arch).machine,
            **({"image": self._image.name, "image_digest": self._image.digest} if self._image else {}),
            **{name: getattr(made, name) for name in made.__dataclass_fields__ if name not in ("size", "accel")},
            "disk_format": self._described.get("format", ""),
            "disk_bytes": self._described.get("virtual_bytes", 0),
        }

    def autopsy(self) -> dict[str, Any]:
        """Tell how the machine ended or stands still."""
        found: dict[str, Any] = {"lost": self._link.lost}
        return found | (self._machine.autopsy() if self._machine else {})

    # -- snapshots ----------------------------------------------------------------------------------------------------

    def keep(self) -> MachineSnapshot:
        """Return a snapshot of memory and disk; its file goes when nobody has the snapshot any more."""
        machine, shelf = self._running, self._shelf
        assert shelf
        memory = shelf.folder / shelf.name("memory")
        layer = machine.save(memory)
        kept = MachineSnapshot(
            backend=self.backend, path=memory, layer=layer, made=repr(self.made), accel=machine.accel, shelf=shelf
        )
        weakref.finalize(kept, partial(memory.unlink, missing_ok=True))
        return kept

    def go_on_from(self, snapshot: Snapshot) -> None:
        """Replace the machine, crashed or not, by one that goes on from a snapshot."""
        kept = fitting_snapshot(snapshot, repr(self.made))
        if self._closed or self._shelf is None:
            raise ComputerError("this computer has not been started", remedy="use `with`, or call its start()")
        self._hang_up()
        machine, self._machine = self._machine, None
        if machine:
            machine.end()
        self._boot(kept)

    def twin(self) -> QemuComputer:
        """Return a second machine that goes on from here."""
        kept = self.keep()
        other = type(self)(self._told)
        other.settling = self.settling
        other._begin(kept)
        return other

    # -- ways in ------------------------------------------------------------------------------------------------------

    def _agent(self) -> GuestAgent:
        agent = self._running.agent
        assert agent
        return agent

    def _lines(self) -> dict[str, str]:
        assert self._shelf
        return {port: self._shelf.dialled(name) for port, name in self._running.lines.items()}

    def _dial_server(self, timeout_sec: float) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self._running.forwarded()), timeout=timeout_sec)

    def console(self) -> str:
        """Return the last of what the guest said on its serial line since this was last asked."""
        return self._running.console()

    def _looked_at(self) -> RfbSource:
        return RfbSource(self._link.another(), lambda: self._link.hands.at)


_BOOT_REMEDY = (
    "open it without agent= and osworld= and look at its screen; see that qemu-guest-agent or the server starts there, "
    "or give boot_sec= more"
)


def _console(machine: QemuMachine) -> str:
    said = ""
    with contextlib.suppress(ComputerError):
        said = machine.console()
    return f"; it last said {said!r}" if said else ""
