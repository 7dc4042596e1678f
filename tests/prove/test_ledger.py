"""The ledger of a proof run: every outcome comes back, whatever was killed, damaged or changed in between."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from proctor.errors import SpecError
from proctor.prove import ledger as ledgers
from proctor.prove.ledger import NAME, PREVIOUS, Ledger, key
from proctor.prove.mutation import Found, Mutation
from proctor.prove.trial import Outcome, Trial, trials
from proctor.tasks.collateral import Collateral
from proctor.tasks.task import Task
from tests.prove.machines import shopping

TASK = shopping()
IMAGES = {"starter": "abc"}
EVERY = list(trials(TASK, 2))
quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
effects = some.builds(
    Collateral,
    path=some.text(min_size=1, max_size=9),
    kind=some.sampled_from(["created", "changed", "deleted"]),
    severity=some.sampled_from(["minor", "severe"]),
)


@some.composite
def outcomes(draw: some.DrawFn) -> Outcome:
    trial = draw(some.sampled_from(EVERY))
    return Outcome(
        trial=trial,
        score=draw(some.none() | some.floats(0, 1)),
        seconds=round(draw(some.floats(0, 99)), 3),
        feedback=tuple(draw(some.lists(some.text(some.characters(exclude_categories=["Cs"]), max_size=9), max_size=2))),
        error=draw(some.text(some.characters(exclude_categories=["Cs"]), max_size=9)),
        agrees=draw(some.booleans()),
        collateral=tuple(draw(some.lists(effects, max_size=2))),
        screenshot=draw(some.binary(max_size=9)),
        mutation=draw(some.none() | some.just(Mutation(3, 2, (Found("survived", "a\u2028b"),), ("x",), 1.5))),
    )


def begin(folder: Path, task: Task = TASK, images: dict[str, str] = IMAGES, *, fresh: bool = False) -> Ledger:
    return Ledger.open(folder, [(task, list(trials(task, 2)))], images=images, fresh=fresh)


def some_outcome(trial: Trial = EVERY[0], **fields: Any) -> Outcome:
    return Outcome(trial, **{"score": 1.0, "seconds": 1.0, **fields})


@quick
@given(some.lists(outcomes(), max_size=6))
def test_what_was_kept_comes_back(kept: list[Outcome]) -> None:
    with TemporaryDirectory() as name:
        ledger = begin(Path(name))
        for outcome in kept:
            ledger.add(TASK, outcome)
        assert begin(Path(name)).outcomes == {key(TASK, outcome.trial): outcome for outcome in kept}


@quick
@given(kept=some.lists(outcomes(), min_size=1, max_size=3), cut=some.integers(1, 60))
def test_a_line_that_was_being_written_costs_only_itself(kept: list[Outcome], cut: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        ledger = begin(folder)
        for outcome in kept[:-1]:
            ledger.add(TASK, outcome)
        before = len((folder / NAME).read_bytes())
        ledger.add(TASK, kept[-1])
        whole = (folder / NAME).read_bytes()
        (folder / NAME).write_bytes(whole[: max(before, len(whole) - cut)])
        assert begin(folder).outcomes == {key(TASK, outcome.trial): outcome for outcome in kept[:-1]}


def test_a_finished_run_is_begun_again_and_the_old_one_kept_beside(tmp_path: Path) -> None:
    ledger = begin(tmp_path)
    ledger.add(TASK, some_outcome())
    ledger.finish()
    old = (tmp_path / NAME).read_bytes()
    assert begin(tmp_path).outcomes == {}
    assert (tmp_path / PREVIOUS).read_bytes() == old


def test_a_run_that_goes_on_keeps_its_file_as_it_is(tmp_path: Path) -> None:
    ledger = begin(tmp_path)
    ledger.add(TASK, some_outcome())
    held = (tmp_path / NAME).read_bytes()
    begin(tmp_path)
    assert (tmp_path / NAME).read_bytes() == held
    assert not (tmp_path / PREVIOUS).exists()


@pytest.mark.parametrize("how", ["images", "version", "fresh", "task"])
def test_what_was_found_out_otherwise_is_not_kept(tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(tmp_path).add(TASK, some_outcome())
    if how == "version":
        monkeypatch.setattr(ledgers, "VERSION", "0.0.0")
    task = shopping(instruction="Add eggs.") if how == "task" else TASK
    images = {"starter": "other"} if how == "images" else IMAGES
    assert begin(tmp_path, task, images, fresh=how == "fresh").outcomes == {}
    assert (tmp_path / PREVIOUS).exists()


def test_another_seed_is_another_trial() -> None:
    seeded = shopping(seed=3)
    assert key(TASK, EVERY[0]) != key(seeded, EVERY[0])
    assert len({key(TASK, trial) for trial in EVERY}) == len(EVERY)


def test_a_solution_with_mutants_is_another_than_one_without() -> None:
    with_mutants, without = Trial("solution", 0, mutated=True), Trial("solution", 0)
    assert key(TASK, with_mutants) != key(TASK, without)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "7",
        "null",
        "{}",
        '{"digest": 1}',
        '{"kind": "solution", "number": 0}',
        "[" * 100_000,
        '{"images": 1}{',
    ],
    ids=lambda line: line[:12],
)
def test_a_damaged_line_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    begin(tmp_path).add(TASK, some_outcome())
    with (tmp_path / NAME).open("a") as file:
        file.write(line + "\n")
    with pytest.raises(SpecError, match=":3 is damaged") as caught:
        begin(tmp_path)
    assert "--fresh" in caught.value.remedy
    assert begin(tmp_path, fresh=True).outcomes == {}


def test_each_line_tells_its_task(tmp_path: Path) -> None:
    ledger = begin(tmp_path)
    ledger.add(TASK, some_outcome(screenshot=b"webp", feedback=("No\nmilk.",)))
    head, line = [json.loads(text) for text in (tmp_path / NAME).read_text().split("\n")[:-1]]
    assert head["images"] == IMAGES
    assert (line["id"], line["digest"], line["seed"]) == (TASK.id, TASK.digest, TASK.seed)
    assert (line["proven"], line["feedback"], line["screenshot"]) == (True, ["No\nmilk."], "d2VicA==")


def test_a_file_with_no_line_is_a_new_run(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"{torn")
    assert begin(tmp_path).outcomes == {}
    assert (tmp_path / NAME).read_bytes().count(b"\n") == 1
