"""A signature is a schema: what does not fit a function is refused where it is written, with a suggestion."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.errors import SpecError, UnknownName
from proctor.tasks.call import Call
from proctor.tasks.findings import Finding, right
from proctor.tasks.shelf import Seen, Shelf
from proctor.tasks.shelves import hand, make, problems, tool
from proctor.vocabulary.desktop.where import Where


def paint(context: object, colour: str, strokes: int = 1, on: Where | None = None) -> None:
    """Paint a wall."""


def same(of: Seen, parts: list[Finding], limit: float = 0.5) -> Finding:
    """Both are the same."""
    return right()


@pytest.fixture
def shelf() -> Shelf:
    made = Shelf("setup")
    made.register(paint)
    return made


class TestShelf:
    def test_positions_and_names_give_one_call(self, shelf: Shelf) -> None:
        assert shelf.paint("red", 2) == shelf.paint(colour="red", strokes=2)
        assert shelf.paint("red").to_json() == {"setup": "paint", "colour": "red"}
        assert str(shelf.paint("red")) == "paint(colour='red')"

    def test_names_and_help(self, shelf: Shelf) -> None:
        assert shelf.names() == ["paint"] and "paint" in dir(shelf)
        assert shelf.get("paint").summary == "Paint a wall."
        assert shelf.get("paint").usage == "paint(colour, strokes=1, on=None)"

    def test_unknown_name(self, shelf: Shelf) -> None:
        with pytest.raises(UnknownName, match="did you mean 'paint'"):
            shelf.pain("red")

    def test_two_functions_of_one_name(self, shelf: Shelf) -> None:
        shelf.register(paint)
        with pytest.raises(SpecError, match="two functions"):
            shelf.register(_other())

    def test_parameter_named_like_a_kind_of_call(self, shelf: Shelf) -> None:
        def clash(context: object, probe: str) -> None:
            """Cannot be written down."""

        with pytest.raises(SpecError, match="parameter 'probe'"):
            shelf.register(clash)

    @pytest.mark.parametrize(
        ("positional", "named", "words"),
        [
            ((), {}, "lacks the argument 'colour'"),
            (("red", "two"), {}, "'two' is wrong"),
            (("red", 1, None, 4), {}, "takes 3 arguments, not 4"),
            (("red",), {"colour": "blue"}, "twice"),
            (("red",), {"stroke": 2}, "did you mean 'strokes'"),
            ((1,), {}, "1 is wrong"),
            (("red", True), {}, "True is wrong"),
            (("red",), {"on": {"nam": "x"}}, "['nam']"),
            (("red", object()), {}, "not plain data"),
            (("red", float("nan")), {}, "not plain data"),
        ],
    )
    def test_what_does_not_fit(self, shelf: Shelf, positional: Any, named: Any, words: str) -> None:
        with pytest.raises(SpecError) as caught:
            shelf.paint(*positional, **named)
        assert words in str(caught.value)

    def test_every_problem_at_once(self, shelf: Shelf) -> None:
        with pytest.raises(SpecError) as caught:
            shelf.paint(strokes="x", stroke=1)
        assert str(caught.value).count(";") >= 2 and "its form: paint(colour" in str(caught.value)

    def test_prepared_arguments_have_the_types_of_the_signature(self, shelf: Shelf) -> None:
        call = shelf.paint("red", on={"name": "Wall"})
        ready = shelf.get("paint").prepare(call.arguments)
        assert ready["on"] == Where(name="Wall")

    def test_checks_take_probes_and_checks(self) -> None:
        checks = Shelf("check")
        checks.register(same)
        probe, inner = Call("probe", "text", {"path": "a"}), Call("check", "x")
        assert checks.same(probe, [inner]).arguments["parts"] == (inner,)
        for wrong in (((inner, [inner])), ((probe, inner)), ((probe, [probe])), ((probe, [])), ((probe, ["x"]))):
            with pytest.raises(SpecError):
                checks.same(*wrong)


def _other() -> Any:
    def paint(context: object) -> None:
        """Something else."""

    return paint


class TestShelves:
    def test_problems_have_their_place(self) -> None:
        calls = (make.folder("a"), Call("setup", "foldr", {"path": "a"}), hand.done())
        found = list(problems(calls, ("setup",), "setup"))
        assert [problem.path for problem in found] == [("setup", 1, "setup"), ("setup", 2)]

    def test_tool(self) -> None:
        assert tool(make.folder("a")).name == "folder"
        with pytest.raises(UnknownName):
            tool(Call("probe", "nothing"))


class TestCall:
    def test_reads_nested_calls(self) -> None:
        call = Call.from_json({"check": "all_of", "of": [{"check": "a", "of": {"probe": "b"}}, {"chek": "c"}]})
        first, second = call.arguments["of"]
        assert first == Call("check", "a", {"of": Call("probe", "b")})
        assert second == {"chek": "c"}

    @pytest.mark.parametrize("data", [{}, {"check": "a", "move": "b"}, {"check": 3}, "text_is", None, []])
    def test_what_is_no_call(self, data: Any) -> None:
        with pytest.raises(ValueError, match="is not a call"):
            Call.from_json(data)
