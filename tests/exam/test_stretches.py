"""Stretches: an exam begins where the solution has reached a checkpoint, and the rest is earned."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.actions.action import Done
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError, UnknownName
from proctor.exam.exam import Exam
from proctor.exam.rules import Rules
from proctor.prove.key_exam import KeyExam
from proctor.records import Result
from proctor.tasks.call import Call
from proctor.tasks.events import Event, When
from proctor.tasks.load import task_from_json
from proctor.tasks.perform import make_moves
from proctor.tasks.shelves import hand, make
from proctor.tasks.stretch import from_checkpoint
from proctor.tasks.task import Task
from tests.prove.long_work import EGGS, FLOUR, HAM, SAVE, errands
from tests.prove.machines import shopping


def after(task: Task, *moves: Call) -> Result:
    with KeyExam(task, FakeComputer().start()) as exam:
        make_moves(moves, exam.hand())
        exam.end_with_verdict()
        assert exam.result is not None
        return exam.result


def test_what_the_solution_reached_is_there_and_earns_nothing() -> None:
    task = from_checkpoint(errands(), "eggs")
    result = after(task)
    assert result.score == 0 and not result.complete and result.begin_after == "eggs"
    assert result.checkpoints == {"eggs": True, "flour": False, "ham": False}
    assert result.steps == 0 and result.turns == 0 and not result.acted


def test_the_rest_is_earned_by_its_weights() -> None:
    task = from_checkpoint(errands(), "1")
    assert after(task, *FLOUR).score == pytest.approx(0.3 / 0.7)
    whole = after(task, *FLOUR, *HAM)
    assert whole.score == 1 and whole.complete and whole.steps == 6


def test_what_was_given_and_is_lost_is_taken_off() -> None:
    task = from_checkpoint(errands(), "eggs")
    lost = (hand.press("ctrl+a"), hand.type("milk\nflour\nham\n"), SAVE)
    assert after(task, *lost).score == pytest.approx(0.4 / 0.7)
    assert after(task, hand.press("ctrl+a"), hand.type("milk\nflour\n"), SAVE).score == 0


def test_the_agent_has_all_its_steps() -> None:
    task = from_checkpoint(errands(), "flour")
    with Exam(task, FakeComputer().start(), Rules(steps=3, seconds=60)) as exam:
        exam.begin()
        assert exam.state.own_steps == 0 and not exam.over
        result = exam.end(Done())
    assert result.stop == "done" and result.steps == 0


def test_events_come_while_the_solution_leads_in() -> None:
    news = Event(name="news", do=(make.text_file("news.txt", "Flour!\n"),), when=When(checkpoint="eggs"))
    task = from_checkpoint(errands(events=(news,)), "eggs")
    with KeyExam(task, computer := FakeComputer().start()) as exam:
        exam.hand()
        assert computer.read_file("news.txt") == b"Flour!\n"
        assert exam.state.happenings[0].happened


def test_a_solution_that_does_not_get_there_makes_the_exam_void_by_its_setup() -> None:
    short = errands(solution=(*EGGS[:2], hand.press("Home"), *FLOUR, *HAM))
    with Exam(from_checkpoint(short, "eggs"), FakeComputer().start()) as exam:
        with pytest.raises(Exception, match="'eggs'"):
            exam.begin()
        result = exam.end()
    assert result.void and result.cause == "setup" and "does not hold" in result.error


def test_a_stretch_is_a_task_of_its_own() -> None:
    whole, task = errands(), from_checkpoint(errands(), "2")
    assert task.begin_after == "flour" and task.digest != whole.digest
    assert task_from_json(task.to_json()) == task
    assert from_checkpoint(whole, "0") == whole


@pytest.mark.parametrize("which", ["3", "ham", "egg", "-1", ""])
def test_there_is_no_stretch_after_what_is_no_checkpoint_or_the_last(which: str) -> None:
    with pytest.raises(UnknownName, match="checkpoint of task"):
        from_checkpoint(errands(), which)


def test_a_task_without_checkpoints_has_no_stretches(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="has no checkpoints"):
        from_checkpoint(shopping(), "1")
