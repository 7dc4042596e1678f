"""A sample of the damaged files: each is a value or a fault, no check crashes over it; all by `fuzz_files`."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from proctor.tasks.findings import Fault
from tests.hostile.reading.fuzz_files import BESIDES, Printing, fuzz, judged, looked_at
from tests.hostile.reading.seeds import Seed, seeds

SAMPLE = 2
"""Damaged files of each kind; which ones, changes from day to day."""


@pytest.fixture(scope="module")
def computer() -> Any:
    with Printing() as opened:
        for path, data in BESIDES.items():
            opened.write_file(path, data)
        yield opened


@pytest.mark.parametrize("seed", seeds(), ids=lambda seed: seed.kind)
def test_a_sound_file_is_a_value(computer: Printing, seed: Seed) -> None:
    seen = looked_at(computer, seed, seed.data)
    assert Fault.from_json(seen) is None
    assert json.loads(json.dumps(seen, allow_nan=False)) == seen
    assert looked_at(computer, seed, seed.data) == seen


def test_damaged_files_are_values_or_faults() -> None:
    first = date.today().toordinal() * SAMPLE * len(seeds())
    outcome = fuzz(range(first, first + SAMPLE * len(seeds())))
    assert outcome.failures == []
    assert outcome.values.total() + outcome.faults.total() == SAMPLE * len(seeds())
    assert outcome.checks > 0


def test_the_same_number_does_the_same() -> None:
    one, other = fuzz(range(40, 50)), fuzz(range(40, 50))
    assert (one.values, one.faults) == (other.values, other.faults)


def test_most_probes_that_read_have_checks_that_are_tried() -> None:
    import random

    tried = {seed.probe.name for seed in seeds() if list(judged(seed.probe.name, random.Random(0)))}
    assert len(tried) > 25
