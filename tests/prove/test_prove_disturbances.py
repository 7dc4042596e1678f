"""Disturbances proven both ways: what is tried with which task, and what follows from the outcomes."""

from __future__ import annotations

import pytest

from proctor.cli.prove_disturbances import plan_disturbed
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.exam.disturbances.wish import KINDS
from proctor.prove.attempt import attempt
from proctor.prove.disturbances import KindProof, by_kind, trials_with
from proctor.prove.proof import Proof
from proctor.prove.trial import Outcome, Trial
from tests.prove.machines import shopping

TASKS = [shopping(id=f"test/list{number}-v1") for number in range(6)]


def outcome(kind: str, way: str, score: float | None, *, came: bool = True) -> Outcome:
    answered, ignored = trials_with(kind, 0)
    return Outcome(answered if way == "disturbed" else ignored, score, 1.0, came=came)


def proof_of(kind: str, answered: list[float | None], ignored: list[float | None]) -> KindProof:
    outcomes = [outcome(kind, "disturbed", score) for score in answered]
    outcomes += [outcome(kind, "ignored", score) for score in ignored]
    (found,) = by_kind([Proof(TASKS[0], tuple(outcomes))])
    return found


def test_each_kind_has_its_own_sample_of_tasks_that_it_fits() -> None:
    plan = plan_disturbed(TASKS, "dialog+window_moved,seed=3", 2, 5)
    names = [trial.name for _, trials in plan for trial in trials]
    assert [name.partition(",")[0] for name in names] == ["dialog"] * 4 + ["window_moved"] * 4
    assert all(",seed=3," in name for name in names)
    assert plan != plan_disturbed(TASKS, "dialog+window_moved,seed=3", 2, 6), "another day has other tasks"


def test_kinds_that_fit_no_task_are_left_out_of_all_and_refused_alone() -> None:
    kinds = {trials[0].name.partition(",")[0] for _, trials in plan_disturbed(TASKS, "all", 1, 0)}
    assert set(KINDS) - kinds == {"mail", "chat", "services_away"}
    with pytest.raises(SpecError, match="'mail' disturbs none of these tasks"):
        plan_disturbed(TASKS, "mail", 1, 0)


@pytest.mark.parametrize(
    ("answered", "ignored", "state"),
    [
        ([1.0, 1.0], [1.0, 0.0], "proven"),
        ([1.0, 0.5], [0.0, 0.0], "not proven: an answer is not enough"),
        ([1.0, None], [0.0, 0.0], "not proven: an answer is not enough"),
        ([1.0, 1.0], [1.0, 1.0], "not proven: it hinders nobody"),
        ([], [0.0], "not tried"),
    ],
)
def test_a_kind_is_proven_by_what_came_of_it(
    answered: list[float | None], ignored: list[float | None], state: str
) -> None:
    found = proof_of("dialog", answered, ignored)
    assert found.state == state
    assert found.holds == (state in ("proven", "not tried"))
    assert found.to_json()["state"] == state


def test_a_kind_that_is_declared_harmless_must_hinder_nobody() -> None:
    harmless = next(name for name, kind in KINDS.items() if kind.harmless)
    assert proof_of(harmless, [1.0], [1.0]).state == "harmless"
    assert proof_of(harmless, [1.0], [0.0]).state == "not proven: it is declared harmless, and hinders"


def test_only_trials_count_in_which_it_came() -> None:
    outcomes = (outcome("dialog", "disturbed", 0.0, came=False), outcome("dialog", "disturbed", 1.0))
    (found,) = by_kind([Proof(TASKS[0], outcomes)])
    assert [len(found.answered), found.solutions] == [1, 1]


def test_a_disturbed_solution_is_judged_and_says_whether_it_came() -> None:
    for way in trials_with("clipboard_replaced", 0):
        (found,) = attempt(TASKS[0], [way], FakeComputer().start())
        assert found.score == 1.0, found.error
        assert not found.came, "nobody can replace the clipboard of the fake computer"


def test_names_tell_trials_apart() -> None:
    labels = {trial.label for kind in ("dialog", "mail") for trial in trials_with(kind, 1)}
    assert len(labels) == 4
    assert Trial("ignored", name="dialog").label == "ignored dialog"
