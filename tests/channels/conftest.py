"""A real X server with a window manager, from the root filesystem of a desktop image."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.windows import XWindow
from proctor.computers.images import store

Found = TypeVar("Found")

# The shell that reads our commands is the first process of its own namespaces: when it ends, everything in them does.
ENTER = """
mount -t tmpfs tmpfs /mnt && mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o "lowerdir=$ROOTFS,upperdir=/mnt/upper,workdir=/mnt/work" /mnt/root || exit 1
cd /mnt/root
mount -t proc proc proc && mount --rbind /dev dev && mount -t tmpfs tmpfs dev/shm && mount -t tmpfs tmpfs tmp
mkdir -p tmp/.X11-unix home/agent run/agent
chmod 1777 tmp tmp/.X11-unix dev/shm
chown 1000:1000 home/agent run/agent
grep -q ':1000:1000:' etc/passwd || echo 'agent:x:1000:1000::/home/agent:/bin/sh' >> etc/passwd
exec chroot . /usr/bin/env -i PATH=/usr/bin:/bin HOME=/home/agent XDG_RUNTIME_DIR=/run/agent DISPLAY=:19 \
    LANG=C.UTF-8 NO_AT_BRIDGE=1 /bin/sh -s
"""
START = "setpriv --reuid=1000 --regid=1000 --clear-groups {command} >>/tmp/log 2>&1 &\n"
SERVER = (
    "setpriv --reuid=1000 --regid=1000 --clear-groups Xvnc :19 -geometry 1280x800 -depth 24 -SecurityTypes None"
    " -rfbport -1 -rfbunixpath /tmp/rfb -displayfd 1 2>>/tmp/log &\n"
)


class XServer:
    """A running X server; `root` is its root folder as seen from outside."""

    def __init__(self, rootfs: str) -> None:
        flags = ["--mount", "--pid", "--net", "--ipc", "--fork", "--kill-child"]
        self._process = subprocess.Popen(
            ["unshare", *flags, "sh", "-c", ENTER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "ROOTFS": rootfs},
        )
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(SERVER.encode())
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], 20)
        if not ready or not self._process.stdout.readline():
            self.close()
            raise RuntimeError(f"no X server came up from {rootfs}")
        pid = self._process.pid
        inner = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0]
        self.root = Path(f"/proc/{inner}/root")
        self.home = self.root / "home/agent"

    def start(self, command: str) -> None:
        """Start a program inside, as an ordinary user."""
        assert self._process.stdin
        self._process.stdin.write(START.format(command=command).encode())
        self._process.stdin.flush()

    def connect(self) -> X11:
        sock = socket.socket(socket.AF_UNIX)
        sock.connect(str(self.root / "tmp/.X11-unix/X19"))
        return X11(sock)

    def pid_of(self, window: XWindow) -> int:
        """Return the process of a window by its number outside."""
        for folder in Path("/proc").glob("[0-9]*"):
            lines = (folder / "status").read_text().splitlines() if (folder / "status").exists() else []
            numbers = next((line.split()[1:] for line in lines if line.startswith("NSpid:")), [])
            if numbers[-1:] == [str(window.pid)] and (folder / "root").resolve() != Path("/"):
                return int(folder.name)
        raise LookupError(window)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


def wait_until(x: X11, look: Callable[[], Found | None], *, seconds: float = 20) -> Found:
    """Look again after each sign of life until there is something to see."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := look():
            return found
        x.wait(0.1)
    raise TimeoutError(f"still nothing after {seconds} s; windows: {x.windows()}")


@pytest.fixture(scope="module")
def x_server() -> Iterator[XServer]:
    if os.geteuid() != 0:
        pytest.skip("starting an X server from a root filesystem takes root here")
    server = XServer(str(store.find("starter").rootfs))
    yield server
    server.close()
