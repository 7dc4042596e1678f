"""Carries the bytes of a guest's Unix socket over a virtio port; stdlib only, run inside."""

import contextlib
import os
import pwd
import signal
import socket
import sys
import threading
import time
from pathlib import Path

MOST_BYTES = 65536
PATIENCE_SEC = 10.0


def main(port: str, path: str, user: str, sign: str) -> None:
    """Open a port, become the user, connect, and say the sign; then carry both ways until one side ends."""
    line = take(port)
    entry = pwd.getpwnam(user or "root")
    os.setgroups(os.getgrouplist(entry.pw_name, entry.pw_gid))
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)
    there = socket.socket(socket.AF_UNIX)
    try:
        there.connect("\0" + path[1:] if path.startswith("@") else path)
    except OSError as error:
        os.write(line, f"{sign} {error.strerror}\n".encode())
        return
    os.write(line, f"{sign} ok\n".encode())
    # Its end is the end of this process, and the other way round.
    threading.Thread(target=inwards, args=(line, there), daemon=True).start()
    while data := there.recv(MOST_BYTES):
        while data:
            data = data[os.write(line, data) :]


def inwards(line: int, there: socket.socket) -> None:
    """Carry what comes from outside; nothing comes any more once nobody is there."""
    try:
        while data := os.read(line, MOST_BYTES):
            there.sendall(data)
    finally:
        os._exit(0)


def take(port: str) -> int:
    """Open a port, which one process can have, and end an older relay that nobody hears."""
    mark = Path("/run", f"{port}.pid")
    with contextlib.suppress(OSError, ValueError):
        os.kill(int(mark.read_text()), signal.SIGKILL)
    mark.write_text(str(os.getpid()))
    ends = time.monotonic() + PATIENCE_SEC
    while True:
        try:
            return os.open(f"/dev/virtio-ports/{port}", os.O_RDWR)
        except OSError:
            if time.monotonic() > ends:
                raise
            pause(0.02)


def pause(seconds: float) -> None:
    """Let time go by; what nothing announces can only be looked for again."""
    time.sleep(seconds)


if __name__ == "__main__":
    main(*sys.argv[1:5])
