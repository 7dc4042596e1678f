"""People beside agents: who tried tasks against the clock, and how they agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.report import report
from proctor.errors import SpecError
from proctor.records import Result
from tests.report.records import outcomes, result, write_run


def done(studio: Path, person: str, task: str, score: float, **account: Any) -> None:
    """Write the run of one person at one task."""
    folder = f"episodes/{task}"
    name = f"{person}-{task}-{len(list((studio / 'demonstrations').glob('*')))}"
    stop = "gave_up" if "reason" in account else "done"
    made = result("human", task, score, seconds=200.0, folder=folder, stop=stop)
    run = write_run(studio / "demonstrations" / name, [made])
    (run / folder).mkdir(parents=True)
    told = {"person": person, "kind": "validate", **account}
    (run / folder / "human.json").write_text(json.dumps(told))


def agents() -> list[Result]:
    return [
        *outcomes("oracle", {"easy": [1.0], "hard": [1.0], "untried": [1.0]}, seconds=8.0),
        *outcomes("idle", {"easy": [0.0], "hard": [0.0]}),
    ]


@pytest.fixture
def studio(tmp_path: Path) -> Path:
    made = tmp_path / "studio"
    (made / "demonstrations").mkdir(parents=True)
    return made


@pytest.fixture
def filled(studio: Path) -> Path:
    done(studio, "Ann", "easy", 1.0, working_seconds=30, clarity=5, difficulty=1)
    done(studio, "Ben", "easy", 1.0, working_seconds=50, clarity=4, difficulty=2)
    done(studio, "Ann", "hard", 0.0, working_seconds=300, clarity=2, difficulty=5, reason="I do not know how")
    done(studio, "Ben", "hard", 1.0, working_seconds=400, fault="the file is <b>not</b> there")
    done(studio, "Ann", "untried", 1.0, kind="record", working_seconds=10)
    return studio


def told(*args: object) -> str:
    outcome = CliRunner().invoke(report, [str(arg) for arg in args], catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def test_people_have_a_row_with_times_success_and_agreement(filled: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", agents())
    rows = json.loads(told(run, filled, "--json"))["tables"]["humans"]["rows"]
    human, *others = rows
    assert (human["who"], human["people"], human["tasks"], human["episodes"]) == ("human", 2, 2, 4)
    assert human["success"]["success"] == 0.75
    assert human["seconds"] == 50
    assert human["agreement"] == 0.5
    assert (human["clear"], human["hard"], human["gave up"], human["faults"]) == (3.67, 2.67, 1, 1)
    by_agent = {row["who"]: row for row in others}
    assert (by_agent["oracle"]["tasks"], by_agent["oracle"]["success"]["success"]) == (2, 1.0)
    # Half of the people fail the hard one, so they do not mostly pass it.
    assert by_agent["oracle"]["agreement"] == 0.5
    assert by_agent["idle"]["agreement"] == 0.5


def test_the_terminal_shows_tasks_when_asked(filled: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", agents())
    text = told(run, filled, "--human")
    assert "task by task" in text
    assert "<b>not</b>" in text
    assert text.index("core/hard-v1") < text.index("core/easy-v1", text.index("task by task"))
    assert "task by task" not in told(run, filled)
    page = Path("reports")
    assert page.exists()


def test_without_people_it_is_said(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", agents())
    with pytest.raises(SpecError, match="against the clock"):
        CliRunner().invoke(report, [str(run), "--human"], catch_exceptions=False)


def test_what_was_only_recorded_is_no_baseline(studio: Path) -> None:
    done(studio, "Ann", "easy", 1.0, kind="record")
    assert "humans" not in json.loads(told(studio, "--json"))["tables"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"kind": "validate", "working_seconds": "x", "clarity": true}'])
def test_a_damaged_account_is_no_account(studio: Path, text: str) -> None:
    done(studio, "Ann", "easy", 1.0)
    (account,) = studio.glob("demonstrations/*/episodes/*/human.json")
    account.write_text(text)
    tables = json.loads(told(studio, "--json"))["tables"]
    assert ("humans" in tables) == ("validate" in text)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
