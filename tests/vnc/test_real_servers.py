"""Real VNC servers, started here: what is shown is seen, what is pressed arrives, in every encoding and security."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import ImageChops

from proctor.actions.action import Click, Drag, Move, Press, Scroll, Type
from proctor.computers import open_computer
from proctor.computers.backends.vnc.computer import VncComputer
from proctor.computers.channels.x11.client import X11
from proctor.computers.computer import Computer
from proctor.errors import SpecError
from tests.computers.xvnc import Server, enter, free_port, xvnc
from tests.vnc.ready import open_when_ready

pytestmark = [pytest.mark.sandbox, pytest.mark.turns(by="file")]
TEXT = 'naïve <b> & "quotes" ~^ ABC ελληνικά 日本語 €'


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with xvnc("-AcceptSetDesktopSize=1") as running:
        running.run("xsetroot", "-cursor_name", "left_ptr", "-solid", "#336699")
        yield running


def opened(server: Server, **options: Any) -> VncComputer:
    return VncComputer(address=server.address, **options)


@pytest.fixture
def x11(server: Server) -> Iterator[X11]:
    client = server.x11()
    yield client
    client.close()


# -- seeing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["raw", "tight", "zrle"])
def test_every_encoding_shows_what_the_screen_shows(server: Server, x11: X11, encoding: str) -> None:
    with server.running("mousepad", "--disable-server"), opened(server, encoding=encoding) as computer:
        computer.wait_for(lambda c: len(c.screenshot(cursor=False).getcolors(1 << 20) or []) > 50, what="an editor")
        computer.perform(Move(x=600, y=400))  # Xvnc paints the pointer for whoever has not moved it
        shown = x11.screenshot(cursor=False)
        # A caret may have blinked between the two.
        different = ImageChops.difference(computer.screenshot(cursor=False), shown).getbbox()
        assert different is None or (different[2] - different[0] <= 3)
        computer.perform(Scroll(x=320, y=240, dy=2))
        assert computer.screenshot().size == (640, 480)


def test_pictures_may_be_sent_with_less_quality(server: Server) -> None:
    with opened(server, encoding="tight", quality=3) as computer:
        red, green, blue = computer.screenshot().getpixel((5, 470))
        assert abs(red - 0x33) < 12 and abs(green - 0x66) < 12 and abs(blue - 0x99) < 12


def test_a_screen_that_is_made_another_size_is_followed() -> None:
    with xvnc() as server, opened(server) as computer:
        assert computer.size == (640, 480)
        server.run("xrandr", "--fb", "800x600")
        computer.wait_for(lambda c: c.screenshot().size == (800, 600), what="the new size")
        assert computer.size == (800, 600)
        computer.perform(Move(x=790, y=590))
        assert any("800x600" in incident.what for incident in computer.incidents)


def test_unix_sockets_are_addresses_too(server: Server) -> None:
    with open_computer("vnc", address=str(server.rfb_socket)) as computer:
        assert computer.screenshot().getpixel((5, 470)) == (0x33, 0x66, 0x99)


def test_displays_are_addresses_too() -> None:
    # A server's port follows from its display, unless one is named.
    for display in range(40, 90):
        port = 5900 + display
        try:
            with xvnc(port=port), open_computer("vnc", address=f"localhost:{display}") as computer:
                assert computer.screenshot().size == (640, 480)
                return
        except AssertionError:
            continue
    pytest.fail("no port for a display is free")


# -- touching ---------------------------------------------------------------------------------------------------------


def takes_keys(computer: Computer) -> bool:
    """Tell whether what is typed shows: on a busy machine a window stands there before its program reads keys."""
    computer.perform(Click(x=320, y=240))
    before = computer.screenshot(cursor=False)
    computer.perform(Type(text="words"))
    different = ImageChops.difference(computer.screenshot(cursor=False), before).getbbox()
    return different is not None and different[2] - different[0] > 20


def test_text_of_every_script_reaches_an_editor(server: Server) -> None:
    (server.share / "note.txt").write_text("")
    with server.running("mousepad", "--disable-server", "/tmp/note.txt"), opened(server) as computer:
        computer.wait_for(lambda c: len(c.screenshot(cursor=False).getcolors(1 << 20) or []) > 50, what="an editor")
        computer.wait_for(takes_keys, what="an editor that takes keys", timeout_sec=30)
        computer.perform(Press(keys="ctrl+a"))
        computer.perform(Type(text=f"{TEXT}\n\tnext"))
        computer.perform(Press(keys="ctrl+s"))
        note = server.share / "note.txt"
        computer.wait_for(lambda _: note.read_text() == f"{TEXT}\n\tnext", what="saving", timeout_sec=20)
        computer.perform(Press(keys="ctrl+a"))
        computer.perform(Press(keys="ctrl+c"))
        computer.wait_for(lambda c: c.clipboard() == f"{TEXT}\n\tnext", what="the clipboard", timeout_sec=20)  # type: ignore[attr-defined]


def test_what_is_copied_here_can_be_pasted_there(server: Server) -> None:
    with opened(server) as computer:
        computer.set_clipboard("pasted: 日本\n")
        with server.running("xclip", "-o", "-selection", "clipboard", stdout=subprocess.PIPE) as pasting:
            computer.wait_for(lambda _: pasting.poll() is not None, what="pasting")
            assert pasting.stdout and pasting.stdout.read().decode() == "pasted: 日本\n"


def test_the_pointer_goes_where_it_is_sent(server: Server, x11: X11) -> None:
    with opened(server) as computer:
        computer.perform(Move(x=100, y=200))
        assert (x11.pointer().x, x11.pointer().y) == (100, 200) == computer.pointer_position()
        computer.perform(Drag(path=((10, 10), (60, 70))))
        assert (x11.pointer().x, x11.pointer().y, x11.pointer().state & 0x1F00) == (60, 70, 0)


# -- security ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key, "-out", cert],
        check=True, capture_output=True,
    )  # fmt: skip
    return key, cert


@pytest.mark.parametrize("kind", ["VncAuth", "TLSNone", "TLSVnc", "X509None", "X509Vnc"])
def test_every_security_lets_in_who_may_come_in(tmp_path: Path, kind: str, certificate: tuple[Path, Path]) -> None:
    # The server reads them from the scratch folder that it sees as /tmp; the password is made by TigerVNC's own tool.
    with xvnc_with(kind, certificate) as server:
        right = {"password": "sesame"} if "Vnc" in kind else {}
        proven = {"ca": str(certificate[1])} if "X509" in kind else {}
        with opened(server, **right, **proven) as computer:
            assert computer.screenshot().size == (640, 480)
            assert computer.facts()["security"] == kind
        if right:
            with pytest.raises(SpecError, match="refused the password"):
                opened(server, password="wrong", **proven).start()
            with pytest.raises(SpecError, match="asks for a password"):
                opened(server, **proven).start()
        if proven:
            with pytest.raises(SpecError, match="certificate is not to be trusted"):
                opened(server, **right).start()


def xvnc_with(kind: str, certificate: tuple[Path, Path]) -> Any:
    options = ["-SecurityTypes", kind, "-PasswordFile", "/tmp/password", "-X509Key", "/tmp/key.pem"]
    return xvnc(*options, "-X509Cert", "/tmp/cert.pem", prepare=lambda share: _prepare(share, certificate))


def _prepare(share: Path, certificate: tuple[Path, Path]) -> None:
    for path, name in zip(certificate, ("key.pem", "cert.pem"), strict=True):
        shutil.copy(path, share / name)
        (share / name).chmod(0o644)
    with enter(share, ["tigervncpasswd", "-f"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        password, _ = process.communicate(b"sesame\n", timeout=120)
    (share / "password").write_bytes(password)
    (share / "password").chmod(0o644)


# -- other servers ----------------------------------------------------------------------------------------------------


def test_x11vnc(server: Server, tmp_path: Path) -> None:
    program = shutil.which("x11vnc")
    if program is None:
        pytest.skip("x11vnc is not installed: apt-get install x11vnc")
    port = free_port()
    argv = [program, "-rfbport", str(port), "-localhost", "-nopw", "-shared", "-forever", "-noxdamage", "-quiet",
            "-display", f":{server.display}", "-flag", str(tmp_path / "ready"), "-noipv6", "-nodpms"]  # fmt: skip
    env = {**os.environ, "XAUTHORITY": "/dev/null"}
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env) as process:
        try:
            with open_when_ready(f"127.0.0.1:{port}", process) as computer:
                assert computer.screenshot(cursor=False).getpixel((5, 470)) == (0x33, 0x66, 0x99)
                computer.perform(Move(x=50, y=60))
                client = server.x11()
                assert (client.pointer().x, client.pointer().y) == (50, 60)
                client.close()
        finally:
            process.kill()
