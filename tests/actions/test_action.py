"""Actions refuse what cannot be done, say why, and survive a trip through JSON."""

import dataclasses
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions import action as actions
from proctor.actions.action import (
    ACTIONS,
    BUTTONS,
    LANGUAGES,
    Action,
    Answer,
    Click,
    Done,
    Drag,
    Given,
    InputAction,
    KeyDown,
    Move,
    Press,
    RunCode,
    Scroll,
    SignalAction,
    Type,
    Wait,
    from_json,
    schema,
)
from proctor.errors import AgentError

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
words = texts.filter(bool)
coordinates = st.floats(-10_000, 10_000) | st.integers(-10_000, 10_000)
places = st.one_of(st.just({}), st.fixed_dictionaries({"x": coordinates, "y": coordinates}))
notches = st.integers(-100, 100)
modifiers = st.lists(words, max_size=3).map(tuple)
buttons = st.sampled_from(BUTTONS)
paths = st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=5).map(tuple)
numbers = st.floats(-1e300, 1e300)
points = st.lists(st.tuples(numbers, numbers), max_size=3).map(tuple)
givens = st.none() | st.builds(Given, text=texts, points=points, space=texts)

FIELDS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "move": {"x": coordinates, "y": coordinates},
    "click": {"button": buttons, "count": st.integers(1, 3), "modifiers": modifiers},
    "mouse_down": {"button": buttons},
    "mouse_up": {"button": buttons},
    "drag": {"path": paths, "button": buttons, "modifiers": modifiers},
    "scroll": {"dx": notches, "dy": notches, "modifiers": modifiers},
    "tap": {"x": coordinates, "y": coordinates, "count": st.integers(1, 3)},
    "long_press": {"x": coordinates, "y": coordinates, "seconds": st.floats(0, 10, exclude_min=True)},
    "swipe": {"path": paths.filter(lambda path: len(path) > 1), "seconds": st.floats(0, 10, exclude_min=True)},
    "pinch": {"x": coordinates, "y": coordinates, "scale": st.floats(0.1, 10)},
    "open_app": {
        "name": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40)
    },
    "type": {"text": texts},
    "press": {"keys": words},
    "key_down": {"key": words},
    "key_up": {"key": words},
    "wait": {"seconds": st.floats(0, 60)},
    "wait_for_change": {"seconds": st.floats(0, 600)},
    "run_code": {
        "code": words,
        "language": st.sampled_from(LANGUAGES),
        "timeout_sec": st.floats(0, 600, exclude_min=True),
    },
    "done": {},
    "fail": {"reason": texts},
    "answer": {"text": texts},
    "ask_user": {"question": texts},
}


@st.composite
def any_action(draw: st.DrawFn) -> Action:
    kind = draw(st.sampled_from(sorted(ACTIONS)))
    fields = {name: draw(strategy) for name, strategy in FIELDS[kind].items()}
    if kind in ("click", "scroll"):
        fields |= draw(places)
    return ACTIONS[kind](**fields, given=draw(givens))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_every_kind_is_generated() -> None:
    assert FIELDS.keys() == ACTIONS.keys()


@given(any_action())
def test_round_trip_through_json_text(action: Action) -> None:
    assert from_json(json.loads(json.dumps(action.to_json(), allow_nan=False))) == action


def test_json_form_leaves_defaults_out() -> None:
    assert Click(x=1, y=2).to_json() == {"type": "click", "x": 1, "y": 2}
    assert Done().to_json() == {"type": "done"}
    assert Drag(path=((1, 2), (3, 4))).to_json() == {"type": "drag", "path": [[1, 2], [3, 4]]}


def test_every_action_is_either_input_or_signal() -> None:
    assert all(issubclass(cls, InputAction) != issubclass(cls, SignalAction) for cls in ACTIONS.values())


def test_actions_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Move(x=1, y=2).x = 3  # type: ignore[misc]


@given(json_values)
def test_hostile_json_ends_in_an_agent_error(data: Any) -> None:
    with pytest.raises(AgentError):
        from_json(data)


@given(st.sampled_from(sorted(ACTIONS)), st.data())
def test_hostile_fields_end_in_an_agent_error_or_an_action(kind: str, data: st.DataObject) -> None:
    names = [field.name for field in dataclasses.fields(ACTIONS[kind])]
    fields = data.draw(st.dictionaries(st.sampled_from([*names, "colour"]), json_values, max_size=len(names) + 1))
    try:
        action = from_json({"type": kind, **fields})
    except AgentError:
        return
    assert from_json(action.to_json()) == action


@pytest.mark.parametrize(
    "data",
    [
        {"type": "move", "x": 10**5000, "y": 0},
        {"type": "move", "x": float("nan"), "y": 0},
        {"type": "click", 7: 1},
        {"type": "x" * 1_000_000},
        {"type": ["click"]},
        {"type": "drag", "path": [[1, 2, 3]]},
        {"type": "drag", "path": [{"x": 1}]},
        {"type": "click", "given": {"points": [[1, "2"]]}},
        {"type": "click", "given": []},
    ],
)
def test_odd_json_ends_in_an_agent_error(data: Any) -> None:
    with pytest.raises(AgentError):
        from_json(data)


