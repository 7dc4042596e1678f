"""How many episodes run side by side: by what the machine says and by how long steps take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proctor.runner.admission import FIRST_STEPS, LOOK_EVERY_SEC, RECENT_SEC, EpisodeAdmission
from proctor.runner.capacity import Share
from proctor.runner.pressure import Pressure, PressureGauge


class Machine:
    """A machine whose clock and figures are set by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waited, self.free_gb = 0.1, 100.0

    def clock(self) -> float:
        return self.now

    def read(self) -> Pressure:
        return Pressure(self.waited, self.free_gb)


class Run:
    """A run with as many episodes as may begin."""

    def __init__(self, safe: int = 2, most: int = 50, cores: int = 2) -> None:
        self.machine = Machine()
        self.admission = EpisodeAdmission(
            safe, most, Share(cores=0.5, gigabytes=0.5), gauge=self.machine, cores=cores, clock=self.machine.clock
        )
        self.running: list[int] = []

    def fill(self) -> int:
        """Begin as many as may now, none of which is prepared yet; return how many."""
        begun = 0
        while self.admission.room:
            self.running.append(len(self.running))
            self.admission.begin(self.running[-1])
            begun += 1
        return begun

    def step(self, seconds: float = 0.2, times: int = FIRST_STEPS) -> None:
        """Let all be prepared, and make steps."""
        for episode in self.running:
            self.admission.beat(episode, None)
        for _ in range(times):
            self.admission.beat(self.running[0], seconds)

    def wait(self, seconds: float = LOOK_EVERY_SEC) -> None:
        self.machine.now += seconds


def grown(rounds: int = 8, **figures: float) -> Run:
    run = Run()
    for _ in range(rounds):
        run.fill()
        run.step()
        run.wait()
    for name, value in figures.items():
        setattr(run.machine, name, value)
    return run


def test_a_number_that_was_asked_for_is_kept_whatever_the_machine_says() -> None:
    admission = EpisodeAdmission.of(3)
    for episode in range(3):
        assert admission.room
        admission.begin(episode)
        admission.beat(episode, None)
        admission.beat(episode, 99.0)
    assert admission.room == 0
    admission.end(1)
    assert admission.room == 1


def test_no_more_begin_at_once_than_there_are_cores() -> None:
    run = Run(safe=10, cores=2)
    assert run.fill() == 2
    run.step()
    assert run.fill() == 2


def test_one_core_that_is_busy_starting_still_begins_the_first() -> None:
    run = Run(safe=1, most=1, cores=1)
    assert run.fill() == 1


def test_it_grows_one_by_one_while_the_machine_has_room() -> None:
    run = Run()
    run.fill()
    assert len(run.running) == 2
    run.step()
    sizes = []
    for _ in range(5):
        run.wait()
        run.fill()
        run.step()
        sizes.append(len(run.running))
    assert sizes == sorted(sizes)
    assert 5 <= sizes[-1] <= 2 + 5 * 2


def test_room_that_nobody_takes_is_no_growth() -> None:
    run = grown()
    before = run.admission.choices[:]
    for _ in range(5):
        run.step()
        run.wait()
        assert run.admission.room
    assert run.admission.choices == before


def test_it_does_not_grow_before_it_knows_how_quick_steps_are() -> None:
    run = Run()
    run.fill()
    run.step(times=FIRST_STEPS - 1)
    run.wait()
    assert run.fill() == 0


@pytest.mark.parametrize(
    ("figures", "why"),
    [({"waited": 0.95}, "processors were waited for 95%"), ({"free_gb": 1.2}, "only 1.2 GB of memory were left")],
)
def test_it_holds_back_while_the_machine_is_busy_and_says_why(figures: dict[str, float], why: str) -> None:
    run = grown(**figures)
    before = len(run.running)
    for _ in range(5):
        run.step()
        run.wait()
        assert run.fill() == 0
    assert why in run.admission.choices[-1].why
    run.machine.waited, run.machine.free_gb = 0.1, 100.0
    run.step()
    run.wait()
    assert run.fill()
    assert len(run.running) > before


def test_it_holds_back_while_steps_are_slow_and_goes_on_once_they_are_quick_again() -> None:
    run = grown()
    run.step(seconds=1.5)
    run.wait()
    assert run.fill() == 0
    assert "steps took" in run.admission.choices[-1].why
    run.wait(RECENT_SEC)
    run.step()
    assert run.fill()


def test_slow_from_the_beginning_is_not_slower() -> None:
    run = Run()
    for _ in range(10):
        run.fill()
        run.step(seconds=1.5)
        run.wait()
    assert len(run.running) > 2


def test_it_never_grows_beyond_the_episodes_there_are() -> None:
    run = Run(most=4)
    for _ in range(20):
        run.fill()
        run.step()
        run.wait()
    assert len(run.running) == 4


def test_what_was_chosen_is_told_in_a_line_and_kept_with_the_run(tmp_path: Path) -> None:
    run = grown(waited=0.95)
    run.step()
    run.wait()
    run.fill()
    said = run.admission.summary
    assert said.startswith(f"2 side by side at first, {len(run.running)} at most; no more after ")
    assert "because processors were waited for 95% of the time" in said
    run.admission.keep(tmp_path)
    first, *_, last = [json.loads(line) for line in (tmp_path / "admission.jsonl").read_text().splitlines()]
    assert (first["at"], first["most"]) == (0.0, 2)
    assert last["why"] in said
    assert EpisodeAdmission.of(4).summary == ""


def tell(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")


def pressed(total_us: int) -> str:
    return f"some avg10=0.00 avg60=0.00 avg300=0.00 total={total_us}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"


MEMORY = "MemTotal: 9999999 kB\nMemAvailable: 4194304 kB\n"


def test_the_gauge_tells_the_share_of_time_since_it_was_last_read(tmp_path: Path) -> None:
    machine = Machine()
    tell(tmp_path, proc__pressure__cpu=pressed(5_000_000), proc__meminfo=MEMORY)
    gauge = PressureGauge(tmp_path, cores=2, clock=machine.clock)
    machine.now = 2.0
    tell(tmp_path, proc__pressure__cpu=pressed(6_000_000))
    assert gauge.read() == Pressure(waited=0.5, free_gb=4.0)
    machine.now = 3.0
    assert gauge.read().waited == 0.0


def test_without_pressure_figures_the_load_tells(tmp_path: Path) -> None:
    tell(tmp_path, proc__loadavg="8.00 1.00 1.00 1/99 7", proc__meminfo=MEMORY)
    assert PressureGauge(tmp_path, cores=2).read().waited == 0.75
    tell(tmp_path, proc__loadavg="0.00 1.00 1.00 1/99 7")
    assert PressureGauge(tmp_path, cores=2).read().waited == 0.0


def test_a_limit_of_the_control_group_counts_also_one_further_up(tmp_path: Path) -> None:
    tell(tmp_path, proc__loadavg="0.00 1.00 1.00 1/99 7", proc__meminfo=MEMORY, proc__self__cgroup="0::/a/b\n")
    group = tmp_path / "sys/fs/cgroup/a"
    (group / "b").mkdir(parents=True)
    for folder, most, used in ((group / "b", "max", "0"), (group, str(3 * 2**30), str(2**30))):
        (folder / "memory.max").write_text(most)
        (folder / "memory.current").write_text(used)
    assert PressureGauge(tmp_path, cores=2).read().free_gb == 2.0


def test_the_gauge_of_this_machine_tells_something() -> None:
    told = PressureGauge().read()
    assert 0.0 <= told.waited <= 1.0
    assert told.free_gb > 0.0
