"""The X11 client and the keyboard on a real X server with a window manager and an editor."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from itertools import count

import pytest

from proctor.actions.keys import parse_keys
from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.events import Damaged, WindowsChanged
from proctor.computers.channels.x11.keyboard import Keyboard
from proctor.computers.channels.x11.keysyms import keysym
from proctor.computers.channels.x11.pixels import PixelReader
from proctor.computers.channels.x11.windows import XWindow
from proctor.errors import ComputerLost
from proctor.observations.box import Box
from tests.channels.conftest import XServer, wait_until

pytestmark = pytest.mark.sandbox

FILES = count()


class Desk:
    """A connection, a keyboard and an editor at a time."""

    def __init__(self, server: XServer) -> None:
        self.server = server
        self.x = server.connect()
        self.keyboard = Keyboard(self.x)

    def press(self, keys: str) -> None:
        for chord in parse_keys(keys):
            for key in chord.keys:
                self.keyboard.key(keysym(key), True)
            for key in reversed(chord.keys):
                self.keyboard.key(keysym(key), False)

    def find(self, title: str) -> XWindow | None:
        return next((window for window in self.x.windows() if title in window.title), None)

    def quiet(self) -> None:
        deadline = time.monotonic() + 5
        while self.x.wait(0.1) and time.monotonic() < deadline:
            continue

    def open_editor(self) -> str:
        """Start an editor on an empty file and return the file's name."""
        name = f"note{next(FILES)}.txt"
        (self.server.home / name).touch()
        os.chown(self.server.home / name, 1000, 1000)
        self.server.start(f"dbus-run-session mousepad /home/agent/{name}")
        return name

    def edit(self) -> str:
        """Start an editor and return the file's name when it is in front."""
        name = self.open_editor()
        wait_until(self.x, lambda: (window := self.find(name)) and window.active)
        self.quiet()
        return name

    def save(self, name: str) -> str:
        """Save with the keyboard and return the file's text."""
        self.press("ctrl+s")
        path = self.server.home / name
        wait_until(self.x, lambda: path.stat().st_size and not self.find(f"*~/{name}"))
        return path.read_text()

    def dismiss(self, name: str) -> None:
        window = self.find(name)
        assert window
        self.x.close_window(window.id)
        wait_until(self.x, lambda: not self.find(name))


@pytest.fixture(scope="module")
def desk(x_server: XServer) -> Iterator[Desk]:
    desk = Desk(x_server)
    x_server.start("openbox")
    wait_until(desk.x, lambda: desk.x.atoms("_NET_SUPPORTED") and wm_is_up(desk.x))
    yield desk
    desk.x.close()


def wm_is_up(x: X11) -> bool:
    from proctor.computers.channels.x11.windows import property_numbers

    return bool(property_numbers(x, x.root, "_NET_SUPPORTING_WM_CHECK"))


def test_shared_and_plain_pixels_agree(desk: Desk) -> None:
    shared = bytes(desk.x.grab(Box(100, 50, 300, 200)))
    pixels = desk.x._pixels
    desk.x._pixels = PixelReader(desk.x, None, pixels.planned)
    try:
        assert bytes(desk.x.grab(Box(100, 50, 300, 200))) == shared
    finally:
        desk.x._pixels = pixels


def test_screenshot_shows_the_pointer(desk: Desk) -> None:
    desk.x.move(640, 400)
    desk.x.sync()
    assert (desk.x.pointer().x, desk.x.pointer().y) == (640, 400)
    assert desk.x.screenshot().size == (1280, 800)
    assert desk.x.screenshot().tobytes() != desk.x.screenshot(cursor=False).tobytes()


