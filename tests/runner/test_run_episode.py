"""Holding episodes: verdicts, void ones by cause, and the record that each leaves."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Change
from proctor.errors import HostError, SpecError
from proctor.exam.rules import Rules
from proctor.records import Result
from proctor.runner.run_episode import run_episode
from proctor.store.completeness import fault_of
from proctor.tasks.findings import Finding
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS, expect, hand, make, see
from tests.prove.machines import PATH, shopping
from tests.runner.jobs import FAKE, job


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]


def read(path: Path) -> Any:
    return json.loads(path.read_text())


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return tmp_path / "run"


def test_the_oracle_scores_one_and_every_action_is_in_the_record(run: Path) -> None:
    one = job(run)
    result = run_episode(one)
    assert (result.score, result.stop, result.steps, result.modes) == (1.0, "done", 3, ())
    assert result.folder == str(one.folder.relative_to(run))
    assert fault_of(one.folder) == ""
    steps = lines(one.folder)
    assert [step.get("action", {}).get("type") for step in steps] == ["press", "type", "press", "done", None]
    assert (one.folder / steps[0]["saw"]["screenshot"]).read_bytes().startswith(b"\x89PNG")
    assert read(one.folder / "verdict.json")["score"] == 1.0
    assert read(one.folder / "changes.json") == [
        {"path": f"/home/user/{PATH}", "kind": "changed", "file": "file", "size": 9}
    ]
    header = read(one.folder / "episode.json")
    assert header["computer"]["backend"] == "fake"
    assert header["task"]["digest"] == one.digest
    assert Result.from_json(read(one.folder / "result.json")) == result


def test_side_effects_with_names_that_are_not_utf_8_are_marked_each(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = [Change(path=f"/home/user/caf{mark}", kind="created", file="file", size=1) for mark in ("\udce9", "\udce8")]
    monkeypatch.setattr(FakeComputer, "changes", lambda _: odd)
    one = job(run)
    assert run_episode(one).collateral == {"low": 2}
    assert [each["collateral"] for each in read(one.folder / "changes.json")] == ["low", "low"]


def test_the_answer_key_is_not_in_the_record_of_an_episode(run: Path) -> None:
    one = job(run, "idle")
    run_episode(one)
    assert all("near_misses" not in path.read_text(errors="replace") for path in one.folder.iterdir())


def test_the_oracle_clicks_what_its_moves_name(run: Path) -> None:
    task = shopping(
        solution=(hand.press("ctrl+End"), hand.type("eggs"), hand.click("Save", role="menu item")),
    )
    one = job(run, task=task)
    result = run_episode(one)
    clicks = [step["element"]["name"] for step in lines(one.folder) if step.get("action", {}).get("type") == "click"]
    assert clicks == ["File", "Save"]
    assert result.score == 1.0


def test_doing_nothing_scores_nothing(run: Path) -> None:
    result = run_episode(job(run, "idle"))
    assert (result.score, result.stop, result.modes) == (0.0, "done", ("false_finish",))


def test_an_oracle_whose_key_is_wrong_is_scored(run: Path) -> None:
    result = run_episode(job(run, task=shopping(solution=(hand.click("Nowhere", timeout_sec=0.1),))))
    assert (result.score, result.stop) == (0.0, "agent_error")
    assert "move 1 of 1" in result.error


def test_setup_that_fails_is_void(run: Path) -> None:
    one = job(run, task=shopping(setup=(make.launch(["no-such-program"]),)))
    result = run_episode(one)
    assert (result.score, result.stop, result.cause) == (None, "void", "setup")
    assert "no-such-program" in result.error
    assert not (one.folder / "verdict.json").exists()
    assert fault_of(one.folder) == ""


@CHECKS.register
def crashes_in_the_runner(of: Seen) -> Finding:
    """Fail with a defect of its own."""
    raise ZeroDivisionError(str(of))


def test_a_check_that_crashes_is_void_and_the_steps_are_kept(run: Path) -> None:
    result = run_episode(job(run, task=shopping(check=expect.crashes_in_the_runner(see.text(PATH)))))
    assert (result.score, result.cause, result.steps) == (None, "defect", 3)
    assert "ZeroDivisionError" in result.error
    assert "please report it" in result.error
    assert "crashes_in_the_runner" in result.defect
    assert not result.may_be_repeated(2)


@pytest.mark.parametrize(
    ("agent", "stop", "cause"),
    [("Penniless", "void", "model"), ("Crashing", "agent_error", None), ("Costly", "done", None)],
)
def test_agents_of_ones_own(run: Path, agent: str, stop: str, cause: str | None) -> None:
    result = run_episode(job(run, f"tests.runner.jobs:{agent}"))
    assert (result.stop, result.cause) == (stop, cause)


def test_what_models_cost_is_counted(run: Path) -> None:
    result = run_episode(job(run, "tests.runner.jobs:Costly"))
    assert (result.calls, result.input_tokens, result.output_tokens, result.cost_usd) == (1, 100, 10, 0.25)
    assert result.turns == 2


def test_an_agent_without_a_model_costs_nothing(run: Path) -> None:
    assert run_episode(job(run, "idle")).cost_usd == 0.0


def test_side_effects_are_counted(run: Path) -> None:
    result = run_episode(job(run, task=shopping(expected=())))
    assert result.score == 1.0
    assert result.collateral == {"high": 1}
    assert result.modes == ("collateral",)


def test_a_paraphrase_is_what_the_agent_is_told(run: Path) -> None:
    one = job(run, "idle", paraphrase=1)
    run_episode(one)
    assert read(one.folder / "episode.json")["brief"]["instruction"] == "Put eggs on the list, please."


def test_a_record_that_cannot_be_written_stops_the_worker(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file is in the way")
    with pytest.raises(HostError):
        run_episode(job(tmp_path / "run"))


def test_rules_say_what_an_agent_may_do(run: Path) -> None:
    one = job(run, "tests.runner.jobs:Costly", rules=replace(FAKE, actions=("click", "done")))
    result = run_episode(one)
    assert (result.refused, result.steps) == (1, 0)


def test_how_long_is_waited_after_actions_is_a_rule_and_recorded(run: Path) -> None:
    run_episode(job(run, rules=replace(FAKE, settle="careful")))
    header = read(job(run).folder / "episode.json")
    assert header["rules"]["settle"] == "careful"
    assert header["computer"]["settle"] == "careful"
    with pytest.raises(SpecError, match="quick, careful, or a number"):
        Rules(settle="sometimes")
