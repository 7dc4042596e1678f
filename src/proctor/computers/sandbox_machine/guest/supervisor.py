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
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import init
import rootfs
import syscalls

CLEANUP_SEC = 5.0
IDS = 65536
"""How many ids a sandbox has: as many as its image may use."""


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
        harness_end = os.pidfd_open(harness)
        folders: list[str] = config["cgroups"]
        cgroups = [os.open(os.path.join(folder, "cgroup.procs"), os.O_WRONLY) for folder in folders]
        start = shelter if config["first_id"] else supervise
        start(control, config, cgroups, (lifeline, harness_end))
    except OSError as error:
        with contextlib.suppress(OSError):  # nobody listens when the harness itself is what was not found
            init.refuse(control, error)
    finally:
        clean(config)


def shelter(control: socket.socket, config: "dict[str, Any]", cgroups: "list[int]", ends: "tuple[int, int]") -> None:
    """Let a child supervise from a user namespace of its own, whose ids mean nothing to this host.

    What takes root's rights on this host is done here: its ids are mapped, and the image is mounted with its owners
    shifted to them.
    """
    syscalls.unshare(syscalls.CLONE_NEWNS)
    waits, tell = os.pipe()
    listens, say = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(tell)
            os.close(listens)
            enter_user_namespace(config["first_id"], say, waits)
            syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
            supervise(control, config, cgroups, ends)
        except OSError as error:
            init.refuse(control, error)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    try:
        os.close(waits)
        os.close(say)
        if os.read(listens, 1):
            for name in ("uid_map", "gid_map"):
                with open(f"/proc/{child}/{name}", "w") as file:
                    file.write(f"0 {config['first_id']} {IDS}\n")
            rootfs.lay(config, os.open(f"/proc/{child}/ns/user", os.O_RDONLY))
            os.write(tell, b"+")
    finally:
        os.close(tell)  # a child that is not told to go on ends
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            sys.stderr.write(f"supervisor ended with status {os.waitstatus_to_exitcode(status)}\n")


def enter_user_namespace(first_id: int, say: int, waits: int) -> None:
    """Become root of a new user namespace once its ids were mapped from outside.

    It belongs to the id that its root has on this host, so that what the kernel counts for each owner is counted for
    each sandbox.
    """
    permitted = syscalls.permitted_capabilities()
    os.seteuid(first_id)
    syscalls.set_capabilities(permitted, 0)  # some hosts let nobody else make user namespaces
    syscalls.unshare(syscalls.CLONE_NEWUSER)
    os.write(say, b"+")
    if not os.read(waits, 1):
        os._exit(0)  # the supervisor has said why
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)
    os.setgroups([])


def supervise(control: socket.socket, config: "dict[str, Any]", cgroups: "list[int]", ends: "tuple[int, int]") -> None:
    """Start process 1 and end it when the harness is done or gone, as one of the two `ends` tells."""
    leash, our_end = os.pipe()
    syscalls.unshare(syscalls.CLONE_NEWPID)
    child = os.fork()
    if child == 0:
        try:
            os.close(our_end)
            init.run(control, config, cgroups, leash)
        except BaseException:
            traceback.print_exc()  # its last words, which the harness reads
        finally:
            os._exit(0)
    control.close()
    os.close(leash)
    ended = os.pidfd_open(child)
    ready, _, _ = select.select([*ends, ended], [], [])
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if ended in ready:
        # Nobody asked for it: the harness reads how it came about.
        sys.stderr.write(f"process 1 ended with status {os.waitstatus_to_exitcode(status)}\n")


def clean(config: "dict[str, Any]") -> None:
    """Remove what the kernel does not.

    Control groups and, where the layers are on disk, their folder.
    """
    for folder in config["cgroups"]:
        deadline = time.monotonic() + CLEANUP_SEC
        while os.path.isdir(folder):
            try:
                os.rmdir(folder)
            except OSError:
                # The last process is dead but not yet uncharged; nothing announces when it is.
                if time.monotonic() > deadline:
                    break
                pause(0.01)
    if config["scratch"]:
        shutil.rmtree(str(config["scratch"]), ignore_errors=True)


def pause(seconds: float) -> None:
    """Let time go by; what nothing announces can only be looked for again."""
    time.sleep(seconds)


if __name__ == "__main__":
    main()
