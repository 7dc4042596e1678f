"""Watchers of an exam: when they are asked, what they may do, and whose failure theirs is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proctor.actions.action import Action, Done, Press, RunCode
from proctor.agents.agent import Turn, Vetoed
from proctor.errors import ComputerLost, HostError, NotReady, SpecError
from proctor.exam.state import ExamState
from proctor.exam.watcher import Refusal, Reply, Watcher
from proctor.records import ModelCall, Step
from proctor.runner import run_episode as running
from proctor.runner.loop import examine
from proctor.runner.run_episode import run_episode
from proctor.store.completeness import fault_of
from tests.exam.table import Scripted, Table
from tests.runner.jobs import job

HOOKS = ("begin", "before", "after", "end")


class Diary(Watcher):
    """Notes when it is asked, in a list that it may share."""

    def __init__(self, name: str = "", notes: list[str] | None = None) -> None:
        self.name, self.notes = name, [] if notes is None else notes

    def begin(self, exam: ExamState) -> None:
        assert exam.observation.screenshot is not None
        self.notes.append(f"{self.name}begin")

    def before(self, exam: ExamState, action: Action) -> Reply:
        self.notes.append(f"{self.name}before {action.kind}")
        return None

    def after(self, exam: ExamState, step: Step) -> Step:
        self.notes.append(f"{self.name}after {step.kind or 'nothing'}")
        return step

    def end(self, exam: ExamState) -> None:
        self.notes.append(f"{self.name}end {exam.stop}")


class Failing(Watcher):
    """Raises what it is told to, where it is told to."""

    def __init__(self, hook: str, error: Exception) -> None:
        setattr(self, hook, self._fail)
        self._error = error

    def _fail(self, *_about: object) -> Any:
        raise self._error


class Adding(Watcher):
    """Puts something into each step."""

    def after(self, exam: ExamState, step: Step) -> Step:
        return replace(step, nodes=(*step.nodes, "seen"))


def test_they_are_asked_in_their_order_and_let_go_in_the_other() -> None:
    notes: list[str] = []
    Table(watchers=[Diary("1 ", notes), Diary("2 ", notes)]).play([Press(keys="a"), Done()])
    assert notes == [
        "1 begin", "2 begin",
        "1 before press", "2 before press", "1 after press", "2 after press",
        "1 before done", "2 before done", "1 after done", "2 after done",
        "2 end done", "1 end done",
    ]  # fmt: skip


def test_a_turn_without_an_action_and_a_refused_one_are_told_of_afterwards() -> None:
    diary = Diary()
    Table(watchers=[diary]).play(Turn(problem="what?"), RunCode(code="1"), Done())
    assert diary.notes == ["begin", "after nothing", "after run_code", "before done", "after done", "end done"]


def test_making_an_exam_prepares_nothing() -> None:
    prepared: list[object] = []
    table = Table(prepare=prepared.append)
    assert (prepared, table.computer.history) == ([], [])
    table.play(Done())
    assert prepared == [table.computer]


def test_what_one_adds_to_a_step_is_recorded() -> None:
    table = Table(watchers=[Adding()])
    table.play(Press(keys="a"), Done())
    assert [line.get("nodes") for line in table.notes.lines] == [["seen"], ["seen"], None]


class Refusing(Watcher):
    """Does not let anything through."""

    def before(self, exam: ExamState, action: Action) -> Reply:
        return Refusal.because("not now")


def test_those_behind_one_that_refuses_are_not_asked() -> None:
    diary = Diary()
    table = Table(watchers=[Refusing(), diary])
    state = table.play(Press(keys="a"))
    assert (state.stop, state.refused, state.steps, state.acted) == ("agent_error", 5, 0, False)
    assert not [note for note in diary.notes if note.startswith("before")]
    assert "acted" not in table.notes.notes
    assert table.notes.lines[0]["refused"] == "not now"


def test_calls_are_kept_once_whatever_becomes_of_their_turn() -> None:
    call = ModelCall(model="x/y", input_tokens=5)
    table = Table()
    table.play(Turn(actions=(Press(keys="a"), Done()), calls=(call,)))
    table2 = Table(watchers=[Refusing()])
    table2.play(Turn(actions=(Press(keys="a"),), calls=(call,)))
    assert [line.get("calls") for line in table.notes.lines] == [[{"model": "x/y", "input_tokens": 5}], None, None]
    assert all(line["calls"] for line in table2.notes.lines if not line.get("end"))


class Ending(Watcher):
    """Ends the episode after the first action."""

    def after(self, exam: ExamState, step: Step) -> Step:
        exam.finish("no_progress")
        return step


def test_one_may_end_the_episode() -> None:
    assert Table(watchers=[Ending()]).play(Press(keys="a")).stop == "no_progress"
    state = Table(watchers=[Failing("before", Vetoed("enough"))]).play(Press(keys="a"))
    assert (state.stop, state.error) == ("vetoed", "enough")


# -- whose failure ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hook", HOOKS[:3])
@pytest.mark.parametrize("error", [ZeroDivisionError("oops"), NotReady("not there"), OSError("gone")])
def test_what_one_raises_is_never_the_agents(hook: str, error: Exception) -> None:
    diary = Diary()
    table = Table(watchers=[diary, Failing(hook, error)])
    examine(table.exam, Scripted([Press(keys="a"), Done()]))
    result = table.exam.end()
    assert (result.score, result.cause) == (None, "defect")
    assert f"the watcher Failing failed with {type(error).__name__}" in result.error
    assert diary.notes[-1] == "end None"
    assert not [line for line in table.notes.lines if line.get("end")]


@pytest.mark.parametrize(
    ("error", "cause"), [(HostError("disk full"), "host"), (SpecError("a policy of yours"), "spec")]
)
def test_what_says_whose_it_is_stays_what_it_is(error: Exception, cause: str) -> None:
    table = Table(watchers=[Failing("after", error)])
    examine(table.exam, Scripted([Press(keys="a")]))
    assert (table.exam.end().cause, table.exam.end().error) == (cause, str(error))


@pytest.mark.parametrize("hook", HOOKS[:3])
def test_in_a_run_the_episode_is_void_and_names_it(hook: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = job(tmp_path / "run")
    monkeypatch.setattr(running, "ScreenWatcher", lambda *_, **__: _prompting(Failing(hook, ZeroDivisionError("oops"))))
    result = run_episode(one)
    assert (result.score, result.stop, result.cause) == (None, "void", "defect")
    assert "the watcher Failing failed with ZeroDivisionError: oops" in result.error
    assert "_fail" in result.defect
    assert fault_of(one.folder) == ""


def test_what_fails_at_the_end_leaves_the_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = _prompting(Failing("end", ZeroDivisionError("oops")))
    monkeypatch.setattr(running, "ScreenWatcher", lambda *_, **__: failing)
    result = run_episode(job(tmp_path / "run"))
    assert (result.score, result.stop, result.cause) == (1.0, "done", None)
    assert "ZeroDivisionError: oops" in result.defect


def test_a_record_that_cannot_be_ended_is_the_hosts() -> None:
    table = Table(watchers=[Failing("end", HostError("disk full"))])
    table.play(Done())
    assert (table.exam.end().stop, table.exam.end().cause) == ("void", "host")


class Losing(Watcher):
    """Finds after the second action that the computer is gone."""

    def after(self, exam: ExamState, step: Step) -> Step:
        if exam.steps > 1:
            raise ComputerLost("the display is gone")
        return step


def test_a_computer_that_is_lost_after_an_action_is_the_agents_doing() -> None:
    table = Table(watchers=[Losing()])
    state = table.play(Press(keys="a"))
    assert (state.stop, state.steps) == ("broke_the_computer", 2)
    early = Table(watchers=[Failing("begin", ComputerLost("gone"))])
    examine(early.exam, Scripted([Done()]))
    assert early.exam.end().cause == "computer"


def _prompting(watcher: Any) -> Any:
    watcher.prompt = input
    return watcher
