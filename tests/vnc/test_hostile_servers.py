"""VNC servers that refuse, break off, stall or lie: the right error, no hang, nothing left behind."""

from __future__ import annotations

import struct
import threading
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proctor.actions.action import Move, Press
from proctor.computers import open_computer
from proctor.computers.backends.vnc.computer import VncComputer
from proctor.computers.blame import blame
from proctor.computers.channels.rfb import des, link
from proctor.errors import ComputerError, ComputerLost, ProctorError, SpecError
from tests.channels.rfb_server import Peer, Script, raw, rectangle, serving
from tests.computers.sshd import sshd

FOREVER = threading.Event()
"""Nobody sets it: whoever waits for it waits until the connection is cut."""


def computer(folder: Path, **options: Any) -> VncComputer:
    return VncComputer(address=str(folder / "rfb"), **{"timeout_sec": 5.0, "encoding": "tight", **options})


def honest(peer: Peer) -> None:
    peer.greet()
    peer.serve()


def asks_for_password(answers: list[bytes], *, good: bytes | None) -> Script:
    def script(peer: Peer) -> None:
        peer.send(b"RFB 003.008\n")
        peer.take(12)
        peer.send(b"\1\2")
        assert peer.take(1) == b"\2"
        peer.send(bytes(range(16)))
        answers.append(peer.take(16))
        if good is None or answers[-1] != des.answer(bytes(range(16)), good):
            reason = b"Authentication failure\x1b[31m"
            peer.send(struct.pack(">II", 1, len(reason)) + reason)
            return
        peer.send(bytes(4))
        peer.introduce()
        peer.serve()

    return script


def test_an_honest_server_is_seen(tmp_path: Path) -> None:
    with serving(tmp_path / "rfb", honest), computer(tmp_path) as machine:
        assert machine.size == (64, 48)
        assert machine.screenshot().getpixel((3, 3)) == (0, 0, 0)
        assert machine.facts()["server"] == "fake"


# -- letting in -------------------------------------------------------------------------------------------------------


def test_a_wrong_password_is_said_to_be_wrong(tmp_path: Path) -> None:
    answers: list[bytes] = []
    with serving(tmp_path / "rfb", asks_for_password(answers, good=b"right")):
        with pytest.raises(SpecError, match="refused the password: Authentication failure") as refused:
            computer(tmp_path, password="wrong").start()
        assert "\x1b" not in str(refused.value) and "wrong" not in str(refused.value)
        with computer(tmp_path, password="right") as machine:
            assert machine.facts()["security"] == "VncAuth"
            assert "right" not in str(machine.facts())


def test_a_missing_password_is_asked_for(tmp_path: Path) -> None:
    with serving(tmp_path / "rfb", asks_for_password([], good=b"x")), pytest.raises(SpecError, match="password"):
        computer(tmp_path).start()


def test_passwords_come_from_files_and_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[bytes] = []
    (tmp_path / "secret").write_text("right\n")
    monkeypatch.setenv("LAB_PASSWORD", "right")
    with serving(tmp_path / "rfb", asks_for_password(answers, good=b"right")):
        for options in ({"password_file": str(tmp_path / "secret")}, {"password_env": "LAB_PASSWORD"}):
            computer(tmp_path, **options).start().close()
    assert len(answers) == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"password_env": "NOT_SET_ANYWHERE"}, "NOT_SET_ANYWHERE"),
        ({"password_file": "/nowhere/at/all"}, "/nowhere/at/all"),
        ({"password": "a", "password_env": "HOME"}, "password and password_env"),
        ({"security": "magic"}, "magic"),
        ({"encoding": "gif"}, "gif"),
        ({"guest": "beos"}, "beos"),
        ({"quality": 11}, "quality=11"),
        ({"typing_ms": -1}, "typing_ms=-1"),
        ({"ca": "/nowhere.pem"}, "/nowhere.pem"),
        ({"ssh": "no machine"}, "no machine"),
        ({"ssh": "-oProxyCommand=x"}, "does not name a machine"),
        ({"ssh": "me@host", "identity": "/nowhere/key"}, "/nowhere/key"),
        ({"ssh": "me@host", "guest": "windows"}, "Windows"),
        ({"timeout_sec": 0}, "timeout_sec"),
    ],
)
def test_wrong_options_are_named_before_anything_is_called(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said.replace("(", r"\(")):
        computer(tmp_path, **options)


