"""Process 1 of a sandbox: reaps, and does for the harness what only something inside can (start, open, connect)."""

import errno
import json
import os
import selectors
import signal
import socket
import sys
import traceback
from typing import Any

import image_program
import jobs
import open_file
import processes
import programs
import pulse
import reads
import rootfs
import sockets
import spawn
import syscalls
from spawn import describe

MESSAGE_BYTES = 256 * 1024
INLINE_BYTES = 64 * 1024
"""Larger replies travel in a file: what fits into one message depends on the kernel's settings."""
WATCH_SEC, CLOSE_WATCH_SEC = 0.25, 0.03
"""How often memory is looked at where nothing else limits it, and how often once half of it is taken."""
MOST_COMPLAINTS = 3

Request = dict[str, Any]


def used_bytes(disk: os.statvfs_result) -> int:
    """Return how much of a disk is taken."""
    return (disk.f_blocks - disk.f_bfree) * disk.f_frsize


class Init:
    """Serves one harness over one socket until that closes; then the whole sandbox ends with this process."""

    def __init__(
        self, control: socket.socket, config: Request, layers: rootfs.Layers, cgroups: "list[int]", leash: int
    ) -> None:
        self.control, self.config, self.layers, self.cgroups, self.leash = control, config, layers, cgroups, leash
        self.children: dict[int, str] = {}
        """What was started and has not ended, with the program as it was asked for; their numbers are not given again
        while they stand here."""
        self.complaints = 0
        self.reads: reads.Reads | None = None
        self.pulse = pulse.Pulse(config["agent_uid"], config["display_uid"])
        self.programs = programs.AgentPrograms(config["agent_uid"], layers)
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
                watch = CLOSE_WATCH_SEC if self._guard() else WATCH_SEC

    def _guard(self) -> bool:
        try:
            left = self.config["watch_memory_bytes"] - self._files_in_memory()
            return processes.guard_memory(left, tuple(self.config["inhabitants"]))
        except OSError:
            # Something about a process could not be looked at, which must not end the sandbox. It is told a few times
            # only: nobody reads it before the end, and a full pipe would hold up everything.
            if self.complaints < MOST_COMPLAINTS:
                self.complaints += 1
                traceback.print_exc()
            return True

    def _files_in_memory(self) -> int:
        folders: list[int | str] = ["/dev/shm", "/run", *self.config["mounts"]]
        if not self.config["scratch"]:
            folders.append(self.layers.upper)
        return sum(used_bytes(os.statvfs(folder)) for folder in folders)

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
            if os.WIFSTOPPED(status):
                # It made this process its tracer. Nothing else would ever let it go on.
                os.kill(pid, signal.SIGKILL)
            elif pid in self.children:
                del self.children[pid]
                event = {"exit": pid, "code": os.waitstatus_to_exitcode(status)}
                self.control.send(json.dumps(event).encode())

    # -- requests: each takes the message, the descriptors that came with it and the list of those to send back ----

    def do_spawn(self, request: Request, fds: "list[int]", _send: "list[int]") -> Request:
        """Start a process; `fds` become the descriptors numbered in `at`."""
        reply = spawn.spawn(request, fds, self.config, self.cgroups)
        if "pid" in reply:
            self.children[reply["pid"]] = request["argv"][0]
        return reply

    def do_kill(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Send a signal to a process, its group (`group`), or all processes of a user (pid -1)."""
        everybody = request["pid"] == -1
        send = os.killpg if request["group"] else os.kill
        found = False
        for pid in processes.processes_of(request["uid"]) if everybody else [request["pid"]]:
            try:
                send(pid, request["signal"])
                found = True
            except ProcessLookupError:
                continue  # it ended meanwhile; the others are to have their signal all the same
        return {"found": found}

    def do_open(self, request: Request, _fds: "list[int]", send: "list[int]") -> Request:
        """Open a plain file as a user and hand the descriptor over; never blocks on pipes or devices."""
        path, flags = request["path"], request["flags"] | os.O_NONBLOCK | os.O_NOCTTY
        if request["image"]:
            fd = open_file.open_below(self.layers.lower, path, flags)
        else:
            wanted = {name: request[name] for name in ("mode", "uid", "parents")}
            fd = open_file.open_file(path, flags, **wanted)
        send.append(open_file.plain(fd, path))
        return {}

    def do_stat(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Tell what stands at a path, a link as such."""
        fd = open_file.open_file(request["path"], os.O_PATH | os.O_NOFOLLOW)
        try:
            return {"entry": facts(os.path.basename(request["path"]), os.fstat(fd))}
        finally:
            os.close(fd)

    def do_connect(self, request: Request, _fds: "list[int]", send: "list[int]") -> Request:
        """Connect to a Unix socket (abstract when the path starts with a zero byte) as a user and hand it over."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with open_file.AsUser(request["uid"], connecting=True):
            connection.setblocking(False)  # a full queue answers EAGAIN instead of holding up process 1
            connection.connect(request["path"])
        peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 4)
        send.append(connection.detach())
        return {"peer": int.from_bytes(peer, sys.byteorder)}

    def do_dial(self, _request: Request, _fds: "list[int]", send: "list[int]") -> Request:
        """Hand over a socket of this network that is not connected: who answers may take its time."""
        send.append(socket.socket(socket.AF_INET, socket.SOCK_STREAM).detach())
        return {}

    def do_listeners(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Tell of the programs, whoever's they are, that hold a port of the loopback open."""
        held = sockets.find_listening(request["port"])
        pids = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if processes.open_sockets(pid) & held]
        return {"programs": [each for each in map(self.programs.describe, pids) if each]}

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
        folder = open_file.open_folder(request["path"])
        try:
            with os.scandir(folder) as found:
                for entry in found:
                    try:
                        entries.append(facts(entry.name, entry.stat(follow_symlinks=False)))
                    except FileNotFoundError:
                        continue  # it went away meanwhile
                    if len(entries) >= request["most"]:
                        break
        finally:
            os.close(folder)
        return {"entries": entries}

    def do_remove(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Remove a file, link or folder."""
        above, name = os.path.split(request["path"].rstrip("/"))
        folder = open_file.open_folder(above or "/")
        try:
            os.stat(name, dir_fd=folder, follow_symlinks=False)
            jobs.remove(name, folder)
        finally:
            os.close(folder)
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
        self.children[pid] = ""
        return {"pid": pid}

    def do_image_program(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Tell which program of the image a process runs; nothing where it runs anything else."""
        asked_for = self.children.get(request["pid"], "")
        return {"path": image_program.program_of(request["pid"], asked_for, self.layers)}

    def do_watch_reads(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Follow who reads some files and folders, from now on."""
        self.reads = reads.Reads(request["paths"])
        return {}

    def do_reads(self, _request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Tell which of them were read since this was last asked."""
        return {"paths": self.reads.take() if self.reads else []}

    def do_program(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Tell of one program."""
        return {"program": self.programs.describe(request["of"])}

    def do_programs(self, _request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Tell of the agent's programs."""
        return {"programs": self.programs.list_all()}

    def do_remember(self, _request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Remember which of the agent's programs run now."""
        self.programs.remember()
        return {}

    def do_freeze(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Hold the agent's programs still, and tell which had to be ended for it.

        Keepers are asked to end before, as they write down then what they keep.
        """
        before = self.programs.frozen
        self.programs.end_politely(request["keepers"], request["patience"])
        return {"before": before, "ended": self.programs.freeze()}

    def do_moved(self, _request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Tell which of them did not stay still; they are ended."""
        return {"ended": self.programs.end_moving()}

    def do_thaw(self, _request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Let them go on."""
        self.programs.thaw()
        return {}

    def do_pulse(self, request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Tell what the agent's programs have done since this was last asked."""
        return self.pulse.beat(mark=request["mark"], alarms=request["alarms"])

    def do_usage(self, _request: Request, _fds: "list[int]", _send: "list[int]") -> Request:
        """Tell how much memory and disk the sandbox uses."""
        disk = os.fstatvfs(self.layers.upper)
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        return {
            "memory_bytes": sum(map(processes.proportional_size, pids)),
            "disk_bytes": used_bytes(disk),
            "disk_free_bytes": disk.f_bavail * disk.f_frsize,
            "processes": len(pids),
        }


def facts(name: str, info: os.stat_result) -> "list[Any]":
    """Return what the harness is told of an entry of a folder."""
    return [name, info.st_mode, info.st_size, info.st_mtime, info.st_nlink]


def refuse(control: socket.socket, error: OSError) -> None:
    """Tell the harness that the sandbox cannot be set up."""
    control.send(json.dumps(describe(error)).encode())


def run(control: socket.socket, config: Request, cgroups: "list[int]", leash: int) -> None:
    """Be process 1: build the root, say so, serve.

    The end of `leash` means that the supervisor is gone.
    """
    # Holds until the first request: using another user's rights for it clears this, so `serve` watches the leash.
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
    syscalls.set_name("init")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        syscalls.unshare(syscalls.CLONE_NEWNS | syscalls.CLONE_NEWIPC | syscalls.CLONE_NEWUTS | syscalls.CLONE_NEWNET)
        socket.sethostname(config["hostname"])
        if not config["first_id"]:
            rootfs.lay(config)  # otherwise the supervisor did, who may shift owners
        layers = rootfs.enter(config, limited=bool(config["rootless"] or config["first_id"]))
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
