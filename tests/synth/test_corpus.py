"""The corpus: all good proposals become tasks and no defective one does, by the pipeline itself."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from proctor.prove.rotate import rotate
from tests.synth.cases import Case
from tests.synth.corpus import all_cases, run_corpus, wrong_ends

CLASSES = (
    "verdict true at the start",
    "key that misses the goal",
    "verdict that only its own key passes",
    "verdict that a foreign trajectory passes",
    "instruction that names what is not there",
    "impossible resource",
    "duplicate",
    "hostile text",
    "not the form that was asked for",
)
TODAY = date.today().toordinal()


class Turn:
    """A case as `rotate` takes it."""

    seed = 0

    def __init__(self, case: Case) -> None:
        self.id = case.name
        self.case = case


def today(cases: list[Case], count: int) -> list[Case]:
    return [turn.case for turn in rotate([Turn(case) for case in cases], count, TODAY)]


def on_a_computer(*, sandbox: bool) -> tuple[list[Case], list[Case]]:
    """Return the good cases, and the defective ones of which only a computer can tell."""
    cases = [case for case in all_cases(sandbox=sandbox) if case.computer]
    return [case for case in cases if case.good], [case for case in cases if not case.good]


def test_there_are_a_hundred_proposals_of_every_class() -> None:
    cases = all_cases(sandbox=True)
    kinds = Counter(case.kind for case in cases)
    assert len(cases) >= 100
    assert kinds["good"] >= 40
    assert all(kinds[kind] >= 6 for kind in CLASSES)
    assert len({case.name for case in cases}) == len(cases)


def test_what_can_be_told_without_a_computer_is_refused_without_one(tmp_path: Path) -> None:
    cases = [case for case in all_cases(sandbox=False) if not case.computer and case.kind != "duplicate"]
    made = run_corpus(tmp_path, cases, "fake")
    assert len(cases) >= 45
    assert wrong_ends(cases, made.fates) == []
    assert not list(tmp_path.glob("*/work/*"))  # no computer was ever used
    assert not list(tmp_path.glob("*/tasks/*"))


def test_duplicates_are_dropped_before_any_key_is_asked_for(tmp_path: Path) -> None:
    cases = all_cases(sandbox=False)
    again = [case for case in cases if case.kind == "duplicate"]
    first = [case for case in cases if case.good][:3]
    made = run_corpus(tmp_path, [*first, *again], "fake")
    assert wrong_ends([*first, *again], made.fates) == []
    assert all(fate.calls == 2 for fate in made.fates[3:])


def test_some_of_the_corpus_on_a_fake_computer(tmp_path: Path) -> None:
    good, bad = on_a_computer(sandbox=False)
    cases = [*today(good, 2), *today(bad, 4)]
    made = run_corpus(tmp_path, cases, "fake")
    assert wrong_ends(cases, made.fates) == []


@pytest.mark.sandbox
@pytest.mark.slow
def test_some_of_the_corpus_on_real_computers(tmp_path: Path) -> None:
    good, bad = on_a_computer(sandbox=True)
    cases = [*today(good, 2), *today(bad, 3)]
    made = run_corpus(tmp_path, cases, "sandbox")
    assert wrong_ends(cases, made.fates) == []
