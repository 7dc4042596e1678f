"""A part of each suite proven on real applications, another every day; `proctor tasks prove` proves it all."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from proctor.prove.rotate import rotate
from proctor.prove.schedule import prove
from proctor.suites import load_suite

TASKS = 1


@pytest.mark.sandbox("starter", "full")
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("suite", ["core", "moving"])
def test_a_sample_of_a_suite_is_proven(tmp_path: Path, suite: str) -> None:
    today = date.today().toordinal()
    chosen = rotate(list(load_suite(suite).tasks([today % 5])), TASKS, today)
    proofs = prove(chosen, tmp_path, repeats=1, workers=2)
    assert {proof.task.id: proof.to_json()["problems"] for proof in proofs if not proof.proven} == {}
