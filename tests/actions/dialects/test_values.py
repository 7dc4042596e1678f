"""Values of interpreted programs: what may be done with them, and what each costs."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions.dialects import builtin, values
from proctor.actions.dialects.values import (
    COMPARISONS,
    MAX_NUMBER,
    MAX_WORK,
    OPERATORS,
    Function,
    MarkNumber,
    Meter,
    Module,
)
from proctor.errors import AgentError

numbers = some.integers(-(10**6), 10**6) | some.floats(-1e6, 1e6)
plain = some.recursive(
    some.none() | some.booleans() | some.integers(-9, 9) | some.text(max_size=5),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
PYTHON: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip


@given(kind=some.sampled_from(sorted(PYTHON, key=str)), left=numbers, right=numbers)
def test_arithmetic_is_that_of_python(kind: type, left: float, right: float) -> None:
    if right == 0 and kind in (ast.Div, ast.FloorDiv, ast.Mod):
        with pytest.raises(ZeroDivisionError):
            values.arithmetic(Meter(), kind, left, right)
        return
    wanted = PYTHON[kind](left, right)
    if abs(wanted) <= MAX_NUMBER:
        assert values.arithmetic(Meter(), kind, left, right) == wanted


@given(some.text(max_size=9) | some.lists(some.integers(), max_size=4), some.integers(-2, 6))
def test_texts_and_lists_are_joined_and_repeated(value: Any, times: int) -> None:
    meter = Meter()
    assert values.arithmetic(meter, ast.Add, value, value) == value + value
    assert values.arithmetic(meter, ast.Mult, value, times) == value * times
    assert values.arithmetic(meter, ast.Mult, times, value) == value * times
    assert meter.left <= MAX_WORK - 2 * len(value)


@pytest.mark.parametrize(
    ("left", "right"), [("a", 1), ([1], (2,)), ({}, {}), (None, 1), ("a", None), ([1], "a"), ((1,), values.Point(1, 2))]
)
def test_unlike_things_are_not_joined(left: Any, right: Any) -> None:
    with pytest.raises(AgentError, match="calculate with numbers|is not understood"):
        values.arithmetic(Meter(), ast.Add, left, right)


def test_a_result_is_paid_for_before_it_is_made() -> None:
    with pytest.raises(AgentError, match="too much"):
        values.arithmetic(Meter(), ast.Mult, "a", 10**12)
    with pytest.raises(AgentError, match="too large"):
        values.arithmetic(Meter(), ast.Pow, 10**7, 3)


def test_a_mark_is_a_number_until_it_is_calculated_with() -> None:
    mark = MarkNumber(3.5, 7)
    assert (mark, mark.mark) == (3.5, 7)
    assert type(values.arithmetic(Meter(), ast.Add, mark, 1)) is float


@given(
    left=some.integers(-5, 5),
    right=some.integers(-5, 5),
    kind=some.sampled_from([ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq]),
)
def test_comparisons_are_those_of_python(left: int, right: int, kind: type) -> None:
    assert values.compare(Meter(), kind, left, right) == bool(eval(f"{left} {_sign(kind)} {right}"))


def _sign(kind: type) -> str:
    return {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}[kind]


@pytest.mark.parametrize(
    ("kind", "left", "right", "holds"),
    [
        (ast.In, "a", "abc", True),
        (ast.In, 2, [1], False),
        (ast.NotIn, 2, [1], True),
        (ast.In, 2, range(5), True),
        (ast.In, "k", {"k": 1}, True),
        (ast.Is, None, None, True),
        (ast.Is, 1, None, False),
        (ast.IsNot, 1, None, True),
    ],
)
def test_what_is_held_and_what_is_the_same(kind: type, left: Any, right: Any, holds: bool) -> None:
    assert values.compare(Meter(), kind, left, right) is holds


def test_what_cannot_be_compared_is_an_error_of_the_program() -> None:
    with pytest.raises(TypeError):
        values.compare(Meter(), ast.In, 1, 2)
    with pytest.raises(TypeError):
        values.compare(Meter(), ast.Lt, 1, "a")
    with pytest.raises(AgentError, match="is not a value"):
        values.compare(Meter(), ast.Eq, Function("f", len), 1)
    with pytest.raises(AgentError, match="is not a value"):
        values.compare(Meter(), ast.Eq, 1, [Module("m", {})])


@given(plain)
def test_everything_that_is_weighed_costs_something(value: Any) -> None:
    meter = Meter()
    meter.weigh(value)
    assert meter.left < MAX_WORK
    again = Meter()
    again.weigh([value, value])
    assert MAX_WORK - again.left >= 2 * (MAX_WORK - meter.left)


def test_a_list_that_holds_itself_is_not_weighed_for_ever() -> None:
    items: list[Any] = []
    items.append(items)
    with pytest.raises(AgentError, match="too much"):
        Meter().weigh(items)


@pytest.mark.parametrize("value", [10**18 + 1, -(10**19), 1e19, float("inf"), float("-inf"), float("nan")])
def test_no_number_of_a_program_is_huge(value: float) -> None:
    with pytest.raises(AgentError, match="too large"):
        Meter().keep(value)


@given(plain)
def test_what_is_kept_is_what_was_made(value: Any) -> None:
    meter = Meter()
    assert meter.keep(value) is value
    assert MAX_WORK - meter.left == (len(value) if isinstance(value, str | list | dict) else 0)


@given(some.lists(some.integers(), max_size=5))
def test_a_loop_pays_for_each_turn(items: list[int]) -> None:
    meter = Meter()
    assert list(meter.items(items)) == items
    assert MAX_WORK - meter.left == len(items)


@pytest.mark.parametrize("value", [7, None, True, 1.5, Function("f", len), {1, 2}])
def test_what_cannot_be_looped_over_is_refused(value: Any) -> None:
    with pytest.raises(AgentError, match="cannot be looped over"):
        list(Meter().items(value))


@pytest.mark.parametrize(
    ("value", "conversion", "spec", "shown"),
    [
        (7, -1, "", "7"),
        ("a", ord("r"), "", "'a'"),
        (7, ord("s"), ">3", "  7"),
        (3.14159, -1, ".2f", "3.14"),
        ([1], -1, "", "[1]"),
    ],
)
def test_values_are_formatted_as_in_python(value: Any, conversion: int, spec: str, shown: str) -> None:
    assert values.format_value(Meter(), value, conversion, spec) == shown


@pytest.mark.parametrize("spec", ["9999", "1001", ">5000", "0" * 41])
def test_formats_are_not_too_wide(spec: str) -> None:
    with pytest.raises(AgentError, match="too wide"):
        values.format_value(Meter(), 1, -1, spec)


@pytest.mark.parametrize("name", ["append", "pop", "extend", "copy"])
def test_methods_of_lists_are_few(name: str) -> None:
    assert builtin.method(Meter(), [1, 2], name).name == name


@pytest.mark.parametrize(
    ("owner", "name"),
    [("", "format"), ("", "encode"), ("", "__class__"), ([], "sort"), ([], "__iadd__"), ({}, "update"), ({}, "pop"),
     (7, "bit_length"), (None, "x"), ((1,), "index"), (Function("f", len), "call"), (Meter(), "left")],
)  # fmt: skip
def test_other_methods_are_not_available(owner: Any, name: str) -> None:
    with pytest.raises(AgentError, match=f"{name} is not available"):
        builtin.method(Meter(), owner, name)


@given(text=some.text(max_size=20), old=some.text(min_size=1, max_size=2), new=some.text(max_size=9))
def test_replacing_is_paid_for(text: str, old: str, new: str) -> None:
    meter = Meter()
    found = builtin.method(meter, text, "replace").call(old, new)
    assert found == text.replace(old, new)
    assert MAX_WORK - meter.left >= len(text)


def test_joining_a_huge_text_is_not_done() -> None:
    with pytest.raises(AgentError, match="too much"):
        builtin.method(Meter(), ",", "join").call(["x" * 1000] * 1000)


@pytest.mark.parametrize(
    ("name", "arguments", "wanted"),
    [("range", (1, 4), range(1, 4)), ("len", ("abc",), 3), ("sum", ([1, 2], 3), 6), ("min", (2, 1), 1),
     ("max", ([2, 5],), 5),
     ("sorted", ([2, 1],), [1, 2]), ("reversed", ("ab",), ["b", "a"]), ("enumerate", ("ab", 1), [(1, "a"), (2, "b")]),
     ("int", ("7",), 7), ("round", (2.5,), 2), ("abs", (-3,), 3), ("str", (1.5,), "1.5"), ("bool", ("",), False),
     ("print", (1,), None)],
)  # fmt: skip
def test_functions_are_those_of_python(name: str, arguments: tuple[Any, ...], wanted: Any) -> None:
    assert builtin.functions(Meter())[name].call(*arguments) == wanted


def test_no_function_reaches_beyond_the_program() -> None:
    names = builtin.functions(Meter()).keys()
    assert not {"open", "eval", "exec", "getattr", "type", "vars", "input", "__import__", "map", "filter"} & names
    assert set(OPERATORS) == {"Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow"}
    assert set(COMPARISONS) == {"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "In", "NotIn", "Is", "IsNot"}
