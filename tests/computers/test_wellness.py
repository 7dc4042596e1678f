"""The host's heartbeat: which stalls count, whose doing they are, and when memory or disk explain a failure."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers import wellness
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.blame import blame
from proctor.computers.wellness import BEAT_SEC, MEMORY_SEC, STALL_SEC, LoadReading, Wellness, read_clocks
from proctor.errors import ComputerLost, HostError, Overrun

CORES = os.cpu_count() or 1


class Clock:
    """Clocks that a test moves by hand."""

    def __init__(self) -> None:
        self.now = LoadReading(100.0, 200.0, 5.0, 1.0)

    def __call__(self) -> LoadReading:
        return self.now

    def move(self, seconds: float, *, slept: float = 0.0, worked: float = 0.0, waited: float = 0.0) -> None:
        now = self.now
        self.now = LoadReading(
            now.monotonic + seconds, now.boottime + seconds + slept, now.worked + worked, now.waited + waited
        )


def beaten(clock: Clock, gauge: Callable[[], float | None] | None = None) -> Wellness:
    well = Wellness(clocks=clock, gauge=gauge)
    well.beat()
    clock.move(BEAT_SEC)
    well.beat()
    assert well.recent() == []
    return well


@pytest.mark.parametrize(
    ("how", "kind", "host"),
    [
        ({"slept": 3600.0}, "suspended", True),
        ({"seconds": 30.0}, "stopped", True),
        ({"seconds": 30.0, "worked": 29.0}, "busy", False),
        ({"seconds": 30.0, "waited": 29.0}, "crowded", False),
        ({"seconds": BEAT_SEC + STALL_SEC / 2}, None, False),
    ],
)
def test_kinds_of_stalls(how: dict[str, float], kind: str | None, host: bool) -> None:
    clock = Clock()
    well = beaten(clock)
    clock.move(how.pop("seconds", BEAT_SEC), **how)
    well.beat()
    assert [stall.kind for stall in well.recent()] == ([kind] if kind else [])
    assert bool(well.trouble()) is host
    assert well.trouble(alive=False) == ""


@pytest.mark.parametrize(("used", "kind"), [(0.1, "starved"), (25.0 * CORES, "crowded")])
def test_who_took_the_processors(used: float, kind: str) -> None:
    clock, own = Clock(), [7.0]
    well = beaten(clock, lambda: own[0])
    clock.move(30.0, waited=29.0)
    own[0] += used
    well.beat()
    assert [stall.kind for stall in well.recent()] == [kind]


def test_a_gauge_that_is_gone_proves_nothing() -> None:
    def gone() -> float | None:
        raise OSError("the group was removed")

    clock = Clock()
    well = beaten(clock, gone)
    clock.move(30.0, waited=29.0)
    well.beat()
    assert well.trouble() == ""


def test_stalls_of_long_ago_explain_nothing() -> None:
    clock = Clock()
    well = beaten(clock)
    clock.move(30.0)
    well.beat()
    assert well.trouble()
    clock.move(MEMORY_SEC + 1)
    assert well.trouble() == ""


@given(st.lists(st.tuples(st.floats(0.0, 1.4), st.floats(0, 2), st.floats(0, 2)), max_size=50))
def test_a_heart_that_beats_in_time_finds_nothing(beats: list[tuple[float, float, float]]) -> None:
    clock = Clock()
    well = beaten(clock)
    for seconds, worked, waited in beats:
        clock.move(seconds, worked=worked, waited=waited)
        well.beat()
    assert well.recent() == []


@pytest.mark.parametrize(
    ("available", "total", "own", "unwell"),
    [(10 << 20, 8 << 30, 0, True), (10 << 20, 8 << 30, 6 << 30, False), (1 << 30, 8 << 30, 0, False), (0, 0, 0, False)],
)
def test_a_host_without_memory(
    monkeypatch: pytest.MonkeyPatch, available: int, total: int, own: int, unwell: bool
) -> None:
    monkeypatch.setattr(wellness, "memory", lambda: (available, total))
    assert ("memory" in Wellness(clocks=Clock()).trouble(own)) is unwell


def test_a_host_without_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    well = Wellness(tmp_path, clocks=Clock())
    assert well.trouble() == ""
    monkeypatch.setattr(wellness, "LEAST_DISK", 1 << 62)
    assert "disk" in well.trouble()
    assert str(tmp_path) not in f"{well.trouble()}{well.signs()}"


def test_the_heart_beats_by_itself_and_ends_with_its_block(tmp_path: Path) -> None:
    with Wellness(tmp_path) as well:
        signs = well.signs()
    assert signs["memory_total_mb"] > 0
    assert set(signs["disk_free_mb"]) == {"temporary files", "the record"}
    assert well._thread is not None
    assert not well._thread.is_alive()


def test_clocks_go_forward() -> None:
    first, second = read_clocks(), read_clocks()
    assert all(later >= earlier for earlier, later in zip(first, second, strict=True))


class Reticent(FakeComputer):
    """A computer of which not even that can be found out."""

    def autopsy(self) -> dict[str, object]:
        raise ComputerLost("still gone")


def test_blame_without_an_autopsy() -> None:
    found = blame(ComputerLost("gone"), Reticent(), Wellness(clocks=Clock()))
    assert found.whose == "agent"
    assert "still gone" in found.evidence["computer"]["autopsy_failed"]


def test_blame_of_the_host() -> None:
    assert blame(HostError("full"), FakeComputer(), Wellness(clocks=Clock())).whose == "host"


def test_a_trace_that_process_1_answers_with_is_a_defect() -> None:
    error = OSError(5, "ValueError()\nTraceback (most recent call last):\n  in do_list")
    found = blame(error, FakeComputer(), Wellness(clocks=Clock()))
    assert (found.whose, "do_list" in found.defect) == ("agent", True)


def test_a_short_stall_does_not_explain_what_took_long() -> None:
    clock = Clock()
    well = beaten(clock)
    clock.move(2.0)
    well.beat()
    assert "stood still for 1.5 s" in well.trouble()
    assert well.trouble(overrun=19.0) == ""
    late = Overrun("it takes long", seconds=19.0)
    with FakeComputer() as computer:
        assert blame(late, computer, well).whose == "agent"
        clock.move(5.0)
        well.beat()
        assert blame(late, computer, well).whose == "host"
