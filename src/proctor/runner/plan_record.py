"""A plan in the record of its run: written when the run begins, read when it is gone on with."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from proctor.agents.spec import AgentSpec
from proctor.errors import RecordError, SpecError
from proctor.exam.rules import Rules
from proctor.runner.agent_code import code_of
from proctor.runner.origin import RecordedActions
from proctor.runner.plan import Plan, PlannedTask, Unfit
from proctor.store.read import RecordedEpisode
from proctor.store.run import RunRecord
from proctor.version import VERSION


def begin(plan: Plan, folder: Path, *, images: Mapping[str, str]) -> RunRecord:
    """Make the record of a new run, every task with it, so that it can be resumed and judged again as it is."""
    record = RunRecord.create(folder, _config(plan, images))
    for task in plan.tasks:
        record.keep_task(task.digest, json.loads(task.text))
    return record


def recall(record: RunRecord) -> Plan:
    """Return the plan that a record was begun with; raises RecordError where it names none.

    Nothing is imported and nothing started by it.
    """
    if "served" in record.config:
        raise RecordError(
            f"{record.paths.run} was recorded by a server that another program drove, so there is nothing to resume",
            remedy="see `proctor report`; unfinished episodes are started again by that program",
        )
    try:
        return _plan(record)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(
            f"{record.paths.run} has no plan: {error!r}", remedy="see `proctor runs verify`, or start a new run"
        ) from error


def plan_of_fork(
    record: RunRecord, recorded: RecordedEpisode, actions: RecordedActions, agents: tuple[AgentSpec, ...], attempts: int
) -> Plan:
    """Return a plan of the one task, under the rules of the episode."""
    task = recorded.header.task
    whole = recall(record)
    chosen = [one for one in whole.tasks if task and (one.id, one.seed) == (task.id, task.seed or 0)]
    if not chosen:
        raise RecordError(f"{recorded.folder} has a task that is not in its run", remedy="see `proctor runs verify`")
    rules = Rules.from_json(recorded.header.rules)
    rules = replace(rules, origin=str(recorded.folder.absolute()), origin_actions=actions.count, confirm="")
    one = {"tasks": tuple(chosen[:1]), "agents": agents, "samples": attempts, "paraphrases": False, "unfit": ()}
    return replace(whole, rules=rules, **one)  # type: ignore[arg-type]


def _plan(record: RunRecord) -> Plan:
    config = record.config
    tasks = [PlannedTask(text=record.task(entry["digest"]), **entry) for entry in config["tasks"]]
    return Plan(
        suite=config["suite"],
        tasks=tuple(tasks),
        agents=tuple(_label_as(AgentSpec(one["name"], one["options"]), one.get("label")) for one in config["agents"]),
        samples=config["samples"],
        paraphrases=config["paraphrases"],
        rules=Rules.from_json(config["rules"]),
        assets=Path(config["assets"]) if config["assets"] else None,
        seeds_by=str(config.get("seeds_by", "")),
        unfit=tuple(Unfit(one["task"], one["seed"], one["agent"], one["why"]) for one in config.get("unfit", ())),
    )


def _label_as(agent: AgentSpec, recorded: str | None) -> AgentSpec:
    """Return an agent under the label that its episodes have; earlier records do not say it, and had ports in it."""
    label = agent.whole if recorded is None else recorded
    return agent if label == agent.label else replace(agent, alias=label)


def _code(agent: AgentSpec) -> str:
    """Return which code an agent is made of; whoever plans may not have it at hand."""
    try:
        return code_of(agent)
    except SpecError:
        return ""


def _config(plan: Plan, images: Mapping[str, str]) -> dict[str, Any]:
    return {
        "suite": plan.suite,
        "tasks": [
            {
                "id": task.id,
                "seed": task.seed,
                "digest": task.digest,
                "wordings": task.wordings,
                "seconds": task.seconds,
                "image": task.image,
                **({"unproven": True} if task.unproven else {}),
            }
            for task in plan.tasks
        ],
        "agents": [
            {"name": agent.name, "options": dict(agent.options), "label": agent.label, "code": _code(agent)}
            for agent in plan.agents
        ],
        "samples": plan.samples,
        "paraphrases": plan.paraphrases,
        "rules": plan.rules.to_json(),
        **({"unfit": [asdict(one) for one in plan.unfit]} if plan.unfit else {}),
        **({"seeds_by": plan.seeds_by} if plan.seeds_by else {}),
        "assets": str(plan.assets.resolve()) if plan.assets else "",
        "episodes": len(plan),
        "images": dict(images),
        "proctor": VERSION,
        "host": _host_facts(),
        "started": time.time(),
    }


def _host_facts() -> dict[str, Any]:
    """Return what a reader of the record may want to know of this machine.

    There is nothing in it that names the machine or its user.
    """
    return {
        "system": platform.system(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }
