"""Errors say what to do, travel between processes as they are, and name the file of a user that failed."""

from __future__ import annotations

import ast
import builtins
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
from proctor.runner.worker_pool import portable
from proctor.tasks.perform import MoveFailed
from tests.sources import Module, own_modules

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


OUTSIDE = {
    # Whoever is interrupted must not take these for one more error.
    "proctor.exam.clock.TimeIsUp",
    "proctor.runner.reactions.StartOver",
    "proctor.computers.backends.local.display.Stopped",
}
"""Errors that have no place in the tree, and why; those private to a module need none."""
NOT_YET = {
    "proctor.agents.agent.Over",
    "proctor.agents.agent.Vetoed",
    "proctor.agents.external.door.TooLate",
    "proctor.computers.backends.android.parse_tree.Unreadable",
    "proctor.computers.channels.adb.wire.AdbRefused",
    "proctor.computers.channels.guest_agent.client.Endless",
    "proctor.computers.channels.qmp.lines.Garbled",
    "proctor.computers.channels.qmp.lines.LineEnded",
    "proctor.computers.channels.qmp.lines.Silent",
    "proctor.computers.channels.rfb.pixels.Outside",
    "proctor.computers.channels.ssh.exchange.Late",
    "proctor.interop.guest_commands.TooMuchOutput",
    "proctor.studio.annotate.labels.Unusable",
    "proctor.tasks.findings.CannotSee",
}
"""Errors that are still to be given a place."""


def without_a_place(package: list[Module]) -> list[str]:
    """Return the errors that neither derive from ours nor are private to their module."""
    found, homes = {}, {}
    for module in package:
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                found[f"{module.name}.{node.name}"] = node
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    homes[module.name, alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def ancestors(name: str) -> set[str]:
        module = name.rpartition(".")[0]
        bases = {ast.unparse(base).rpartition(".")[2] for base in found[name].bases}
        known = {homes.get((module, base), f"{module}.{base}") for base in bases}
        inside = [ancestors(base) for base in known if base in found and base != name]
        return bases.union(known, *inside)

    def is_error(name: str) -> bool:
        kinds = (getattr(builtins, base, None) for base in ancestors(name))
        return any(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds)

    root = "proctor.errors.ProctorError"
    public = [name for name in found if not name.rpartition(".")[2].startswith("_")]
    return sorted(name for name in public if is_error(name) and root not in {name, *ancestors(name)})


def test_every_error_has_its_place_in_the_tree() -> None:
    found = without_a_place(own_modules())
    assert [name for name in found if name not in OUTSIDE | NOT_YET] == []
    assert set(found) >= OUTSIDE


def test_what_is_private_to_a_module_stays_in_it() -> None:
    private = {
        f"{module.name}.{node.name}"
        for module in own_modules()
        for node in module.nodes
        if isinstance(node, ast.ClassDef) and node.name.startswith("_")
    }
    taken = {
        f"{node.module}.{alias.name}"
        for module in own_modules()
        for node in module.nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert private
    assert private & taken == set()


@pytest.mark.parametrize(
    "text",
    [
        "class Late(Exception): pass",
        "class Late(ValueError): pass",
        "class Odd(BaseException): pass",
        "class _Base(Exception): pass\nclass Late(_Base): pass",
        "import errors\nclass Late(errors.Alien, OSError): pass",
    ],
)
def test_an_error_beside_the_tree_is_seen(text: str) -> None:
    assert without_a_place([Module("proctor.x", Path("x.py"), text)])


@pytest.mark.parametrize(
    "text",
    [
        "class _Leave(Exception): pass",
        "from proctor.errors import SpecError\nclass Unfit(SpecError): pass",
        "from proctor.errors import SpecError\nclass Unfit(SpecError, ValueError): pass",
        "class Errors(list): pass",
    ],
)
def test_an_error_in_the_tree_or_private_is_not(text: str) -> None:
    root = Module(
        "proctor.errors", Path("errors.py"), "class ProctorError(Exception): pass\nclass SpecError(ProctorError): pass"
    )
    assert without_a_place([root, Module("proctor.x", Path("x.py"), text)]) == []
