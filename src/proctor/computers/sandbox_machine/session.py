"""Bring up a desktop inside a machine: display, buses, look.

Each step waits for a sign of readiness, not for time.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import selectors
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.keyboard import Keyboard
from proctor.computers.channels.x11.windows import set_text
from proctor.computers.parts.clock import PatientClock
from proctor.computers.sandbox_machine import clock, first_runs
from proctor.computers.sandbox_machine.commands import run_command
from proctor.computers.sandbox_machine.looks import DesktopLook
from proctor.computers.sandbox_machine.machine import AGENT_UID, DISPLAY_UID, SandboxMachine
from proctor.computers.sandbox_machine.style import FOLDERS, FONT_RENDERING, STYLES, common_files
from proctor.errors import ComputerError
from proctor.home import HOME

DISPLAY = ":1"
X_SOCKET = "/tmp/.X11-unix/X1"
RUNTIME = f"/run/user/{AGENT_UID}"
BUS_SOCKET = f"{RUNTIME}/bus"
BUS_PROGRAM = "/usr/bin/dbus-daemon"
RFB_FOLDER = "/run/display"
RFB_SOCKET = f"{RFB_FOLDER}/rfb"
LOG_FOLDER = "/run/log"
FILLABLE = {RUNTIME: 64 << 20, LOG_FOLDER: 16 << 20, "/run/lock": 1 << 20}
"""Folders of a size of their own: the agent can fill them, or what its programs say does."""
START_SEC = 30.0
GLANCE_SEC = 0.05
"""How long a window is waited for without a sign before the window manager is nudged."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DesktopSetting:
    """Everything about a desktop that an agent or a record may care about."""

    size: tuple[int, int] = (1920, 1080)
    locale: str = "en_US.UTF-8"
    timezone: str = "Etc/UTC"
    clock: datetime | None = None
    """What the clock says when the desktop starts; it goes on from there."""
    theme: str = "light"
    vnc_password: str = ""
    """Asked of VNC viewers; empty when nobody but the harness reaches the display's socket."""


