"""Watching a desktop over VNC: off unless asked for, on loopback with a password, or on a socket of one's own."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.channels.rfb.relay import MOST_VIEWERS, new_password
from proctor.errors import HostError, SpecError
from tests.sandbox.host import Watched, descendants

pytestmark = pytest.mark.sandbox
PASSWORD = "s3cret!x"
NONE, VNC_AUTH = 1, 2


@pytest.fixture(scope="module")
def guarded() -> Iterator[SandboxComputer]:
    with SandboxComputer(look="light", size=(800, 600), vnc_password=PASSWORD) as computer:
        yield computer


@pytest.fixture(scope="module")
def plain() -> Iterator[SandboxComputer]:
    with SandboxComputer(look="light", size=(800, 600)) as computer:
        yield computer


@dataclass
class Viewer:
    """The beginning of a VNC viewer: the handshake, and the first facts about the screen."""

    socket: socket.socket

    def read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            if not part:
                raise EOFError(f"{len(data)} of {size} bytes")
            data += part
        return data

    def kinds_of_security(self) -> list[int]:
        assert self.read(12) == b"RFB 003.008\n"
        self.socket.sendall(b"RFB 003.008\n")
        (count,) = self.read(1)
        return list(self.read(count))

    def challenge(self) -> bytes:
        self.socket.sendall(bytes([VNC_AUTH]))
        return self.read(16)

    def result(self) -> int:
        (code,) = struct.unpack(">I", self.read(4))
        return int(code)

    def screen(self) -> tuple[int, int]:
        self.socket.sendall(b"\1")
        width, height = struct.unpack(">HH", self.read(4))
        return int(width), int(height)


@contextlib.contextmanager
def viewer(host: str, port: int) -> Iterator[Viewer]:
    with socket.create_connection((host, port), 10) as connection:
        yield Viewer(connection)


def answer(computer: SandboxComputer, password: str, challenge: bytes) -> bytes:
    """Encrypt a challenge as VNC does: DES with the password as key, the bits of each byte turned round."""
    key = bytes(int(f"{byte:08b}"[::-1], 2) for byte in password.encode())
    command = f"openssl enc -des-ecb -provider legacy -provider default -nopad -K {key.hex()} | od -An -v -tx1"
    done = computer.run(["bash", "-c", command], input=challenge)
    found = bytes.fromhex("".join(done.stdout.split()))
    assert len(found) == 16, done.stderr
    return found


# -- on a port ---------------------------------------------------------------------------------------------------------


def test_a_port_without_a_password_is_refused(plain: SandboxComputer) -> None:
    with pytest.raises(SpecError, match="password") as caught:
        plain.watch()
    assert "vnc_password" in caught.value.remedy


def test_the_right_password_shows_the_screen(guarded: SandboxComputer) -> None:
    watch = guarded.watch()
    assert watch.address.host == "127.0.0.1"
    assert str(watch.address) == f"127.0.0.1::{watch.address.port}"
    with viewer(watch.address.host, watch.address.port) as person:
        assert person.kinds_of_security() == [VNC_AUTH]
        person.socket.sendall(answer(guarded, PASSWORD, person.challenge()))
        assert person.result() == 0
        assert person.screen() == (800, 600)
    watch.close()


@pytest.mark.parametrize("wrong", ["guessed!", "S3cret!x", "s3cret!y"])
def test_a_wrong_password_is_refused(guarded: SandboxComputer, wrong: str) -> None:
    # A watch of its own for each: the display makes whoever guesses too often wait.
    watch = guarded.watch()
    with viewer(watch.address.host, watch.address.port) as person:
        person.kinds_of_security()
        person.socket.sendall(answer(guarded, wrong, person.challenge()))
        assert person.result() != 0
        (length,) = struct.unpack(">I", person.read(4))
        assert b"ailure" in person.read(length)
        with pytest.raises((EOFError, ConnectionError)):
            person.screen()
    watch.close()


def test_skipping_the_password_is_refused(guarded: SandboxComputer) -> None:
    watch = guarded.watch()
    with viewer(watch.address.host, watch.address.port) as person:
        person.kinds_of_security()
        person.socket.sendall(bytes([NONE]))
        try:
            allowed = person.result() == 0
        except (EOFError, ConnectionError):
            allowed = False
        assert not allowed
    watch.close()


def test_the_password_is_not_seen_inside(guarded: SandboxComputer) -> None:
    seen = guarded.execute("import os\nopen('/run/display/password').read()")
    assert seen.error == "PermissionError"
    shown = guarded.run(["bash", "-c", "env; ps -ef; cat /proc/*/cmdline /proc/*/environ 2>/dev/null | tr '\\0' '\\n'"])
    assert PASSWORD not in shown.stdout


def test_a_port_that_is_taken(guarded: SandboxComputer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(HostError, match="not free"):
        guarded.watch(port=taken.getsockname()[1])
    for wrong in (-1, 65536):
        with pytest.raises(SpecError, match="not a port"):
            guarded.watch(port=wrong)


def test_closing_sends_viewers_away(guarded: SandboxComputer) -> None:
    watch = guarded.watch()
    with viewer(watch.address.host, watch.address.port) as person:
        person.kinds_of_security()
        watch.close()
        person.socket.settimeout(10)
        with contextlib.suppress(ConnectionError):
            assert person.socket.recv(1) == b""
    watch.close()
    with pytest.raises(ConnectionError):
        socket.create_connection((watch.address.host, watch.address.port), 2)


# -- on a socket -------------------------------------------------------------------------------------------------------


def test_a_socket_is_for_its_owner(plain: SandboxComputer, tmp_path: Path) -> None:
    path = tmp_path / "screen"
    watch = plain.watch(path=path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_ISSOCK(path.stat().st_mode)
    assert str(watch.address) == str(path)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(path))
        person = Viewer(connection)
        assert person.kinds_of_security() == [NONE]
        connection.sendall(bytes([NONE]))
        assert person.result() == 0
        assert person.screen() == (800, 600)
    with pytest.raises(HostError, match="no socket can be made"):
        plain.watch(path=path)
    watch.close()
    assert not path.exists()
    assert os.umask(0o22) == 0o22


def test_only_so_many_viewers(plain: SandboxComputer, tmp_path: Path) -> None:
    path = tmp_path / "screen"
    with contextlib.closing(plain.watch(path=path)), contextlib.ExitStack() as stack:
        for number in range(MOST_VIEWERS + 1):
            connection = stack.enter_context(socket.socket(socket.AF_UNIX))
            connection.settimeout(10)
            connection.connect(str(path))
            person = Viewer(connection)
            if number == MOST_VIEWERS:
                with pytest.raises((EOFError, ConnectionError)):
                    person.read(3)
                return
            assert person.kinds_of_security() == [NONE]
            connection.sendall(bytes([NONE]))
            assert person.result() == 0
            assert person.screen() == (800, 600)


def test_a_socket_nobody_can_make(plain: SandboxComputer, tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "folder", tmp_path / ("x" * 120)):
        with pytest.raises(HostError, match="no socket can be made") as caught:
            plain.watch(path=path)
        assert "None" not in caught.value.message


def test_watches_end_with_the_computer(tmp_path: Path) -> None:
    path = tmp_path / "screen"
    with SandboxComputer(look="light", size=(800, 600)) as computer:
        computer.watch(path=path)
        mark = computer.snapshot()
        computer.restore(mark)
        assert not path.exists()
        computer.watch(path=path).close()
        computer.watch(path=path)
    assert not path.exists()


def test_passwords_differ_and_can_be_carried() -> None:
    made = {new_password() for _ in range(50)}
    assert len(made) == 50
    assert all(re.fullmatch(r"[a-z0-9]{8}", password) for password in made)


# -- the command -------------------------------------------------------------------------------------------------------


def desktop(*args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "proctor", "computers", "open", "--look", "light", "--size", "800x600", *args]
    environment = {**os.environ, "COLUMNS": "200"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)


def lines_until(process: subprocess.Popen[str], word: str) -> str:
    assert process.stdout is not None
    found = []
    for line in process.stdout:
        found.append(line)
        if word in line:
            return "".join(found)
    raise AssertionError("".join(found))


def test_a_picture_of_a_desktop(tmp_path: Path) -> None:
    path = tmp_path / "new" / "now.png"
    process = desktop("--screenshot", str(path), "--theme", "dark", "mousepad", "[/odd] name.txt")
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output
    assert str(path) in output
    assert "[/odd] name.txt" in output
    with Image.open(path) as picture:
        assert picture.size == (800, 600)


def test_a_desktop_to_watch_until_interrupted() -> None:
    process = desktop("--vnc")
    output = lines_until(process, "Ctrl-C")
    found = re.search(r"vncviewer ([\d.]+)::(\d+)\s+password (\S+)", output)
    assert found, output
    with viewer(found[1], int(found[2])) as person, Watched(descendants(process.pid)) as family:
        assert person.kinds_of_security() == [VNC_AUTH]
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=120)
        assert process.returncode == 130, rest
        assert "Traceback" not in rest
        assert family.wait() == []
    with pytest.raises(ConnectionError):
        socket.create_connection((found[1], int(found[2])), 2)


def test_a_desktop_on_a_socket(tmp_path: Path) -> None:
    path = tmp_path / "screen"
    process = desktop("--socket", str(path))
    lines_until(process, "Ctrl-C")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=120)


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["--size", "big"], "--size"),
        (["--size", "10x10"], "size"),
        (["--screenshot", "now.txt"], "--screenshot"),
        (["--locale", "xx"], "locale"),
        (["--clock", "noon"], "clock"),
        (["--network", "nowhere"], "network"),
        (["--image", "no-such-image"], "no-such-image"),
        (["--screenshot", "x.png", "no-such-program"], "no-such-program"),
    ],
)
def test_mistakes_are_named(args: list[str], word: str) -> None:
    process = desktop(*args)
    output, _ = process.communicate(timeout=60)
    assert process.returncode in (1, 2)
    assert word in output
    assert "Traceback" not in output
