"""Errors say what to do, travel between processes as they are, and name the file of a user that failed."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor import errors
from proctor.actions.action import Wait
from proctor.errors import MissingExtra, ModelError, ProctorError, SpecError, UnknownName, place_of
from proctor.models.retry import CallFailed
from proctor.models.usage import BudgetSpent
from proctor.registry import Registration, Registry
from proctor.runner.pool_worker import portable
from proctor.tasks.perform import MoveFailed

OWN_CONSTRUCTORS = {
    UnknownName: lambda: UnknownName("thing", "nmae", ["name", "other"]),
    MissingExtra: lambda: MissingExtra("the web", "web"),
    BudgetSpent: lambda: BudgetSpent("cost_limit", "spent"),
    CallFailed: lambda: CallFailed("rate", "too fast"),
}
PLAIN = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, ProctorError)]


@pytest.mark.parametrize("kind", dict.fromkeys([*PLAIN, MoveFailed, *OWN_CONSTRUCTORS]), ids=lambda kind: kind.__name__)
def test_every_error_comes_out_of_a_pipe_as_it_went_in(kind: type[ProctorError]) -> None:
    made = OWN_CONSTRUCTORS.get(kind)
    error = made() if made else kind("what happened", remedy="what to do")
    error.add_note("and where")
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is kind
    assert str(arrived) == str(error)
    assert vars(arrived) == vars(error)


@given(st.text(), st.text())
def test_any_words_travel(message: str, remedy: str) -> None:
    arrived = pickle.loads(pickle.dumps(SpecError(message, remedy=remedy)))
    assert (arrived.message, arrived.remedy, arrived.args) == (message, remedy, (message,))


class Stubborn(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def test_an_error_that_cannot_travel_arrives_as_words() -> None:
    arrived = portable(Stubborn(1, 2))
    assert isinstance(arrived, RuntimeError)
    assert "Stubborn: 1 and 2" in str(pickle.loads(pickle.dumps(arrived)))


def test_an_error_with_something_that_cannot_travel_arrives_as_words() -> None:
    error = ModelError("away")
    error.call = lambda: None  # type: ignore[attr-defined]
    assert "ModelError: away" in str(portable(error))


def test_an_error_that_travels_says_where_it_came_up() -> None:
    try:
        Wait(seconds=-1)
    except Exception as error:
        assert any("test_errors.py" in note for note in portable(error).__notes__)


def test_a_short_list_of_names_is_shown_whole() -> None:
    assert UnknownName("thing", "zzz", ["one", "two"]).remedy == "choose one of: one, two"


def test_a_long_list_of_names_is_not() -> None:
    names = [f"sort-the-letters-{number}" for number in range(138)]
    remedy = UnknownName("task", "letters", names, listing="proctor tasks list").remedy
    assert remedy.count("sort-the-letters") <= 5
    assert "`proctor tasks list` lists all 138" in remedy


@given(st.text(min_size=1), st.lists(st.text(min_size=1), max_size=60))
def test_no_error_lists_more_than_a_few(name: str, known: list[str]) -> None:
    error = UnknownName("thing", name, [f"<{one}>" for one in known])
    assert error.remedy
    assert sum(f"<{one}>" in error.remedy for one in set(known)) <= max(12, len(error.remedy))


def test_a_module_that_crashes_is_named_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "crashing_module.py").write_text("import json\n\n1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SpecError, match=r"ZeroDivisionError: division by zero \(.*crashing_module\.py:3\)"):
        Registry("agent", {}, group="proctor.tests").get("crashing_module:Agent")


def test_our_own_defects_are_not_blamed_on_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_name: str) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("proctor.registry.importlib.import_module", broken)
    with pytest.raises(ZeroDivisionError):
        Registry("agent", {"ours": Registration("proctor.agents.idle:Idle")}, group="proctor.tests").get("ours")


def test_places_are_those_of_files_that_are_not_ours() -> None:
    try:
        raise MoveFailed("x")
    except MoveFailed as error:
        assert "test_errors.py" in place_of(error)
    assert place_of(ValueError()) == ""
