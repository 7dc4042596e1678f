"""The plan by which other agents go on from the middle of a recorded episode."""

from __future__ import annotations

from dataclasses import replace

from proctor.agents.spec import AgentSpec
from proctor.errors import RecordError
from proctor.exam.rules import Rules
from proctor.runner.origin import RecordedActions
from proctor.runner.plan import Plan
from proctor.runner.plan_record import recall
from proctor.store.read import RecordedEpisode
from proctor.store.run import RunRecord


def plan_of_fork(
    record: RunRecord, recorded: RecordedEpisode, actions: RecordedActions, agents: tuple[AgentSpec, ...], attempts: int
) -> Plan:
    """Return a plan of the one task, under the rules of the episode."""
    task = recorded.header.task
    whole = recall(record)
    chosen = [one for one in whole.tasks if task and (one.id, one.seed) == (task.id, task.seed or 0)]
    if not chosen:
        raise RecordError(f"{recorded.folder} has a task that its run does not hold", remedy="see `proctor verify`")
    rules = Rules.from_json(recorded.header.rules)
    rules = replace(rules, origin=str(recorded.folder.absolute()), origin_actions=actions.count, confirm="")
    one = {"tasks": tuple(chosen[:1]), "agents": agents, "samples": attempts, "paraphrases": False, "unfit": ()}
    return replace(whole, rules=rules, **one)  # type: ignore[arg-type]
