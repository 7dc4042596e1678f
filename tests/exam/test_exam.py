"""An exam out of order: ended twice or in the middle of a step; disks, watchers and computers that fail."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from proctor.actions.action import Action, Done, Press, Type
from proctor.agents.agent import Turn
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.values import CodeResult, Performed
from proctor.errors import ComputerLost, EpisodeVoid, HostError, SpecError
from proctor.exam import exam as exams
from proctor.exam.exam import Exam
from proctor.exam.rules import Rules
from proctor.exam.state import ExamState
from proctor.exam.watcher import Reply, Watcher
from proctor.records import ChangedPath, Result, Step
from proctor.store.completeness import fault_of
from proctor.store.episode import EpisodeWriter
from proctor.testing.doors import SOLUTION, DoorComputer, shopping_task
from tests.exam.table import Notes


def begun(*watchers: Watcher, **others: Any) -> Exam:
    exam = Exam(shopping_task(), DoorComputer, watchers=watchers, **others)
    exam.begin()
    return exam


def test_the_whole_of_it() -> None:
    with begun() as exam:
        for action in SOLUTION:
            step = exam.step(action)
            assert not step.ended and step.performed is not None
        result = exam.end(Done())
        assert (result.score, result.stop, result.clean) == (1.0, "done", True)
        computer = exam.computer
    with pytest.raises(Exception, match="closed"):
        computer.screenshot()


def test_a_second_end_changes_nothing() -> None:
    exam = begun()
    first = exam.end(Done())
    assert exam.end(stop="time_limit") is first
    exam.fail(HostError("too late"))
    exam.close()
    assert exam.end() is first is exam.result


def test_two_threads_that_end_it_get_one_result() -> None:
    exam = begun()
    found: list[Result] = []
    threads = [threading.Thread(target=lambda: found.append(exam.end(Done()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(result) for result in found}) == 1


class Slow(Watcher):
    """Holds a step up until it is told to go on."""

    def __init__(self) -> None:
        self.reached, self.go_on = threading.Event(), threading.Event()

    def before(self, exam: ExamState, action: Action) -> Reply:
        self.reached.set()
        assert self.go_on.wait(60)
        return None


def test_an_end_in_the_middle_of_a_step_waits_for_it() -> None:
    slow = Slow()
    exam = begun(slow)
    stepping = threading.Thread(target=lambda: exam.step(Press(keys="a")))
    stepping.start()
    assert slow.reached.wait(60)
    ending: list[Result] = []
    waiting = threading.Thread(target=lambda: ending.append(exam.end(Done())))
    waiting.start()
    slow.go_on.set()
    stepping.join()
    waiting.join()
    assert (ending[0].stop, ending[0].steps) == ("done", 1)
    exam.close()


def test_a_step_that_does_not_come_back_makes_it_void(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exams, "PATIENCE_SEC", 0.05)
    slow = Slow()
    exam = begun(slow)
    stepping = threading.Thread(target=lambda: exam.step(Press(keys="a")))
    stepping.start()
    assert slow.reached.wait(60)
    result = exam.end(Done())
    assert (result.stop, result.score) == ("void", None)
    assert "still under way" in result.error
    slow.go_on.set()
    stepping.join()
    assert exam.end() is result
    exam.close()


class Meddling(Watcher):
    """Calls the exam in the middle of a step."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.exam: Exam | None = None

    def after(self, exam: ExamState, step: Step) -> Step:
        assert self.exam is not None
        if self.what == "end":
            self.exam.end(Done())
        else:
            self.exam.step(Press(keys="b"))
        return step


@pytest.mark.parametrize("what", ["end", "step"])
def test_a_watcher_that_calls_the_exam_itself_is_told_what_to_do(what: str) -> None:
    meddling = Meddling(what)
    exam = meddling.exam = begun(meddling)
    with pytest.raises(EpisodeVoid, match="a step is still running"):
        exam.step(Press(keys="a"))
    assert (exam.end().cause, exam.end().stop) == ("spec", "void")


class Nonsense(Watcher):
    """Answers what nobody understands."""

    def __init__(self, hook: str, answer: Any) -> None:
        setattr(self, hook, lambda *_: answer)


@pytest.mark.parametrize("hook", ["before", "after", "between"])
@pytest.mark.parametrize("answer", ["yes", 7, [object()], {"refused": "no"}])
def test_a_watcher_that_answers_nonsense_is_named(hook: str, answer: Any) -> None:
    exam = begun(Nonsense(hook, answer))
    with pytest.raises(EpisodeVoid, match="watcher Nonsense"):
        exam.step(Press(keys="a"))
    result = exam.end()
    assert (result.stop, result.cause, result.score) == ("void", "defect", None)
    exam.close()


class Helping(Watcher):
    """Types something between two turns of the agent, as an event would."""

    by = "event"

    def between(self, exam: ExamState) -> Iterable[Turn]:
        if exam.turns == 1:
            yield Turn(actions=(Type(text="!"),))