@pytest.mark.parametrize("address", ["", "host:99999", "a b:1", "::::", "host:port", "[::1", "/"])
def test_what_is_no_address_is_refused(address: str) -> None:
    try:
        made = VncComputer(address=address)
    except SpecError as error:
        assert "host:port" in error.remedy
    else:
        with pytest.raises(ComputerError, match="no VNC server answers"):
            made.start()


def test_nobody_there(tmp_path: Path) -> None:
    with pytest.raises(ComputerError, match=r"no VNC server answers at .*rfb: No such file"):
        computer(tmp_path).start()
    with pytest.raises(ComputerError, match="no VNC server answers at 127.0.0.1:1"):
        open_computer("vnc", address="127.0.0.1::1").start()


@pytest.mark.parametrize(
    ("greeting", "said"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n", "instead of a version of RFB"),
        (b"RFB 003.008\n\0\0\0\0\7go away", "refuses connections: go away"),
        (b"RFB 003.008\n\2\5\x1e", "RSA-AES"),
        (b"RFB 003.003\n\0\0\0\0\0\0\0\4busy", "refuses connections: busy"),
        (b"RFB 003.008\n\1\x13\0\1", "VeNCrypt 0.1"),
        (b"", "closed the connection"),
        (b"RFB 003.", "closed the connection"),
    ],
)
def test_whoever_is_not_let_in_is_told_why(tmp_path: Path, greeting: bytes, said: str) -> None:
    def script(peer: Peer) -> None:
        peer.send(greeting)
        while b"\n" in greeting and peer.take(1):
            pass

    with serving(tmp_path / "rfb", script), pytest.raises(ProctorError, match=said):
        computer(tmp_path, password="x", timeout_sec=2.0).start()


@pytest.mark.parametrize("version", [b"RFB 003.003\n", b"RFB 003.007\n", b"RFB 003.889\n", b"RFB 004.001\n"])
def test_every_version_is_spoken(tmp_path: Path, version: bytes) -> None:
    def script(peer: Peer) -> None:
        peer.send(version)
        spoken = peer.take(12)
        if spoken == b"RFB 003.003\n":
            peer.send(struct.pack(">I", 1))
        else:
            peer.send(b"\1\1")
            peer.take(1)
        if spoken == b"RFB 003.008\n":
            peer.send(bytes(4))
        peer.introduce()
        peer.serve()

    with serving(tmp_path / "rfb", script), computer(tmp_path) as machine:
        assert machine.screenshot().size == (64, 48)


# -- lies -------------------------------------------------------------------------------------------------------------

BOMB = zlib.compress(bytes(1 << 24), 9)


@pytest.mark.parametrize(
    ("rect", "said"),
    [
        (raw(60, 40, 10, 10), "painted 10x10 at 60,40 on a screen of 64x48"),
        (rectangle(0, 0, 10, 10, 1, struct.pack(">HH", 60, 60)), "painted 10x10 at 60,60"),
        (rectangle(0, 0, 4, 4, 1234), "encoding 1234"),
        (rectangle(0, 0, 4, 4, 5), "encoding 5, which was not requested"),
        (rectangle(0, 0, 32767, 32767, -223), "32767x32767"),
        (rectangle(0, 0, 0, 0, -223), "0x0"),
        (rectangle(0, 0, 32767, 32767, -308, b"\0" * 4), "32767x32767"),
        (rectangle(0, 0, 60, 40, 16, struct.pack(">I", len(BOMB)) + BOMB), "packed more"),
        (rectangle(0, 0, 60, 40, 16, struct.pack(">I", 0xFFFFFFFF)), "4294967295 bytes"),
        (rectangle(0, 0, 9999, 9999, -239), "pointer of 9999x9999"),
        (rectangle(0, 0, 9, 9, -307, struct.pack(">I", 1 << 30)), "name of"),
    ],
)
def test_lies_end_it_and_are_named(tmp_path: Path, rect: bytes, said: str) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.serve(lambda: [rect])

    with serving(tmp_path / "rfb", script):
        machine = computer(tmp_path)
        with pytest.raises(ComputerError, match=said):
            machine.start().screenshot()
        machine.close()
        with pytest.raises(ComputerError, match="closed"):
            machine.screenshot()


@pytest.mark.parametrize(
    ("said_first", "error"),
    [(b"\x55", "unknown kind 85"), (b"\3" + b"\0" * 3 + b"\x7f\xff\xff\xff", "stopped in the middle|too slow")],
)
def test_messages_that_make_no_sense(tmp_path: Path, said_first: bytes, error: str) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.send(said_first)
        peer.serve()

    with serving(tmp_path / "rfb", script), pytest.raises(ComputerLost, match=error):
        computer(tmp_path, timeout_sec=0.5).start().screenshot()


