"""The process outside a sandbox that starts it, outlives whoever asked for it, and leaves nothing behind.

Started by the harness with three descriptors: `control` (handed on to process 1 inside), `lifeline` (its end means
the harness is gone or done) and the harness's process id. It never touches the desktop itself.
"""

import json
import os
import select
import shutil
import signal
import socket
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import init
import syscalls

CLEANUP_SEC = 5.0


def main() -> None:
    """Run one sandbox from start to end."""
    control = socket.socket(fileno=int(sys.argv[1]))
    lifeline, harness = int(sys.argv[2]), int(sys.argv[3])
    for fd in (control.fileno(), lifeline):
        os.set_inheritable(fd, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    syscalls.set_name("proctor-sandbox")
    config = json.loads(control.recv(init.MESSAGE_BYTES))
    try:
        watch = os.pidfd_open(harness)
    except ProcessLookupError:
        return
    try:
        cgroups = [os.open(os.path.join(folder, "cgroup.procs"), os.O_WRONLY) for folder in config["cgroups"]]
        syscalls.unshare(syscalls.CLONE_NEWPID)
        child = os.fork()
        if child == 0:
            try:
                os.close(lifeline)
                init.run(control, config, cgroups)
            finally:
                os._exit(0)
        control.close()
        ended = os.pidfd_open(child)
        select.select([lifeline, watch, ended], [], [])
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    finally:
        clean(config)


def clean(config: "dict[str, object]") -> None:
    """Remove what the kernel does not: control groups and, where the layers are on disk, their folder."""
    for folder in config["cgroups"]:  # type: ignore[attr-defined]
        deadline = time.monotonic() + CLEANUP_SEC
        while os.path.isdir(folder):
            try:
                os.rmdir(folder)
            except OSError:
                # The last process is dead but not yet uncharged; nothing announces when it is.
                if time.monotonic() > deadline:
                    break
                select.select([], [], [], 0.01)
    if config["scratch"]:
        shutil.rmtree(str(config["scratch"]), ignore_errors=True)


if __name__ == "__main__":
    main()
