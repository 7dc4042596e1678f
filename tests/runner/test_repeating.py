"""Options from a file, and a run like another: what was given counts, and what differs is named."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from proctor.cli.main import cli
from proctor.store.run import RunRecord
from tests.prove.machines import BACKEND, shopping

AGENT = """
from proctor.actions.action import Done

class Mine:
    def start(self, brief):
        pass

    def act(self, observation):
        return Done()
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a user with a task, an agent and a state of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mine_agent", raising=False)
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "shopping.json").write_text(json.dumps(shopping().to_json()))
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["run", "--computer", BACKEND, "-n", "1", "--no-preflight", *args])


def said(result: Result) -> str:
    return f"{result.output}{result.exception}"


def rules(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = RunRecord.open(folder).config["rules"]
    return found


def test_a_file_holds_the_options_and_those_given_count_instead(here: Path) -> None:
    (here / "run.toml").write_text(
        'tasks = ["tasks/shopping.json"]\nagent = ["idle"]\nsteps = 9\nfeedback = 2\nepisode-cost = 0.5\n'
        "repetition = 5\nattempts = 2\nvideo = false\n"
    )
    done = run("--config", "run.toml", "--steps", "7", "--out", "one")
    assert done.exit_code == 0, said(done)
    assert rules(here / "one") == {
        "backend": BACKEND, "steps": 7, "feedback": 2, "cost_usd": 0.5, "repetition": 5
    }  # fmt: skip
    assert RunRecord.open(here / "one").config["samples"] == 2
    assert run("--config", "run.toml", "--agent", "random", "--out", "two").exit_code == 0
    assert [agent["name"] for agent in RunRecord.open(here / "two").config["agents"]] == ["random"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("stpes = 3", "did you mean 'steps'"),
        ("steps = 'many'", "run.toml: steps: 'many' is not a valid integer"),
        ("steps = 0", "run.toml: steps"),
        ("steps = [1]", "steps is a list"),
        ("steps = true", "steps is true"),
        ("video = 3", "give true or false"),
        ("agent = {name = 'idle'}", "agent is a table"),
        ("steps =", "not valid TOML"),
        ("like = 'x'", "unknown option"),
        ("config = 'x'", "unknown option"),
        ("level = [9]", "run.toml: level"),
    ],
)
def test_a_file_with_a_fault_is_refused_with_its_place(here: Path, text: str, fault: str) -> None:
    (here / "run.toml").write_text(text)
    done = run("--config", "run.toml", "--out", "one")
    assert done.exit_code != 0
    assert fault in said(done)
    assert not (here / "one").exists()


def test_a_file_that_is_not_there_is_named(here: Path) -> None:
    assert "nowhere.toml" in said(run("--config", "nowhere.toml"))


@pytest.fixture
def one(here: Path) -> Path:
    """A run with an agent of the user's own."""
    (here / "mine_agent.py").write_text(AGENT)
    done = run("tasks/shopping.json", "--agent", "mine_agent:Mine", "--steps", "9", "-k", "2", "--out", "one")
    assert done.exit_code == 0, said(done)
    return here / "one"


def test_a_run_like_another_has_its_tasks_agents_and_rules(one: Path, here: Path) -> None:
    done = run("--like", "one", "--out", "two", "--feedback", "1")
    assert done.exit_code == 0, said(done)
    first, second = RunRecord.open(one).config, RunRecord.open(here / "two").config
    for same in ("tasks", "agents", "samples", "suite", "assets", "images"):
        assert first[same] == second[same]
    assert second["rules"] == {**first["rules"], "feedback": 1}


def test_an_agent_whose_code_has_changed_is_named(one: Path, here: Path) -> None:
    (here / "mine_agent.py").write_text(f"{AGENT}\n# better now\n")
    done = run("--like", "one", "--out", "two")
    assert "agent 'mine_agent:Mine': its code has changed" in said(done)
    assert not (here / "two").exists()


def test_another_agent_is_named(one: Path) -> None:
    found = said(run("--like", "one", "--agent", "idle"))
    assert "'mine_agent:Mine' then, 'idle' now" in found
    assert run("--like", "one", "--agent", "mine_agent:Mine", "--out", "two").exit_code == 0


def test_tasks_that_have_changed_are_named(one: Path, here: Path) -> None:
    changed = shopping(instruction="Add eggs, and save.")
    (here / "tasks" / "shopping.json").write_text(json.dumps(changed.to_json()))
    assert "1 of 1 tasks have changed or are gone: 'test/shopping-v1 seed 0'" in said(run("--like", "one"))


def test_another_image_is_named(one: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proctor.cli.repeat.images_of", lambda _plan: {})
    config = json.loads((one / "run.json").read_text())
    config["images"] = {"starter": "a" * 64}
    (one / "run.json").write_text(json.dumps(config))
    assert f"image 'starter': {'a' * 12} then, none now" in said(run("--like", "one", "--trust"))


def test_tasks_may_not_be_chosen_besides(one: Path) -> None:
    for more in (["tasks/shopping.json"], ["--suite", "tour"], ["--level", "2"], ["--seeds", "2"]):
        done = run("--like", "one", *more)
        assert (done.exit_code, "leave out" in said(done)) == (2, True)


def test_a_run_from_elsewhere_is_not_started_unasked(one: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(one.parent / "another state"))
    done = run("--like", "one", "--out", "two")
    assert "was not begun here by you" in said(done)
    assert not (one.parent / "two").exists()


def test_help_lists_options_in_groups() -> None:
    text = CliRunner().invoke(cli, ["run", "--help"]).output
    places = [text.index(f"\n{title}:\n") for title in ("Tasks", "Agents", "Limits", "Computers", "Run", "Options")]
    assert places == sorted(places)
    assert "--help" in text[places[-1] :]
    assert text[places[-1] :].count("\n  -") == 1, "every option has a group"