class DesktopSession:
    """The programs of one desktop."""

    def __init__(self, machine: SandboxMachine, look: DesktopLook, setting: DesktopSetting) -> None:
        self.machine, self.look, self.setting = machine, look, setting
        self.clock_offset_sec = clock.offset_sec(setting.clock)
        self.env = self._environment()
        self.x: X11
        self.keyboard: Keyboard
        self._logs: dict[int, str] = {}
        # On a host that is short of processors a desktop takes long to start, and is whole in the end.
        self._patience = PatientClock()

    def _environment(self) -> dict[str, str]:
        setting = self.setting
        return {
            "HOME": HOME,
            "USER": "user",
            "LOGNAME": "user",
            "SHELL": "/bin/bash",
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games",
            "LANG": setting.locale,
            "TZ": setting.timezone,
            "DISPLAY": DISPLAY,
            "XDG_RUNTIME_DIR": RUNTIME,
            "XDG_CURRENT_DESKTOP": self.look.desktop,
            "XDG_SESSION_TYPE": "x11",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={BUS_SOCKET}",
            # Accessibility for GTK 2 (GIMP), Qt (VLC) and Java-less LibreOffice; GTK 3 needs no word.
            "GTK_MODULES": "gail:atk-bridge",
            "QT_ACCESSIBILITY": "1",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "SAL_USE_VCLPLUGIN": "gtk3",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            # There are no disks to announce; asking for them costs every file manager a tenth of a second.
            "GVFS_REMOTE_VOLUME_MONITOR_IGNORE": "1",
        }

    # -- start ----------------------------------------------------------------------------------------------------

    def start(self, rootfs: Path, *, fresh: bool) -> None:
        """Start the desktop and return when it is complete.

        A fresh one gets its look's configuration first.
        """
        deadline = self._patience.now() + START_SEC
        if self.setting.clock:
            built = (rootfs.parent / "image.json").stat().st_mtime
            clock.set_clock(self.machine, self.clock_offset_sec, image_sec=math.ceil(built))
        with contextlib.ExitStack() as pipes:
            display, display_tell = self._readiness_pipe(pipes)
            bus, bus_tell = self._readiness_pipe(pipes)
            self._start_display(display_tell)
            self._start_bus(bus_tell)
            if fresh:  # while those two start: neither reads any of it
                style = STYLES[self.setting.theme]
                files = {**common_files(style), **first_runs.files(rootfs), **self.look.files(rootfs, style)}
                self.unpack(_as_tar(files))
            self._await("the display", display, self.display_pid, deadline)
            self._await("the session bus", bus, self.bus_pid, deadline)
        self.spawn(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately", "--a11y=1"])
        self.x = X11(self.machine.connect(X_SOCKET))
        # Before any program runs: each would read the keyboard again, and might claim a key that is borrowed here.
        self.keyboard = Keyboard(self.x)
        set_text(self.x, self.x.root, "RESOURCE_MANAGER", FONT_RENDERING)
        self.x.sync()
        for program in self.look.programs:
            self.spawn(program)
        self._await_desktop(deadline)

    def unpack(self, tar: bytes) -> None:
        """Put files into the machine."""
        fd = os.memfd_create("files")
        with os.fdopen(fd, "wb") as file:
            file.write(tar)
            file.flush()
            os.lseek(fd, 0, os.SEEK_SET)
            with self.machine.job("unpack", fd):
                pass

    def spawn(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        fds: Mapping[int, int] | None = None,
        cwd: str = HOME,
        uid: int = AGENT_UID,
        keep: Sequence[str] = (),
    ) -> int:
        """Start a program of the desktop, its output going to a log inside."""
        path = f"{LOG_FOLDER}/{len(self._logs):04d}-{Path(argv[0]).name}.log"
        with self.machine.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, uid=0) as log:
            fds = {1: log.fileno(), 2: log.fileno(), **(fds or {})}
            pid = self.machine.spawn(argv, env={**self.env, **(env or {})}, fds=fds, cwd=cwd, uid=uid, keep=keep)
        self._logs[pid] = path
        return pid

    def log_tail(self, pid: int) -> str:
        """Return the last words a program wrote."""
        with self.machine.open(self._logs[pid], os.O_RDONLY, uid=0) as log:
            log.seek(0, io.SEEK_END)
            log.seek(max(log.tell() - 2000, 0))
            return log.read().decode(errors="replace").strip()

    def _readiness_pipe(self, pipes: contextlib.ExitStack) -> tuple[BinaryIO, BinaryIO]:
        """Return the ends on which a program says that it is ready.

        They are closed with the stack at the latest.
        """
        ready, tell = os.pipe2(os.O_CLOEXEC)
        return pipes.enter_context(os.fdopen(ready, "rb", buffering=0)), pipes.enter_context(os.fdopen(tell, "wb"))

    def _start_display(self, tell: BinaryIO) -> None:
        width, height = self.setting.size
        argv = [
            "Xvnc", DISPLAY, "-geometry", f"{width}x{height}", "-depth", "24", "-displayfd", "3",
            *self._vnc_security(), "-rfbport", "-1", "-rfbunixpath", RFB_SOCKET, "-rfbunixmode", "0600",
            "-nolisten", "tcp", "-ac", "-noreset", "-dpi", "96", "-AlwaysShared", "-AcceptSetDesktopSize=0",
            "-FrameRate", "30", "-CompareFB", "0", "-extension", "GLX", "-SendCutText=0", "-AcceptCutText=0",
            "-AllowOverride=",
            "-maxclients", "256", "-maxbigreqsize", "64",
        ]  # fmt: skip
        # Its own user, so that the agent can neither kill nor trace it; the capability lets it attach to the shared
        # memory of its clients, as a root-owned X server would.
        env = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}
        fds = {3: tell.fileno()}
        self.display_pid = self.spawn(argv, env=env, fds=fds, cwd="/", uid=DISPLAY_UID, keep=["ipc_owner"])
        tell.close()

    def _vnc_security(self) -> list[str]:
        if not self.setting.vnc_password:
            return ["-SecurityTypes", "None"]
        path = f"{RFB_FOLDER}/password"
        secret = self.setting.vnc_password.encode()
        command = ["sh", "-c", f"umask 077; tigervncpasswd -f > {path}"]
        env = {"PATH": "/usr/bin:/bin", "HOME": "/tmp"}
        done = run_command(self.machine, command, input=secret, timeout_sec=10, env=env, cwd="/", uid=DISPLAY_UID)
        if done.code != 0:
            raise ComputerError(
                f"the VNC password could not be set: {done.stderr.strip()}",
                remedy="the image needs the package tigervnc-tools; rebuild it",
            )
        return ["-SecurityTypes", "VncAuth", "-PasswordFile", path]

    def _start_bus(self, tell: BinaryIO) -> None:
        argv = [
            BUS_PROGRAM,
            "--session",
            "--nofork",
            "--nopidfile",
            f"--address=unix:path={BUS_SOCKET}",
            "--print-address=3",
        ]
        self.bus_pid = self.spawn(argv, fds={3: tell.fileno()})
        tell.close()

    def _await(self, what: str, pipe: BinaryIO, pid: int, deadline: float) -> None:
        """Wait until a starting program has written a line to its readiness descriptor."""
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            line = b""
            while not line.endswith(b"\n"):
                if not selector.select(GLANCE_SEC):
                    if self._patience.now() < deadline:
                        continue
                    raise ComputerError(f"{what} of the sandbox did not start within {START_SEC:g} s")
                part = pipe.read(256)
                if not part:
                    raise ComputerError(
                        f"{what} of the sandbox ended while starting: {self.log_tail(pid)}",
                        remedy="the image may be damaged; rebuild it with `proctor images build NAME --force`",
                    )
                line += part

    def _await_desktop(self, deadline: float) -> None:
        """Wait until window manager, panels and desktop are on screen and have finished drawing."""
        while True:
            kinds = [window.kind for window in self.x.windows()]
            missing = []
            if kinds.count("dock") < self.look.docks:
                missing.append(f"{self.look.docks - kinds.count('dock')} panel(s)")
            if self.look.icons and "desktop" not in kinds:
                missing.append("desktop icons")
            if not missing:
                return
            left = deadline - self._patience.now()
            if left <= 0:
                raise ComputerError(
                    f"the desktop has not fully started after {START_SEC:g} s; missing: {', '.join(missing)}"
                )
            if not self.x.wait(min(left, GLANCE_SEC)):
                self.x.nudge()


