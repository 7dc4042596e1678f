"""A run of a composed task, held on the fake computer."""

from __future__ import annotations

from pathlib import Path

from proctor.runner.run_episode import run_episode
from proctor.store.run import RunRecord
from proctor.tasks.machine import Machine
from proctor.tasks.task import Task
from tests.graphs.composed import SIZE, diamond
from tests.runner.jobs import job


def write_composed(root: Path, agent: str = "oracle", task: Task | None = None) -> Path:
    """Have an agent do a composed task, by default one whose two middle subtasks may come in any order.

    Returns the episode's folder.
    """
    chosen = (task or diamond()).model_copy(update={"machine": Machine(size=SIZE)})
    with RunRecord.create(root, {"plan": {"suite": "tests", "agents": [agent]}}) as record:
        one = job(root, agent, task=chosen)
        record.keep_task(one.digest, chosen.to_json())
        record.add(run_episode(one))
        record.commit()
        record.seal()
    return one.folder
