"""What every dialect is made of: values that models write, keys, places, and what is kept of their words."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions import action as act
from proctor.actions.action import Given
from proctor.actions.dialects import translation as say
from proctor.actions.dialects.space import SPACES, open_space
from proctor.actions.keys import parse_keys
from proctor.errors import AgentError, UnknownName
from tests.actions.dialects.samples import FRAMES, HALF, SAME, any_action, coordinates, frames, keys

anything = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=50),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.sampled_from(["x", "y", "z"]), inner),
    max_leaves=6,
)


@given(anything)
def test_a_number_is_finite_or_refused(value: Any) -> None:
    try:
        found = say.number(value, "x")
    except AgentError as error:
        assert error.message.startswith("x is ")
        assert error.remedy == "it must be a number"
    else:
        assert math.isfinite(found)
        assert abs(found) < 1e12


@pytest.mark.parametrize(
    ("value", "number"), [(7, 7), (-0.5, -0.5), ("7", 7.0), (" 3.5 ", 3.5), ("1e3", 1000.0), ("-12", -12.0)]
)
def test_numbers_may_be_written_as_texts(value: Any, number: float) -> None:
    assert say.number(value, "x") == number


@pytest.mark.parametrize("value", [True, None, "", "seven", "nan", "inf", "1" * 60, [1], {}, 1e12, -1e12, 10**400])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(AgentError, match="it must be a number|x is"):
        say.number(value, "x")


@given(some.floats(-1e6, 1e6))
def test_whole_numbers_are_rounded(value: float) -> None:
    assert say.whole(value, "n") == round(value)
    assert isinstance(say.whole(value, "n"), int)


@pytest.mark.parametrize(("value", "text"), [("a", "a"), ("", ""), (7, "7"), (1.5, "1.5")])
def test_texts_may_be_numbers_without_quotes(value: Any, text: str) -> None:
    assert say.text(value, "text") == text


@pytest.mark.parametrize("value", [True, None, [], {}, ["a"]])
def test_what_is_no_text_is_refused(value: Any) -> None:
    with pytest.raises(AgentError, match="text is"):
        say.text(value, "text")


def test_one_text_is_a_list_of_one() -> None:
    assert say.texts("a", "keys") == ["a"]
    assert say.texts(["a", 7], "keys") == ["a", "7"]
    assert say.texts((), "keys") == []
    with pytest.raises(AgentError, match="keys is None"):
        say.texts(["a", None], "keys")


@pytest.mark.parametrize("value", [[1, 2], (1, 2), {"x": 1, "y": 2}, ["1", "2"], {"x": "1", "y": 2, "z": 3}])
def test_a_point_is_a_pair_or_has_x_and_y(value: Any) -> None:
    assert say.point(value, "path") == (1, 2)


@pytest.mark.parametrize("value", [None, 1, "12", [1], [1, 2, 3], {"x": 1}, [1, None], {}])
def test_what_is_no_point_is_refused(value: Any) -> None:
    with pytest.raises(AgentError):
        say.point(value, "path")


@pytest.mark.parametrize(
    ("value", "name"),
    [("left", "left"), ("LEFT", "left"), ("primary", "left"), ("secondary", "right"), ("wheel", "middle"), (1, "left"),
     (2, "middle"), ("3", "right"), ("back", "back")],
)  # fmt: skip
def test_buttons_have_several_names(value: Any, name: str) -> None:
    assert say.button(value) == name


@given(anything)
def test_a_button_is_one_of_ours_or_refused(value: Any) -> None:
    try:
        assert say.button(value) in act.BUTTONS
    except AgentError as error:
        assert "left, middle, right" in error.remedy


@given(keys)
def test_a_chord_is_taken_apart_and_put_together_again(text: str) -> None:
    if " " not in text:
        assert parse_keys(say.chord(say.chord_names(text))) == parse_keys(text)


@given(some.lists(some.sampled_from(["ctrl", "a", "+", " ", "enter", "\n", "\t", "f5"]), min_size=2, max_size=4))
def test_keys_of_a_chord_and_of_a_row_are_those_that_were_named(names: list[str]) -> None:
    (chord,) = parse_keys(say.chord(names))
    assert len(chord.keys) == len(names)
    assert len(parse_keys(say.sequence(names))) == len(names)


@pytest.mark.parametrize(
    "action",
    [act.Press(keys="ctlr+s"), act.KeyDown(key="shfit"), act.KeyUp(key="nokey"), act.Click(modifiers=("ctlr",)),
     act.Drag(path=((1, 2),), modifiers=("zz",)), act.Scroll(dy=1, modifiers=("hyperspace",))],
)  # fmt: skip
def test_keys_that_nobody_knows_are_refused(action: act.Action) -> None:
    with pytest.raises(AgentError, match="unknown key"):
        say.check_keys(action)


@given(any_action)
def test_actions_with_known_keys_stay_as_they_are(action: act.Action) -> None:
    assert say.check_keys(action) is action


@given(
    names=some.lists(some.sampled_from(["ctrl", "shift", "alt"]), max_size=3, unique=True),
    inner=some.lists(any_action, max_size=2),
)
def test_keys_are_held_around_actions_and_let_go_in_reverse(names: list[str], inner: list[act.Action]) -> None:
    made = list(say.hold_keys(names, inner, Given(text="x")))
    down, up = made[: len(names)], made[len(made) - len(names) :]
    assert [action.key for action in down if isinstance(action, act.KeyDown)] == names
    assert [action.key for action in up if isinstance(action, act.KeyUp)] == names[::-1]
    assert made[len(names) : len(made) - len(names)] == inner


@given(some.text(some.characters(), max_size=60), some.lists(some.tuples(some.floats(), some.floats()), max_size=3))
def test_what_a_model_wrote_can_always_be_kept(text: str, points: list[tuple[float, float]]) -> None:
    kept = say.raw_form(text, points, "unit")
    assert len(kept.text) == len(text)
    assert all(math.isfinite(side) for point in kept.points for side in point)
    assert kept.space == ("unit" if kept.points else "")


def test_what_is_kept_of_long_words_is_cut() -> None:
    assert len(say.raw_form("x" * 10**6).text) == say.MAX_GIVEN


@given(x=coordinates, y=coordinates, frame=frames)
def test_a_place_is_kept_as_it_was_given(x: float, y: float, frame: Any) -> None:
    space = open_space("image", frame)
    made = say.place_fields("words", (x, y), space)
    assert (made["x"], made["y"]) == space.place(x, y)
    assert made["given"] == Given(text="words", points=((x, y),), space=space.name)
    assert say.place_fields("words", None, space) == {"given": Given(text="words")}


@given(some.lists(any_action, max_size=3))
def test_actions_are_compared_without_the_model_s_words(actions: list[act.Action]) -> None:
    assert [action.given for action in say.bare(actions)] == [None] * len(actions)
    assert say.bare(actions) == actions


def test_errors_become_one_sentence() -> None:
    assert say.complaint(AgentError("it is wrong", remedy="put it right")) == "it is wrong; put it right"
    assert say.complaint(AgentError("it is wrong")) == "it is wrong"
    assert str(say.MAX_ACTIONS) in say.complaint(say.too_many())
    assert "click" in say.no_word("computer13", act.Click(x=1, y=2)).message


@pytest.mark.parametrize("name", SPACES)
@given(x=coordinates, y=coordinates, frame=frames)
def test_every_place_has_raw_coordinates_that_mean_it(name: str, x: float, y: float, frame: Any) -> None:
    space = open_space(name, frame)
    assert space.place(*space.raw(x, y)) == (x, y)


@pytest.mark.parametrize("name", SPACES)
@pytest.mark.parametrize("frame", FRAMES, ids=["same", "half", "odd"])
def test_a_space_covers_the_desktop(name: str, frame: Any) -> None:
    space = open_space(name, frame)
    assert space.place(0, 0) == (0, 0)
    assert space.place(*space.size) == frame.desktop
    assert str(frame.image[0]) in space.name or name != "image"
    assert space.describe().startswith("Coordinates")


def test_raw_coordinates_are_short() -> None:
    assert open_space("image", HALF).raw(100, 50) == (50, 25)
    assert open_space("unit", SAME).raw(960, 540) == (0.5, 0.5)
    assert all(isinstance(side, int) for side in open_space("grid 0-1000", SAME).raw(960, 540))


def test_a_space_that_nobody_knows_is_named() -> None:
    with pytest.raises(UnknownName, match="grid"):
        open_space("grid", SAME)
