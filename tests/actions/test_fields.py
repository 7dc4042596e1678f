"""Typed fields: what fits, what does not and why, and the schema that says the same."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions import fields
from proctor.actions.fields import Bounds, Length
from proctor.errors import AgentError


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A place on a wall."""

    x: float
    y: float = 0.0
    """Down."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """Something that hangs on a wall."""

    title: Annotated[str, Length(1, 10)]
    count: Annotated[int, Bounds(1, 3)] = 1
    weight: Annotated[float, Bounds(0, 9.5, above=True)] = 1.0
    frame: Literal["oak", "none"] = "none"
    tags: Annotated[tuple[Annotated[str, Length(1, 5)], ...], Length(0, 2)] = ()
    corner: tuple[float, float] | None = None
    hook: Spot | None = None
    facts: dict | None = None  # type: ignore[type-arg]
    hung: bool = False


def wrong(**changes: Any) -> list[str]:
    return list(fields.problems(Picture(**{"title": "Sea", **changes})))


def test_what_fits_has_no_problem() -> None:
    assert wrong() == []
    assert wrong(count=3, weight=9.5, frame="oak", tags=("a", "b"), corner=(1, 2.5), hook=Spot(x=1), facts={}) == []


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("title", "", "title='' must not be empty"),
        ("title", "x" * 11, "must not be longer than 10"),
        ("title", 7, "title=7 must be a text"),
        ("title", None, "title=None must be a text"),
        ("title", "a\0", "must not contain the character NUL"),
        ("title", "\udfff", "must not contain half of a surrogate pair"),
        ("count", 0, "count=0 must be from 1 to 3"),
        ("count", 4, "count=4 must be from 1 to 3"),
        ("count", True, "count=True must be a whole number"),
        ("count", 2.0, "count=2.0 must be a whole number"),
        ("weight", 0, "weight=0 must be above 0 to 9.5"),
        ("weight", math.nan, "must be above 0"),
        ("weight", "1", "weight='1' must be a number"),
        ("weight", False, "weight=False must be a number"),
        ("frame", "elm", "frame='elm' must be one of: oak, none"),
        ("tags", ["a"], "must be a list (a tuple in Python)"),
        ("tags", ("a", ""), "[1] must not be empty"),
        ("tags", ("a", 7), "[1] must be a text"),
        ("tags", ("a", "b", "c"), "must not be longer than 2"),
        ("corner", (1,), "must have 2 items"),
        ("corner", (1, "2"), "[1] must be a number"),
        ("hook", {"x": 1}, "must be a Spot"),
        ("facts", [], "facts=[] must be a JSON object"),
        ("hung", 1, "hung=1 must be a bool"),
    ],
)
def test_what_does_not_fit_is_named_with_its_value(field: str, value: Any, said: str) -> None:
    (problem,) = wrong(**{field: value})
    assert said in problem
    assert problem.startswith(f"{field}=")


def test_every_problem_is_told() -> None:
    assert [problem.partition("=")[0] for problem in wrong(title="", count=9, frame=7)] == ["title", "count", "frame"]


@given(least=some.floats(-100, 100), width=some.floats(0, 100), value=some.floats(-300, 300), above=some.booleans())
def test_bounds_take_what_lies_between_them(least: float, width: float, value: float, above: bool) -> None:
    bounds = Bounds(least, least + width, above=above)
    inside = (least < value if above else least <= value) and value <= least + width
    assert (bounds.problem(value) is None) == inside


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_finite_number_is_in_no_bounds(value: float) -> None:
    assert Bounds(-1e300, 1e300).problem(value)


@given(least=some.integers(0, 1), most=some.integers(1, 5), text=some.text(max_size=8))
def test_lengths_take_texts_and_lists_alike(least: int, most: int, text: str) -> None:
    length = Length(least, most)
    assert (length.problem(text) is None) == (least <= len(text) <= most)
    assert length.problem(text) == length.problem(tuple(text))


@pytest.mark.parametrize(
    "value", [10**5000, "x" * 10**6, [[1] * 1000] * 1000, {"a": object()}], ids=["number", "text", "list", "object"]
)
def test_values_in_messages_are_short(value: Any) -> None:
    assert len(fields.show(value)) < 200


def test_fields_are_read_from_json() -> None:
    data = {"title": "Sea", "tags": ["a"], "corner": [1, 2], "hook": {"x": 3}, "facts": {"by": ["me"]}}
    made = Picture(**fields.read(Picture, data, "picture"))
    assert made == Picture(title="Sea", tags=("a",), corner=(1, 2), hook=Spot(x=3), facts={"by": ["me"]})


def test_unknown_and_missing_fields_are_told_at_once_and_the_known_ones_named() -> None:
    with pytest.raises(AgentError) as caught:
        fields.read(Picture, {"titel": "Sea", 7: 1}, "picture")
    assert caught.value.message == "picture: unknown field 'titel'; unknown field 7; missing field 'title'"
    assert caught.value.remedy == "its fields are: title, count?, weight?, frame?, tags?, corner?, hook?, facts?, hung?"


def test_a_place_within_is_named() -> None:
    with pytest.raises(AgentError, match=r"^picture\.hook: missing field 'x'"):
        fields.read(Picture, {"title": "Sea", "hook": {"y": 1}}, "picture")
    with pytest.raises(AgentError, match=r"^picture\.hook is 7"):
        fields.read(Picture, {"title": "Sea", "hook": 7}, "picture")


def test_a_thousand_unknown_fields_make_no_long_message() -> None:
    with pytest.raises(AgentError) as caught:
        fields.read(Spot, {f"f{number}": number for number in range(1000)}, "spot")
    assert len(caught.value.message) < 300


def test_what_is_no_object_is_refused() -> None:
    for data in (None, 7, "x", [1], [["x", 1]]):
        with pytest.raises(AgentError, match="write it as a JSON object|spot is"):
            fields.read(Spot, data, "spot")


pictures = some.builds(
    Picture,
    title=some.text(some.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=10),
    count=some.integers(1, 3),
    weight=some.floats(0, 9.5, exclude_min=True),
    frame=some.sampled_from(["oak", "none"]),
    tags=some.lists(some.sampled_from(["a", "bc"]), max_size=2).map(tuple),
    corner=some.none() | some.tuples(some.integers(-9, 9), some.floats(-9, 9)),
    hook=some.none() | some.builds(Spot, x=some.floats(-9, 9), y=some.floats(-9, 9)),
    facts=some.none() | some.dictionaries(some.text(max_size=3), some.integers(), max_size=2),
    hung=some.booleans(),
)


@given(pictures)
def test_what_is_written_is_read_back(made: Picture) -> None:
    assert list(fields.problems(made)) == []
    assert Picture(**fields.read(Picture, json.loads(json.dumps(fields.to_json(made))), "picture")) == made


@given(pictures)
def test_defaults_are_not_written(made: Picture) -> None:
    written = fields.to_json(made)
    assert ("count" in written) == (made.count != 1)
    assert ("hook" in written) == (made.hook is not None)
    assert ("tags" in written) == bool(made.tags)
    if made.hook is not None:
        assert written["hook"] == ({"x": made.hook.x, "y": made.hook.y} if made.hook.y else {"x": made.hook.x})


def test_the_schema_says_what_fits() -> None:
    form = fields.schema(Picture)
    assert form["required"] == ["title"]
    assert form["additionalProperties"] is False
    assert form["description"] == "Something that hangs on a wall."
    properties = form["properties"]
    assert properties["title"] == {"type": "string", "minLength": 1, "maxLength": 10}
    assert properties["count"] == {"type": "integer", "minimum": 1, "maximum": 3, "default": 1}
    assert properties["weight"] == {"type": "number", "exclusiveMinimum": 0, "maximum": 9.5, "default": 1.0}
    assert properties["frame"] == {"type": "string", "enum": ["oak", "none"], "default": "none"}
    assert properties["tags"]["items"] == {"type": "string", "minLength": 1, "maxLength": 5}
    assert (properties["tags"]["maxItems"], properties["tags"].get("minItems")) == (2, None)
    assert properties["corner"] == {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
    assert properties["hook"]["properties"]["y"] == {"type": "number", "default": 0.0}
    assert properties["facts"] == {"type": "object"}


def test_limits_leave_the_plain_schema_as_it_is() -> None:
    plain: fields.JsonSchema = {"type": "number"}
    assert Bounds(1, 2).add_to(plain) == {"type": "number", "minimum": 1, "maximum": 2}
    assert Length(0, 3).add_to({"type": "array"}) == {"type": "array", "maxItems": 3}
    assert plain == {"type": "number"}


def test_required_fields_and_annotations_keep_their_order() -> None:
    assert fields.required_fields(Spot) == ["x"]
    assert list(fields.hints(Spot)) == ["x", "y"]
