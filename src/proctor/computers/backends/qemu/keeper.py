"""The process that starts a QEMU, ends it when whoever asked for it is done or gone, and leaves nothing behind.

Started by the harness with the descriptors that QEMU inherits. Its standard input is the lifeline: a byte and then its
end mean that the harness is done; its end alone that the harness is gone, and then the folder is removed too. What
became of QEMU is its last line on standard output.
"""

import contextlib
import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys

TAIL_BYTES = 16384
"""How much is kept of what QEMU says; a guest can make it say any amount."""
PR_SET_PDEATHSIG = 1


def main() -> None:
    """Run one QEMU from start to end."""
    config = json.loads(sys.argv[1])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    gone = False
    try:
        harness = os.pidfd_open(config["harness"])
    except OSError:
        gone = True
        return
    finally:
        if gone:
            shutil.rmtree(config["folder"], ignore_errors=True)
    gone, code, said = keep(config, harness)
    if gone:
        shutil.rmtree(config["folder"], ignore_errors=True)
    with contextlib.suppress(OSError):  # nobody reads it when the harness is gone
        os.write(1, json.dumps({"code": code, "said": said.decode(errors="replace")}).encode() + b"\n")


def keep(config: "dict[str, object]", harness: int) -> "tuple[bool, int, bytes]":
    """Return whether the harness is gone, how QEMU ended, and the last of what it said."""
    try:
        qemu = subprocess.Popen(
            config["argv"],  # type: ignore[call-overload]
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=config["folder"],
            pass_fds=config["fds"],
            preexec_fn=end_with_parent,
        )
    except OSError as error:
        return False, 127, str(error).encode()
    for descriptor in config["fds"]:  # type: ignore[attr-defined]
        os.close(descriptor)  # or the lines would not end with QEMU
    ended = os.pidfd_open(qemu.pid)
    said = b""
    done = gone = False
    poller = select.poll()
    for descriptor in (0, harness, ended, qemu.stderr.fileno()):
        poller.register(descriptor, select.POLLIN)
    while True:
        ready = {descriptor for descriptor, _ in poller.poll()}
        if qemu.stderr.fileno() in ready:
            data = os.read(qemu.stderr.fileno(), TAIL_BYTES)
            said = (said + data)[-TAIL_BYTES:]
            if not data:
                poller.unregister(qemu.stderr)
        if 0 in ready:
            if os.read(0, 1):
                done = True
            else:
                gone = not done
                break
        if harness in ready:
            gone = True
            break
        if ended in ready:
            break
    qemu.kill()
    code = qemu.wait()
    return gone, code, (said + rest(qemu.stderr.fileno()))[-TAIL_BYTES:]


def rest(descriptor: int) -> bytes:
    """Return what is left in a pipe whose writer has ended."""
    said = b""
    os.set_blocking(descriptor, False)
    with contextlib.suppress(OSError):
        while data := os.read(descriptor, TAIL_BYTES):
            said = (said + data)[-TAIL_BYTES:]
    return said


def end_with_parent() -> None:
    """Have the kernel end this process when the keeper ends, however that comes about."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    main()
