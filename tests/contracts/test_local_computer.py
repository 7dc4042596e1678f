"""The computer on your own display keeps every promise that it can, on a real X server; and the promises of its own."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import pytest

from proctor.actions.action import Click, KeyDown, MouseDown, Press, Type, Wait
from proctor.computers import open_computer
from proctor.computers.backends.local.computer import LocalComputer
from proctor.computers.backends.local.display import Stopped
from proctor.computers.blame import blame
from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.keysyms import keysym
from proctor.computers.channels.x11.protocol import Op
from proctor.computers.computer import Computer
from proctor.errors import AgentError, ComputerLost, HostError, SpecError
from proctor.testing.computer import ComputerContract
from tests.computers.xvnc import Server, xvnc


@pytest.fixture(autouse=True)
def _no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "XAUTHORITY"):
        monkeypatch.delenv(name, raising=False)


def layout(x11: X11) -> bytes:
    first, last = x11.screen.min_keycode, x11.screen.max_keycode
    return x11.call(Op.GetKeyboardMapping, 0, struct.pack("<BB", first, last - first + 1))[32:]


def press(x11: X11, name: str) -> None:
    codes = layout(x11)
    width = len(codes) // 4 // (x11.screen.max_keycode - x11.screen.min_keycode + 1)
    symbols = struct.unpack(f"<{len(codes) // 4}I", codes)
    code = x11.screen.min_keycode + symbols.index(keysym(name)) // width
    x11.key(code, True)
    x11.key(code, False)
    x11.sync()


@pytest.mark.turns
@pytest.mark.sandbox
class TestLocalComputer(ComputerContract):
    mousepad = False
    server: ClassVar[Server]

    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def _running(cls) -> Iterator[None]:
        with xvnc() as cls.server:
            cls.server.run("xsetroot", "-cursor_name", "left_ptr")
            yield

    def new_computer(self, **options: Any) -> Computer:
        display = str(self.server.x_socket)
        return open_computer("local", **{"display": display, "consent": True, "confirm": False, **options})

    @pytest.fixture
    def person(self) -> Iterator[X11]:
        """Somebody else's hands on the same display."""
        client = self.server.x11()
        yield client
        client.close()

    def test_the_keyboard_is_left_as_it_was(self, person: X11) -> None:
        before = layout(person)
        with self.new_computer() as computer:
            computer.perform(Type(text="日本 ελλ"))
            assert layout(person) != before
        assert layout(person) == before

    def test_one_key_stops_it_and_lets_go_of_everything(self, person: X11) -> None:
        with self.new_computer() as computer:
            computer.perform(Click(x=50, y=50))
            computer.perform(MouseDown())
            computer.perform(KeyDown(key="ctrl"))
            assert person.pointer().state & 0x104 == 0x104
            press(person, "pause")
            for action in (Wait(seconds=30), Click(x=5, y=5), Type(text="more")):
                with pytest.raises(Stopped, match="you pressed pause"):
                    computer.perform(action)
            assert person.pointer().state & 0x1F04 == 0
            assert (person.pointer().x, person.pointer().y) == (50, 50)

    def test_it_is_stopped_in_the_middle_of_a_wait(self, person: X11) -> None:
        with self.new_computer() as computer:
            computer.perform(Click(x=50, y=50))
            hand = threading.Timer(0.2, press, (person, "pause"))
            hand.start()
            with pytest.raises(KeyboardInterrupt):
                computer.perform(Wait(seconds=60))
            hand.join()

    def test_an_agent_cannot_press_the_key_that_stops(self, computer: Computer) -> None:
        with pytest.raises(AgentError, match="reserved for stopping"):
            computer.perform(Press(keys="ctrl+Pause"))

    def test_each_action_is_confirmed(self, monkeypatch: pytest.MonkeyPatch, person: X11) -> None:
        answers = iter(["what?\n", "y\n", "n\n", "a\n", "never asked for\n"])
        asked: list[str] = []

        def ask(text: str) -> str:
            asked.append(text)
            return next(answers)

        monkeypatch.setattr(LocalComputer, "ask", staticmethod(ask))
        with self.new_computer(confirm=True) as computer:
            computer.perform(Click(x=11, y=12))
            with pytest.raises(AgentError, match="did not allow"):
                computer.perform(Click(x=200, y=200))
            assert (person.pointer().x, person.pointer().y) == (11, 12)
            computer.perform(Click(x=30, y=30))
            computer.perform(Click(x=40, y=40))
        assert len(asked) == 4 and "Click" in asked[0]

    @pytest.mark.parametrize("answer", ["q\n", ""])
    def test_a_person_who_leaves_ends_it(self, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
        monkeypatch.setattr(LocalComputer, "ask", staticmethod(lambda _: answer))
        with self.new_computer(confirm=True) as computer, pytest.raises(Stopped):
            computer.perform(Click(x=1, y=1))

    def test_two_programs_cannot_have_the_same_key(self) -> None:
        with self.new_computer():
            with pytest.raises(HostError, match="another program keeps the key pause"):
                self.new_computer().start()
            self.new_computer(stop="f12").start().close()


@pytest.mark.sandbox
def test_a_display_that_is_ended_may_be_anybodys_doing() -> None:
    with ExitStack() as until_ended:
        server = until_ended.enter_context(xvnc())
        computer = open_computer("local", display=str(server.x_socket), consent=True, confirm=False).start()
        computer.screenshot()
        assert computer.autopsy() == {}
        until_ended.close()
        with pytest.raises(ComputerLost) as caught:
            computer.screenshot()
        found = blame(caught.value, computer)
        assert found.whose == "host"
        assert "no longer answers, and it is unknown what ended it" in found.why
        with pytest.raises(ComputerLost):
            computer.close()


def test_nothing_happens_without_consent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    with pytest.raises(SpecError, match="your own display :0") as refused:
        open_computer("local")
    assert "consent=yes" in str(refused.value)


@pytest.mark.parametrize("name", ["WAYLAND_DISPLAY", "XDG_SESSION_TYPE"])
def test_wayland_is_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv(name, "wayland")
    with pytest.raises(SpecError, match="Wayland"):
        open_computer("local", consent=True)
    assert open_computer("local", consent=True, display=":7").backend == "local"


@pytest.mark.parametrize(("display", "said"), [("", "DISPLAY is not set"), ("zero", "not a display"), (":", "not a")])
def test_what_is_no_display_is_refused(display: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        open_computer("local", consent=True, display=display)


def test_a_display_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="there is no X display"):
        open_computer("local", consent=True, confirm=False, display=str(tmp_path / "X9")).start()


def test_cookies_are_found_by_the_number_of_the_display(tmp_path: Path) -> None:
    from proctor.computers.backends.local.address import find_display

    def entry(number: bytes, data: bytes) -> bytes:
        fields = (b"host", number, b"MIT-MAGIC-COOKIE-1", data)
        return struct.pack(">H", 256) + b"".join(struct.pack(">H", len(field)) + field for field in fields)

    file = tmp_path / "authority"
    file.write_bytes(entry(b"3", b"other") + entry(b"7", b"right"))
    env = {"XAUTHORITY": str(file)}
    assert find_display(":7.0", env).authority(env) == (b"MIT-MAGIC-COOKIE-1", b"right")
    assert find_display(":9", env).authority(env) == (b"", b"")
    file.write_bytes(b"\1\0\0")
    assert find_display(":7", env).authority(env) == (b"", b"")
