"""The harness's end of a sandbox."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import platform
import re
import selectors
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from proctor.computers import containers
from proctor.computers.sandbox_machine import script
from proctor.errors import ComputerError, ComputerLost, HostError, ImageError

MESSAGE_BYTES = 256 * 1024
REMEDY = "start a fresh computer"
AGENT_UID = 1000
DISPLAY_UID = 900
READER_UID = 901
"""Who runs programs that read what the agent left: neither the agent nor anybody it could harm."""


CANNOT_SHIFT = (errno.EPERM, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)
"""How a kernel or a container says that a user namespace, or a mount with shifted owners, is not to be had."""


SHIFTING = (5, 19)
"""First Linux that mounts an overlay with shifted owners."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProcessEnd:
    """How a process inside came to its end."""

    pid: int
    code: int
    """Exit status; negative for the signal that ended it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MachineUsage:
    """What a sandbox uses."""

    memory_bytes: int
    """Proportional set size of every process: shared pages are divided among their users."""
    disk_bytes: int
    disk_free_bytes: int
    processes: int


class CannotShelter(HostError):
    """This host does not let root shift ids: its kernel is too old, or a container forbids it."""


def shifts_ids() -> bool:
    """Tell whether root may shift ids here, as far as the kernel and a container let us see."""
    release = tuple(int(number) for number in re.findall(r"\d+", platform.release())[:2])
    return release >= SHIFTING and not containers.look(root=True).lacks


class SandboxMachine:
    """A started sandbox with nothing running in it yet but its process 1."""

    def __init__(self, config: Mapping[str, Any], *, timeout_sec: float = 20.0) -> None:
        self.timeout_sec = timeout_sec
        self.unsheltered = not config["first_id"] and not config["rootless"]
        """Whether root inside is root of this host, with fewer rights: this host shifts no ids."""
        self._ended: dict[int, ProcessEnd] = {}
        self._replies: dict[int, tuple[dict[str, Any], list[int]]] = {}
        self.deeds = 0
        """How many requests there were that do more than feel what programs do."""
        self._serial = 0
        self._first = -1
        self.last_words = ""
        """What the supervisor and process 1 said before they ended."""
        # One message at a time: whoever watches the screen connects from a thread of its own.
        self._turn = threading.RLock()
        self._config = dict(config)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        lifeline_read, self._lifeline = os.pipe2(os.O_CLOEXEC)
        self._control = ours
        fds = (theirs.fileno(), lifeline_read)
        try:
            self._process = script.start("supervisor.py", [*fds, os.getpid()], fds=fds, namespace=True)
        except BaseException:
            os.close(self._lifeline)
            ours.close()
            raise
        finally:
            theirs.close()
            os.close(lifeline_read)
        try:
            ours.send(json.dumps(self._config).encode())
            self._await_ready()
        except BaseException:
            self.close()
            raise

    def _await_ready(self) -> None:
        message, fds = self._receive(time.monotonic() + self.timeout_sec)
        if message.get("ready"):
            (self._first,) = fds
            return
        problem = f"the sandbox could not be set up: {message.get('path')}: {message.get('error')}"
        if message.get("errno") in CANNOT_SHIFT and not (self.unsheltered or self._config["rootless"]):
            raise CannotShelter(problem)
        if message.get("errno") in (errno.ENOENT, errno.ENOTDIR):
            raise ImageError(problem, remedy="the image may be damaged; build it again with --force")
        remedy = "run `proctor doctor`; it names what this host lacks"
        if "overlay" in str(message.get("path")):
            remedy += ", or set PROCTOR_DATA to a folder on an ordinary disk: images cannot lie on every filesystem"
        raise HostError(problem, remedy=remedy)

    # -- messages -------------------------------------------------------------------------------------------------

    def _receive(self, deadline: float) -> tuple[dict[str, Any], list[int]]:
        if not self._readable(max(deadline - time.monotonic(), 0)):
            raise ComputerLost(f"process 1 of the sandbox did not answer within {self.timeout_sec:g} s", remedy=REMEDY)
        try:
            data, fds, _, _ = socket.recv_fds(self._control, MESSAGE_BYTES, 16, socket.MSG_CMSG_CLOEXEC)
        except ConnectionResetError:
            data, fds = b"", []
        if not data:
            raise self._loss()
        message = json.loads(data)
        if "in_file" in message:
            with os.fdopen(fds.pop(), "rb") as file:
                message = json.load(file)
        return message, fds

    def _loss(self) -> ComputerLost:
        if self._lifeline < 0:
            return ComputerLost("the sandbox was closed", remedy=REMEDY)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        words = ""
        if self._process.poll() is not None and self._process.stderr and not self._process.stderr.closed:
            os.set_blocking(self._process.stderr.fileno(), False)  # process 1 may still hold its end
            words = (self._process.stderr.read() or b"").decode(errors="replace").strip()
        # Read once, and asked for again by every later question.
        self.last_words = words = (words or self.last_words)[-4000:]
        return ComputerLost(f"the sandbox ended unexpectedly{f': {words[-2000:]}' if words else ''}", remedy=REMEDY)

    def _pump(self, deadline: float) -> None:
        message, fds = self._receive(deadline)
        if "exit" in message:
            self._ended[message["exit"]] = ProcessEnd(pid=message["exit"], code=message["code"])
            return
        # Numbers of processes come round again: how an earlier bearer of this one ended says nothing about the new.
        self._ended.pop(message.get("pid", -1), None)
        self._replies[message["id"]] = (message, fds)

    def request(self, do: str, fds: Sequence[int] = (), **arguments: Any) -> tuple[dict[str, Any], list[int]]:
        """Send one request and return its answer with the descriptors that came with it.

        OSError as it was inside.
        """
        with self._turn:
            self._serial += 1
            self.deeds += do != "pulse"
            serial = self._serial
            self._send(do, json.dumps({"do": do, "id": serial, **arguments}).encode(), fds)
            deadline = time.monotonic() + self.timeout_sec
            while serial not in self._replies:
                self._pump(deadline)
            reply, received = self._replies.pop(serial)
        if "errno" in reply:
            raise OSError(reply["errno"], reply["error"], reply.get("path") or None)
        return reply, received

    def _send(self, do: str, message: bytes, fds: Sequence[int]) -> None:
        try:
            if len(message) > MESSAGE_BYTES:
                raise OSError(errno.EMSGSIZE, os.strerror(errno.EMSGSIZE))
            socket.send_fds(self._control, [message], list(fds))
        except OSError as error:
            if error.errno != errno.EMSGSIZE:
                raise self._loss() from error
            # Some kernels are set to carry less than our own limit.
            raise ComputerError(
                f"a {do!r} request of {len(message)} bytes is too large", remedy="pass data through a file"
            ) from error

    # -- what process 1 does for us ---------------------------------------------------------------------------------

    def spawn(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        fds: Mapping[int, int] | None = None,
        uid: int = AGENT_UID,
        cwd: str = "/",
        keep: Sequence[str] = (),
        view: bool = False,
    ) -> int:
        """Start a process inside and return its number there; `fds` maps its descriptors to ours.

        With `view` it gets one of its own of the files, in which it can change nothing, and no network.
        """
        fds = fds or {}
        reply, _ = self.request(
            "spawn",
            list(fds.values()),
            argv=list(argv),
            env=dict(env),
            at=list(fds),
            uid=uid,
            gid=uid,
            cwd=cwd,
            keep=list(keep),
            view=view,
        )
        return int(reply["pid"])

    def ended(self, pid: int) -> ProcessEnd | None:
        """Tell how a started process ended, or None while it runs."""
        with self._turn:
            while pid not in self._ended and self._readable(0):
                self._pump(time.monotonic() + self.timeout_sec)
            return self._ended.get(pid)

    def wait(self, pid: int, timeout_sec: float) -> ProcessEnd | None:
        """Wait for a started process; None when it still runs at the end of the time."""
        deadline = time.monotonic() + timeout_sec
        while (end := self.ended(pid)) is None:
            left = deadline - time.monotonic()
            if left <= 0 or not self._readable(left):
                return None
        return end

    def _readable(self, timeout_sec: float) -> bool:
        with selectors.DefaultSelector() as selector:
            try:
                selector.register(self._control, selectors.EVENT_READ)
            except ValueError:  # another thread closed it
                raise self._loss() from None
            return bool(selector.select(timeout_sec))

    def kill(self, pid: int, number: int, *, group: bool = False, uid: int = AGENT_UID) -> bool:
        """Send a signal, to all of a user for -1; tells whether there was anything to send it to."""
        reply, _ = self.request("kill", pid=pid, signal=int(number), group=group, uid=uid)
        return bool(reply["found"])

    def open(
        self,
        path: str,
        flags: int,
        *,
        mode: int = 0o644,
        uid: int = AGENT_UID,
        parents: bool = False,
        image: bool = False,
    ) -> BinaryIO:
        """Open a regular file inside, as a user; `image` asks for the file as the image has it."""
        _, (fd,) = self.request("open", path=path, flags=flags, mode=mode, uid=uid, parents=parents, image=image)
        return os.fdopen(fd, "rb" if flags & os.O_ACCMODE == os.O_RDONLY else "wb")

    def connect(self, path: str, *, uid: int = AGENT_UID, program: str = "", pid: int = 0) -> socket.socket:
        """Connect to a Unix socket inside, as a user there.

        A path that starts with a zero byte is abstract. Whoever listens there must run `program` of the image, where
        one is named, and be the process that was started as `pid`; otherwise nobody answers.
        """
        reply, (fd,) = self.request("connect", path=path, uid=uid)
        connection = socket.socket(fileno=fd)
        peer = int(reply["peer"])
        # A number may be another process's by now, unless the one that had it is still waited for.
        other = pid and (peer != pid or self.ended(pid) is not None)
        if other or (program and self.program(peer) != program):
            connection.close()
            raise OSError(errno.ECONNREFUSED, f"another program listens there than {program or pid}", path)
        connection.setblocking(True)
        return connection

    def listen(self, host: str, port: int) -> socket.socket:
        """Listen on a loopback address inside."""
        _, (fd,) = self.request("listen", host=host, port=port)
        return socket.socket(fileno=fd)

    def program(self, pid: int) -> str:
        """Return the path of the image's program that a process runs; empty where it runs anything else."""
        reply, _ = self.request("image_program", pid=pid)
        return str(reply["path"])

    def usage(self) -> MachineUsage:
        """Tell how much memory and disk the sandbox uses."""
        reply, _ = self.request("usage")
        return MachineUsage(**{name: int(reply[name]) for name in MachineUsage.__slots__})

    @contextlib.contextmanager
    def job(self, name: str, fd: int | None = None, *, timeout_sec: float = 60.0, **arguments: Any) -> Iterator[int]:
        """Run a job of `guest/jobs.py` on `fd`; the block runs meanwhile, its end waits for the job's."""
        error_read, error_write = os.pipe2(os.O_CLOEXEC)
        try:
            fds = [error_write] if fd is None else [fd, error_write]
            reply, _ = self.request("job", fds, name=name, **arguments)
        except BaseException:
            os.close(error_read)
            raise
        finally:
            os.close(error_write)
        with os.fdopen(error_read, "rb") as errors:
            yield int(reply["pid"])
            end = self.wait(int(reply["pid"]), timeout_sec)
            if end is None:
                self.kill(int(reply["pid"]), 9)
                raise ComputerError(f"{name} of the computer's files did not end within {timeout_sec:g} s")
            if end.code != 0:
                text = errors.read().decode(errors="replace").strip()
                raise ComputerError(f"{name} of the computer's files failed: {text}")

    # -- the end ---------------------------------------------------------------------------------------------------

    @property
    def supervisor_pid(self) -> int:
        """Process on the host that stands for this sandbox."""
        return self._process.pid

    @property
    def supervisor_code(self) -> int | None:
        """How that process ended, negative for a signal; None while it runs."""
        return self._process.poll()

    @property
    def first(self) -> int:
        """Descriptor that stands for process 1; -1 once the sandbox is closed."""
        return self._first

    def close(self) -> None:
        """End every process inside and wait until nothing is left; any thread may, twice has no effect."""
        lifeline, self._lifeline = self._lifeline, -1
        if lifeline < 0:
            return
        # Said aloud, since closing is not enough: a process forked from ours may hold copies of both ends.
        with contextlib.suppress(BrokenPipeError):  # the supervisor was killed
            os.write(lifeline, b"!")
        os.close(lifeline)
        with contextlib.suppress(OSError):  # the sandbox has ended by itself
            self._control.shutdown(socket.SHUT_RDWR)
        with self._turn:  # a thread that waited for an answer has seen the end by now
            self._control.close()
            for _, fds in self._replies.values():
                for fd in fds:
                    os.close(fd)
            self._replies.clear()
        try:
            self._process.wait(timeout=self.timeout_sec)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._await_first()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _await_first(self) -> None:
        """Wait for the end of process 1, which a killed supervisor could not do.

        No process inside outlives it.
        """
        if self._first < 0:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended; or is not ours, and sees the end
            signal.pidfd_send_signal(self._first, signal.SIGKILL)
        with selectors.DefaultSelector() as selector:
            selector.register(self._first, selectors.EVENT_READ)
            selector.select(self.timeout_sec)
        os.close(self._first)
        self._first = -1
