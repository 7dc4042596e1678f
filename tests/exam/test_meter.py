"""What an exam takes of its machine is counted, and not guessed where nobody can tell."""

from __future__ import annotations

import gc
from pathlib import Path
from weakref import WeakSet

import pytest

from proctor.actions.action import Done
from proctor.computers.values import MachineCosts
from proctor.exam.exam import Exam
from proctor.exam.meter import CostMeter
from proctor.records import EpisodeKey, Result
from proctor.store.episode import EpisodeWriter
from proctor.testing.doors import DoorComputer, shopping_task
from tests.store.making import header

KEY = EpisodeKey(task="core/shopping-v1", agent="a")


class CountedComputer(DoorComputer):
    """A computer whose machine counts processor time, and nobody its memory."""

    def costs(self) -> MachineCosts:
        return MachineCosts(processor_seconds=1.25, memory_bytes=None)


@pytest.fixture(autouse=True)
def no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exams that other tests have left in their middle do not count."""
    monkeypatch.setattr(CostMeter, "_counting", WeakSet())


def work() -> None:
    """Take a while of the processor."""
    sum(range(10**6))


def examine(computer: type[DoorComputer], folder: Path | None = None) -> Result:
    recorder = EpisodeWriter.begin(folder, header(KEY)) if folder else None
    with Exam(shopping_task(), computer, recorder=recorder) as exam:
        exam.begin()
        work()
        return exam.end(Done())


def test_an_exam_tells_what_it_took_inside_and_outside() -> None:
    found = examine(CountedComputer).costs
    assert found.keys() == {"inside_seconds", "outside_seconds", "outside_mb"}
    assert found["inside_seconds"] == 1.25
    assert found["outside_seconds"] > 0
    assert found["outside_mb"] > 1


def test_a_computer_that_counts_nothing_says_nothing() -> None:
    assert examine(DoorComputer).costs.keys() == {"outside_seconds", "outside_mb"}


def test_a_record_tells_its_size(tmp_path: Path) -> None:
    folder = tmp_path / "run/episodes/0-0-0/0"
    found = examine(DoorComputer, folder).costs["record_mb"]
    size = sum(file.stat().st_size for file in folder.iterdir() if file.name not in ("result.json", "sums.json"))
    assert found == round(size / 1e6, 3) > 0


def test_of_exams_that_share_a_process_nobody_knows_who_took_what() -> None:
    first, second = CostMeter(), CostMeter()
    assert first.finish(None) == {}
    assert second.finish(None) == {}
    assert CostMeter().finish(None).keys() == {"outside_seconds", "outside_mb"}


def test_an_exam_that_nobody_ended_is_forgotten() -> None:
    CostMeter()
    gc.collect()
    assert "outside_seconds" in CostMeter().finish(None)
