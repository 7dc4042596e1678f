"""The parts of a sandbox's computer other than screen and pointer, which are those of any X server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from proctor.actions.action import Action
from proctor.computers.channels.x11.parts import X11Keys
from proctor.computers.channels.x11.windows import XWindow
from proctor.computers.entries import Change, FileInfo
from proctor.computers.parts.network import NetworkKind
from proctor.computers.sandbox_machine import display, files, state
from proctor.computers.sandbox_machine import launch as launching
from proctor.computers.sandbox_machine.commands import run_command
from proctor.computers.sandbox_machine.machine import AGENT_UID, READER_UID
from proctor.computers.sandbox_machine.sandbox import Sandbox
from proctor.computers.sandbox_machine.watch import SandboxWatch
from proctor.computers.screen_recorder import ScreenRecorder
from proctor.computers.settle import Settling
from proctor.computers.values import App, CodeResult, CommandResult, Window
from proctor.errors import SpecError
from proctor.observations.box import Box
from proctor.observations.clip import Clip
from proctor.observations.tree import Node, Still, Tree

NOBODYS = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"}
"""Environment of programs that read what the agent left."""


class SandboxPart:
    """Something that a sandbox's computer has."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox


class SandboxKeys(X11Keys):
    """The keyboard; applications do not report each key of a long text."""

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(sandbox)
        self._sandbox = sandbox

    def type(self, text: str) -> None:
        """Type a text exactly."""
        self._sandbox.desktop.type(text)


class SandboxTree(SandboxPart):
    """The accessibility tree, over the sandbox's own bus."""

    def tree(self) -> Tree:
        """Return the elements of every application."""
        return self._sandbox.desktop.read_tree()

    def reread(self, still: Still) -> Tree:
        """Return the same, without asking about what is still."""
        return self._sandbox.desktop.read_tree(still)

    def element_at(self, x: float, y: float) -> Node | None:
        """Return the element a click at this place would hit."""
        return self._sandbox.desktop.element_at(int(x), int(y))

    def focused(self) -> Node | None:
        """Return the element that receives keys."""
        return self._sandbox.desktop.focus()

    def menu_item(self, key: str) -> Node | None:
        """Return the item that a letter chooses from the menu that is open."""
        return self._sandbox.desktop.menu_item(key)


class SandboxWindows(SandboxPart):
    """Windows as the window manager lists them."""

    def windows(self) -> list[Window]:
        """Return the windows of applications, bottom to top."""
        return [_window(window) for window in self._sandbox.desktop.windows()]

    def popups(self) -> list[Box]:
        """Return where menus, lists of choices and tips are."""
        return [popup.box for popup in self._sandbox.desktop.look(lambda x11: x11.popups())]

    def program_at(self, x: float, y: float) -> str:
        """Return which program a click at this place goes to."""
        desktop = self._sandbox.desktop
        return desktop.program_of(desktop.window_under(int(x), int(y)))

    def program_with_keys(self) -> str:
        """Return which program keys go to."""
        desktop = self._sandbox.desktop
        return desktop.program_of(desktop.window_with_keys())

    def launch(
        self, argv: Sequence[str], *, window: str | None, wait: bool, timeout_sec: float, env: Mapping[str, str] | None
    ) -> App:
        """Start an application, and wait for its window if told to."""
        session = self._sandbox.desktop.session
        before = self._sandbox.desktop.windows()
        pid = launching.spawn(session, argv, env)
        self._sandbox.apps[pid] = tuple(argv)
        if not wait:
            return App(argv=tuple(argv), pid=pid, window=None)
        found = session.x.surviving(lambda: launching.await_window(session, pid, argv, before, window, timeout_sec))
        return App(argv=tuple(argv), pid=pid, window=_window(found))


class SandboxShell(SandboxPart):
    """Programs started by process 1."""

    def run(
        self,
        argv: Sequence[str],
        *,
        input: bytes,
        timeout_sec: float,
        env: Mapping[str, str] | None,
        cwd: str | None,
        root: bool,
        reader: bool,
    ) -> CommandResult:
        """Run a command as the agent's user, as root inside for setup, or as a user who owns nothing."""
        desktop = self._sandbox.desktop
        uid = 0 if root else READER_UID if reader else AGENT_UID
        if uid == AGENT_UID and self._sandbox.frozen:
            raise SpecError(
                f"{argv[0]!r} cannot be run as the agent's user while a judge looks",
                remedy="a probe runs programs with `reader=True`, or is registered as a live one",
            )
        # Whoever owns nothing is at home nowhere, and has no business on the agent's buses.
        full = {**(NOBODYS if reader else desktop.session.env), **(env or {})}
        folder = files.inside(cwd) if cwd else "/" if reader else files.inside(".")
        return run_command(desktop.machine, argv, input=input, timeout_sec=timeout_sec, env=full, cwd=folder, uid=uid)


class SandboxCode(SandboxPart):
    """Interpreters inside."""

    def execute(self, code: str, *, language: str, timeout_sec: float) -> CodeResult:
        """Run code in the agent's persistent interpreter or shell."""
        return self._sandbox.desktop.code.run(code, language, timeout_sec)


