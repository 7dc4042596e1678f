"""A part of the cases of foreign tasks is played in real sandboxes, another every day."""

from __future__ import annotations

import os
from datetime import date

import pytest

from proctor.cli.prove import rotate
from tests.foreign.case import Entry, entries
from tests.foreign.files import shared
from tests.foreign.play import play
from tests.foreign.workshop import Workshop


def sample(own: bool, count: int) -> list[Entry]:
    return rotate([entry for entry in entries() if (entry.place == "own") is own], count, date.today().toordinal())


def explain(chosen: list[Entry]) -> list[str]:
    with Workshop() as workshop:
        played = [play(entry, workshop) for entry in chosen]
    return [one.explain() for one in played if not one.right]


@pytest.mark.sandbox("starter", "full")
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_tasks_of_our_own_score_what_they_must() -> None:
    assert explain(sample(own=True, count=1)) == []


@shared
@pytest.mark.skipif(not os.environ.get("PROCTOR_TEST_WHOLE"), reason="all of them: python -m tests.foreign.cases")
@pytest.mark.sandbox("starter", "full")
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_tasks_of_others_score_what_they_must() -> None:
    assert explain(sample(own=False, count=3)) == []


@shared
def test_every_case_names_a_task() -> None:
    assert [entry.name for entry in entries() if entry.file is None] == []
