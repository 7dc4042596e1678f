"""Process 1 of a sandbox: reaps, and does for the harness what only something inside can (start, open, connect)."""

import ctypes
import errno
import json
import os
import selectors
import signal
import socket
import stat
import traceback
from typing import Any

import confine
import jobs
import pulse
import rootfs
import syscalls

MESSAGE_BYTES = 256 * 1024
INLINE_BYTES = 64 * 1024
"""Larger replies travel in a file: what fits into one message depends on the kernel's settings."""
WATCH_SEC = 0.25

Request = dict[str, Any]


class Init:
    """Serves one harness over one socket until that closes; then the whole sandbox ends with this process."""

    def __init__(
        self, control: socket.socket, config: Request, layers: rootfs.Layers, cgroups: "list[int]", leash: int
    ) -> None:
        self.control, self.config, self.layers, self.cgroups, self.leash = control, config, layers, cgroups, leash
        self.children: set[int] = set()
        self.pulse = pulse.Pulse(config["agent_uid"])
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.wake = wake_read
        signal.set_wakeup_fd(wake_write)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        """Answer requests and report exits until the harness or the supervisor goes away."""
        selector = selectors.DefaultSelector()
        selector.register(self.control, selectors.EVENT_READ)
        selector.register(self.leash, selectors.EVENT_READ)
        selector.register(self.wake, selectors.EVENT_READ)
        # Without a memory cgroup this process keeps watch itself.
        watch = WATCH_SEC if self.config["watch_memory_bytes"] else None
        while True:
            for key, _ in selector.select(watch):
                if key.fileobj is self.control:
                    if not self._answer():
                        return
                elif key.fd == self.leash:
                    return
                else:
                    os.read(self.wake, 4096)
            self._reap()
            if watch:
                guard_memory(self.config["watch_memory_bytes"], self.config["agent_uid"])

    def _answer(self) -> bool:
        try:
            data, fds, _, _ = socket.recv_fds(self.control, MESSAGE_BYTES, 16)
        except ConnectionResetError:
            return False
        if not data:
            return False
        for fd in fds:
            os.set_inheritable(fd, False)
        request = json.loads(data)
        send: list[int] = []
        try:
            reply = getattr(self, f"do_{request['do']}")(request, fds, send)
        except OSError as error:
            reply = describe(error)
        except Exception as error:  # the boundary: a request must never end the sandbox
            reply = {"errno": errno.EIO, "error": f"{error!r}\n{traceback.format_exc()}"}
        self._send({"id": request["id"], **reply}, send)
        for fd in (*fds, *send):
            os.close(fd)
        return True

    def _send(self, reply: Request, fds: "list[int]") -> None:
        message = json.dumps(reply).encode()
        if len(message) > INLINE_BYTES:
            # Too large for one message, such as the list of a folder with thousands of files.
            fds.append(os.memfd_create("reply"))
            with os.fdopen(fds[-1], "wb", closefd=False) as file:
                file.write(message)
            os.lseek(fds[-1], 0, os.SEEK_SET)
            message = json.dumps({"id": reply["id"], "in_file": True}).encode()
        socket.send_fds(self.control, [message], fds)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid in self.children:
                self.children.discard(pid)
                event = {"exit": pid, "code": os.waitstatus_to_exitcode(status)}
                self.control.send(json.dumps(event).encode())

    # -- requests: each takes the message, the descriptors that came with it and the list of those to send back ----

    def do_spawn(self, request: Request, fds: "list[int]", _send: "list[int]") -> Request:
        """Start a process; `fds` become the descriptors numbered in `at`."""
        failed_read, failed_write = os.pipe2(os.O_CLOEXEC)
        pid = os.fork()
        if pid == 0:
            self._exec(request, fds, failed_write)
        os.close(failed_write)
        with os.fdopen(failed_read, "rb") as failed:
            report = failed.read()
        if report:
            os.waitpid(pid, 0)
            return dict(json.loads(report))
        self.children.add(pid)
        return {"pid": pid}

    def _exec(self, request: Request, fds: "list[int]", failed: int) -> None:
        try:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            os.setsid()
            if request["confined"]:
                for cgroup in self.cgroups:
                    os.write(cgroup, b"0")
            with open("/proc/self/oom_score_adj", "w") as score:
                score.write("500" if request["uid"] == self.config["agent_uid"] else "0")
            # Every descriptor of this process is closed on exec, but for those put in place here.
            null = os.open("/dev/null", os.O_RDWR)
            high = 64  # out of the way of the numbers wanted
            sources = {at: os.dup2(fd, high + at, inheritable=False) for at, fd in zip(request["at"], fds, strict=True)}
            for at in (0, 1, 2):
                os.dup2(sources.get(at, null), at)
            for at, source in sources.items():
                os.dup2(source, at)
            confine.become(request["uid"], request["gid"], request["keep"], self.config["rlimits"])
            os.chdir(request["cwd"])
            execute(request["argv"], request["env"])
        except OSError as error:
            os.write(failed, json.dumps(describe(error)).encode())
        except BaseException as error:  # nothing may return into the server's loop
            os.write(failed, json.dumps({"errno": errno.EIO, "error": str(error)}).encode())
        finally:
            os._exit(127)

    def do_kill(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Send a signal to a process, its group (`group`), or all of the agent's processes (pid -1)."""
        everybody = request["pid"] == -1
        send = os.killpg if request["group"] else os.kill
        found = False
        for pid in pulse.processes_of(self.config["agent_uid"]) if everybody else [request["pid"]]:
            try:
                send(pid, request["signal"])
                found = True
            except ProcessLookupError:
                continue  # it ended meanwhile; the others are to have their signal all the same
        return {"found": found}

    def do_open(self, request: Request, _fds: "list[int]", send: "list[int]") -> Request:
        """Open a file as a user and hand the descriptor over; never blocks on pipes or devices."""
        path, flags = request["path"], request["flags"] | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
        with AsUser(request["uid"]):
            if request["parents"]:
                os.makedirs(os.path.dirname(path) or "/", exist_ok=True)
            if request["image"]:
                fd = os.open(path.lstrip("/"), flags | os.O_NOFOLLOW, dir_fd=self.layers.lower)
            else:
                fd = os.open(path, flags, request["mode"])
        kind = os.fstat(fd).st_mode
        if not stat.S_ISREG(kind):
            os.close(fd)
            code = errno.EISDIR if stat.S_ISDIR(kind) else errno.EINVAL
            raise OSError(code, os.strerror(code), path)
        send.append(fd)
        return {}

    def do_connect(self, request: Request, _fds: "list[int]", send: "list[int]") -> Request:
        """Connect to a Unix socket (abstract when the path starts with a zero byte) as a user and hand it over."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with AsUser(request["uid"], connecting=True):
            connection.setblocking(False)  # a full queue answers EAGAIN instead of holding up process 1
            connection.connect(request["path"])
        send.append(connection.detach())
        return {}

    def do_listen(self, request: Request, _fds: "list[int]", send: "list[int]") -> Request:
        """Listen on a loopback address inside and hand the socket over."""
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((request["host"], request["port"]))
        listener.listen(64)
        send.append(listener.detach())
        return {}

    def do_list(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """List a folder, bounded."""
        entries = []
        with AsUser(request["uid"]), os.scandir(request["path"]) as found:
            for entry in found:
                info = entry.stat(follow_symlinks=False)
                entries.append([entry.name, info.st_mode, info.st_size, info.st_mtime])
                if len(entries) >= request["most"]:
                    break
        return {"entries": entries}

    def do_remove(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Remove a file, link or folder."""
        if not os.path.lexists(request["path"]):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), request["path"])
        jobs.remove(request["path"])
        return {}

    def do_job(self, request: Request, fds: "list[int]", _send: "list[int]") -> Request:
        """Run a longer piece of work in a child of its own, connected by the descriptors given."""
        pid = os.fork()
        if pid == 0:
            try:
                signal.set_wakeup_fd(-1)
                jobs.JOBS[request["name"]](request, fds, self.layers)
                os._exit(0)
            except BaseException:
                os.write(fds[-1], b"\nerror " + traceback.format_exc().encode(errors="replace")[-4000:])
            finally:
                os._exit(1)
        self.children.add(pid)
        return {"pid": pid}

    def do_pulse(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Tell what the agent's programs have done since this was last asked."""
        return self.pulse.beat(mark=request["mark"], alarms=request["alarms"])

    def do_usage(self, _request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Tell how much memory and disk the sandbox uses."""
        disk = os.fstatvfs(self.layers.upper)
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        return {
            "memory_bytes": sum(map(proportional_size, pids)),
            "disk_bytes": (disk.f_blocks - disk.f_bfree) * disk.f_frsize,
            "disk_free_bytes": disk.f_bavail * disk.f_frsize,
            "processes": len(pids),
        }


class AsUser:
    """Use another user's rights for file access, keeping process 1 what it is."""

    def __init__(self, uid: int, *, connecting: bool = False) -> None:
        self.uid, self.connecting = uid, connecting

    def __enter__(self) -> None:
        # Peer credentials of a socket are the effective ids; for files the filesystem ids suffice.
        os.umask(0o022)
        if self.connecting:
            os.setegid(self.uid)
            os.seteuid(self.uid)
        else:
            LIBC.setfsgid(self.uid)
            LIBC.setfsuid(self.uid)

    def __exit__(self, *_: object) -> None:
        if self.connecting:
            os.seteuid(0)
            os.setegid(0)
        else:
            LIBC.setfsuid(0)
            LIBC.setfsgid(0)


LIBC = ctypes.CDLL(None, use_errno=True)


def describe(error: OSError) -> Request:
    """Return an error in the form the harness raises it again."""
    path = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
    return {"errno": error.errno or errno.EIO, "error": error.strerror or str(error), "path": path}


def refuse(control: socket.socket, error: OSError) -> None:
    """Tell the harness that the sandbox cannot be set up."""
    control.send(json.dumps(describe(error)).encode())


def execute(argv: "list[str]", env: "dict[str, str]") -> None:
    """Become a program; an error names it as it was asked for, not the last folder it was looked for in."""
    try:
        os.execvpe(argv[0], argv, env)
    except OSError as error:
        raise OSError(error.errno, error.strerror, argv[0]) from error


def proportional_size(pid: int) -> int:
    """Return a process's share of memory: its own pages, and those it shares divided by their users."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except (FileNotFoundError, ProcessLookupError):
        return 0  # it ended meanwhile


def guard_memory(limit: int, uid: int) -> None:
    """End the largest of a user's processes when together they hold more than the limit."""
    page = os.sysconf("SC_PAGE_SIZE")
    sizes: dict[int, int] = {}
    for pid in pulse.processes_of(uid):
        try:
            with open(f"/proc/{pid}/statm") as file:
                _, resident, shared, *_ = map(int, file.read().split())
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended meanwhile
        sizes[pid] = (resident - shared) * page
    if sum(sizes.values()) > limit:
        os.kill(max(sizes, key=lambda pid: sizes[pid]), signal.SIGKILL)


def run(control: socket.socket, config: Request, cgroups: "list[int]", leash: int) -> None:
    """Be process 1: build the root, say so, serve; the end of `leash` means that the supervisor is gone."""
    # Holds until the first request: using another user's rights for it clears this, so `serve` watches the leash.
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
    syscalls.set_name("init")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        syscalls.unshare(syscalls.CLONE_NEWNS | syscalls.CLONE_NEWIPC | syscalls.CLONE_NEWUTS | syscalls.CLONE_NEWNET)
        socket.sethostname(config["hostname"])
        layers = rootfs.build(config)
        if config["loopback"]:
            rootfs.loopback_up()
    except OSError as error:
        refuse(control, error)
        return
    # Where the machine's own root is meant, its memory must be out of the agent's reach (it has the same uid 0 only
    # when setup runs as root, with fewer capabilities).
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)
    myself = os.pidfd_open(os.getpid())
    socket.send_fds(control, [json.dumps({"ready": True}).encode()], [myself])
    os.close(myself)
    Init(control, config, layers, cgroups, leash).serve()