def test_a_screen_of_32k_is_refused_at_once(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "rfb", lambda peer: peer.greet(size=(32768, 32768))),
        pytest.raises(ComputerError, match="32768x32768"),
    ):
        computer(tmp_path).start()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(noise=st.binary(min_size=1, max_size=300))
def test_noise_never_hangs_and_is_always_an_error_of_ours(tmp_path: Path, noise: bytes) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        peer.send(noise)

    place = tmp_path / "rfb"
    place.unlink(missing_ok=True)
    with serving(place, script):
        machine = computer(tmp_path, timeout_sec=2.0)
        with pytest.raises(ProctorError):
            machine.start()
        machine.close()


# -- going away -------------------------------------------------------------------------------------------------------


def stalls(peer: Peer) -> None:
    peer.greet()
    peer.send(struct.pack(">BxH", 0, 1) + raw(0, 0, 64, 48)[:100])
    while peer.message():
        pass


def test_a_server_that_stalls_is_given_up(tmp_path: Path) -> None:
    with serving(tmp_path / "rfb", stalls), pytest.raises(ComputerLost, match="stopped in the middle of a message"):
        computer(tmp_path, timeout_sec=0.3).start()


def test_a_server_that_says_nothing_at_all_is_given_up(tmp_path: Path) -> None:
    with serving(tmp_path / "rfb", lambda peer: void(peer.take(1))), pytest.raises(ComputerLost):
        computer(tmp_path, timeout_sec=0.3).start()


def void(_: object) -> None:
    """Do nothing with what was taken."""


def cut_when_touched(peer: Peer) -> None:
    _touched(peer)
    peer.send(struct.pack(">BxH", 0, 1) + b"\0\0")


def _touched(peer: Peer) -> None:
    """Show the screen until the pointer is moved."""
    peer.greet()
    while (said := peer.message())[0] != 5:
        if said[0] == 3 and not said[1]:
            peer.update(raw(*struct.unpack(">xxHHHH", said)))


def hangs_when_touched(peer: Peer) -> None:
    _touched(peer)
    FOREVER.wait(5)


def lies_when_touched(peer: Peer) -> None:
    _touched(peer)
    peer.send(b"\xc8" * 64)
    FOREVER.wait(5)


def lets_in_and_goes(peer: Peer) -> None:
    peer.greet()


def test_a_connection_that_is_cut_is_opened_again_and_told(tmp_path: Path) -> None:
    with serving(tmp_path / "rfb", cut_when_touched, honest) as peers, computer(tmp_path) as machine:
        machine.perform(Move(x=5, y=6))
        assert machine.screenshot().size == (64, 48)
        machine.perform(Press(keys="a"))
        assert len(peers) == 2
        assert len(machine.incidents) == 1
        assert machine.incidents[0].what.endswith("; it was reopened")
        # The pointer is put where it was.
        moves = [said for said in peers[1].heard if said[0] == 5]
        assert moves and moves[-1] == struct.pack(">BBHH", 5, 0, 5, 6)


def test_a_server_that_stays_away_is_lost(tmp_path: Path) -> None:
    with serving(tmp_path / "rfb", cut_when_touched):
        machine = computer(tmp_path).start()
    object.__setattr__(machine._link.plan, "again_sec", 0.2)
    with pytest.raises(ComputerLost, match="reconnecting failed"):
        machine.screenshot()
    with pytest.raises(ComputerLost, match="reconnecting failed") as caught:
        machine.perform(Move(x=1, y=1))
    assert machine.autopsy()["lost"]
    found = blame(caught.value, machine)
    assert found.whose == "host"
    assert f"the VNC server at {tmp_path / 'rfb'} no longer answers, and it is unknown what ended it" in found.why
    machine.close()


def test_a_server_that_is_stopped_may_be_anybodys_doing(tmp_path: Path) -> None:
    with serving(tmp_path / "rfb", hangs_when_touched), computer(tmp_path, timeout_sec=0.3) as machine:
        with pytest.raises(ComputerLost, match="stopped in the middle") as caught:
            machine.perform(Move(x=5, y=6))
        assert blame(caught.value, machine).whose == "host"


