"""Starting programs inside: from a fork of process 1 to a confined process in its control groups, as some user."""

import errno
import io
import json
import os
import select
import signal
import time
from typing import Any

import confine
import syscalls
import view

STOPPED_SEC = 5.0
"""How long a child may be found stopped before it is given up."""
SPAWN_SEC = 60.0
"""How long a child may take at all: on a host that is short of processors a fork has taken more than five."""
NUDGE_SEC = 0.1
WATCHED_NICENESS = 5
"""How much the agent's programs stand back where process 1 itself has to keep watch over their memory."""

Request = dict[str, Any]


def spawn(request: Request, fds: "list[int]", config: Request, cgroups: "list[int]") -> Request:
    """Start a process, its descriptors put in place.

    Returns its number, or the error that kept it from starting.
    """
    failed_read, failed_write = os.pipe2(os.O_CLOEXEC)
    pid = os.fork()
    if pid == 0:
        _become(request, fds, config, cgroups, failed_write)
    os.close(failed_write)
    with os.fdopen(failed_read, "rb", buffering=0) as failed:
        report = _await(pid, failed)
    if report:
        os.waitpid(pid, 0)
        return dict(json.loads(report))
    return {"pid": pid}


def _await(pid: int, failed: "io.FileIO") -> bytes:
    """Wait until a child has become its program, or said why it could not; returns what it said.

    From the moment it has its user's id until it is that program the agent can stop it, so it is told to go on. Only a
    child that is stopped again and again is ended soon: one that is merely slow is the host's doing.
    """
    now = time.monotonic()
    deadline, stopped = now + SPAWN_SEC, 0.0
    while not select.select([failed], [], [], NUDGE_SEC)[0]:
        before, now = now, time.monotonic()
        if _is_stopped(pid):
            stopped += now - before
        given_up = stopped > STOPPED_SEC or now > deadline
        os.kill(pid, signal.SIGKILL if given_up else signal.SIGCONT)
    return failed.read() or b""


def _is_stopped(pid: int) -> bool:
    """Tell whether a child is stopped by a signal or a tracer.

    It is ours to reap, so its entry is there.
    """
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b") ")[2][:1] in b"Tt"


def _become(request: Request, fds: "list[int]", config: Request, cgroups: "list[int]", failed: int) -> None:
    try:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        for cgroup in cgroups:
            os.write(cgroup, b"0")
        syscalls.unshare(syscalls.CLONE_NEWCGROUP)  # its group is the root of all groups it can see
        # Its own settings are its own again until it takes another user's id.
        syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)
        with open("/proc/self/oom_score_adj", "w") as score:
            score.write("500" if request["uid"] == config["agent_uid"] else "0")
        _place(fds, request["at"])
        if request["view"]:
            view.enter()
        os.chdir(request["cwd"])  # while it still may: the agent's user may have locked itself out of its home
        if config["watch_memory_bytes"] and request["uid"] == config["agent_uid"]:
            os.nice(WATCHED_NICENESS)
        confine.become(request["uid"], request["gid"], request["keep"], config["rlimits"])
        _execute(request["argv"], request["env"])
    except OSError as error:
        os.write(failed, json.dumps(describe(error)).encode())
    except BaseException as error:  # nothing may return into the server's loop
        os.write(failed, json.dumps({"errno": errno.EIO, "error": str(error)}).encode())
    finally:
        os._exit(127)


def _place(fds: "list[int]", at: "list[int]") -> None:
    """Give descriptors the numbers wanted.

    Every other one of process 1 is closed when the program starts.
    """
    null = os.open("/dev/null", os.O_RDWR)
    high = 64  # out of the way of the numbers wanted
    sources = {number: os.dup2(fd, high + number, inheritable=False) for number, fd in zip(at, fds, strict=True)}
    for number in (0, 1, 2):
        os.dup2(sources.get(number, null), number)
    for number, source in sources.items():
        os.dup2(source, number)


def _execute(argv: "list[str]", env: "dict[str, str]") -> None:
    """Become a program; an error names it as it was asked for, not the last folder it was looked for in."""
    try:
        os.execvpe(argv[0], argv, env)
    except OSError as error:
        raise OSError(error.errno, error.strerror, argv[0]) from error


def describe(error: OSError) -> Request:
    """Return an error in the form the harness raises it again."""
    path = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
    return {"errno": error.errno or errno.EIO, "error": error.strerror or str(error), "path": path}
