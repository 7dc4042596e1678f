"""What is done on a phone reaches it as whole gestures, keys and texts."""

from __future__ import annotations

import pytest

from proctor.actions.action import KeyDown, KeyUp, LongPress, OpenApp, Pinch, Press, Swipe, Tap, Type
from proctor.actions.keys import NAMES, parse_key
from proctor.computers.backends.android.keycodes import codes
from proctor.computers.backends.android.keys import typing_commands
from proctor.errors import AgentError, ComputerError, NotReady, SpecError
from tests.android.phones import holding


def test_gestures_are_sent_whole() -> None:
    with holding() as (computer, phone):
        computer.perform(Tap(x=20, y=30))
        computer.perform(Tap(x=20, y=30, count=2))
        computer.perform(LongPress(x=50, y=60, seconds=2))
        computer.perform(Swipe(path=((100, 500), (100, 100)), seconds=0.4))
        assert phone.events == [
            ("tap", 20, 30),
            ("tap", 20, 30),
            ("tap", 20, 30),
            ("swipe", 50, 60, 50, 60, 2000),
            ("swipe", 100, 500, 100, 100, 400),
        ]


def test_a_path_that_turns_goes_by_its_corners() -> None:
    with holding() as (computer, phone):
        computer.perform(Swipe(path=((10, 10), (200, 10), (200, 300))))
        assert phone.events == [
            ("motion", "DOWN", 10, 10),
            ("motion", "MOVE", 200, 10),
            ("motion", "MOVE", 200, 300),
            ("motion", "UP", 200, 300),
        ]


def test_old_devices_swipe_straight_only_and_say_so() -> None:
    with holding(sdk=28) as (computer, phone):
        with pytest.raises(AgentError, match="motionevent"):
            computer.perform(Swipe(path=((10, 10), (200, 10), (200, 300))))
        with pytest.raises(AgentError, match="several keys together"):
            computer.perform(Press(keys="ctrl+a"))
        computer.perform(Tap(x=5, y=5))
        assert phone.events == [("tap", 5, 5)]


def test_two_fingers_go_to_the_panel_itself() -> None:
    with holding() as (computer, phone):
        computer.perform(Pinch(x=180, y=320, scale=2))
        assert phone.raw[-1] == (0, 0, 0)
        tracked = [value for kind, code, value in phone.raw if (kind, code) == (3, 0x39)]
        assert tracked == [100, 101, 0xFFFFFFFF, 0xFFFFFFFF]  # put down, and lifted again
        across = [value for kind, code, value in phone.raw if (kind, code) == (3, 0x35)]
        down = [value for kind, code, value in phone.raw if (kind, code) == (3, 0x36)]
        assert max(down) - min(down) > 8000 or max(across) - min(across) > 8000


def test_one_finger_only_is_said() -> None:
    with holding(multitouch=False) as (computer, phone):
        with pytest.raises(AgentError, match="only one finger"):
            computer.perform(Pinch(x=180, y=320, scale=2))
        computer.perform(Tap(x=1, y=1))  # and nothing is left on the screen
        assert phone.events == [("tap", 1, 1)]


def test_keys_go_by_androids_numbers() -> None:
    with holding() as (computer, phone):
        for keys in ("enter", "KEYCODE_BACK", "browserhome", "ctrl+shift+a", "A", "shift", "ctrl+k ctrl+s"):
            computer.perform(Press(keys=keys))
        computer.perform(KeyDown(key="ctrl"))
        computer.perform(Press(keys="c"))
        computer.perform(KeyUp(key="ctrl"))
        assert phone.events == [
            ("key", 66), ("key", 4), ("key", 3), ("keys", 113, 59, 29), ("keys", 59, 29), ("key", 59),
            ("keys", 113, 39), ("keys", 113, 47), ("keys", 113, 31),
        ]  # fmt: skip
        with pytest.raises(AgentError, match="no key 'compose'"):
            computer.perform(Press(keys="compose"))


def test_every_key_has_a_number_or_a_refusal() -> None:
    for name in {*NAMES.values(), *"aZ09~!é€日"}:
        try:
            assert all(0 < code < 400 for code in codes(parse_key(name)))
        except AgentError as error:
            assert "Android has no key" in error.message


def test_ascii_is_typed_exactly() -> None:
    hard = "100%s of 50% $HOME `id` 'a' \"b\" \\ -x ~ #!\n\ttab; rm -rf / && echo"
    with holding() as (computer, phone):
        phone.open("org.example.notes")
        phone.focused = True
        computer.perform(Type(text=hard))
        assert phone.notes == hard


def test_a_percent_and_an_s_never_travel_together() -> None:
    assert list(typing_commands("50%s off")) == ["input text 50%", "input text s%soff"]


def test_any_script_by_the_keyboard_that_is_made_for_it_which_is_given_back() -> None:
    with holding() as (computer, phone):
        before = phone.settings["default_input_method"]
        phone.open("org.example.notes")
        phone.focused = True
        computer.perform(Type(text="naïve 日本語\nالعربية 😀"))
        assert phone.notes == "naïve 日本語\nالعربية 😀"
        assert phone.settings["default_input_method"] != before
        computer.close()
        assert phone.settings["default_input_method"] == before


def test_without_that_keyboard_nothing_of_the_text_is_typed() -> None:
    with holding(adb_keyboard=False) as (computer, phone):
        assert computer.facts()["any_script"] is False
        with pytest.raises(AgentError, match="only ASCII"):
            computer.perform(Type(text="plain, then é"))
        assert phone.events == []


def test_applications_are_opened_by_any_of_their_names() -> None:
    with holding() as (computer, phone):
        for name in ("Clock", "com.android.settings", "org.example.notes/.MainActivity", "deskclock", "NOTES"):
            computer.perform(OpenApp(name=name))
        assert phone.front == "org.example.notes"
        with pytest.raises(AgentError, match="no application 'Gmail'"):
            computer.perform(OpenApp(name="Gmail"))
        with pytest.raises(AgentError, match="several applications"):
            computer.perform(OpenApp(name="android"))
        assert computer.parts.apps and "com.android.settings" in computer.parts.apps.names()


def test_launching_returns_what_came_to_the_front() -> None:
    with holding() as (computer, _):
        app = computer.launch(["settings"])
        assert app.window and app.window.app == "com.android.settings" and app.pid > 0
        assert computer.active_window() == app.window
        with pytest.raises(ComputerError, match="no application 'nosuch'"):
            computer.launch(["nosuch"])
        with pytest.raises(ComputerError, match="does not exist"):
            computer.launch(["com.android.settings/.Nothing", "content://x"])
        with pytest.raises(NotReady, match="was not in front"):
            computer.launch(["settings"], window="Bluetooth", timeout_sec=0.1)
        with pytest.raises(SpecError, match="cannot be launched on Android"):
            computer.launch(["settings", "a", "b"])


def test_the_picture_is_turned_and_turned_back() -> None:
    with holding() as (computer, phone):
        assert (computer.size, computer.rotation()) == ((360, 640), "portrait")
        computer.rotate("landscape")
        assert (computer.size, computer.rotation()) == ((640, 360), "landscape")
        computer.perform(Tap(x=600, y=10))
        computer.close()
        assert phone.settings["user_rotation"] == "0" and phone.settings["accelerometer_rotation"] == "1"
