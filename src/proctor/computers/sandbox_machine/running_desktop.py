"""A running desktop with every way into it: machine, session, keyboard, tree, code.

Made whole, ended whole.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.keyboard import Keyboard
from proctor.computers.channels.x11.target import TargetWindow, window_under, window_with_keys
from proctor.computers.channels.x11.windows import XWindow
from proctor.computers.images import store
from proctor.computers.incidents import Incidents
from proctor.computers.sandbox_machine import display, limits, network, scratch, state
from proctor.computers.sandbox_machine.accessibility import READ_SEC, Accessibility
from proctor.computers.sandbox_machine.code import Interpreters
from proctor.computers.sandbox_machine.display import LOOK_SEC, Seen
from proctor.computers.sandbox_machine.launch import shown_windows
from proctor.computers.sandbox_machine.machine import CannotShelter, SandboxMachine
from proctor.computers.sandbox_machine.plan import SandboxPlan
from proctor.computers.sandbox_machine.session import DesktopSession
from proctor.computers.sandbox_machine.settle import Settler
from proctor.errors import ImageError
from proctor.observations.tree import Node, Still, Tree

LONG_TEXT = 200
"""From this length on, letting go of the accessibility bus costs less than it saves."""


@dataclass(kw_only=True)
class RunningDesktop:
    """A started desktop."""

    machine: SandboxMachine
    session: DesktopSession
    groups: limits.Groups
    keyboard: Keyboard
    accessibility: Accessibility
    code: Interpreters
    settler: Settler
    incidents: Incidents
    _ending: contextlib.ExitStack = field(repr=False)

    @property
    def x(self) -> X11:
        """The display."""
        return self.session.x

    def look(self, operation: Callable[[X11], Seen], *, timeout_sec: float = LOOK_SEC) -> Seen:
        """Do something with the display within a time, again when its connection was cut meanwhile."""
        return display.look(self.x, operation, timeout_sec=timeout_sec)

    def windows(self) -> list[XWindow]:
        """Return the windows of applications, bottom to top."""
        return self.look(lambda _: shown_windows(self.session))

    def read_tree(self, still: Still | None = None) -> Tree:
        """Return the accessibility tree, in the time of one look altogether.

        What is still is not asked again.
        """
        ends = time.monotonic() + LOOK_SEC
        windows = self.windows()
        left = max(ends - time.monotonic(), 0.1)
        return self.accessibility.read(windows, timeout_sec=min(READ_SEC, left), still=still)

    def element_at(self, x: int, y: int) -> Node | None:
        """Return the element of the topmost window at a point."""
        window = self.window_under(x, y)
        return self.accessibility.element_at(x, y, window) if window else None

    def focus(self) -> Node | None:
        """Return the element that receives keys."""
        window = self.window_with_keys()
        return self.accessibility.focused(window) if window else None

    def menu_item(self, key: str) -> Node | None:
        """Return the item that a letter chooses from the menu that is open."""
        window = self.window_with_keys()
        return self.accessibility.menu_item(key, window) if window else None

    def window_under(self, x: int, y: int) -> TargetWindow | None:
        """Return the window that a click at a point goes to."""
        return self.look(lambda x11: window_under(x11, (x, y)))

    def window_with_keys(self) -> TargetWindow | None:
        """Return the window that keys go to."""
        return self.look(window_with_keys)

    def program_of(self, window: TargetWindow | None) -> str:
        """Return the path of the image's program that a window belongs to; empty where it is none."""
        return self.machine.program(window.pid) if window and window.pid else ""

    def type(self, text: str) -> None:
        """Type a text; a long one without the applications reporting each key."""
        letting_go = self.accessibility.unheard() if len(text) >= LONG_TEXT else contextlib.nullcontext()
        with letting_go:
            self.x.surviving(lambda: self.keyboard.type(text))

    def connect_display(self) -> X11:
        """Open a second connection to the display, for a thread of its own."""
        return display.connect(self.machine, self.session.setting.size, self.incidents)

    def before_close(self, end: Callable[[], object]) -> None:
        """Have something ended first when the desktop is closed, such as a recording of it."""
        self._ending.callback(end)

    def close(self) -> None:
        """End everything, whatever the end of one thing says; nothing is left behind."""
        self._ending.close()


def start(plan: SandboxPlan, layer: state.PackedLayer | None = None, *, incidents: Incidents) -> RunningDesktop:
    """Start a desktop, on top of a packed layer if one is given.

    A failed start leaves nothing behind.
    """
    with contextlib.ExitStack() as ending:
        ending.callback(store.hold(plan.image).close)
        groups, machine = _start(plan, ending)
        if layer is not None:
            state.unpack(machine, layer)
        with machine.open("/etc/hosts", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, uid=0) as hosts:
            hosts.write(plan.network.hosts_file.encode())
        if plan.network.targets:
            ending.callback(network.NetworkRelay(machine, plan.network.targets).close)
        session = DesktopSession(machine, plan.look, plan.setting)
        try:
            session.start(plan.image.rootfs, fresh=layer is None)
        except OSError as error:
            name = plan.image.name
            raise ImageError(
                f"no desktop can be started from image {name!r}: {error.filename}: {error.strerror}",
                remedy=f"proctor images build {name} --force",
            ) from error
        ending.callback(session.x.close)
        display.keep_open(session.x, machine, incidents)
        accessibility = Accessibility(machine, plan.setting.size, incidents)
        ending.callback(accessibility.close)
        code = Interpreters(machine, session.env)
        ending.callback(code.close)
        return RunningDesktop(
            machine=machine,
            session=session,
            groups=groups,
            keyboard=session.keyboard,
            accessibility=accessibility,
            code=code,
            settler=Settler(session.x, machine),
            incidents=incidents,
            _ending=ending.pop_all(),
        )


_UNSHELTERED: list[str] = []
"""Why this host cannot shift ids, once a start has shown it."""


def _start(plan: SandboxPlan, ending: contextlib.ExitStack) -> tuple[limits.Groups, SandboxMachine]:
    """Start a machine in groups of its own.

    Without shifted ids where this host has none, which `facts()` then says.
    """
    if not _UNSHELTERED:
        try:
            return _attempt(plan, ending, shifted=True)
        except CannotShelter as error:
            _UNSHELTERED.append(error.message)
    return _attempt(plan, ending, shifted=False)


def _attempt(plan: SandboxPlan, ending: contextlib.ExitStack, *, shifted: bool) -> tuple[limits.Groups, SandboxMachine]:
    with contextlib.ExitStack() as undoing:
        groups = limits.make(plan.limits)
        undoing.callback(limits.discard, groups)
        config = plan.machine_config(groups, shifted=shifted)
        undoing.callback(scratch.discard, config["scratch"])
        machine = SandboxMachine(config)
        undoing.callback(machine.close)
        ending.callback(undoing.pop_all().close)
        return groups, machine
