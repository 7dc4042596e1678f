"""Servers and devices that are not there, say no, stall, talk nonsense or go away in the middle: errors, no hangs."""

from __future__ import annotations

import errno
import socket
import threading

import pytest

from proctor.actions.action import Tap
from proctor.computers import COMPUTERS, meet, open_computer
from proctor.computers.blame import blame
from proctor.computers.fit import MachineNeeds
from proctor.computers.kinds import list_computers
from proctor.errors import ComputerError, ComputerLost, SpecError, UnknownName
from proctor.runner.computer_spec import ComputerSpec
from tests.android.phones import holding, opened
from tests.android.stand_in import AdbServer, Phone


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(ComputerError, match="no adb server at") as caught:
        open_computer("android", server=f"127.0.0.1:{port}").start()
    assert "adb start-server" in caught.value.remedy


@pytest.mark.parametrize("garbage", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"OKAYzzzz", b"OKAY0002xx", b"\0" * 64])
def test_something_else_listens(garbage: bytes) -> None:
    with AdbServer(Phone(), garbage=garbage) as server, pytest.raises(ComputerError, match="does not speak adb|ended"):
        opened(server).start()


def test_a_server_that_never_answers() -> None:
    with AdbServer(Phone(), silent=True) as server, pytest.raises(ComputerError, match=r"not answered within 0\.3 s"):
        opened(server, timeout_sec=0.3).start()


@pytest.mark.parametrize(
    ("state", "words", "remedy"),
    [("unauthorized", "has not allowed", "accept the question"), ("offline", "is offline", "connect it again"),
     ("recovery", "recovery", "adb devices"), ("no permissions", "no", "adb devices")],
)  # fmt: skip
def test_a_device_that_cannot_be_used(state: str, words: str, remedy: str) -> None:
    with AdbServer(Phone(state=state)) as server, pytest.raises(ComputerError, match=words) as caught:
        opened(server).start()
    assert remedy in caught.value.remedy
    assert not isinstance(caught.value, ComputerLost)


def test_no_device_and_another_device() -> None:
    with AdbServer() as server, pytest.raises(ComputerError, match="knows no device") as caught:
        opened(server).start()
    assert "USB debugging" in caught.value.remedy
    with (
        AdbServer(Phone("one")) as server,
        pytest.raises(ComputerError, match=r"no device 'two'; it has one \(device\)"),
    ):
        opened(server, serial="two").start()


def test_two_devices_want_a_choice() -> None:
    with AdbServer(Phone("one"), Phone("two", size=(200, 300))) as server:
        with pytest.raises(SpecError, match="2 devices") as caught:
            opened(server).start()
        assert "one, two" in caught.value.remedy
        with opened(server, serial="two") as computer:
            assert computer.size == (200, 300)
            assert computer.facts()["serial"] == "two"


def test_of_two_devices_the_one_that_can_be_used_is_meant() -> None:
    with AdbServer(Phone("one", state="offline"), Phone("two")) as server, opened(server) as computer:
        assert computer.facts()["serial"] == "two"


@pytest.mark.parametrize(
    ("fields", "words"), [({"features": "cmd"}, "without exit statuses"), ({"sdk": 22}, "too old")]
)
def test_devices_that_are_too_old(fields: dict[str, object], words: str) -> None:
    with AdbServer(Phone(**fields)) as server, pytest.raises(ComputerError, match=words):  # type: ignore[arg-type]
        opened(server).start()


@pytest.mark.parametrize("left", [0, 1, 4, 5, 6, 100, 2000])
def test_adb_goes_away_in_the_middle_of_an_answer(left: int) -> None:
    with holding() as (computer, phone):
        phone.cut_after = left
        for ask in (
            computer.screenshot,
            lambda: computer.run(["echo", "x" * 4000]),
            lambda: computer.perform(Tap(x=1, y=1)),
        ):
            if left < 6 or ask is computer.screenshot and left < 2000:
                with pytest.raises(ComputerLost, match="in the middle"):
                    ask()
        phone.cut_after = None
        assert computer.run(["true"]).code == 0


@pytest.mark.parametrize("left", [0, 3, 30])
def test_adb_goes_away_in_the_middle_of_a_file(left: int) -> None:
    with holding() as (computer, phone):
        computer.write_file("a", b"x" * 100_000)
        phone.cut_after = left
        with pytest.raises(ComputerLost, match="in the middle"):
            computer.read_file("a")


