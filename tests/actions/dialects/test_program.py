"""The bounded interpreter: what it understands it does as Python does, and it understands no more than is harmless."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions.dialects.program import MAX_SOURCE, Program, parse
from proctor.actions.dialects.values import MAX_NUMBER, MAX_WORK, Function, MarkNumber, Meter, Module, Point, Size
from proctor.errors import AgentError


def outcome(source: str, *, work: int = MAX_WORK, **names: object) -> list[tuple[Any, ...]]:
    """Return with what a program called `tell`, in order."""
    told: list[tuple[Any, ...]] = []

    def tell(*values: object, **options: object) -> object:
        told.append((*values, *options.values()))
        return len(told)

    clock = Module("clock", {"tick": Function("tick", lambda: tell("tick"))}, ignored=frozenset({"SPEED"}))
    words = {"DONE": Function("DONE", lambda: tell("done")), "tell": Function("tell", tell)}
    Program(source, {**words, **names}, {"clock": clock}, Meter(work)).run()
    return told


def refusal(source: str, **options: Any) -> AgentError:
    with pytest.raises(AgentError) as caught:
        outcome(source, **options)
    return caught.value


numbers = some.integers(-50, 50)
expressions = some.recursive(
    numbers.map(str),
    lambda inner: (
        some.tuples(inner, some.sampled_from(["+", "-", "*"]), inner).map(" ".join).map("({})".format)
        | some.tuples(inner, some.sampled_from(["<", "<=", "==", "!=", ">"]), inner).map(" ".join).map("int({})".format)
        | some.tuples(inner, inner, inner).map(lambda three: f"({three[0]} if {three[1]} > 0 else {three[2]})")
        | inner.map("abs({})".format)
        | inner.map("-{}".format)
        | some.lists(inner, min_size=1, max_size=3).map(", ".join).map("max([{}])".format)
        | some.lists(inner, min_size=1, max_size=3).map(", ".join).map("sum([{}])".format)
        | some.lists(inner, min_size=1, max_size=3).map(", ".join).map("sorted([{}])[0]".format)
    ),
    max_leaves=8,
)


@given(expressions)
def test_expressions_mean_what_they_mean_in_python(source: str) -> None:
    wanted = eval(source, {"__builtins__": {}}, {"abs": abs, "max": max, "sum": sum, "sorted": sorted, "int": int})
    if abs(wanted) <= MAX_NUMBER:
        assert outcome(f"tell({source})") == [(wanted,)]


@given(text=some.text(some.characters(codec="ascii", exclude_characters="\0\r"), max_size=20), at=some.integers(-5, 5))
def test_texts_are_those_of_python(text: str, at: int) -> None:
    source = f"text = {text!r}\ntell(text.upper(), len(text), text[{at}:], text.split(), 'a' in text, text + '!')"
    assert outcome(source) == [(text.upper(), len(text), text[at:], text.split(), "a" in text, text + "!")]


@given(some.lists(numbers, max_size=6))
def test_loops_see_every_item_in_order(items: list[int]) -> None:
    assert outcome(f"for item in {items}:\n    tell(item)") == [(item,) for item in items]
    assert outcome(f"for at, item in enumerate({items}):\n    tell(at, item)") == list(enumerate(items))


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1\nx += 2\ntell(x)", [(3,)]),
        ("x, (y, z) = 1, [2, 3]\ntell(x, y, z)", [(1, 2, 3)]),
        ("x = y = 4\ntell(x, y)", [(4, 4)]),
        ("x: int = 5\ny: int\ntell(x)", [(5,)]),
        ("items = [1, 2]\nitems[0] = 9\ntell(items)", [([9, 2],)]),
        ("d = {'a': 1}\nd['b'] = 2\ntell(d.get('b'), d.get('c', 7), d.keys(), d.items())",
         [(2, 7, ["a", "b"], [("a", 1), ("b", 2)])]),
        ("while True:\n    tell(1)\n    break\nelse:\n    tell(2)", [(1,)]),
        ("n = 2\nwhile n:\n    n -= 1\nelse:\n    tell('over')", [("over",)]),
        ("for i in range(4):\n    if i == 1: continue\n    if i == 3: break\n    tell(i)", [(0,), (2,)]),
        ("for i in []:\n    pass\nelse:\n    tell('none')", [("none",)]),
        ("if 0:\n    tell(1)\nelif '':\n    tell(2)\nelse:\n    tell(3)", [(3,)]),
        ("tell(1 < 2 < 3, 1 < 3 < 2, not 1, None is None, 1 is not None)", [(True, False, False, True, True)]),
        ("tell(0 or 'b', 1 and 'c', 0 and tell(9))", [("b", "c", 0)]),
        ("tell(f'{1 + 1}-{3.14159:.2f}-{\"a\"!r}-{7:>{3}}')", [("2-3.14-'a'-  7",)]),
        ("tell(*[1, 2], *(3,), **{'x': 4})", [(1, 2, 3, 4)]),
        ("import clock as c\nfrom clock import tick\nfrom clock import *\nc.tick()\ntick()", [("tick",)] * 2),
        ("import clock\nclock.SPEED = 3\ntell(1)", [(1,)]),
        ("DONE", [("done",)]),
        ("DONE()", [("done",)]),
        ("print('x', end='')\ntell(1)", [(1,)]),
        ("tell(round(2.567, 1), int('7'), float('1.5'), str(3), bool([]))", [(2.6, 7, 1.5, "3", False)]),
        ("tell(list(zip([1, 2], 'ab')), list(reversed([1, 2])), tuple([1]))", [([(1, "a"), (2, "b")], [2, 1], (1,))]),
        ("tell('a,b'.replace(',', ';'), '-'.join(['x', 'y']), 'abc'.find('c'))", [("a;b", "x-y", 2)]),
        ("tell(min(3, 1), min([2, 4]), sorted([2, 1], reverse=True))", [(1, 2, [2, 1])]),
        ("a = [1]\na.append(2)\na.extend((3,))\ntell(a.pop(), a.copy())", [(3, [1, 2])]),
    ],
)  # fmt: skip
def test_what_models_write_is_understood(source: str, told: list[tuple[Any, ...]]) -> None:
    assert outcome(source) == told


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def f(): pass", "def is not supported"),
        ("class A: pass", "class is not supported"),
        ("x = lambda: 1", "lambda is not supported"),
        ("try:\n    pass\nexcept: pass", "try is not supported"),
        ("[x for x in [1]]", "ListComp is not supported"),
        ("tell(~1)", "UnaryOp is not supported"),
        ("del x", "del is not supported"),
        ("import os", "the module 'os' is not available"),
        ("from os import system", "the module 'os' is not available"),
        ("import clock.os", "is not available"),
        ("from clock import tock", "did you mean clock.tick"),
        ("__import__('os')", "the name '__import__' is not known"),
        ("open('/etc/passwd')", "the name 'open' is not known"),
        ("eval('1')", "the name 'eval' is not known"),
        ("''.__class__", "str.__class__ is not available"),
        ("().__class__.__bases__", "tuple.__class__ is not available"),
        ("'{0.__class__}'.format(1)", "str.format is not available"),
        ("tell.__globals__", "Function.__globals__ is not available"),
        ("import clock; clock.tock()", "clock.tock is not available"),
        ("import clock; clock.tick = 1", "cannot be set"),
        ("(1).real", "int.real is not available"),
        ("tell", "tell is named but not called"),
        ("(5)(1)", "cannot be called"),
        ("telll(1)", "did you mean 'tell'"),
        ("tag_7", "the name 'tag_7' is not known"),
        ("1 / 0", "division by zero"),
        ("[1][5]", "out of range"),
        ("{'a': 1}['b']", "'b'"),
        ("[1]['a']", "list indices must be integers"),
        ("'a' - 1", "calculate with numbers"),
        ("'a' + 1", "calculate with numbers"),
        ("[1] + (2,)", "calculate with numbers"),
        ("1 @ 2", "MatMult is not supported"),
        ("1 << 9", "LShift is not supported"),
        ("10**18 + 1", "too large"),
        ("2 ** 65", "too large"),
        ("(-1) ** 0.5", "not a real number"),
        ("1e309 - 1e309", "too large"),
        ("x, y = 1, 2, 3", "too many values|longer"),
        ("break", "break outside a loop"),
        ("for x in 7: pass", "cannot be looped over"),
        ("with tell(1): pass", "works only with hold"),
        ("tell(1", "was never closed"),
        ("b'bytes'", "a value of type bytes"),
        ("1j", "a value of type complex"),
        ("f'{1:9999}'", "too wide"),
        ("round(1.5, 99)", "digits are too many"),
        ("sum(['a'])", "is not a number"),
        ("int([])", "cannot be turned into a number"),
        ("tell == tell", "is not a value"),
        ("'a' in range(3)", "only whole numbers"),
        ("{**{}}", "inside a dictionary"),
    ],
)
def test_what_is_not_understood_is_named_with_its_line(source: str, said: str) -> None:
    error = refusal(f"\n{source}")
    assert error.message.startswith("line ")
    assert error.remedy
    assert any(each in f"{error.message} {error.remedy}" for each in said.split("|"))


@pytest.mark.parametrize(
    "source",
    ["while True: pass", "for i in range(10**12): pass", "x = 'a'\nwhile 1: x += x", "x = [1]\nwhile 1: x.extend(x)",
     "x = 'a' * 10**9", "x = [0] * 10**9", "x = list(range(10**9))", "x = []\nfor i in range(10**6): x.append(x)",
     "x = 'ab'\nfor i in range(99): x = x.replace('a', x)", "x = [1]\nfor i in range(60): x = [x, x]\ntell(x == x)",
     "x = 'a' * 1000\ny = [x] * 1000\n','.join(y * 1000)", "x = (1,)\nfor i in range(99): x = x + x"],
)  # fmt: skip
def test_no_program_does_too_much(source: str) -> None:
    assert "too much" in refusal(source).message


def test_a_program_is_stopped_when_its_work_is_spent() -> None:
    assert outcome("for i in range(5): tell(i)", work=200)
    assert "too much" in refusal("for i in range(5): tell(i)", work=20).message


def test_what_was_called_can_be_quoted() -> None:
    quoted: list[str] = []
    source = "x = 1\ntell( x ,\n  2 )\n  # é\ntell('é'); tell(3)"
    program: Program

    def tell(*_: object) -> None:
        quoted.append(program.here())

    program = Program(source, {"tell": Function("tell", tell)}, {}, Meter())
    program.run()
    assert quoted == ["tell( x ,\n  2 )", "tell('é')", "tell(3)"]
    assert program.statement == 4


def test_marks_and_places_can_be_taken_apart() -> None:
    place = Point(MarkNumber(3.0, 7), MarkNumber(4.0, 7))
    assert outcome("tell(tag_7.x, tag_7[1], tag_7.x + 1)\nx, y = tag_7\ntell(y)", tag_7=place) == [(3, 4, 4), (4,)]
    assert outcome("tell(size().width // 2)", size=Function("size", lambda: Size(100, 50))) == [(50,)]
    assert "tag_7" in refusal("tag_9", tag_7=place).remedy


@pytest.mark.parametrize("source", ["x = (", "if", "  x = 1", "\0", "x = " + "(" * 300 + ")" * 300, "1" * 5000])
def test_what_is_no_python_is_refused(source: str) -> None:
    with pytest.raises(AgentError):
        parse(source)


def test_a_program_has_a_length() -> None:
    with pytest.raises(AgentError, match="characters"):
        parse("#" * (MAX_SOURCE + 1))
    assert parse("#" * MAX_SOURCE).body == []


@given(some.text(some.characters(), max_size=60))
def test_any_text_is_a_program_or_refused(source: str) -> None:
    try:
        outcome(source)
    except AgentError as error:
        assert error.message