def test_what_others_do_between_turns_is_recorded_as_theirs() -> None:
    notes = Notes()
    exam = begun(Helping(), recorder=notes)
    exam.step(Press(keys="ctrl+End"))
    assert [line.get("by") for line in notes.lines] == [None, "event"]
    assert exam.end(Done()).steps == 2


def test_a_note_counts_as_an_action() -> None:
    exam = begun()
    ran = CodeResult(output="list.txt\n")
    done = Performed(action=Press(keys="a"), started=1.0, ended=2.0, settled=True, result=ran)
    step = exam.note(done)
    assert step.performed is done and exam.state.acted
    assert [each.text for each in step.observation.told] == ["list.txt\n"]
    assert exam.computer.history == [done]
    assert exam.end(Done()).steps == 1


class Full(Notes):
    """A recorder whose disk is full at one of its calls."""

    def __init__(self, call: str) -> None:
        super().__init__()
        setattr(self, call, self._fail)

    def _fail(self, *_: object, **__: object) -> Any:
        raise HostError("no space left on the disk")


@pytest.mark.parametrize("call", ["note", "see", "step", "finish"])
def test_a_full_disk_is_the_hosts_and_never_a_score(call: str) -> None:
    exam = Exam(shopping_task(), DoorComputer, recorder=Full(call))
    try:
        exam.begin()
        exam.step(Press(keys="a"))
    except EpisodeVoid:
        assert exam.over
    result = exam.end(Done())
    assert (result.stop, result.cause, result.score) == ("void", "host", None)
    assert (exam.unwritten is not None) == (call == "finish")
    exam.close()


class Dying(FakeComputer):
    """A computer that fails where it is told to."""

    made: list[Dying] = []

    def __init__(self, operation: str = "") -> None:
        super().__init__()
        self.operation = operation
        Dying.made.append(self)

    def start(self) -> Dying:
        super().start()
        if self.operation:
            self.fail_next(self.operation)
        return self


@pytest.mark.parametrize("operation", ["write_file", "screenshot"])
def test_a_computer_that_dies_at_the_beginning_is_void_and_closed(operation: str, tmp_path: Path) -> None:
    from proctor.exam.header import write_header

    task, dying = shopping_task(), Dying(operation)
    exam = Exam(task, lambda: dying)
    exam.recorder = EpisodeWriter.begin(
        tmp_path / "run" / "episodes" / "a" / "0", write_header(task, exam.key, exam.candidate, Rules())
    )
    with pytest.raises(EpisodeVoid):
        exam.begin()
    result = exam.end()
    assert (result.stop, result.cause) == ("void", "computer")
    exam.close()
    assert not dying.started
    assert fault_of(tmp_path / "run" / "episodes" / "a" / "0") == ""


def test_a_computer_that_dies_at_the_end_is_the_agents_doing_only_if_it_acted() -> None:
    idle = Exam(shopping_task(), computer := FakeComputer().start())
    idle.begin()
    computer.fail_next("read_file", ComputerLost("gone"))
    assert (idle.end(Done()).cause, idle.end().score) == ("computer", None)
    acting = Exam(shopping_task(), computer := FakeComputer().start())
    acting.begin()
    acting.step(Press(keys="a"))
    computer.fail_next("read_file", ComputerLost("gone"))
    assert (acting.end(Done()).stop, acting.end().score) == ("broke_the_computer", 0.0)


def test_calls_out_of_order_change_nothing() -> None:
    exam = Exam(shopping_task(), DoorComputer)
    with pytest.raises(SpecError, match="begin"):
        exam.step(Done())
    with pytest.raises(SpecError, match="begin"):
        _ = exam.state
    exam.begin()
    with pytest.raises(SpecError, match="begun already"):
        exam.begin()
    assert exam.end(Done()).stop == "done"
    with pytest.raises(SpecError, match="no episode"):
        exam.step(Press(keys="a"))
    never = Exam(shopping_task(), DoorComputer)
    assert (never.end().stop, never.end().cause) == ("void", "spec")


class _Late(Notes):
    """A recorder that counts how often an exam was completed."""

    finished = 0

    def finish(self, result: Result, verdict: Mapping[str, Any] | None, changes: Sequence[ChangedPath]) -> Result:
        self.finished += 1
        return result


def test_a_computer_that_cannot_be_closed_leaves_the_verdict_with_its_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = _Late()
    exam = begun(recorder=notes)
    exam.end(Done())
    monkeypatch.setattr(exam.computer, "close", lambda: 1 / 0)
    exam._open.pop_all()
    exam._open.callback(lambda: 1 / 0)
    exam.close()
    assert exam.result is not None and exam.result.score == 0.0
    assert "ZeroDivisionError" in exam.result.defect
    assert notes.finished == 2


@pytest.mark.parametrize("acted", [True, False])
def test_one_that_is_left_is_void_by_its_client_whether_it_had_acted_or_not(acted: bool) -> None:
    with begun() as exam:
        if acted:
            exam.step(Press(keys="a"))
    assert exam.result is not None
    assert (exam.result.stop, exam.result.cause, exam.result.acted) == ("void", "client", acted)
    assert "left before its end" in exam.result.error