def test_the_server_is_killed_while_a_command_runs() -> None:
    phone = Phone()
    with AdbServer(phone) as server, opened(server) as computer:
        ending = threading.Timer(0.2, server.vanish)
        ending.start()
        with pytest.raises(ComputerLost):
            computer.run(["sleep", "30"])
        ending.join()
        with pytest.raises(ComputerError, match="no adb server") as caught:
            computer.screenshot()
        assert "outside" in computer.autopsy()
        assert blame(ComputerLost(str(caught.value)), computer).whose == "host"
    assert any("not left as it was found" in incident.what for incident in computer.incidents)


def test_a_device_that_is_unplugged() -> None:
    with holding() as (computer, phone):
        phone.state = "offline"
        with pytest.raises(ComputerLost, match="offline") as caught:
            computer.perform(Tap(x=1, y=1))
        found = blame(caught.value, computer)
        assert found.whose == "host"
        assert "no longer answers, and it is unknown what ended it (it is offline)" in found.why


def test_a_device_that_hangs_is_lost_and_a_command_that_does_not_end_is_ended() -> None:
    phone = Phone()
    with AdbServer(phone) as server, opened(server, timeout_sec=0.5) as computer:
        phone.hanging.add("screencap")
        with pytest.raises(ComputerLost, match="hangs"):
            computer.screenshot()
        with pytest.raises(ComputerError, match=r"'sleep' did not finish within 0\.2 s"):
            computer.run(["sleep", "60"], timeout_sec=0.2)
        assert phone.events[-1][0] == "kill"
        phone.hanging.clear()


@pytest.mark.parametrize(
    ("options", "words"),
    [({"server": "nowhere:99999"}, "adb server"), ({"server": "a b"}, "adb server"), ({"timeout_sec": 0}, "valid time"),
     ({"home": "relative"}, "folder"), ({"serial": "two words"}, "serial")],
)  # fmt: skip
def test_wrong_options_are_named_before_anything_is_called(options: dict[str, object], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        open_computer("android", **options)
    assert words in meet("android", MachineNeeds(), options).lacks[0]


def test_an_unknown_rotation_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="sideways"):
        open_computer("android", rotation="sideways")


def test_options_come_from_the_command_line() -> None:
    typed = ComputerSpec.parse(
        "android,serial=emulator-5554,server=127.0.0.1:5038,rotation=landscape"
    ).constructor_options()
    assert typed["serial"] == "emulator-5554" and typed["server"] == "127.0.0.1:5038"


@pytest.mark.parametrize("part", ["pointer", "snapshot", "changes", "code"])
def test_parts_that_are_not_there_are_named_before_a_run(part: str) -> None:
    needs = MachineNeeds(capabilities=frozenset({part}))
    assert "this computer has no" in meet("android", needs, {}).lacks[0]


def test_it_is_listed_and_says_that_nobody_has_tried_it() -> None:
    assert "android" in COMPUTERS.names()
    (listed,) = [computer for computer in list_computers() if computer.name == "android"]
    assert "not tested on a device" in listed.remark
    assert listed.parts and {"touch", "tree", "apps", "shell", "files"} <= set(listed.parts)


def test_links_pipes_and_large_files() -> None:
    with holding() as (computer, phone):
        computer.write_file("a", b"12345")
        computer.run(["ln", "-s", "a", "link"])
        computer.run(["mkfifo", "pipe"])
        assert computer.read_file("link") == b"12345"
        assert computer.file_info("link").kind == "link"
        for ask, number in (
            (lambda: computer.read_file("link", follow=False), errno.ELOOP),
            (lambda: computer.read_file("a", most=4), errno.EFBIG),
            (lambda: computer.read_file("pipe"), errno.EINVAL),
            (lambda: computer.read_file("x" * 2000), errno.ENAMETOOLONG),
        ):
            with pytest.raises(OSError) as caught:
                ask()
            assert caught.value.errno == number
        data = bytes(range(256)) * 1000
        computer.write_file("big", data)
        assert computer.read_file("big") == data
        assert (phone.root / "sdcard/big").read_bytes() == data


def test_devices_without_the_newer_stat_have_files_too() -> None:
    with holding(features="shell_v2,cmd") as (computer, _):
        computer.write_file("folder/a", b"1")
        assert [entry.path for entry in computer.list_files("folder")] == ["/sdcard/folder/a"]
        assert computer.read_file("folder/a") == b"1"
        with pytest.raises(FileNotFoundError):
            computer.file_info("nothing")


def test_root_is_refused_where_there_is_no_su() -> None:
    with holding() as (computer, _):
        with pytest.raises(ComputerError, match="no su"):
            computer.run(["true"], root=True)
        with pytest.raises(ComputerError, match="no such folder"):
            computer.run(["true"], cwd="/nowhere")
        with pytest.raises(SpecError, match="not the name of a variable"):
            computer.run(["true"], env={"a b": "c"})
