"""Checkpoints: what they score, and how a proof shows that each earns its share and no other."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import ValidationError

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.prove.attempt import attempt
from proctor.prove.key_exam import KeyExam
from proctor.prove.proof import Proof, problems
from proctor.prove.trial import Outcome, Trial, trials
from proctor.tasks.checkpoints import Checkpoint
from proctor.tasks.events import Event, When
from proctor.tasks.judge import regrade
from proctor.tasks.load import task_from_json
from proctor.tasks.perform import make_moves
from proctor.tasks.shelves import expect, hand, make
from proctor.tasks.task import NearMiss, Task
from tests.prove.long_work import CHECKPOINTS, EGGS, FLOUR, HAM, SAVE, errands, has

DO = (make.text_file("x.txt", "x"),)


def prove(task: Task) -> Proof:
    """Return the proof of a task, each trial on a computer of its own."""
    return Proof(task, tuple(tried(task, trial) for trial in trials(task, 1)))


def tried(task: Task, trial: Trial) -> Outcome:
    (outcome,) = attempt(task, [trial], FakeComputer().start())
    return outcome


def missed(task: Task, *moves: Any, breaks: str = "", score: float = 0.0) -> Outcome:
    changed = task.model_copy(update={"near_misses": (NearMiss(name="x", moves=moves, breaks=breaks, score=score),)})
    (trial,) = (trial for trial in trials(changed, 1) if trial.kind == "near_miss")
    return tried(changed, trial)


def test_a_task_with_checkpoints_is_proven() -> None:
    proof = prove(errands())
    assert [problem for outcome in proof.outcomes for problem in problems(outcome)] == []
    scores = {outcome.trial.name: round(outcome.score or 0, 9) for outcome in proof.of("near_miss")}
    assert scores == {"no eggs": 0.7, "no flour": 0.7, "ham not saved": 0.6, "milk gone": 0.0}
    assert proof.proven


def test_each_part_earns_its_share_in_any_order() -> None:
    assert missed(errands(), *HAM, score=0.4).proven
    assert missed(errands(), *HAM, *EGGS, score=0.7).proven


def test_a_guard_that_fails_leaves_nothing() -> None:
    outcome = missed(errands(), hand.press("ctrl+a"), hand.type("eggs\n"), SAVE)
    assert outcome.score == 0 and "milk" in outcome.feedback[0]


def test_a_near_miss_must_break_its_checkpoint_alone() -> None:
    outcome = missed(errands(), *EGGS, breaks="flour")
    assert not outcome.proven and outcome.missing == ("flour", "ham")
    # Even where the score happens to be the same.
    assert not missed(errands(), *FLOUR, *HAM, breaks="flour").proven
    assert "it breaks 'eggs', must break 'flour' alone" in " ".join(
        problems(missed(errands(), *FLOUR, *HAM, breaks="flour"))
    )


def test_a_checkpoint_that_no_near_miss_breaks_leaves_a_task_unproven() -> None:
    task = errands(near_misses=errands().near_misses[1:])
    proof = prove(task)
    assert not proof.proven and proof.unbroken == ["eggs"]
    assert "no near miss breaks the checkpoint 'eggs' alone" in str(proof.to_json()["problems"])


def test_a_stretch_that_reaches_its_checkpoint_later_than_said_is_found() -> None:
    late = (
        CHECKPOINTS[0].model_copy(update={"moves": 2}),
        CHECKPOINTS[1].model_copy(update={"moves": 4}),
        CHECKPOINTS[2],
    )
    outcome = tried(errands(checkpoints=late), Trial("solution", wanted=1.0))
    assert outcome.score is None and "after 2 moves the checkpoints must be eggs, and they are none" in outcome.error


def test_a_checkpoint_that_holds_at_the_beginning_is_refused() -> None:
    early = (*CHECKPOINTS[:2], Checkpoint(name="milk", check=has("milk"), weight=0.4, moves=3))
    outcome = tried(errands(checkpoints=early, guards=(), near_misses=()), Trial("idle"))
    assert outcome.score is None and "the checkpoint 'milk' holds before anything was done" in outcome.error


def test_a_guard_that_fails_at_the_beginning_is_refused() -> None:
    outcome = tried(errands(guards=(has("butter"),)), Trial("idle"))
    assert outcome.score is None and "a guard fails before anything was done" in outcome.error


def test_what_is_reached_together_has_no_moves_of_its_own() -> None:
    both = Checkpoint(name="ham and flour", check=expect.all_of([has("ham"), has("flour")]), weight=0.1)
    parts = (*CHECKPOINTS[:2], CHECKPOINTS[2].model_copy(update={"weight": 0.3}), both)
    assert tried(errands(checkpoints=parts), Trial("solution", wanted=1.0)).proven


def test_giving_up_keeps_what_was_reached() -> None:
    task = errands(near_misses=(NearMiss(name="x", moves=(*EGGS, hand.fail("no more")), score=0.3),))
    (trial,) = (trial for trial in trials(task, 1) if trial.kind == "near_miss")
    assert tried(task, trial).score == pytest.approx(0.3)


def test_what_the_user_had_and_is_gone_leaves_nothing() -> None:
    task = errands(setup=(make.text_file("letter.txt", "Dear Ann\n"), *errands().setup))
    with KeyExam(task, computer := FakeComputer().start()) as exam:
        make_moves(EGGS, exam.hand())
        computer.remove_file("letter.txt")
        verdict = exam.end_with_verdict()
        assert verdict.checkpoints == {"eggs": True, "flour": False, "ham": False}
        assert verdict.score == 0 and "letter.txt" in verdict.feedback[0]
        assert regrade(task, verdict.evidence).score == 0
        assert exam.result is not None and not exam.result.complete
        assert exam.result.checkpoints == verdict.checkpoints


def test_an_event_may_wait_for_a_checkpoint() -> None:
    news = Event(name="news", do=(make.text_file("news.txt", "More ham!\n"),), when=When(checkpoint="flour"))
    task = errands(events=(news,))
    with KeyExam(task, computer := FakeComputer().start()) as exam:
        hand = exam.hand()
        make_moves(EGGS, hand)
        assert [path for path in computer.list_files(".") if path.path.endswith("news.txt")] == []
        make_moves(FLOUR, hand)
        assert computer.read_file("news.txt") == b"More ham!\n"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"checkpoints": CHECKPOINTS[:2]}, "checkpoints: their weights sum to 0.6 and must sum to 1"),
        (
            {"checkpoints": (*CHECKPOINTS[:2], CHECKPOINTS[2].model_copy(update={"moves": 4}))},
            "checkpoints: 10 moves lead to them, and the solution has 9",
        ),
        (
            {"checkpoints": (CHECKPOINTS[0], CHECKPOINTS[1].model_copy(update={"name": "eggs"}), CHECKPOINTS[2])},
            "checkpoints.1.name: there are two checkpoints called 'eggs'; rename one",
        ),
        ({"near_misses": (NearMiss(name="x", moves=EGGS, breaks="egg"),)}, "did you mean 'eggs'"),
        ({"begin_after": "ham"}, "unknown checkpoint 'ham'"),
        ({"checkpoints": None, "check": has("eggs")}, "guards belong to checkpoints"),
        ({"events": (Event(name="x", do=DO, when=When(checkpoint="egg")),)}, "did you mean 'eggs'"),
        (
            {"events": (Event(name="x", do=DO, when=When(checkpoint="eggs", check=has("eggs"))),)},
            "a moment waits for a 'check' or for a 'checkpoint'",
        ),
        ({"check": has("eggs")}, "leave 'check' out"),
        ({"checkpoints": None, "guards": (), "near_misses": ()}, "check: the task lacks the field 'check'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(changes: dict[str, Any], said: str) -> None:
    with pytest.raises((SpecError, ValidationError), match=re.escape(said)):
        errands(**changes)


def test_a_task_with_checkpoints_survives_being_written() -> None:
    task = errands()
    data = task.to_json()
    assert "check" not in data and task_from_json(data) == task