class SandboxFiles(SandboxPart):
    """Files, opened by process 1."""

    def read_file(self, path: str, *, most: int | None, follow: bool) -> bytes:
        """Return a file's content."""
        return files.read(self._sandbox.desktop.machine, path, most=most, follow=follow)

    def write_file(self, path: str, data: bytes, *, mode: int) -> None:
        """Write a file as the agent's user, making folders as needed."""
        files.write(self._sandbox.desktop.machine, path, data, mode)

    def list_files(self, path: str) -> list[FileInfo]:
        """Return the entries of a folder, sorted by name."""
        desktop = self._sandbox.desktop
        return files.entries(desktop.machine, path, clock_offset_sec=desktop.session.clock_offset_sec)

    def file_info(self, path: str) -> FileInfo:
        """Return what stands at a path, a link as such."""
        desktop = self._sandbox.desktop
        return files.info(desktop.machine, path, clock_offset_sec=desktop.session.clock_offset_sec)

    def remove_file(self, path: str) -> None:
        """Remove a file, link or whole folder."""
        files.remove(self._sandbox.desktop.machine, path)

    def watch_reads(self, paths: Sequence[str]) -> None:
        """Follow who reads these files and folders."""
        self._sandbox.followed = files.watch_reads(self._sandbox.desktop.machine, paths)

    def reads(self) -> list[str]:
        """Return which of them were read since this was last asked."""
        return files.reads(self._sandbox.desktop.machine, self._sandbox.followed)


class SandboxChanges(SandboxPart):
    """The upper layer of the overlay, compared with how it was."""

    _compared: tuple[str, list[Change]] = ("", [])
    """What had changed when that was last looked at, and the stamp of the files then."""

    def baseline(self) -> None:
        """Say that the task begins now."""
        machine = self._sandbox.desktop.machine
        with state.frozen(machine):
            machine.request("remember")
            self._sandbox.baseline = state.Baseline.take(machine)
            self._compared = ("", [])

    def changes(self) -> list[Change]:
        """Return what was created, changed or deleted since.

        While nothing changes it is looked at once: whoever judges asks several times, and an agent may have left
        enough to make each look long.
        """
        stamp = self._sandbox.frozen
        if not stamp or self._compared[0] != stamp:
            more = state.ROOT in (change.path for change in self._compared[1])
            bounds = state.SHORT_SCAN if more else state.SCAN
            self._compared = (stamp, self._baseline().changes(self._sandbox.desktop.machine, bounds))
        return list(self._compared[1])

    @contextmanager
    def spare_changes(self) -> Iterator[None]:
        """Take what changes in the block for how it was when the task began."""
        machine, baseline = self._sandbox.desktop.machine, self._baseline()
        earlier = state.scan(machine)
        try:
            yield
        finally:
            self._sandbox.baseline = baseline.move_on(machine, earlier)
            self._compared = ("", [])

    def before(self, path: str) -> bytes | None:
        """Return a file's content as it was then."""
        machine = self._sandbox.desktop.machine
        return self._baseline().content(machine, files.inside(path))

    def _baseline(self) -> state.Baseline:
        if self._sandbox.baseline is None:
            self.baseline()
        assert self._sandbox.baseline is not None
        return self._sandbox.baseline


class SandboxClips(SandboxPart):
    """The history that a recorder keeps in memory."""

    def clip(self, seconds: float) -> Clip:
        """Return the last seconds of the screen."""
        name = self._sandbox.desktop.session.look.name
        if self._sandbox.film is None:
            raise SpecError(
                f"{name} computer keeps no history of its screen", remedy=f"open it with clip_sec={max(seconds, 1):g}"
            )
        return self._sandbox.film.clip(min(seconds, self._sandbox.clip_sec))


class SandboxNetwork(SandboxPart):
    """The policy that the sandbox was opened with."""

    def kind(self) -> NetworkKind:
        """Return how much may be reached."""
        return self._sandbox.plan.network.kind

    def targets(self) -> tuple[str, ...]:
        """Return each `host:port` that is let through."""
        return tuple(f"{target.host}:{target.port}" for target in self._sandbox.plan.network.targets)


class SandboxViewer(SandboxPart):
    """The VNC side of the display, and recorders on connections of their own."""

    def watch(self, *, port: int, path: str | Path | None) -> SandboxWatch:
        """Let viewers in over VNC."""
        if path is None and not self._sandbox.plan.setting.vnc_password:
            raise SpecError("a desktop on a port needs a password", remedy="open it with vnc_password='...'")
        watch = SandboxWatch(self._sandbox.desktop.machine, port=port, path=path)
        self._sandbox.desktop.before_close(watch.close)
        return watch

    def record(self, path: str | Path, *, fps: float) -> ScreenRecorder:
        """Record the screen into a video."""
        return self._sandbox.recorder(Path(path), None, fps=fps)


class SandboxRest(SandboxPart):
    """What process 1 and the display know of work that is going on."""

    def about_to(self, action: Action) -> None:
        """Mark where the consequences of an action begin."""
        settler = self._sandbox.desktop.settler
        self._sandbox.look(lambda _: settler.mark(action))

    def settle(self, policy: Settling, *, timeout_sec: float) -> bool:
        """Wait until programs have read their input, stopped drawing and have nothing left to do."""
        return self._sandbox.settle(policy, timeout_sec=timeout_sec)

    def wait_activity(self, timeout_sec: float) -> None:
        """Wait for an event of the display."""
        self._sandbox.look(lambda x: x.wait(timeout_sec), timeout_sec=timeout_sec + display.LOOK_SEC)

    def drawings(self) -> int:
        """Return how often something was drawn."""
        self._sandbox.look(lambda x: x.drain())
        return self._sandbox.desktop.x.drawings

    def restless(self) -> list[Box]:
        """Return where the panel's clock is."""
        session = self._sandbox.desktop.session
        return self._sandbox.look(lambda _: launching.clocks(session))


def _window(window: XWindow) -> Window:
    return Window(
        id=window.id,
        title=window.title,
        app=window.app,
        pid=window.pid,
        box=window.frame,
        active=window.active,
        minimised=window.minimised,
    )
