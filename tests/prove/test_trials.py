"""Trials and sittings: what a proof consists of, what goes as it must, and what shares a computer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.prove.proof import Proof, problems
from proctor.prove.schedule import in_rounds, sittings
from proctor.prove.trial import Outcome, Trial, trials
from proctor.tasks.collateral import Collateral
from proctor.tasks.shelves import hand
from proctor.tasks.task import Way
from tests.prove.machines import shopping

EFFECT = Collateral(path="b.txt", kind="changed", severity="minor")
WAY = Way(name="another", moves=(hand.press("ctrl+s"),))
FULL = shopping(other_ways=(WAY,), cheats=(WAY,))


def outcome(kind: Any, score: float | None, wanted: float = 0.0, **fields: Any) -> Outcome:
    return Outcome(Trial(kind, wanted=wanted), score, 1.0, **fields)


def test_a_whole_proof_tries_everything_once_and_the_solution_often() -> None:
    assert [trial.label for trial in trials(FULL, 3)] == [
        "solution 1", "solution 2", "solution 3", "idle", "fail", "other_way 1", "near_miss 1", "near_miss 2",
        "cheat 1",
    ]  # fmt: skip


def test_what_is_soon_made_has_no_mutants_and_no_near_misses() -> None:
    quick = list(trials(FULL, 1, whole=False))
    assert [trial.label for trial in quick] == ["solution 1", "idle", "fail"]
    assert not any(trial.mutated for trial in quick)


def test_a_task_without_a_key_is_only_left_alone_and_given_up() -> None:
    assert [trial.kind for trial in trials(shopping(solution=(), near_misses=()), 3)] == ["idle", "fail"]


@given(repeats=some.integers(0, 6), whole=some.booleans())
def test_only_the_first_solution_has_its_end_state_changed(repeats: int, whole: bool) -> None:
    found = list(trials(FULL, repeats, whole=whole))
    assert sum(trial.mutated for trial in found) == (1 if whole and repeats else 0)
    assert len({trial.label for trial in found}) == len(found)
    assert all(trial.wanted == 1.0 for trial in found if trial.kind in ("solution", "other_way"))


def test_an_interrupted_proof_has_tried_the_solutions_of_all_tasks_first() -> None:
    tasks = [shopping(id=name, other_ways=(WAY,), cheats=(WAY,)) for name in ("my/one-v1", "my/two-v1")]
    planned = in_rounds(sitting for task in tasks for sitting in sittings(task, list(trials(task, 2))))
    assert [(sitting.task.id, sitting.trials[0].label) for sitting in planned] == [
        ("my/one-v1", "solution 1"), ("my/one-v1", "idle"), ("my/two-v1", "solution 1"), ("my/two-v1", "idle"),
        ("my/one-v1", "other_way 1"), ("my/one-v1", "cheat 1"), ("my/two-v1", "other_way 1"), ("my/two-v1", "cheat 1"),
        ("my/one-v1", "solution 2"), ("my/one-v1", "near_miss 1"), ("my/one-v1", "near_miss 2"),
        ("my/two-v1", "solution 2"), ("my/two-v1", "near_miss 1"), ("my/two-v1", "near_miss 2"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("made", "proven"),
    [
        (outcome("solution", 1.0, 1.0), True),
        (outcome("solution", 0.999, 1.0), False),
        (outcome("solution", None, 1.0, error="boom"), False),
        (outcome("solution", 1.0, 1.0, agrees=False), False),
        (outcome("solution", 1.0, 1.0, collateral=(EFFECT,)), False),
        (outcome("other_way", 1.0, 1.0, collateral=(EFFECT,)), False),
        (outcome("idle", 0.0), True),
        (outcome("idle", 0.5), False),
        (outcome("idle", 0.0, collateral=(EFFECT,)), True),
        (outcome("near_miss", 0.5, 0.5), True),
        (outcome("near_miss", 1.0, 0.5), False),
        (outcome("cheat", 0.99), True),
        (outcome("cheat", 1.0), False),
        (outcome("cheat", 1.0, collateral=(EFFECT,)), True),
        (outcome("cheat", None, error="boom"), False),
    ],
)
def test_what_goes_as_it_must(made: Outcome, proven: bool) -> None:
    assert made.proven is proven
    # Whatever does not go as it must is told, and nothing else is.
    assert bool(problems(made)) is not proven


def test_an_outcome_is_written_without_its_picture() -> None:
    data = outcome("idle", 0.0, screenshot=b"x", collateral=(EFFECT,)).to_json()
    assert "screenshot" not in data and "mutation" not in data
    assert (data["kind"], data["proven"], data["collateral"]) == ("idle", True, [EFFECT.to_json()])
    assert "screenshot" not in repr(outcome("idle", 0.0, screenshot=b"x"))


@given(repeats=some.integers(1, 4), whole=some.booleans())
def test_every_trial_is_held_once_and_only_quiet_ones_share_a_computer(repeats: int, whole: bool) -> None:
    every = list(trials(FULL, repeats, whole=whole))
    held = sittings(FULL, every)
    assert sorted(trial.label for sitting in held for trial in sitting.trials) == sorted(trial.label for trial in every)
    shared = [sitting for sitting in held if len(sitting.trials) > 1]
    assert [[trial.kind for trial in sitting.trials] for sitting in shared] == [["idle", "fail"]]


def test_states_of_a_proof() -> None:
    every = list(trials(shopping(near_misses=()), 1))
    good = tuple(Outcome(trial, trial.wanted, 1.0) for trial in every)
    assert Proof(shopping(near_misses=()), good).state == "holds"
    bad = (Outcome(every[0], 0.0, 1.0), *good[1:])
    assert Proof(shopping(near_misses=()), bad).state == "not proven"
    assert Proof(shopping(solution=(), near_misses=()), ()).state == "unproven"


@pytest.mark.parametrize(
    ("scores", "flaky"), [((1.0, 1.0), False), ((1.0, 0.0), True), ((0.0, 0.0), False), ((1.0, None), True)]
)
def test_repeats_that_disagree_are_flaky(scores: tuple[float | None, ...], flaky: bool) -> None:
    made = tuple(Outcome(Trial("solution", at, wanted=1.0), score, at) for at, score in enumerate(scores))
    proof = Proof(shopping(), made)
    assert proof.flaky is flaky
    assert proof.seconds == 0.5
