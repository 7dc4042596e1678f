"""`proctor run --like RUN`: a plan once more, refused where anything it rests on has changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import click

from proctor.agents.spec import AgentSpec
from proctor.cli.trust import code_folders, starts
from proctor.errors import ProctorError, SpecError
from proctor.exam.rules import Rules
from proctor.runner.agent_code import code_of
from proctor.runner.plan import Plan, PlannedTask
from proctor.runner.plan_record import recall
from proctor.runner.preflight import images_of
from proctor.store.run import RunRecord
from proctor.suites import FOREIGN, SUITES, load_suite
from proctor.tasks.stretch import from_checkpoint

_MOST_NAMED = 5
_OTHER_TASKS = ("names", "suite", "app", "category", "level", "domain", "service", "feasible", "seeds", "first_seed",
                "hidden_seeds", "begin_after", "limit", "model", "base_url", "varied")  # fmt: skip
"""Parameters that would choose something else than the run did."""


def plan_like(run: Path, context: click.Context, agents: tuple[AgentSpec, ...], *, trust: bool) -> Plan:
    """Return the plan of a run, with the rules that were given on the command line over its own.

    Raises SpecError that names everything that differs: the image, tasks of the suite, agents or their code.
    """
    if wrong := [name for name in _OTHER_TASKS if _is_given(context, name)]:
        option = next(one for one in context.command.params if one.name == wrong[0])
        raise click.UsageError(
            f"--like already says which tasks and agents to use; leave out {option.opts[0]}", context
        )
    record = RunRecord.open(run)
    plan = recall(record)
    code = code_folders(record, starts(plan), trust)
    found = [*_other_agents(record.config, plan, agents), *_other_tasks(plan), *_other_images(record.config, plan)]
    if found:
        listed = "".join(f"\n  - {difference}" for difference in found)
        raise SpecError(
            f"{run} cannot be repeated as it was:{listed}",
            remedy="start a new run with tasks and agents of your choice",
        )
    own = {entry.name for entry in fields(Rules)}
    rules = {name: context.params[name] for name in own if name in context.params and _is_given(context, name)}
    others = {
        field: context.params[name]
        for field, name in (("samples", "attempts"), ("paraphrases", "paraphrases"))
        if _is_given(context, name)
    }
    return replace(plan, code=code, rules=replace(plan.rules, **rules), **others)


def _is_given(context: click.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    if source is None or source.name == "DEFAULT":
        return False
    return name != "names" or bool(context.params.get("names"))


def _other_agents(config: Mapping[str, Any], plan: Plan, agents: tuple[AgentSpec, ...]) -> Iterator[str]:
    if agents and {agent.label for agent in agents} != {agent.label for agent in plan.agents}:
        yield f"agents: {_join(a.label for a in plan.agents)} then, {_join(a.label for a in agents)} now"
        return
    for spec, entry in zip(plan.agents, config["agents"], strict=True):
        try:
            now = code_of(spec)
        except ProctorError as error:
            yield f"agent {spec.label!r}: {error.message}"
            continue
        before = entry.get("code")
        if before is not None and before != now:
            yield f"agent {spec.label!r}: its code has changed ({str(before)[:12]} then, {now[:12] or 'unknown'} now)"


def _other_tasks(plan: Plan) -> Iterator[str]:
    changed = [task for task in plan.tasks if _digest_now(task, plan.assets) not in (None, task.digest)]
    if changed:
        names = _join(f"{task.id} seed {task.seed}" for task in changed[:_MOST_NAMED])
        more = f" and {len(changed) - _MOST_NAMED} more" if len(changed) > _MOST_NAMED else ""
        yield f"suite {plan.suite!r}: {len(changed)} of {len(plan.tasks)} tasks have changed or are gone: {names}{more}"


def _digest_now(task: PlannedTask, assets: Path | None) -> str | None:
    """Return the digest of a task as its suite writes it now; empty when it has none of that name.

    None where there is no suite to ask: tasks from a file, and those of other systems, are in the record, and that is
    what is repeated.
    """
    suite = task.id.partition("/")[0]
    if suite in FOREIGN or (not SUITES.knows(suite) and (assets is None or not assets.is_dir())):
        return None
    source = load_suite(suite if SUITES.knows(suite) else assets or suite)
    template = source.get(task.id)
    if template is None:
        return ""
    begin = json.loads(task.text).get("begin_after", "")
    now = source.task(template.name, task.seed)
    try:
        return from_checkpoint(now, begin).digest if begin else now.digest
    except SpecError:
        return ""  # it has no such checkpoint any more


def _other_images(config: Mapping[str, Any], plan: Plan) -> Iterator[str]:
    now = images_of(plan)
    for name, before in config["images"].items():
        if now.get(name) != before:
            yield f"image {name!r}: {str(before)[:12]} then, {now.get(name, 'none')[:12]} now"


def _join(names: Iterable[object]) -> str:
    return ", ".join(map(repr, names))
