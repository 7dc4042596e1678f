"""The default computer: a Linux desktop in namespaces, on an image of its own, reached from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import PIL.Image

from proctor.actions.action import Action
from proctor.computers import computer as contract
from proctor.computers.backends.sandbox import autopsy, display, files, launching, state
from proctor.computers.backends.sandbox import desk as desks
from proctor.computers.backends.sandbox.commands import run_command
from proctor.computers.backends.sandbox.machine import AGENT_UID, READER_UID, Usage
from proctor.computers.backends.sandbox.options import make_plan
from proctor.computers.backends.sandbox.style import Theme
from proctor.computers.backends.sandbox.watching import Watch
from proctor.computers.channels.x11.windows import XWindow
from proctor.computers.computer import App, Change, Computer, Window
from proctor.computers.frames import XSource
from proctor.computers.recording import Recorder
from proctor.errors import ComputerError, SpecError
from proctor.observations.box import Box
from proctor.observations.clip import Clip, ScreenHistory
from proctor.observations.tree import Node, Tree

NOBODYS = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"}
"""Environment of programs that read what the agent left."""


class SandboxComputer(Computer):
    """A desktop in a sandbox; see `docs/architecture.md` for how it is made and kept closed."""

    backend: ClassVar[str] = "sandbox"
    capabilities: ClassVar[frozenset[contract.Capability]] = frozenset(
        {
            "screen", "pointer", "keys", "tree", "windows", "shell", "code", "files", "changes", "snapshot", "clip",
            "network",
        }
    )  # fmt: skip

    _desk: desks.Desk | None = None
    _closed = False
    _baseline: state.Baseline | None = None
    _history: Recorder | None = None

    def __init__(
        self,
        *,
        image: str = "starter",
        look: Literal["xfce", "light"] = "xfce",
        size: tuple[int, int] = (1920, 1080),
        locale: str = "en_US.UTF-8",
        timezone: str = "Etc/UTC",
        clock: datetime | str | None = None,
        theme: Theme = "light",
        memory_mb: int = 4096,
        processes: int = 1024,
        disk_mb: int = 2048,
        cpus: float = 0,
        network: str | Sequence[str] = "off",
        pace: contract.Pace = "settle",
        clip_sec: float = 0.0,
        vnc_password: str = "",
    ) -> None:
        """Describe a sandbox; it starts with `start` or `with`.

        Args:
            image: Name of a built image (`proctor image list`).
            look: `xfce`, a full desktop, or `light`, a lean one.
            size: Width and height of the screen.
            locale: Language and formats, one the image has, such as `de_DE.UTF-8`.
            timezone: Name of a time zone, such as `Europe/Berlin`.
            clock: What the clock says when the desktop starts (ISO 8601); it goes on from there. None: the real time.
            theme: `light` or `dark`.
            memory_mb: Most memory its programs may use together.
            processes: Most processes at once.
            disk_mb: Most data that may be written.
            cpus: Processors' worth of time it may use; 0 for all, though never more than its share.
            network: `off`, `loopback` (services inside), or a list of `host:port` that may be reached.
            pace: `settle` waits for a quiet screen after each action; `realtime` does not.
            clip_sec: How many seconds of the screen `clip` can look back; 0 keeps none.
            vnc_password: Asked of viewers that `watch` lets in; up to eight characters.
        """
        self._plan = make_plan(
            image=image, look=look, size=size, locale=locale, timezone=timezone, clock=clock, theme=theme,
            memory_mb=memory_mb, processes=processes, disk_mb=disk_mb, cpus=cpus, network=network,
            vnc_password=vnc_password,
        )  # fmt: skip
        self.size = self._plan.setting.size
        self.pace = pace
        self.clip_sec = clip_sec
        self._apps: dict[int, tuple[str, ...]] = {}

    # -- life -----------------------------------------------------------------------------------------------------

    def start(self) -> Self:
        """Start the sandbox and return when its desktop is complete and still."""
        if self._desk is None:
            self._closed = False
            self._enter(desks.start(self._plan, incidents=self.incidents))
        return self

    def _enter(self, desk: desks.Desk) -> None:
        self._desk = desk
        try:
            self.settle(timeout_sec=10.0)
            self.baseline()
            if self.clip_sec > 0:
                self._history = self._recorder(None, ScreenHistory(self.size, seconds=self.clip_sec), fps=10)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End every program inside and leave nothing behind."""
        self._closed = True
        desk, self._desk = self._desk, None
        self._history = None
        self._baseline = None
        if desk is not None:
            desk.close()

    @property
    def desk(self) -> desks.Desk:
        """The running desktop; raises ComputerError when there is none."""
        if self._desk is None:
            word = "closed" if self._closed else "not started"
            raise ComputerError(
                f"this computer is {word}", remedy="use it inside `with open_computer(...) as computer:`"
            )
        return self._desk

    def facts(self) -> dict[str, Any]:
        """Return what a record needs to reproduce this computer."""
        plan, groups = self._plan, self.desk.groups
        return {
            "backend": self.backend,
            "image": {"name": plan.image.name, "digest": plan.image.digest},
            "look": plan.look.name,
            "size": list(self.size),
            "locale": plan.setting.locale,
            "timezone": plan.setting.timezone,
            "clock": plan.setting.clock.isoformat() if plan.setting.clock else None,
            "theme": plan.setting.theme,
            "limits": asdict(plan.limits) | groups.holders(),
            "ids": "of the host" if self.desk.machine.unsheltered else "shifted",
            "network": {"kind": plan.network.kind, "targets": [f"{t.host}:{t.port}" for t in plan.network.targets]},
            "pace": self.pace,
            "settle": self.settling,
        }

    def usage(self) -> Usage:
        """Return what its programs use right now."""
        return self.desk.machine.usage()

    def autopsy(self) -> dict[str, Any]:
        """Return what is known of how it failed."""
        return autopsy.autopsy(self._desk) if self._desk else {}

    def processor_seconds(self) -> float | None:
        """Return the processor time that its programs have used; None where nobody counts it."""
        return autopsy.processor_seconds(self._desk) if self._desk else None

    # -- see ------------------------------------------------------------------------------------------------------

    def screenshot(self, *, cursor: bool = True) -> PIL.Image.Image:
        """Return the desktop as an RGB image."""
        return self.desk.look(lambda x: x.screenshot(cursor=cursor))

    def tree(self) -> Tree:
        """Return the accessibility tree of every application."""
        return self.desk.read_tree()

    def element_at(self, x: float, y: float) -> Node | None:
        """Return the element a click at this place would hit."""
        return self.desk.element_at(int(x), int(y))

    def windows(self) -> list[Window]:
        """Return the windows of applications, bottom to top."""
        return [_window(window) for window in self.desk.windows()]

    def clip(self, seconds: float) -> Clip:
        """Return the last seconds of the screen."""
        desk = self.desk
        if self._history is None:
            raise SpecError(
                f"{desk.session.look.name} computer keeps no history of its screen",
                remedy=f"open it with clip_sec={max(seconds, 1):g}",
            )
        return self._history.clip(min(seconds, self.clip_sec))

    def record(self, path: str | Path, *, fps: float = 10.0) -> Recorder:
        """Record the screen into a video until the recorder is stopped or the computer closed."""
        return self._recorder(Path(path), None, fps=fps)

    def _recorder(self, path: Path | None, history: ScreenHistory | None, *, fps: float) -> Recorder:
        recorder = Recorder(XSource(self.desk.connect_display()), path, history=history, fps=fps).start()
        self.desk.before_close(recorder.stop)
        return recorder

    def watch(self, *, port: int = 0, path: str | Path | None = None) -> Watch:
        """Let viewers in over VNC, on a loopback port (0: any free one) or a Unix socket, until closed."""
        if path is None and not self._plan.setting.vnc_password:
            raise SpecError("a desktop on a port needs a password", remedy="open it with vnc_password='...'")
        watch = Watch(self.desk.machine, port=port, path=path)
        self.desk.before_close(watch.close)
        return watch

    # -- touch ----------------------------------------------------------------------------------------------------

    def _pointer_move(self, x: int, y: int) -> None:
        self.desk.look(lambda x11: x11.move(x, y))

    def _pointer_position(self) -> tuple[int, int]:
        pointer = self.desk.look(lambda x11: x11.pointer())
        return pointer.x, pointer.y

    def _pointer_button(self, button: int, down: bool) -> None:
        self.desk.look(lambda x11: x11.button(button, down))

    def _pointer_clicks(self, button: int, count: int) -> None:
        self.desk.look(lambda x11: x11.clicks(button, count))

    def _key(self, keysym: int, down: bool) -> None:
        keyboard = self.desk.keyboard
        self.desk.look(lambda _: keyboard.key(keysym, down))

    def _type(self, text: str) -> None:
        self.desk.type(text)

    def _focused(self) -> Node | None:
        return self.desk.accessibility.focused()

    # -- wait -----------------------------------------------------------------------------------------------------

    def settle(self, *, timeout_sec: float = 10.0) -> bool:
        """Wait until programs have read their input, stopped drawing and have nothing left to do."""
        most = timeout_sec + display.LOOK_SEC
        settler, settling = self.desk.settler, self.settling
        if not isinstance(settling, str):
            self._pass_time(settling)
        return self.desk.look(lambda _: settler.settle(settling, timeout_sec=timeout_sec), timeout_sec=most)

    def _about_to(self, action: Action) -> None:
        settler = self.desk.settler
        self.desk.look(lambda _: settler.mark(action))

    def _drawings(self) -> int:
        self.desk.look(lambda x: x.drain())
        return self.desk.x.drawings

    def _restless(self) -> list[Box]:
        session = self.desk.session
        return self.desk.look(lambda _: launching.clocks(session))

    def _wait_activity(self, timeout_sec: float) -> None:
        self.desk.look(lambda x: x.wait(timeout_sec), timeout_sec=timeout_sec + display.LOOK_SEC)

    # -- run ------------------------------------------------------------------------------------------------------

    def run(
        self,
        argv: Sequence[str],
        *,
        input: bytes = b"",
        timeout_sec: float = 60.0,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        root: bool = False,
        reader: bool = False,
    ) -> contract.CommandResult:
        """Run a command as the agent's user, as root inside for setup, or as a user who owns nothing."""
        desk = self.desk
        uid = 0 if root else READER_UID if reader else AGENT_UID
        # Whoever owns nothing is at home nowhere, and has no business on the agent's buses.
        full = {**(NOBODYS if reader else desk.session.env), **(env or {})}
        folder = files.inside(cwd) if cwd else "/" if reader else files.inside(".")
        return run_command(desk.machine, argv, input=input, timeout_sec=timeout_sec, env=full, cwd=folder, uid=uid)

    def launch(
        self,
        argv: Sequence[str],
        *,
        window: str | None = None,
        wait: bool = True,
        timeout_sec: float = 30.0,
        env: Mapping[str, str] | None = None,
    ) -> App:
        """Start an application and return when its window is up and settled."""
        session = self.desk.session
        before = self.desk.windows()
        pid = launching.spawn(session, argv, env)
        self._apps[pid] = tuple(argv)
        if not wait:
            return App(argv=tuple(argv), pid=pid, window=None)
        found = session.x.surviving(lambda: launching.await_window(session, pid, argv, before, window, timeout_sec))
        self.settle()
        current = next((each for each in self.desk.windows() if each.id == found.id), found)
        return App(argv=tuple(argv), pid=pid, window=_window(current))

    def execute(self, code: str, *, language: str = "python", timeout_sec: float = 30.0) -> contract.CodeResult:
        """Run code in the agent's persistent interpreter or shell."""
        return self.desk.code.run(code, language, timeout_sec)

    # -- files ----------------------------------------------------------------------------------------------------

    def read_file(self, path: str, *, most: int | None = None, follow: bool = True) -> bytes:
        """Return a file's content."""
        return files.read(self.desk.machine, path, most=most, follow=follow)

    def write_file(self, path: str, data: bytes, *, mode: int = 0o644) -> None:
        """Write a file as the agent's user, making folders as needed."""
        files.write(self.desk.machine, path, data, mode)

    def list_files(self, path: str = ".") -> list[contract.FileInfo]:
        """Return the entries of a folder, sorted by name."""
        return files.entries(self.desk.machine, path, clock_offset_sec=self.desk.session.clock_offset_sec)

    def file_info(self, path: str) -> contract.FileInfo:
        """Return what stands at a path, a link as such."""
        return files.info(self.desk.machine, path, clock_offset_sec=self.desk.session.clock_offset_sec)

    def remove_file(self, path: str) -> None:
        """Remove a file, link or whole folder."""
        files.remove(self.desk.machine, path)

    # -- state ----------------------------------------------------------------------------------------------------

    def baseline(self) -> None:
        """Say that the task begins now."""
        self._baseline = state.Baseline.take(self.desk.machine)

    def changes(self) -> list[Change]:
        """Return what was created, changed or deleted since `baseline`."""
        return self._begun().changes(self.desk.machine)

    def before(self, path: str) -> bytes | None:
        """Return a file's content as it was at `baseline`."""
        return self._begun().content(self.desk.machine, files.inside(path))

    def _begun(self) -> state.Baseline:
        if self._baseline is None:
            self.baseline()
        assert self._baseline is not None
        return self._baseline

    def snapshot(self) -> state.SandboxSnapshot:
        """Keep the file state and the list of open applications."""
        machine = self.desk.machine
        apps = tuple(argv for pid, argv in self._apps.items() if machine.ended(pid) is None)
        layer = state.pack(machine)
        digest = self._plan.image.digest
        return state.SandboxSnapshot(backend=self.backend, path=layer.path, apps=apps, layer=layer, image_digest=digest)

    def restore(self, snapshot: contract.Snapshot) -> None:
        """Go back to a snapshot: its files, a fresh desktop, its applications relaunched."""
        if not isinstance(snapshot, state.SandboxSnapshot) or snapshot.image_digest != self._plan.image.digest:
            raise SpecError(
                "this snapshot was taken on another kind of computer", remedy="restore it on one with the same image"
            )
        if self._desk is not None:
            self.close()
        self._closed = False
        self._apps.clear()
        self._enter(desks.start(self._plan, snapshot.layer, incidents=self.incidents))
        for argv in snapshot.apps:
            self.launch(argv)
        self.baseline()

    def fork(self) -> SandboxComputer:
        """Return a second, started computer in the same file state with the same applications."""
        snapshot = self.snapshot()
        twin = type(self)(pace=self.pace, clip_sec=self.clip_sec, image=self._plan.image.name)
        twin._plan = replace(self._plan)
        twin.size, twin.settling = self.size, self.settling
        twin.restore(snapshot)
        return twin


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