def test_a_server_that_breaks_the_protocol_was_not_merely_ended(tmp_path: Path) -> None:
    with serving(tmp_path / "rfb", lies_when_touched, honest), computer(tmp_path) as machine:
        with pytest.raises(ComputerLost) as caught:
            machine.perform(Move(x=5, y=6))
        assert blame(caught.value, machine).whose == "agent"
        assert "outside" not in machine.autopsy()


def test_an_ssh_server_that_is_ended_alone_may_be_anybodys_doing(tmp_path: Path) -> None:
    (tmp_path / "sshd").mkdir()
    with (
        serving(tmp_path / "rfb", honest),
        sshd(tmp_path / "sshd") as there,
        computer(tmp_path, **there.options) as machine,
    ):
        assert machine.run(["echo", "there"]).stdout == "there\n"
        assert machine.run(["sh", "-c", "exit 255"]).code == 255
        assert machine.autopsy().get("outside") is None
        there.end()
        for ask in (lambda: machine.run(["true"]), lambda: machine.read_file("letter.txt")):
            with pytest.raises(ComputerLost) as caught:
                ask()
            found = blame(caught.value, machine)
            assert found.whose == "host"
            assert "the ssh server of 127.0.0.1 no longer answers" in found.why
        assert machine.screenshot().size == (64, 48)


def test_reconnecting_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "MAX_REOPENED", 3)
    with serving(tmp_path / "rfb", cut_when_touched, lets_in_and_goes) as peers:
        machine = computer(tmp_path).start()
        with pytest.raises(ComputerLost, match="reopened 3 times|reconnecting failed"):
            machine.perform(Move(x=1, y=1))
            for _ in range(10):
                machine.screenshot()
        machine.close()
    assert len(peers) <= 4


# -- what changes -----------------------------------------------------------------------------------------------------


def test_the_screen_may_change_its_size(tmp_path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.greet()
        changed = False
        while True:
            said = peer.message()
            if said[0] == 5 and not changed:
                changed = True
                peer.update(rectangle(0, 0, 32, 24, -308, b"\1" + bytes(19)))
            if said[0] == 3 and not said[1]:
                _, x, y, width, height = struct.unpack(">xBHHHH", said)
                peer.update(raw(x, y, width, height, 0xFF0000 if changed else 0))

    with serving(tmp_path / "rfb", script), computer(tmp_path) as machine:
        machine.perform(Move(x=1, y=1))
        assert machine.size == (32, 24)
        assert machine.screenshot().getpixel((20, 20)) == (255, 0, 0)
        assert any("32x24" in incident.what for incident in machine.incidents)


@pytest.mark.parametrize(
    ("guest", "keys", "sent"),
    [
        ("linux", "super+l", [0xFFEB, 0x6C]),
        ("windows", "super+l", [0xFFEB, 0x6C]),
        ("macos", "cmd+c", [0xFFE9, 0x63]),
        ("macos", "option+Left", [0xFFE7, 0xFF51]),
        ("windows", "altgr+q", [0xFFEA, 0x71]),
        ("linux", "altgr+q", [0xFE03, 0x71]),
        ("linux", "meta+Tab", [0xFFEB, 0xFF09]),
    ],
)
def test_keys_mean_what_the_guest_takes_them_for(tmp_path: Path, guest: str, keys: str, sent: list[int]) -> None:
    with serving(tmp_path / "rfb", honest) as peers, computer(tmp_path, guest=guest) as machine:
        machine.perform(Press(keys=keys))
        pressed = [struct.unpack(">BBxxI", said) for said in peers[0].heard if said[0] == 4]
    assert [key for _, down, key in pressed if down] == sent
    assert [key for _, down, key in pressed if not down] == sent[::-1]


def test_keys_go_by_their_place_too_where_the_server_takes_that(tmp_path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.greet(name=b"QEMU (lab)")
        peer.serve(lambda: [rectangle(0, 0, 0, 0, -258)])

    with serving(tmp_path / "rfb", script) as peers, computer(tmp_path, guest="macos") as machine:
        machine.screenshot()
        machine.perform(Press(keys="cmd+c"))
        placed = [struct.unpack(">BBHII", said)[2:] for said in peers[0].heard if said[0] == 255]
        plain = [struct.unpack(">BBxxI", said)[1:] for said in peers[0].heard if said[0] == 4]
    assert [(down, place) for down, _, place in placed] == [(1, 0xDB), (0, 0xDB)]
    assert plain == [(1, 0x63), (0, 0x63)]
