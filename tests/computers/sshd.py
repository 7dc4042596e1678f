"""A real sshd on loopback for tests: throwaway keys, a home folder of its own, gone when it is over."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.computers.xvnc import free_port

CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/authorized
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
LogLevel ERROR
ForceCommand HOME={folder}/home; export HOME; cd; sh -c "$SSH_ORIGINAL_COMMAND"
"""


@dataclass
class Sshd:
    """A running sshd."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes]

    def end(self) -> None:
        """End the server and every connection to it."""
        subprocess.run(["pkill", "-KILL", "-P", str(self.process.pid)], check=False)
        self.process.kill()
        self.process.wait()

    @property
    def options(self) -> dict[str, str]:
        return {
            "ssh": f"{getpass.getuser()}@127.0.0.1:{self.port}",
            "known_hosts": str(self.folder / "known"),
            "identity": str(self.folder / "mine"),
        }


@contextmanager
def sshd(folder: Path) -> Iterator[Sshd]:
    program = shutil.which("sshd", path="/usr/sbin:/usr/bin:/sbin")
    if program is None:
        pytest.skip("sshd is not installed: apt-get install openssh-server")
    for name in ("host", "mine"):
        _run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name))
    port = free_port()
    (folder / "home").mkdir()
    shutil.copy(folder / "mine.pub", folder / "authorized")
    (folder / "known").write_text(f"[127.0.0.1]:{port} {(folder / 'host.pub').read_text()}")
    (folder / "config").write_text(CONFIG.format(port=port, folder=folder))
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # where it locks itself up; Debian makes it when it boots
    process = subprocess.Popen([program, "-D", "-e", "-f", str(folder / "config")], stderr=subprocess.PIPE)
    try:
        _await_port(port, process)
        yield Sshd(folder, port, process)
    finally:
        process.terminate()
        process.communicate()


def _run(*argv: str) -> None:
    subprocess.run(argv, check=True, capture_output=True)


def _await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    # `ssh-keyscan` waits by itself, and a server that has ended is told apart.
    for _ in range(50):
        assert process.poll() is None, process.communicate()[1].decode()
        done = subprocess.run(
            ["ssh-keyscan", "-T", "2", "-p", str(port), "127.0.0.1"], capture_output=True, check=False
        )
        if done.stdout:
            return
    raise AssertionError("sshd did not come up")