@pytest.mark.parametrize(
    ("kind", "fields", "named"),
    [
        ("move", {"x": math.inf, "y": 1}, "x=inf"),
        ("move", {"x": 1, "y": math.nan}, "y=nan"),
        ("move", {"x": True, "y": 1}, "x=True must be a number"),
        ("click", {"x": 1}, "only one of x and y"),
        ("scroll", {"y": 1}, "only one of x and y"),
        ("click", {"button": "up"}, "button='up' must be one of: left, middle"),
        ("click", {"count": 0}, "count=0 must be from 1 to 3"),
        ("click", {"count": 4}, "count=4"),
        ("click", {"count": 1.5}, "count=1.5 must be a whole number"),
        ("click", {"modifiers": ("ctrl", "")}, "modifiers=('ctrl', '') [1] must not be empty"),
        ("click", {"modifiers": "ctrl"}, "modifiers='ctrl' must be a list"),
        ("drag", {"path": ()}, "path=() must not be empty"),
        ("drag", {"path": ((1, 2), (3, math.inf))}, "[1] [1] must be from"),
        ("scroll", {"dy": 10**9}, "dy=1000000000 must be from -10000"),
        ("type", {"text": "a\0b"}, "NUL"),
        ("type", {"text": "\ud83d"}, "surrogate"),
        ("type", {"text": b"bytes"}, "must be a text"),
        ("type", {"text": "x" * 100_001}, "must not be longer than 100000"),
        ("press", {"keys": ""}, "keys='' must not be empty"),
        ("key_down", {"key": ""}, "key='' must not be empty"),
        ("wait", {"seconds": -1}, "seconds=-1"),
        ("wait_for_change", {"seconds": 601}, "seconds=601 must be from 0 to 600"),
        ("wait", {"seconds": 61}, "seconds=61 must be from 0 to 60"),
        ("run_code", {"code": "1", "timeout_sec": 0}, "timeout_sec=0 must be above 0"),
        ("run_code", {"code": "1", "timeout_sec": 601}, "timeout_sec=601"),
        ("run_code", {"code": "1", "language": "perl"}, "language='perl' must be one of: python, shell"),
        ("answer", {"text": None}, "text=None must be a text"),
        ("click", {"given": "raw"}, "given='raw' must be a Given"),
    ],
)
def test_refusal_names_field_and_value(kind: str, fields: dict[str, Any], named: str) -> None:
    with pytest.raises(AgentError) as caught:
        ACTIONS[kind](**fields)
    assert named in caught.value.message
    assert caught.value.message.startswith(kind)
    assert caught.value.remedy


def test_every_wrong_field_is_reported_at_once() -> None:
    with pytest.raises(AgentError, match=r"button='up'.*count=9"):
        Click(button="up", count=9)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "edge",
    [
        lambda: Wait(seconds=0),
        lambda: Wait(seconds=60),
        lambda: Click(count=3),
        lambda: RunCode(code="1", timeout_sec=600),
        lambda: Type(text=""),
        lambda: Type(text="naïve <b> 日本 😀\n\t"),
        lambda: Scroll(dx=-10_000),
        lambda: Press(keys="ctrl+s"),
        lambda: KeyDown(key="shift"),
        lambda: Answer(text=""),
    ],
)
def test_edges_are_accepted(edge: Any) -> None:
    assert isinstance(edge(), Action)


def test_unknown_type_suggests_a_near_one() -> None:
    with pytest.raises(AgentError, match="did you mean 'click'"):
        from_json({"type": "clik"})
    with pytest.raises(AgentError, match="choose one of: move, click"):
        from_json({"type": "zzzz"})
    with pytest.raises(AgentError, match="unknown action type None"):
        from_json({"x": 1})


def test_unknown_and_missing_fields_are_reported_together() -> None:
    with pytest.raises(AgentError) as caught:
        from_json({"type": "move", "x": 1, "colour": "red", "speed": 2})
    assert "unknown field 'colour'" in caught.value.message
    assert "unknown field 'speed'" in caught.value.message
    assert "missing field 'y'" in caught.value.message
    assert caught.value.remedy == "its fields are: given?, x, y"


def test_unknown_field_inside_given_is_named_with_its_place() -> None:
    with pytest.raises(AgentError, match=r"'click'\.given: unknown field 'txt'"):
        from_json({"type": "click", "given": {"txt": ""}})


def test_schema_describes_the_closed_set() -> None:
    forms = {form["properties"]["type"]["const"]: form for form in schema()["oneOf"]}
    assert forms.keys() == ACTIONS.keys()
    json.dumps(schema(), allow_nan=False)
    click = forms["click"]
    assert click["additionalProperties"] is False
    assert click["required"] == ["type"]
    assert click["properties"]["count"] == {"type": "integer", "minimum": 1, "maximum": 3, "default": 1}
    assert click["properties"]["button"]["enum"] == list(BUTTONS)
    assert click["description"] == "Press and release a mouse button, at a point or where the pointer is."
    drag = forms["drag"]
    assert drag["required"] == ["type", "path"]
    assert drag["properties"]["path"]["minItems"] == 1
    assert drag["properties"]["path"]["items"]["maxItems"] == 2
    assert forms["run_code"]["properties"]["timeout_sec"]["exclusiveMinimum"] == 0


@given(any_action())
def test_schema_names_every_field_that_is_written(action: Action) -> None:
    form = next(form for form in actions.schema()["oneOf"] if form["properties"]["type"]["const"] == action.kind)
    written = action.to_json()
    assert written.keys() <= form["properties"].keys()
    assert set(form["required"]) <= written.keys()
