"""Real X and VNC servers for tests: the Xvnc of the starter image, in namespaces of its own on a scratch folder."""

from __future__ import annotations

import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.computers import userns
from proctor.computers.channels.x11.client import X11
from proctor.computers.images import store

INSIDE = """
set -e
root=$1 share=$2; shift 2
mount --bind "$share" "$root/tmp"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
exec chroot "$root" "$@"
"""
"""The image is only read: what is written goes to the scratch folder, which lies over its /tmp."""


def enter(share: Path, argv: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a program of the image; it ends with the process that is returned."""
    rootfs = store.find("starter").rootfs
    unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", INSIDE, "sh"]
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", **options.pop("env", {})}
    return userns.popen([*unshare, str(rootfs), str(share), *argv], env=env, **options)


@dataclass
class Server:
    """A running Xvnc."""

    share: Path
    display: int
    port: int

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def rfb_socket(self) -> Path:
        return self.share / "rfb"

    @property
    def x_socket(self) -> Path:
        return self.share / f".X11-unix/X{self.display}"

    def run(self, *argv: str) -> str:
        """Run a program of the image on this display, to its end."""
        with self.running(*argv, stdout=subprocess.PIPE) as process:
            out, _ = process.communicate(timeout=120)
        assert process.returncode == 0, argv
        return out.decode()

    @contextmanager
    def running(self, *argv: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
        """Have a program of the image run on this display meanwhile."""
        env = {"DISPLAY": f":{self.display}", "GTK_USE_PORTAL": "0", "NO_AT_BRIDGE": "1"}
        with enter(self.share, argv, env=env, **options) as process:
            try:
                yield process
            finally:
                process.kill()

    def x11(self) -> X11:
        """Return an X client of this display."""
        sock = socket.socket(socket.AF_UNIX)
        sock.connect(str(self.x_socket))
        return X11(sock)


@contextmanager
def xvnc(
    *options: str, size: str = "640x480", port: int = 0, prepare: Callable[[Path], None] = lambda share: None
) -> Iterator[Server]:
    """Run an Xvnc on a loopback port and a Unix socket; without security unless the options say otherwise."""
    with tempfile.TemporaryDirectory(prefix="pxvnc-") as folder:
        share = Path(folder)
        share.chmod(0o1777)
        prepare(share)
        port = port or free_port()
        security = [] if any("SecurityTypes" in option for option in options) else ["-SecurityTypes", "None"]
        argv = ["/usr/bin/Xvnc", "-displayfd", "1", "-geometry", size, "-depth", "24", "-rfbport", str(port),
                "-localhost", "-rfbunixpath", "/tmp/rfb", "-rfbunixmode", "0666", "-nolisten", "tcp", "-ac",
                "-noreset", "-extension", "GLX", *security, *options]  # fmt: skip
        log = (share / "xvnc.log").open("wb")
        process = enter(share, argv, stdout=subprocess.PIPE, stderr=log)
        try:
            assert process.stdout
            said = process.stdout.readline()
            assert said.strip(), (share / "xvnc.log").read_text()
            yield Server(share, int(said), port)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
            if process.stdout:
                process.stdout.close()
            log.close()


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])
