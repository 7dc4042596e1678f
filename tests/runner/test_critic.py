"""A critic judges live episodes beside the checks: kept, reported with its agreement, and never part of the score."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.actions.action import Action, Answer, Done, Press
from proctor.cli.main import cli
from proctor.cli.trust import starts
from proctor.errors import SpecError
from proctor.exam.rules import Rules
from proctor.exam.watchers import critic as watchers
from proctor.models.model import Picture
from proctor.models.script import ScriptedModel
from proctor.models.usage import Metered
from proctor.observations.observation import Observation
from proctor.records import Brief, Header, Result, read
from proctor.runner import plan_record
from proctor.runner.preflight import check_agents
from proctor.runner.run_episode import run_episode
from proctor.store.run import RunRecord
from tests.runner.jobs import FAKE, job, plan

TRUE, FALSE = "It is there.\nConfidence: 0.9\nAnswer: True", "The list is empty.\nConfidence: 0.8\nAnswer: False"


class Insisting:
    """An agent that presses a key and says that it is done, until it is believed."""

    heard: list[str] = []

    def start(self, brief: Brief) -> None:
        self.turn = 0

    def act(self, observation: Observation) -> Action:
        self.turn += 1
        self.heard += [told.text for told in observation.told]
        return Press(keys="a") if self.turn == 1 else Done()


def critic(folder: Path, *replies: Any, **rules: Any) -> Rules:
    script = folder / "critic.jsonl"
    script.write_text("".join(json.dumps(reply) + "\n" for reply in replies))
    return replace(FAKE, critic=f"scripted/{script}", **rules)


def held(folder: Path, agent: str, rules: Rules) -> tuple[Result, Header]:
    done = run_episode(job(folder, agent, rules=rules))
    return done, read(Header, json.loads((folder / done.folder / "episode.json").read_text()))


def test_it_stands_beside_the_verdict(tmp_path: Path) -> None:
    alone, _ = held(tmp_path / "alone", "oracle", FAKE)
    done, header = held(tmp_path / "judged", "oracle", critic(tmp_path, FALSE))
    # It is wrong here, and that changes nothing about the agent.
    assert (done.score, done.stop, done.calls, done.cost_usd) == (alone.score, alone.stop, alone.calls, alone.cost_usd)
    assert done.passed
    assert done.metrics["critic_success"] == 0
    assert done.metrics["critic_confidence"] == 0.8
    (said,) = header.critic
    assert (said.success, said.told, said.reply) == (False, False, FALSE)
    assert said.model.startswith("scripted/") and said.tokens > 0


@pytest.mark.parametrize(
    ("reply", "problem"),
    [({"error": "overloaded"}, "overloaded"), ("True or False", "both"), ("I cannot tell.", "neither")],
)
def test_a_critic_without_a_judgement_is_no_defect(tmp_path: Path, reply: Any, problem: str) -> None:
    done, header = held(tmp_path / "run", "oracle", critic(tmp_path, reply))
    assert done.passed and not done.defect
    assert "critic_success" not in done.metrics and done.metrics["critic_asked"] == 1
    assert problem in header.critic[0].problem.lower()


def test_an_agent_may_be_told_what_it_doubts(tmp_path: Path) -> None:
    Insisting.heard.clear()
    rules = critic(tmp_path, FALSE, TRUE, FALSE, critic_feedback=2)
    done, header = held(tmp_path / "run", f"{__name__}:Insisting", rules)
    assert done.stop == "done" and done.score == 0
    assert [(each.success, each.told) for each in header.critic] == [(False, True), (True, False), (False, False)]
    (told,) = Insisting.heard
    assert "critic" in told and "The list is empty." in told and "Answer:" not in told


def test_it_sees_the_last_actions_and_knows_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = ScriptedModel(replies=[TRUE])
    monkeypatch.setattr(watchers, "open_model", lambda _name: model)
    run_episode(job(tmp_path, rules=replace(FAKE, critic="scripted/any")))
    ((message,),) = model.asked
    words = [part for part in message.parts if isinstance(part, str)]
    pictures = [part for part in message.parts if isinstance(part, Picture)]
    actions = [each for each in words if each.startswith("Action: ")]
    assert len(pictures) == len(actions) + 1 <= 6
    task = job(tmp_path).task
    assert task.instruction in words[-1]
    assert not any(str(step) in text for step in task.solution for text in words)


class Answering:
    """An agent that answers at once."""

    def start(self, brief: Brief) -> None:
        self.brief = brief

    def act(self, observation: Observation) -> Action:
        return Answer(text="forty-two")


def test_an_answer_is_shown_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = ScriptedModel(replies=[FALSE])
    monkeypatch.setattr(watchers, "open_model", lambda _name: model)
    run_episode(job(tmp_path, f"{__name__}:Answering", rules=replace(FAKE, critic="scripted/any")))
    assert any("forty-two" in part for part in model.asked[0][0].parts if isinstance(part, str))


def test_wrong_rules_are_found_before_a_run(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="needs a critic"):
        Rules(critic_feedback=1)
    with pytest.raises(SpecError):
        check_agents([], Rules(critic="nobody/knows"))
    rules = critic(tmp_path, TRUE)
    assert any("judges alongside the checks" in line for line in starts(plan("idle", rules=rules)))
    assert Rules.from_json(rules.to_json()) == rules


def test_money_is_counted_before_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    model = ScriptedModel(replies=[])
    model.price = None  # type: ignore[assignment]
    monkeypatch.setattr("proctor.runner.preflight.open_model", lambda _name: model)
    with pytest.raises(SpecError, match="no price"):
        check_agents([], Rules(critic="scripted/any"), most_usd=1.0)
    assert Metered(model).name


def run_of(folder: Path, agents: Sequence[str], rules: Rules) -> Path:
    planned = plan(*agents, tasks=2, rules=rules)
    with plan_record.begin(planned, folder, images={}) as record:
        assert isinstance(record, RunRecord)
        for each in planned.jobs({}, folder):
            record.add(run_episode(each))
        record.seal()
    return folder


def test_its_agreement_is_reported(tmp_path: Path) -> None:
    folder = run_of(tmp_path / "run", ("oracle", "idle"), critic(tmp_path, TRUE))
    shown = CliRunner().invoke(cli, ["report", str(folder), "--json"])
    assert shown.exit_code == 0, shown.output
    rows = {row["agent"]: row for row in json.loads(shown.stdout)["tables"]["critic"]["rows"]}
    assert rows["oracle"]["agreement"] == 1 and rows["idle"]["agreement"] == 0
    assert (rows["all"]["judged"], rows["all"]["believed"], rows["all"]["kappa"]) == (4, 2, 0)
    assert "kappa" in CliRunner().invoke(cli, ["report", str(folder)]).output
