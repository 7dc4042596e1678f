"""Proofs on the fake computer: what is proven, what is not and why, resuming, the page."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from proctor.computers.computer import Computer
from proctor.errors import HostError, RecordError, SpecError
from proctor.prove import schedule
from proctor.prove.attempt import attempt
from proctor.prove.ledger import NAME, PREVIOUS, Ledger
from proctor.prove.mutation import Found, Mutation
from proctor.prove.page import page
from proctor.prove.proof import Proof, problems, summary, verdict
from proctor.prove.schedule import Sitting, prove, prove_sitting, sittings
from proctor.prove.trial import Outcome, Trial, trials
from proctor.store.lock import RunLock
from proctor.tasks.shelves import CHECKS, expect, hand, make, see
from proctor.tasks.task import Limits, NearMiss, Tags, Task
from tests.prove.machines import BACKEND, PATH, AnyFake, shopping
from tests.runner.fragile import Fragile, losing


def outcomes(task: Task, repeats: int = 1) -> dict[str, Outcome]:
    found = {}
    for sitting in sittings(task, list(trials(task, repeats))):
        for outcome in prove_sitting((sitting, BACKEND)):
            found[outcome.trial.label] = outcome
    return found


def proof(task: Task, repeats: int = 1) -> Proof:
    by_label = outcomes(task, repeats)
    return Proof(task, tuple(by_label[trial.label] for trial in trials(task, repeats)))


def test_a_good_task_is_proven() -> None:
    found = proof(shopping(), repeats=3)
    data = found.to_json()
    assert found.proven, data["problems"]
    assert not found.flaky
    assert (data["solution"], data["idle"], data["fail"]) == (1.0, 0.0, 0.0)
    assert data["near_misses"] == {"not saved": 0.0, "at the top": 0.0}
    assert data["repeats"] == [1.0, 1.0, 1.0]
    assert data["collateral"] == []


def test_a_task_that_is_done_already_is_not_proven() -> None:
    found = proof(shopping(setup=(make.text_file(PATH, "milk\neggs\n"), make.launch(["mousepad", PATH]))))
    assert not found.proven
    assert "idle: scored 1, must be 0" in found.to_json()["problems"]


def test_a_solution_that_takes_more_than_the_task_allows_proves_nothing() -> None:
    found = outcomes(shopping(limits=Limits(steps=2)))["solution 1"]
    assert found.score is None
    assert "takes 3 actions and the task allows 2" in found.error


def test_a_near_miss_that_scores_is_named() -> None:
    sloppy = shopping(check=expect.any_of([expect.text_is(see.text(PATH), t) for t in ("milk\neggs", "eggs\nmilk")]))
    found = proof(sloppy)
    assert [p for p in found.to_json()["problems"] if "at the top" in p] == [
        "near_miss 2 (at the top): scored 1, must be 0"
    ]


def test_what_a_solution_changes_besides_is_collateral() -> None:
    found = proof(shopping(expected=()))
    assert not found.proven
    assert any(f"changed /home/user/{PATH}" in problem for problem in found.to_json()["problems"])


def test_a_move_that_finds_nothing_is_an_error_and_no_score() -> None:
    lost = outcomes(shopping(solution=(hand.click("No such button", timeout_sec=0.2),)))["solution 1"]
    assert lost.score is None
    assert "MoveFailed: move 1 of 1, click(name='No such button'" in lost.error
    assert lost.screenshot.startswith(b"RIFF")


def test_setup_that_fails_is_the_outcome_of_every_trial() -> None:
    found = outcomes(shopping(setup=(make.launch(["no-such-program"]),)))
    assert {outcome.score for outcome in found.values()} == {None}
    assert all("SetupFailed" in outcome.error for outcome in found.values())


def test_an_infeasible_task_is_proven_by_saying_so() -> None:
    impossible = shopping(
        instruction="Add eggs to the list on drive D and save it.",
        tags=Tags(apps=("mousepad",), level=3, domain="Life", scenario="Shopping", demand="Searching", feasible=False),
        twin="test/shopping-v1",
        check=expect.all_of(
            [expect.text_is(see.text(PATH), "milk\n"), expect.was_shown(see.shown(), see.questions(), about=["drive"])]
        ),
        solution=(hand.ask("Which drive do you mean?"), hand.fail("there is no drive D")),
        near_misses=(NearMiss(name="pretends", moves=(hand.done(),)),),
    )
    found = proof(impossible)
    assert found.proven, found.to_json()["problems"]
    assert found.to_json()["fail"] == 0.0


def test_judging_twice_that_disagrees_is_found_out() -> None:
    seen: list[int] = []

    def moody(of: Any) -> Any:
        """Holds every other time."""
        seen.append(1)
        return CHECKS.get("text_is").function({"path": "x", "text": str(len(seen) % 2)}, "1")

    moody.__annotations__["of"] = CHECKS.get("text_is").hints["of"]
    CHECKS.register(moody)
    try:
        outcome = outcomes(shopping(check=expect.moody(see.text(PATH))))["idle"]
        assert not outcome.agrees
        assert "idle: judging twice disagrees" in problems(outcome)
    finally:
        del CHECKS._tools["moody"]


def test_proofs_run_in_workers_and_are_kept(tmp_path: Path) -> None:
    heard: list[str] = []
    (found,) = prove(
        [shopping()], tmp_path, repeats=2, backend=BACKEND, heard=lambda _, outcome: heard.append(outcome.trial.label)
    )
    assert found.proven
    assert sorted(heard) == ["fail", "idle", "near_miss 1", "near_miss 2", "solution 1", "solution 2"]
    lines = [json.loads(line) for line in (tmp_path / NAME).read_text().splitlines()]
    assert lines[-1] == {"finished": True}
    assert {line["digest"] for line in lines[1:-1]} == {shopping().digest}


def test_two_proofs_do_not_write_one_folder(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("")
    first = RunLock(tmp_path / schedule.LOCK)
    with pytest.raises(RecordError, match=rf"written by process {os.getpid()} on"):
        prove([shopping()], tmp_path, backend=BACKEND)
    first.release()
    (found,) = prove([shopping()], tmp_path, repeats=1, backend=BACKEND)
    assert found.proven
    assert not (tmp_path / schedule.LOCK).exists()


def opened(folder: Path, *tasks: Task, repeats: int = 2, images: dict[str, str] | None = None) -> Ledger:
    return Ledger.open(
        folder, [(task, list(trials(task, repeats))) for task in tasks], images=images or {}, fresh=False
    )


def test_a_run_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    task = shopping()
    ledger = opened(tmp_path, task)
    found_out = Mutation(
        20, 6, (Found("survived", "list.txt: emptied"), Found("rejected", "x", "Why.")), ("y: locked",)
    )
    kept = Outcome(Trial("solution", 0, wanted=1.0, mutated=True), 1.0, 123.0, mutation=found_out)
    ledger.add(task, kept)
    with (tmp_path / NAME).open("a") as file:
        file.write('{"id": "test/shop')  # killed in the middle of a line
    (found,) = prove([task], tmp_path, repeats=2, strict=False, backend=BACKEND)
    assert found.proven
    assert found.of("solution")[0].seconds == 123.0
    assert found.of("solution")[0].mutation == found_out
    (again,) = prove([task], tmp_path, repeats=2, backend=BACKEND)
    assert again.of("solution")[0].seconds != 123.0, "a finished run begins again"
    assert (tmp_path / PREVIOUS).exists()


def test_what_was_found_out_of_unchanged_tasks_is_kept(tmp_path: Path) -> None:
    same, before = shopping(), shopping(instruction="Buy less.")
    ledger = opened(tmp_path, same, before)
    made = [
        Outcome(Trial("solution", number, wanted=1.0, mutated=not number), 1.0, 1.0, screenshot=b"PNG")
        for number in range(2)
    ]
    for task in (same, before):
        for outcome in made:
            ledger.add(task, outcome)
    recorded = (tmp_path / NAME).read_text()
    mended = shopping(instruction="Buy nothing.")
    again = opened(tmp_path, same, mended)
    assert list(again.outcomes.values()) == made
    assert {found[0] for found in again.outcomes} == {same.digest}
    assert (tmp_path / PREVIOUS).read_text() == recorded, "nothing is lost"
    assert opened(tmp_path, same, mended).outcomes == again.outcomes
    assert opened(tmp_path, same, mended, repeats=3).outcomes == again.outcomes, "more may be asked for"
    assert len(opened(tmp_path, same, mended, repeats=1).outcomes) == 1, "or less"


def test_another_image_begins_anew(tmp_path: Path) -> None:
    task = shopping()
    opened(tmp_path, task, images={"full": "one"}).add(
        task, Outcome(Trial("solution", 0, wanted=1.0, mutated=True), 1.0, 1.0)
    )
    assert opened(tmp_path, task, images={"full": "one"}).outcomes
    assert not opened(tmp_path, task, images={"full": "two"}).outcomes


def test_without_near_misses_it_may_hold_and_is_no_proof(tmp_path: Path) -> None:
    (found,) = prove([shopping()], tmp_path, repeats=1, whole=False, backend=BACKEND)
    assert [outcome.trial.label for outcome in found.outcomes] == ["solution 1", "idle", "fail"]
    assert (found.holds, found.proven, found.state) == (True, False, "holds")
    assert (summary([found])["proven"], summary([found])["holding"]) == (0, 1)
    assert verdict([found]) == "1 of 1 hold, near misses and the like skipped"
    html = page("Proofs", [found])
    assert verdict([found]) in html and "What failed" not in html and "proven" not in html
    (whole,) = prove([shopping()], tmp_path, repeats=1, backend=BACKEND)
    assert whole.state == "proven" and verdict([whole]) == "1 of 1 proven"


def test_a_damaged_ledger_is_named(tmp_path: Path) -> None:
    task = shopping()
    opened(tmp_path, task)
    with (tmp_path / NAME).open("a") as file:
        file.write("{half\n{}\n")
    with pytest.raises(SpecError, match=f"{NAME}:2 is damaged"):
        opened(tmp_path, task)


@pytest.mark.parametrize("line", ["[]", "3", "{}", '{"kind": 1}', "[" * 5000])
def test_a_ledger_that_holds_something_else_is_named(tmp_path: Path, line: str) -> None:
    opened(tmp_path, shopping())
    with (tmp_path / NAME).open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(SpecError, match=f"{NAME}:2 is damaged"):
        opened(tmp_path, shopping())


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("how", ["symlink_to", "hardlink_to"])
def test_a_link_in_the_place_of_the_ledger_is_not_followed(tmp_path: Path, how: str, fresh: bool) -> None:
    other = tmp_path / "other.txt"
    other.write_text("something of somebody else")
    folder = tmp_path / "proofs"
    folder.mkdir()
    getattr(folder / NAME, how)(other)
    with pytest.raises(HostError, match=NAME):
        Ledger.open(folder, [(shopping(), list(trials(shopping(), 1)))], images={}, fresh=fresh)
    assert other.read_text() == "something of somebody else"


def test_a_link_that_comes_later_is_not_followed_either(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("something of somebody else")
    ledger = opened(tmp_path / "proofs", shopping())
    (tmp_path / "proofs" / NAME).unlink()
    (tmp_path / "proofs" / NAME).symlink_to(other)
    with pytest.raises(HostError, match=NAME):
        ledger.finish()
    assert other.read_text() == "something of somebody else"


def test_a_worker_that_is_lost_makes_its_trials_void() -> None:
    (sitting,) = [sitting for sitting in sittings(shopping(), list(trials(shopping(), 1))) if len(sitting.trials) == 2]
    found = schedule._outcomes(sitting, schedule.Lost("its process ended with status -9"))
    assert [outcome.score for outcome in found] == [None, None]
    assert "status -9" in found[0].error


def test_flaky_is_when_repeats_disagree() -> None:
    runs = tuple(Outcome(Trial("solution", n, wanted=1.0), score, 1.0) for n, score in enumerate((1.0, 0.0, 1.0)))
    found = Proof(shopping(), runs)
    assert found.flaky
    assert summary([found])["flake_rate"] == 1.0


def test_the_page_shows_failures_with_their_screen_and_escapes_them() -> None:
    task = shopping(instruction="Type <script>alert(1)</script> & save.")
    bad = Outcome(Trial("solution", wanted=1.0), 0.0, 2.0, ("It says '<b>'.",), screenshot=b"RIFF....WEBP")
    html = page("Proofs of <core>", [Proof(task, (bad,))])
    assert "0 of 1 proven" in html
    assert "<script>" not in html
    assert "&lt;b&gt;" in html
    assert "data:image/webp;base64,UklGRi4uLi5XRUJQ" in html


def test_a_computer_that_is_lost_in_a_trial_is_void_not_zero() -> None:
    with AnyFake() as computer:
        assert isinstance(computer, Computer)
        computer.fail_next("perform")
        (outcome,) = attempt(shopping(), [Trial("solution", wanted=1.0)], computer)
    assert outcome.score is None
    assert "stopped answering" in outcome.error


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"ended": "the display ended with status -11", "defect": "Traceback: x"}, "what was done on it broke it"),
        ({"outside": "process 1 was ended by SIGKILL"}, "its host is to blame"),
    ],
)
def test_a_key_that_breaks_its_computer_fails_and_says_how(
    monkeypatch: pytest.MonkeyPatch, found: dict[str, str], said: str
) -> None:
    monkeypatch.setattr(Fragile, "plan", staticmethod(losing("settle", **found)))
    with Fragile() as computer:
        (outcome,) = attempt(shopping(), [Trial("near_miss", name="breaks it")], computer)
    # Scored 0, as a near miss must be, it would seem proven.
    assert outcome.score is None
    assert not outcome.proven
    assert said in outcome.error
    assert found.get("defect", "") in outcome.error


def test_a_defect_that_a_task_brings_to_light_is_shown_with_its_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object, **__: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("proctor.prove.schedule.attempt", crash)
    (outcome,) = prove_sitting((Sitting(shopping(), (Trial("idle"),)), BACKEND))
    assert (outcome.score, outcome.proven) == (None, False)
    assert "please report it" in outcome.error
    assert "too deep" in outcome.error