def machine_folders() -> list[list[object]]:
    """Return the folders a session needs, with owner and mode."""
    folders: list[list[object]] = [
        [RUNTIME, AGENT_UID, 0o700],
        [RFB_FOLDER, DISPLAY_UID, 0o700],
        [LOG_FOLDER, 0, 0o700],
        ["/run/lock", 0, 0o1777],
        [HOME, AGENT_UID, 0o755],
    ]
    return folders + [[f"{HOME}/{name}", AGENT_UID, 0o755] for name in FOLDERS]


def _as_tar(files: Mapping[str, bytes]) -> bytes:
    """Pack configuration files.

    Those below the home folder belong to the agent's user, with their folders.
    """
    buffer = io.BytesIO()
    seen: set[str] = set()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, data in files.items():
            owner = AGENT_UID if path.startswith(f"{HOME}/") else 0
            for parent in reversed(Path(path).parents):
                name = str(parent).lstrip("/")
                if owner and str(parent).startswith(f"{HOME}/") and name not in seen:
                    seen.add(name)
                    folder = tarfile.TarInfo(name)
                    folder.type, folder.mode, folder.uid, folder.gid = tarfile.DIRTYPE, 0o755, owner, owner
                    tar.addfile(folder)
            member = tarfile.TarInfo(path.lstrip("/"))
            member.size, member.mode, member.uid, member.gid = len(data), 0o644, owner, owner
            tar.addfile(member, io.BytesIO(data))
    return buffer.getvalue()