def test_a_window_is_announced_described_and_closed(desk: Desk) -> None:
    desk.quiet()
    name = desk.open_editor()
    kinds = set()
    deadline = time.monotonic() + 90
    while not (kinds >= {WindowsChanged, Damaged} and desk.find(name)) and time.monotonic() < deadline:
        kinds |= {type(event) for event in desk.x.wait(1)}
    window = wait_until(desk.x, lambda: (window := desk.find(name)) and window.active and window)
    assert window.app == "Mousepad"
    assert window.pid > 1
    assert window.kind == "normal"
    assert window.frame.height > window.box.height > 100
    assert desk.x.ping(window.id) is True
    desk.dismiss(name)


def test_a_menu_is_a_popup_and_frames_are_not(desk: Desk) -> None:
    name = desk.edit()
    assert desk.x.popups() == []
    desk.press("alt+f")
    (menu,) = wait_until(desk.x, desk.x.popups)
    window = desk.find(name)
    assert window
    assert menu.kind == "menu"
    assert menu.pid == window.pid
    assert menu.box.intersect(window.frame)
    desk.press("escape")
    wait_until(desk.x, lambda: not desk.x.popups())
    desk.dismiss(name)


def test_activate_brings_a_window_to_the_front(desk: Desk) -> None:
    first, second = desk.edit(), desk.edit()
    assert second in desk.x.windows()[-1].title
    below = desk.find(first)
    assert below
    desk.x.activate(below.id)
    wait_until(desk.x, lambda: (window := desk.find(first)) and window.active and first in desk.x.windows()[-1].title)
    desk.dismiss(first)
    desk.dismiss(second)


def test_a_stopped_program_does_not_answer(desk: Desk) -> None:
    name = desk.edit()
    window = desk.find(name)
    assert window
    pid = desk.server.pid_of(window)
    os.kill(pid, signal.SIGSTOP)
    try:
        assert desk.x.ping(window.id, timeout_sec=0.2) is False
    finally:
        os.kill(pid, signal.SIGCONT)
    assert desk.x.ping(window.id, timeout_sec=10) is True
    desk.dismiss(name)


@pytest.mark.parametrize(
    "text",
    [
        "".join(map(chr, range(32, 127))),
        "<b>naïve</b> ÀÉÎõü ß “quoted” – €5\n\tsecond line",
        "Γειά σου Κόσμε, привет мир",
        "".join(chr(0x4E00 + 7 * index) for index in range(600)),
        "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇪🇺 e\u0301 𝔘𝔫𝔦.",
        "aaaa  BBBB!!" * 20,
        "The Quick, Brown (Fox) jumps over the lazy dog!\n" * 208,
    ],
    ids=["ascii", "accents", "scripts", "600-ideographs", "emoji", "repeats", "10000"],
)
def test_typed_text_arrives_exactly(desk: Desk, text: str) -> None:
    name = desk.edit()
    assert desk.keyboard.type(text)
    # The editor ends a file with a newline.
    assert desk.save(name).rstrip("\n") == text.rstrip("\n")
    desk.dismiss(name)


def test_caps_lock_does_not_alter_what_is_typed(desk: Desk) -> None:
    name = desk.edit()
    desk.press("capslock")
    assert desk.keyboard.type("Hello É 漢")
    assert desk.x.pointer().state & 2
    desk.press("capslock")
    assert not desk.x.pointer().state & 2
    assert desk.save(name).strip() == "Hello É 漢"
    desk.dismiss(name)


def test_a_held_key_does_not_repeat(desk: Desk) -> None:
    name = desk.edit()
    desk.keyboard.key(ord("x"), True)
    deadline = time.monotonic() + 1.0
    while (left := deadline - time.monotonic()) > 0:
        desk.x.wait(left)
    desk.keyboard.key(ord("x"), False)
    assert desk.save(name).strip() == "x"
    desk.dismiss(name)


def test_a_killed_server_is_a_lost_computer(x_server: XServer, desk: Desk) -> None:
    """Last, since nothing works after it."""
    x_server.close()
    with pytest.raises(ComputerLost):
        desk.x.sync()
    with pytest.raises(ComputerLost):
        desk.x.screenshot()
