"""Episodes that somebody else steps are recorded like any other, and end when their time is up."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from proctor.actions.action import Action, Click, Done, Press, Type
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import AgentError, EpisodeVoid, RecordError
from proctor.exam import exam as exams
from proctor.exam.door_run import DoorRun
from proctor.exam.rules import Rules
from proctor.exam.state import ExamState
from proctor.exam.watcher import Reply, Watcher
from proctor.interop.rollout import Rollout
from proctor.interop.venue import Venue
from proctor.records import Result
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from tests.interop.rooms import SOLUTION, Fragile
from tests.prove.machines import shopping


def small() -> FakeComputer:
    return Fragile(size=(400, 320))


def roll(run: DoorRun, **rules: float) -> Rollout:
    venue = Venue(computer=small, run=run, agent="trainer", rules=Rules(**rules))  # type: ignore[arg-type]
    rollout = Rollout(venue.exam(shopping()))
    rollout.begin()
    return rollout


def results(folder: Path) -> list[Result]:
    return sorted(RunRecord.open(folder).results(), key=lambda result: result.key.sample)


def test_every_way_to_end_is_in_the_record(tmp_path: Path) -> None:
    run = tmp_path / "run"
    record = DoorRun(run, served={"suite": "test"})
    won = roll(record)
    won.take(AgentError("no such thing"))
    for action in (*SOLUTION, Done()):
        stepped = won.take(action)
    assert stepped.score == 1.0
    won.close()
    left = roll(record)
    left.take(Press(keys="a"))
    left.close()
    void = roll(record)
    with pytest.raises(EpisodeVoid):
        void.take(Type(text="operator"))
    void.close()
    stopped = roll(record)
    assert stopped.stop().score == 0.0
    late = roll(record, seconds=1e-6)
    assert (late.take(Click(x=1, y=1)).stop, late.over) == ("time_limit", True)
    record.close()

    found = results(run)
    assert [(one.stop, one.score) for one in found] == [
        ("done", 1.0), ("void", None), ("void", None), ("agent_error", 0.0), ("time_limit", 0.0),
    ]  # fmt: skip
    assert verify(run) == []
    episode = open_episode(run / found[0].folder)
    steps = list(episode.steps())
    assert [step.kind for step in steps] == ["", "press", "type", "press", "done", ""]
    assert steps[0].problem == "no such thing"
    assert all(step.saw and step.saw.screenshot for step in steps)
    assert (steps[-1].end, steps[-1].stop) == (True, "done")
    assert (found[0].steps, found[0].parse_errors, found[0].key.agent) == (3, 1, "trainer")
    assert episode.header.brief is not None and episode.header.brief.instruction == shopping().instruction


class Hanging(Watcher):
    """Does not come back from a step until it is let go."""

    def __init__(self) -> None:
        self.reached, self.let_go = threading.Event(), threading.Event()

    def before(self, exam: ExamState, action: Action) -> Reply:
        self.reached.set()
        assert self.let_go.wait(60)
        return None


@pytest.mark.parametrize("ended", [False, True])
def test_an_exam_whose_watcher_hangs_is_a_void_line_of_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: bool
) -> None:
    monkeypatch.setattr(exams, "PATIENCE_SEC", 0.05)
    hanging, run = Hanging(), tmp_path / "run"
    record = DoorRun(run)
    exam = Venue(computer=small, run=record, watchers=lambda: [hanging]).exam(shopping())
    exam.begin()
    with ThreadPoolExecutor(1) as thread:
        step = thread.submit(exam.step, Press(keys="a"))
        assert hanging.reached.wait(60)
        if ended:
            assert exam.end(Done()).error.startswith("a defect of Proctor")
        record.close()
        hanging.let_go.set()
        step.result()
    exam.close()
    (found,) = results(run)
    assert (found.stop, found.score, found.cause) == ("void", None, "defect" if ended else "client")
    assert verify(run) == []


STEPPING = """
import signal, sys
from pathlib import Path
from proctor.actions.action import Press
from proctor.exam.door_run import DoorRun
from proctor.interop.rollout import Rollout
from proctor.interop.venue import Venue
from proctor.testing.doors import DoorComputer, shopping_task

rollout = Rollout(Venue(computer=DoorComputer, run=DoorRun(Path(sys.argv[1]))).exam(shopping_task()))
rollout.begin()
rollout.take(Press(keys="a"))
print("stepped", flush=True)
signal.pause()
"""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, -signal.SIGINT)])
def test_a_run_is_sealed_however_its_process_is_ended(tmp_path: Path, number: int, status: int) -> None:
    run = tmp_path / "run"
    with subprocess.Popen(
        [sys.executable, "-c", STEPPING, str(run)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "stepped\n"
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == status, said
    assert "atexit" not in said
    (found,) = results(run)
    assert (found.stop, found.cause, found.steps) == ("void", "client", 1)
    assert verify(run) == []


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(RecordError):
        DoorRun(tmp_path)
