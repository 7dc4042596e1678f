"""Who caused it: after the agent's first action a computer that fails leads to a verdict, but for its host's fault."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proctor.computers.wellness import Wellness
from proctor.errors import CheckError, ComputerError, ComputerLost, HostError, NotReady, SpecError
from proctor.exam.result import cause_of
from proctor.records import Result
from proctor.report.columns import gather
from proctor.report.failures import modes
from proctor.runner.run_episode import run_episode
from proctor.store.completeness import fault_of
from proctor.store.episode import EpisodeWriter
from proctor.tasks.shelves import expect, hand, see
from tests.graphs.composed import diamond
from tests.prove.machines import PATH, shopping
from tests.runner.fragile import FRAGILE, Breaking, Fragile, failing, losing
from tests.runner.jobs import job

ACTING = "tests.runner.jobs:Pressing"
DISPLAY = ("screenshot", "settle", "key", "type", "windows", "tree")
"""What goes when a display does; files stay."""


@pytest.fixture(autouse=True)
def whole() -> Iterator[None]:
    """Leave the kind of computer as it was found."""
    yield
    Fragile.plan, Fragile.after, Fragile.at_the_end = None, 1, None


def held(folder: Path, plan: Breaking | None, agent: str = ACTING, **changes: Any) -> tuple[Result, dict[str, Any]]:
    """Hold an episode on a computer that breaks; return its result and the header of its record."""
    Fragile.plan = plan
    one = job(folder / "run", agent, task=shopping(**changes), rules=FRAGILE)
    result = run_episode(one)
    assert fault_of(one.folder) == ""
    return result, json.loads((one.folder / "episode.json").read_text())


@pytest.mark.parametrize("operation", ["key", "screenshot", "settle", "changes", "read_file", "tree"])
def test_a_computer_that_is_lost_after_an_action_is_a_verdict(tmp_path: Path, operation: str) -> None:
    result, header = held(tmp_path, failing(operation))
    assert (result.stop, result.cause, result.score) == ("broke_the_computer", None, 0.0)
    assert "broke_the_computer" in result.modes
    assert operation in result.error
    assert result.acted
    (trouble,) = header["trouble"]
    assert (trouble["whose"], trouble["broken"]) == ("agent", True)
    assert operation in trouble["error"]
    assert trouble["host"]["memory_total_mb"] > 0


@pytest.mark.parametrize("error", [ComputerError("refused"), NotReady("late"), OSError(11, "no more processes")])
@pytest.mark.parametrize("operation", ["key", "settle", "tree", "read_file"])
def test_disorder_that_is_not_the_end_is_borne(tmp_path: Path, operation: str, error: Exception) -> None:
    result, _ = held(tmp_path, failing(operation, error))
    assert (result.stop, result.cause) == ("done", None)
    assert result.score is not None


def test_an_action_that_the_computer_does_not_take_is_told(tmp_path: Path) -> None:
    one = job(tmp_path / "run", ACTING, task=shopping(), rules=FRAGILE)
    Fragile.plan = failing("key", ComputerError("no processes are left"))
    assert run_episode(one).steps == 3
    lines = [json.loads(line) for line in (one.folder / "steps.jsonl").read_text().splitlines()]
    assert "no processes are left" in lines[1]["trouble"]
    assert any("no processes are left" in said["text"] for said in lines[2]["saw"]["told"])


@pytest.mark.parametrize("error", [ComputerError("BadMatch"), OSError(12, "no memory")])
def test_a_screen_that_cannot_be_shown_is_broken(tmp_path: Path, error: Exception) -> None:
    result, _ = held(tmp_path, failing("screenshot", error))
    assert (result.stop, result.score) == ("broke_the_computer", 0.0)


def test_files_are_judged_although_the_display_is_gone(tmp_path: Path) -> None:
    Fragile.after = 3
    result, _ = held(tmp_path, losing(*DISPLAY), "oracle")
    assert (result.stop, result.score, result.modes) == ("broke_the_computer", 1.0, ("broke_the_computer",))


def test_what_cannot_be_seen_any_more_does_not_pass(tmp_path: Path) -> None:
    closed = expect.none_of([expect.window_open(see.windows(), "list.txt")], "The list is still open.")
    check = expect.all_of([expect.text_is(see.text(PATH), "milk\n"), closed])
    Fragile.after = 3
    result, _ = held(tmp_path, losing("windows"), check=check)
    assert (result.stop, result.score) == ("broke_the_computer", 0.0)


def test_a_tree_that_is_gone_is_said_to_the_agent_who_goes_on(tmp_path: Path) -> None:
    one = job(tmp_path / "run", "tests.runner.jobs:Pressing,tree=yes", task=shopping(), rules=FRAGILE)
    Fragile.plan = losing("tree")
    result = run_episode(one)
    assert (result.stop, result.steps) == ("done", 3)
    lines = [json.loads(line) for line in (one.folder / "steps.jsonl").read_text().splitlines()]
    assert any("tree" in reason for reason in lines[1]["saw"]["degraded"])


@pytest.mark.parametrize(
    "error", [MemoryError(), RecursionError("deep"), UnicodeError("bytes"), OverflowError("big"), struct.error("short")]
)
@pytest.mark.parametrize("operation", ["key", "screenshot", "read_file"])
def test_a_defect_of_ours_is_void_with_its_trace_and_not_tried_again(
    tmp_path: Path, operation: str, error: Exception
) -> None:
    result, _ = held(tmp_path, failing(operation, error))
    assert (result.stop, result.cause, result.score, result.acted) == ("void", "defect", None, True)
    assert type(error).__name__ in result.error
    assert "Traceback" in result.defect
    assert not result.may_be_repeated(5)


@pytest.mark.parametrize("operation", ["key", "screenshot"])
def test_a_defect_of_ours_is_not_laid_at_the_door_of_a_driver(tmp_path: Path, operation: str) -> None:
    result, _ = held(tmp_path, failing(operation, RecursionError("deep")), "oracle")
    assert (result.stop, result.cause) == ("void", "defect")


@pytest.mark.parametrize("error", [RecursionError("deep"), ValueError("odd")])
def test_a_defect_after_the_verdict_leaves_it_standing(tmp_path: Path, error: Exception) -> None:
    Fragile.at_the_end = error
    result, _ = held(tmp_path, None, "oracle")
    assert (result.stop, result.score) == ("done", 1.0)
    assert str(error) in result.defect


def test_side_effects_that_cannot_be_sorted_out_leave_the_verdict_standing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object, **_options: object) -> None:
        raise RecursionError("too many folders")

    monkeypatch.setattr("proctor.tasks.collateral.unexplained_changes", crash)
    result, _ = held(tmp_path, None, "oracle")
    assert (result.stop, result.score) == ("done", 1.0)
    assert "too many folders" in result.defect


def test_an_agent_that_fails_to_close_changes_nothing(tmp_path: Path) -> None:
    result, header = held(tmp_path, None, "tests.runner.jobs:Clinging")
    assert (result.stop, result.defect) == ("done", "")
    assert "cannot let go" in header["agent_failed_to_close"]


@pytest.mark.parametrize("operation", ["key", "screenshot", "changes", "read_file"])
@pytest.mark.parametrize("agent", [ACTING, "oracle"])
def test_what_came_from_outside_is_void_and_tried_again(tmp_path: Path, operation: str, agent: str) -> None:
    result, header = held(tmp_path, losing(operation, outside="the supervisor was ended by SIGKILL"), agent)
    assert (result.stop, result.cause, result.score) == ("void", "host", None)
    assert "SIGKILL" in result.error
    assert result.may_be_repeated(1)
    assert header["trouble"][-1]["whose"] == "host"


def test_a_host_that_lacks_something_is_void(tmp_path: Path) -> None:
    result, _ = held(tmp_path, failing("read_file", HostError("no space is left")))
    assert (result.stop, result.cause) == ("void", "host")


def test_a_host_that_stood_still_is_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Wellness, "trouble", lambda *_, alive=True, **_given: "the harness stood still" if alive else ""
    )
    result, _ = held(tmp_path, losing("key"))
    assert (result.stop, result.cause) == ("void", "host")
    # A computer that is known to have ended was not just silent for that while.
    result, _ = held(tmp_path / "2", losing("key", ended="the display ended with status 1"))
    assert (result.stop, result.score) == ("broke_the_computer", 0.0)


def test_a_trace_of_ours_from_inside_is_kept_beside_the_verdict(tmp_path: Path) -> None:
    result, _ = held(tmp_path, losing("key", ended="process 1 ended", defect="Traceback: in init.py"))
    assert (result.stop, result.score, result.defect) == ("broke_the_computer", 0.0, "Traceback: in init.py")


@pytest.mark.parametrize("operation", ["start", "screenshot", "launch", "baseline"])
def test_before_the_first_action_it_is_void_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    def unlucky(self: Fragile, **options: Any) -> None:
        original(self, **options)
        self.fail_next(operation, ComputerLost("gone"))

    original = Fragile.__init__
    monkeypatch.setattr(Fragile, "__init__", unlucky)
    result, _ = held(tmp_path, None)
    assert (result.stop, result.acted) == ("void", False)
    assert result.cause in ("computer", "setup")
    assert result.may_be_repeated(1)


def test_words_to_the_examiner_are_not_actions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def changes(self: Fragile) -> Any:
        raise ComputerLost("gone")

    monkeypatch.setattr(Fragile, "changes", changes)
    result, _ = held(tmp_path, None, "idle")
    assert (result.stop, result.cause, result.acted) == ("void", "computer", False)


@pytest.mark.parametrize(
    ("error", "before", "after"),
    [
        (HostError("x"), "host", "host"),
        (ComputerLost("x"), "computer", "defect"),
        (SpecError("x"), "spec", "spec"),
        (CheckError("x"), "defect", "defect"),
        (KeyError("x"), "defect", "defect"),
    ],
)
def test_causes(error: Exception, before: str, after: str) -> None:
    assert (cause_of(error, acted=False), cause_of(error, acted=True)) == (before, after)


@pytest.mark.parametrize("cause", ["check", "worker", "computer"])
def test_results_of_earlier_versions_still_open(tmp_path: Path, cause: str) -> None:
    result, _ = held(tmp_path, None)
    old = {**result.to_json(), "stop": "void", "cause": cause}
    old = {name: value for name, value in old.items() if name not in ("acted", "score", "defect")}
    assert Result.from_json(old).may_be_repeated(1)
    assert replace(Result.from_json(old), retry=1).may_be_repeated(1) is False


def test_a_composed_task_keeps_what_was_completed(tmp_path: Path) -> None:
    Fragile.plan, Fragile.after = losing("read_file"), 8
    result = run_episode(job(tmp_path / "run", "oracle", task=diamond(), rules=FRAGILE))
    assert result.stop == "broke_the_computer"
    assert result.score is not None
    assert 0 < result.score < 1
    assert result.metrics["coverage"] == result.score


def test_an_answer_key_that_cannot_find_its_way_on_a_broken_computer(tmp_path: Path) -> None:
    solution = (hand.press("ctrl+End"), hand.click("Save", role="menu item"))
    result, _ = held(tmp_path, losing("tree"), "oracle", solution=solution)
    assert (result.stop, result.cause, result.score) == ("broke_the_computer", None, 0.0)


def test_feedback_on_a_broken_computer_ends_the_episode(tmp_path: Path) -> None:
    Fragile.plan, Fragile.after = losing("read_file"), 3
    one = job(tmp_path / "run", ACTING, task=shopping(), rules=replace(FRAGILE, feedback=3))
    result = run_episode(one)
    assert (result.stop, result.score, result.steps) == ("broke_the_computer", 0.0, 3)


def test_an_episode_that_cannot_be_put_into_words_is_a_defect_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise RecursionError("a tree of a million levels")

    monkeypatch.setattr(EpisodeWriter, "finish", crash)
    result, _ = held(tmp_path, None)
    assert (result.stop, result.cause, result.acted) == ("void", "defect", True)
    assert "a million levels" in result.defect


def test_no_secret_goes_into_the_evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
    _, header = held(tmp_path, losing("key", words=["it said sk-canary-0123456789abcdef"]))
    assert "sk-canary" not in json.dumps(header)
    assert "it said" in json.dumps(header["trouble"])


def test_the_report_shows_it_as_a_mode_of_its_own(tmp_path: Path) -> None:
    result, _ = held(tmp_path, losing("key"))
    table = modes(gather([[result.to_json()]]))
    assert [row[:2] for row in table.rows] == [("broke_the_computer", 1)]
    assert "broke_the_computer" in table.note
