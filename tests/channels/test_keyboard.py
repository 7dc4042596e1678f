"""The keyboard against an application that reads its keys late: texts arrive exactly."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.actions.keys import parse_key
from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.keyboard import Keyboard
from proctor.computers.channels.x11.keysyms import keysym, keysym_for_char
from proctor.errors import AgentError
from tests.channels.fake_x import APP, CONTROL, ROOT, SHIFT, FakeX, fake_x

CHARS = st.characters(min_codepoint=0x20, exclude_categories=["Cs", "Cc"])
IDEOGRAPHS = "".join(chr(0x4E00 + index) for index in range(700))


@pytest.fixture
def desk() -> Iterator[tuple[FakeX, Keyboard]]:
    with fake_x() as (server, sock):
        yield server, Keyboard(X11(sock))


def typed(text: str, sock: socket.socket, server: FakeX) -> str:
    assert Keyboard(X11(sock)).type(text)
    return server.text


@given(st.text(CHARS | st.sampled_from("\n\t")))
def test_any_text_arrives_exactly(text: str) -> None:
    with fake_x() as (server, sock):
        assert typed(text, sock, server) == text


@settings(max_examples=20)
@given(st.lists(st.text(CHARS, max_size=150), max_size=8))
def test_texts_one_after_the_other_arrive_exactly(texts: list[str]) -> None:
    with fake_x() as (server, sock):
        keyboard = Keyboard(X11(sock))
        for text in texts:
            keyboard.type(text)
        assert server.text == "".join(texts)


@pytest.mark.parametrize(
    "text",
    [
        "".join(map(chr, range(32, 127))),
        "<b>naïve</b> Ünï “quoted” – €5",
        "Γειά σου Κόσμε, привет мир",
        "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 e\u0301 𝔘𝔫𝔦",
        IDEOGRAPHS,
        IDEOGRAPHS[::-3] + "plain" + IDEOGRAPHS[::5],
        "aaaa  BBBB!!",
        "word " * 2500,
    ],
    ids=["ascii", "accents", "scripts", "emoji", "ideographs", "evictions", "repeats", "long"],
)
def test_kinds_of_text(desk: tuple[FakeX, Keyboard], text: str) -> None:
    server, keyboard = desk
    keyboard.type(text)
    assert server.text == text
    assert keyboard.type(text)
    assert server.text == text * 2


def test_an_application_that_cannot_be_asked_gets_time() -> None:
    with fake_x(pingable=False) as (server, sock):
        assert typed(IDEOGRAPHS[:300], sock, server) == IDEOGRAPHS[:300]


def test_a_hung_application_is_reported(desk: tuple[FakeX, Keyboard]) -> None:
    with fake_x() as (server, sock):
        keyboard = Keyboard(X11(sock), patience_sec=0.05)
        server.override[25] = lambda sequence: None
        assert not keyboard.type("hello")


def test_line_ends_of_any_system_are_one_return(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    keyboard.type("a\r\nb\nc\rd")
    assert server.text == "a\nb\nc\nd"


@pytest.mark.parametrize("text", ["fine until \x00", "\x85", "half \ud83d"])
def test_what_no_key_types_is_refused_before_anything_is_typed(desk: tuple[FakeX, Keyboard], text: str) -> None:
    server, keyboard = desk
    with pytest.raises(AgentError):
        keyboard.type(text)
    keyboard.type("")
    assert server.strokes == []


def test_common_characters_and_repeated_texts_leave_the_keyboard_alone(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    before = server.remaps
    keyboard.type("Größe: 5 € – “naïve” café")
    assert server.remaps == before
    keyboard.type("漢字")
    after = server.remaps
    keyboard.type("字漢")
    assert server.remaps == after > before
    assert server.text.endswith("漢字字漢")


def test_no_key_repeats_while_a_text_is_typed(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    for text in ("one", "two"):
        server.repeats = True  # as a desktop's settings daemon may do at any time
        keyboard.type(text)
        assert not server.repeats


def test_caps_lock_does_not_alter_a_text_and_is_still_on_afterwards(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    tap(keyboard, "capslock")
    keyboard.type("Hello")
    assert server.text == "Hello"
    assert server.caps


def test_shift_is_released_and_every_press_has_its_release(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    keyboard.type("aB漢C!")
    downs = [code for down, code in server.strokes if down]
    ups = [code for down, code in server.strokes if not down]
    assert sorted(downs) == sorted(ups)


def tap(keyboard: Keyboard, *names: str) -> None:
    for name in names:
        keyboard.key(keysym(parse_key(name)), True)
    for name in reversed(names):
        keyboard.key(keysym(parse_key(name)), False)


def strokes(server: FakeX, keyboard: Keyboard) -> list[tuple[bool, int]]:
    keyboard.type("")
    server.read_keys()
    return server.strokes


def test_chords_press_in_order(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    tap(keyboard, "ctrl", "c")
    code = next(code for code, row in server.rows.items() if row[0] == ord("c"))
    assert strokes(server, keyboard) == [(True, CONTROL), (True, code), (False, code), (False, CONTROL)]


def test_a_key_on_the_upper_level_brings_its_own_shift(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    tap(keyboard, "plus")
    code = next(code for code, row in server.rows.items() if row[1] == ord("+"))
    assert strokes(server, keyboard) == [(True, SHIFT), (True, code), (False, SHIFT), (False, code)]
    server.strokes.clear()
    tap(keyboard, "shift", "plus")
    assert strokes(server, keyboard) == [(True, SHIFT), (True, code), (False, code), (False, SHIFT)]


def test_a_held_shift_acts_on_the_layout_only(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    keyboard.key(keysym(parse_key("shift")), True)
    keyboard.type("abcä漢d")
    keyboard.key(keysym(parse_key("shift")), False)
    keyboard.type("e")
    assert server.text == "ABCä漢De"


def test_release_all_lets_go_of_what_is_held(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    for name in ("ctrl", "ß", "!"):
        keyboard.key(keysym(parse_key(name)), True)
    keyboard.release_all()
    pressed = strokes(server, keyboard)
    assert sorted(code for down, code in pressed if down) == sorted(code for down, code in pressed if not down)
    keyboard.release_all()


def test_a_key_that_is_not_on_the_layout_can_be_pressed(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    tap(keyboard, "Ω")
    strokes(server, keyboard)
    assert server.text == "Ω"


def test_many_strange_keys_in_a_row_keep_their_meaning(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    for char in IDEOGRAPHS:
        tap(keyboard, char)
    strokes(server, keyboard)
    assert server.text == IDEOGRAPHS


def test_a_held_key_keeps_its_meaning(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    keyboard.key(keysym(parse_key("Ω")), True)
    keyboard.type(IDEOGRAPHS)
    assert server.text == "Ω" + IDEOGRAPHS
    held = next(code for down, code in server.strokes if down and code != SHIFT)
    assert keysym_for_char("Ω") in server.rows[held]
    keyboard.key(keysym(parse_key("Ω")), False)
    assert strokes(server, keyboard)[-1] == (False, held)


def test_keys_claimed_as_shortcuts_are_not_borrowed() -> None:
    with fake_x() as (server, sock):
        server.grabbed = {200, *range(210, 220)}
        assert typed(IDEOGRAPHS[:200], sock, server) == IDEOGRAPHS[:200]
        assert not {code for _, code in server.strokes} & server.grabbed


def test_keys_that_actions_can_name_are_not_borrowed(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    keyboard.type(IDEOGRAPHS)
    assert server.rows[201][0] == keysym("playpause")


def test_a_later_keyboard_takes_over_what_an_earlier_one_borrowed() -> None:
    with fake_x() as (server, sock):
        x = X11(sock)
        Keyboard(x).type(IDEOGRAPHS)
        Keyboard(x).type(IDEOGRAPHS)
        assert server.text == IDEOGRAPHS * 2


def test_a_layout_changed_by_somebody_else_is_read_anew(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    keyboard.type("a漢")
    a, q = (next(code for code, row in server.rows.items() if row[0] == ord(char)) for char in "aq")
    server.rows[a], server.rows[q] = server.rows[q], server.rows[a]
    for code in range(191, 256):
        server.rows[code] = [0, 0, 0, 0]
    server.sock.sendall(server.event(34, b"\x01\x08\xf8"))
    keyboard.type("aq漢")
    assert server.text == "a漢aq漢"


def test_borrowed_keys_are_noted_for_the_next_connection(desk: tuple[FakeX, Keyboard]) -> None:
    server, _ = desk
    assert server.properties[ROOT, "_PROCTOR_BORROWED_KEYCODES"][1]
    assert (APP, "_PROCTOR_BORROWED_KEYCODES") not in server.properties


def test_every_common_character_is_typed_as_itself(desk: tuple[FakeX, Keyboard]) -> None:
    server, keyboard = desk
    latin = "".join(map(chr, range(0xA0, 0x180)))
    assert len({keysym_for_char(char) for char in latin}) == len(latin)
    keyboard.type(latin)
    assert server.text == latin
