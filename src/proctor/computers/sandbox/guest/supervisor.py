"""The process outside a sandbox that starts it, outlives whoever asked for it, and leaves nothing behind.

Started by the harness with three descriptors: `control` (handed on to process 1 inside), `lifeline` (its end means
the harness is gone or done) and the harness's process id. It never touches the desktop itself.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import sys
import time
import traceback

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
    message = control.recv(init.MESSAGE_BYTES)
    if not message:
        return  # the harness went before it said what it wants
    config = json.loads(message)
    try:
        supervise(control, config, lifeline, os.pidfd_open(harness))
    except OSError as error:
        with contextlib.suppress(OSError):  # nobody listens when the harness itself is what was not found
            init.refuse(control, error)
    finally:
        clean(config)


def supervise(control: socket.socket, config: "dict[str, object]", lifeline: int, harness: int) -> None:
    """Start process 1 and end it when the harness is done or gone."""
    folders: list[str] = config["cgroups"]  # type: ignore[assignment]
    cgroups = [os.open(os.path.join(folder, "cgroup.procs"), os.O_WRONLY) for folder in folders]
    leash, our_end = os.pipe()
    syscalls.unshare(syscalls.CLONE_NEWPID)
    child = os.fork()
    if child == 0:
        try:
            os.close(lifeline)
            os.close(our_end)
            init.run(control, config, cgroups, leash)
        except BaseException:
            traceback.print_exc()  # its last words, which the harness reads
        finally:
            os._exit(0)
    control.close()
    os.close(leash)
    ended = os.pidfd_open(child)
    ready, _, _ = select.select([lifeline, harness, ended], [], [])
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if ended in ready:
        # Nobody asked for it: the harness reads how it came about.
        sys.stderr.write(f"process 1 ended with status {os.waitstatus_to_exitcode(status)}\n")


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
