"""What a hand does becomes the actions that an agent would have taken, and nothing is lost or made up."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.actions.action import (
    ACTIONS,
    Action,
    Click,
    Drag,
    MouseDown,
    MouseUp,
    Move,
    Press,
    Scroll,
    Type,
    Wait,
    from_json,
)
from proctor.actions.keys import parse_keys
from proctor.computers.channels.x11.keysyms import KEYSYMS, keysym, keysym_for_char
from proctor.studio.record.events import Event, KeyMoved, PointerAt
from proctor.studio.record.gestures import Gestures, MadeAction
from proctor.studio.record.keysyms import char_of, name_of
from proctor.studio.record.paths import simplify

LEFT, MIDDLE, RIGHT, UP, DOWN = 1, 2, 4, 8, 16


class Person:
    """Does things one after the other, and keeps what was made of them."""

    def __init__(self) -> None:
        self.gestures = Gestures()
        self.now = 100.0
        self.made: list[MadeAction] = []

    def wait(self, seconds: float) -> Person:
        self.now += seconds
        self.made += self.gestures.tick(self.now)
        return self

    def pointer(self, x: int, y: int, mask: int = 0, after: float = 0.05) -> Person:
        self.now += after
        self.made += self.gestures.feed(PointerAt(self.now, x, y, mask))
        return self

    def click(self, x: int, y: int, mask: int = LEFT, after: float = 0.05) -> Person:
        return self.pointer(x, y, mask, after).pointer(x, y)

    def key(self, name: str, down: bool, after: float = 0.03) -> Person:
        self.now += after
        self.made += self.gestures.feed(KeyMoved(self.now, keysym(name), down))
        return self

    def tap(self, *names: str) -> Person:
        for name in names:
            self.key(name, True)
        for name in reversed(names):
            self.key(name, False)
        return self

    def type(self, text: str) -> Person:
        for char in text:
            self.now += 0.05
            number = keysym_for_char(char)
            self.made += self.gestures.feed(KeyMoved(self.now, number, True))
            self.made += self.gestures.feed(KeyMoved(self.now + 0.02, number, False))
        return self

    def actions(self) -> list[Action]:
        self.made += self.gestures.end(self.now + 0.01)
        return [each.action for each in self.made]


def test_a_click() -> None:
    assert Person().pointer(5, 5).click(40, 30).wait(1).actions() == [Click(x=40, y=30)]


@pytest.mark.parametrize(("mask", "button"), [(LEFT, "left"), (MIDDLE, "middle"), (RIGHT, "right"), (128, "back")])
def test_buttons(mask: int, button: str) -> None:
    assert Person().click(4, 3, mask).actions() == [Click(x=4, y=3, button=button)]  # type: ignore[arg-type]


@pytest.mark.parametrize(("clicks", "counts"), [(2, [2]), (3, [3]), (4, [3, 1]), (6, [3, 3])])
def test_clicks_in_a_row_are_one(clicks: int, counts: list[int]) -> None:
    person = Person()
    for _ in range(clicks):
        person.click(10, 10)
    assert [action.count for action in person.actions() if isinstance(action, Click)] == counts


@pytest.mark.parametrize(("x", "after"), [(10, 0.6), (30, 0.05)])
def test_clicks_apart_are_two(x: int, after: float) -> None:
    assert Person().click(10, 10).click(x, 10, after=after).actions() == [Click(x=10, y=10), Click(x=x, y=10)]


def test_another_button_is_no_double_click() -> None:
    assert [a.button for a in Person().click(1, 1).click(1, 1, RIGHT).actions()] == ["left", "right"]  # type: ignore[attr-defined]


def test_keys_held_while_clicking() -> None:
    person = Person().key("ctrl", True).key("shift", True).click(7, 8).key("shift", False).key("ctrl", False)
    assert person.actions() == [Click(x=7, y=8, modifiers=("ctrl", "shift"))]


def test_a_hand_that_trembles_still_clicks() -> None:
    assert Person().pointer(10, 10, LEFT).pointer(12, 9, LEFT).pointer(12, 9).actions() == [Click(x=10, y=10)]


def test_a_drag_keeps_its_shape() -> None:
    person = Person().pointer(0, 0, LEFT)
    for x in range(0, 101, 5):
        person.pointer(x, 0, LEFT, 0.01)
    for y in range(0, 101, 5):
        person.pointer(100, y, LEFT, 0.01)
    assert person.pointer(100, 100).actions() == [Drag(path=((0, 0), (100, 0), (100, 100)))]


def test_a_drag_that_comes_back_is_a_drag() -> None:
    person = Person().pointer(0, 0, LEFT).pointer(50, 0, LEFT).pointer(0, 0, LEFT).pointer(0, 0)
    assert person.actions() == [Drag(path=((0, 0), (50, 0), (0, 0)))]


def test_a_button_held_still_is_held() -> None:
    made = Person().pointer(9, 9, LEFT).wait(2).pointer(9, 9).actions()
    assert made == [Move(x=9, y=9), MouseDown(), Wait(seconds=2.0), MouseUp()] or made[2] == Wait(seconds=2.1)


def test_two_buttons_at_once_are_told_apart() -> None:
    person = Person().pointer(1, 1, LEFT).pointer(2, 2, LEFT | RIGHT).pointer(2, 2, RIGHT).pointer(2, 2)
    downs = [a for a in person.actions() if isinstance(a, MouseDown | MouseUp)]
    assert downs == [MouseDown(), MouseDown(button="right"), MouseUp(), MouseUp(button="right")]


def test_notches_are_joined_until_the_wheel_turns_back() -> None:
    person = Person()
    for mask in (DOWN, DOWN, DOWN, UP):
        person.pointer(50, 60, mask).pointer(50, 60)
    assert person.actions() == [Scroll(dy=3, x=50, y=60), Scroll(dy=-1, x=50, y=60)]


def test_a_pause_or_another_place_begins_another_scroll() -> None:
    person = Person().pointer(5, 6, DOWN).pointer(5, 6).wait(2).pointer(5, 6, DOWN).pointer(5, 6)
    person.pointer(400, 6, DOWN).pointer(400, 6)
    assert [a.dy for a in person.actions()] == [1, 1, 1]  # type: ignore[attr-defined]


def test_typing_is_one_text() -> None:
    assert Person().type("Zoë & \N{EURO SIGN}5").actions() == [Type(text="Zoë & \N{EURO SIGN}5")]


def test_shift_is_in_the_character() -> None:
    person = Person().key("shift", True).type("A").key("shift", False).type("b")
    assert person.actions() == [Type(text="Ab")]


def test_enter_belongs_to_a_text_and_stands_alone_otherwise() -> None:
    assert Person().type("a\nb").actions() == [Type(text="a\nb")]
    assert Person().tap("enter").actions() == [Press(keys="enter")]
    assert Person().type("a").key("shift", True).tap("enter").key("shift", False).actions() == [
        Type(text="a"),
        Press(keys="shift+enter"),
    ]


def test_a_pause_begins_another_text() -> None:
    assert Person().type("one").wait(3).type("two").actions() == [Type(text="one"), Type(text="two")]


def test_tab_and_backspace_are_keys() -> None:
    person = Person().type("ab").tap("backspace").tap("backspace").tap("tab").type("c")
    assert person.actions() == [Type(text="ab"), Press(keys="backspace backspace"), Press(keys="tab"), Type(text="c")]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("ctrl", "s"), "ctrl+s"),
        (("ctrl", "shift", "T"), "ctrl+shift+t"),
        (("ctrl", "shift", "+"), "ctrl+plus"),
        (("ctrl", "-"), "ctrl+-"),
        (("alt", "f4"), "alt+f4"),
        (("shift", "isolefttab"), "shift+tab"),
        (("super",), "super"),
        (("alt",), "alt"),
        (("ctrl", " "), "ctrl+space"),
    ],
)
def test_shortcuts(keys: tuple[str, ...], expected: str) -> None:
    assert Person().tap(*keys).actions() == [Press(keys=expected)]


def test_modifiers_alone_that_do_nothing_are_nothing() -> None:
    assert Person().tap("shift").tap("ctrl").tap("capslock").actions() == []


def test_a_text_and_a_click_keep_their_order() -> None:
    person = Person().type("hi").click(3, 3).tap("ctrl", "s")
    assert person.actions() == [Type(text="hi"), Click(x=3, y=3), Press(keys="ctrl+s")]


def test_a_viewer_that_goes_lets_go() -> None:
    person = Person().key("ctrl", True).pointer(0, 0, LEFT).pointer(90, 0, LEFT)
    assert person.actions() == [Drag(path=((0, 0), (90, 0)), modifiers=("ctrl",))]
    assert not person.gestures.busy


def test_a_release_without_a_press_is_nothing() -> None:
    person = Person().key("a", False).pointer(3, 3)
    assert person.actions() == []


def test_a_key_without_a_name_is_remembered() -> None:
    person = Person()
    person.made += person.gestures.feed(KeyMoved(100.0, 0xFE50, True))
    assert person.actions() == []
    assert person.gestures.nameless_keys == [0xFE50]


def test_what_began_is_known_while_it_goes_on() -> None:
    person = Person()
    assert person.gestures.began is None
    person.type("a")
    assert person.gestures.began == pytest.approx(100.05)
    person.wait(5)
    assert person.gestures.began is None


@given(st.characters(exclude_categories=("Cs", "Cc")))
def test_every_character_is_understood_as_it_was_sent(char: str) -> None:
    assert char_of(keysym_for_char(char)) == char


@pytest.mark.parametrize(
    ("number", "char"), [(0x1B1, "ą"), (0x6C1, "а"), (0x7E1, "α"), (0x7F2, "σ"), (0x20AC, "€"), (0xCE0, "א")]
)
def test_keysyms_from_before_unicode(number: int, char: str) -> None:
    assert char_of(number) == char


@given(st.sampled_from(sorted(KEYSYMS)))
def test_every_key_that_has_a_name_keeps_it(name: str) -> None:
    parse_keys(name_of(KEYSYMS[name]))


EVENTS = st.lists(
    st.one_of(
        st.tuples(st.floats(0, 3), st.integers(0, 1279), st.integers(0, 719), st.integers(0, 255)),
        st.tuples(
            st.floats(0, 3),
            st.sampled_from([*KEYSYMS.values(), *range(0x20, 0x7F), 0x1000394, 0xFE50, 0]) | st.integers(0, 0xFFFFFFFF),
            st.booleans(),
        ),
    ),
    max_size=60,
)


def events_of(drawn: Iterable[tuple[float | int, ...]]) -> list[Event]:
    now, found = 0.0, []
    for pause, *rest in drawn:
        now += pause
        event = PointerAt(now, *rest) if len(rest) == 3 else KeyMoved(now, int(rest[0]), bool(rest[1]))  # type: ignore[arg-type]
        found.append(event)
    return found


@settings(deadline=None)
@given(EVENTS)
def test_whatever_a_hand_does_becomes_actions_that_could_be_performed(drawn: list[tuple[float | int, ...]]) -> None:
    gestures, made = Gestures(), []
    for event in events_of(drawn):
        made += gestures.feed(event)
        began = gestures.began
        assert began is None or began <= event.at
    made += gestures.end(1e6)
    assert not gestures.busy
    assert gestures.began is None
    for each in made:
        assert each.began <= each.ended
        assert from_json(each.action.to_json()) == each.action
        assert each.action.kind in ACTIONS
        if isinstance(each.action, Press):
            parse_keys(each.action.keys)


@given(st.lists(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=40))
def test_no_character_is_lost(chars: list[str]) -> None:
    person = Person().type("".join(chars))
    assert "".join(a.text for a in person.actions() if isinstance(a, Type)) == "".join(chars)


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=2, max_size=80))
def test_a_path_begins_and_ends_where_it_did(path: list[tuple[int, int]]) -> None:
    found = simplify(path)
    assert (found[0], found[-1]) == (path[0], path[-1])
    assert set(found) <= set(path)
