"""What agents of a run are called: aliases, servers on other ports, and records that do not say it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proctor.agents.spec import AgentSpec
from proctor.errors import SpecError
from proctor.runner.plan import Plan, PlannedTask, plan_tasks
from proctor.runner.plan_record import begin, recall
from proctor.store.run import RunRecord
from proctor.suites import load_suite

AT = "prompted,model=a/b,base_url=http://127.0.0.1:{}/v1"


def plan(*agents: str) -> Plan:
    return Plan(suite="tour", tasks=(_task(),), agents=tuple(map(AgentSpec.parse, agents)))


def _task() -> PlannedTask:
    (task,) = plan_tasks([load_suite("tour").task("sign-the-letter")])
    return task


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        (("idle,as=x", "oracle,as=x"), "2 agents would be called 'x': idle, oracle"),
        (("oracle", "idle,as=oracle"), "2 agents would be called 'oracle'"),
        ((AT.format(8000), AT.format(8001)), "2 agents would be called"),
        (("idle", "idle"), "is named twice"),
    ],
)
def test_two_agents_of_one_label_are_refused(agents: tuple[str, ...], said: str) -> None:
    with pytest.raises(SpecError, match=said) as caught:
        plan(*agents)
    assert "as=" in caught.value.remedy or "-k" in caught.value.remedy


def test_labels_are_kept_with_the_run(tmp_path: Path) -> None:
    asked = plan("idle,as=nobody", AT.format(8000))
    begin(asked, tmp_path / "run", images={}).close()
    assert recall(RunRecord.open(tmp_path / "run")).agents == asked.agents


def test_an_earlier_record_keeps_the_labels_that_its_episodes_have(tmp_path: Path) -> None:
    begin(plan(AT.format(8000)), tmp_path / "run", images={}).close()
    path = tmp_path / "run" / "run.json"
    config = json.loads(path.read_text())
    del config["agents"][0]["label"]
    path.write_text(json.dumps(config))
    (agent,) = recall(RunRecord.open(tmp_path / "run")).agents
    assert agent.label == "prompted,base_url=http://127.0.0.1:8000/v1,model=a/b"
