"""`proctor offline make --set`: the large sets, each made from nothing by one command."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from proctor.errors import SpecError
from proctor.plain_text import json_text, one_line

if TYPE_CHECKING:
    from proctor.offline.make.make import MadeSet
    from proctor.runner.plan import Plan

GOALS: dict[str, dict[str, int]] = {
    "ground": {"samples": 5_000, "applications": 30},
    "idm": {"transitions": 500, "sequences": 150},
    "critic": {"trajectories": 300},
}
AGENTS = {"idm": ("oracle,tree=on",), "critic": ("oracle", "oracle,miss=1")}
"""Whose episodes it is made from: answer keys, and of the near misses that come with every task as many as there are
successes, since others would be left out for balance."""
SEEDS = {"idm": 1, "critic": 2}
"""Variants of each task of core that are enough: an attempt has many transitions, and is one success or failure."""


@dataclass(frozen=True, kw_only=True)
class WantedSet:
    """How a set is made, where that may be said."""

    suite: str = "core"
    seeds: int | None = None
    """As many as SEEDS has when None."""
    limit: int | None = None
    backend: str = "sandbox"
    workers: int | None = None
    rounds: int = 4
    seed: int = 0


def make_large_set(name: str, out: Path, wanted: WantedSet, *, parquet: bool, sft: bool, as_json: bool) -> None:
    """Make one of the sets; the same command goes on where it was interrupted."""
    from proctor.cli.offline_harvest import harvest

    if name == "ground":
        context = click.get_current_context()
        context.invoke(
            harvest,
            out=out,
            samples=GOALS["ground"]["samples"],
            rounds=wanted.rounds,
            seed=wanted.seed,
            backend=wanted.backend,
            workers=wanted.workers or len(os.sched_getaffinity(0)),
            parquet=parquet,
            as_json=as_json,
        )
        for each in _shortfalls(name, _counts(out, name)):
            click.echo(f"{each}: give more --rounds", err=True)
        return
    if out.exists():
        raise SpecError(f"{out} already exists", remedy="name another folder, or remove it")
    run = out.with_name(f"{out.name}.run")
    _record(run, AGENTS[name], replace(wanted, seeds=wanted.seeds or SEEDS[name]))
    made = make_set((run,), out, tasks=(name,), parquet=parquet, sft=sft)
    has = _counts(out, name)
    short = _shortfalls(name, has)
    if as_json:
        click.echo(json_text({**vars(made), "has": has, "short": short, "run": str(run), "out": str(out)}))
        return
    click.echo(f"wrote {one_line(str(out))}: {', '.join(f'{count} {what}' for what, count in has.items())}")
    for each in short:
        click.echo(f"{each}: give more --seeds, or a larger --suite, or no --limit")


def make_set(
    runs: tuple[Path, ...],
    out: Path,
    *,
    tasks: tuple[str, ...],
    parquet: bool,
    sft: bool,
    checked: bool = False,
    as_is: bool = False,
    only: tuple[str, ...] = (),
) -> MadeSet:
    """Make a data set from runs in a folder that appears once it is whole."""
    from proctor.offline.make.export import write_parquet, write_sft
    from proctor.offline.make.make import make as make_in
    from proctor.offline.sample import TASKS
    from proctor.store.collection import EpisodeFilter
    from proctor.store.files import folder_at_once

    choice = EpisodeFilter.parse(only)
    with folder_at_once(out) as folder:
        made = make_in(runs, folder, tasks=tasks or TASKS, checked=checked, as_is=as_is, choice=choice)
        if parquet:
            write_parquet(folder)
        if sft:
            write_sft(folder)
    return made


def _record(folder: Path, agents: tuple[str, ...], wanted: WantedSet) -> None:
    from proctor.agents.spec import AgentSpec
    from proctor.cli.choose_tasks import chosen_tasks, suite_name
    from proctor.cli.open_agents import checked_visibly
    from proctor.cli.progress import RunBar
    from proctor.cli.run_progress import RunSettings, find_workers
    from proctor.cli.trust import go_on_with, remember
    from proctor.exam.rules import Rules
    from proctor.report.terminal import open_console
    from proctor.runner.plan import Plan, plan_tasks
    from proctor.runner.plan_record import begin
    from proctor.runner.preflight import images_of
    from proctor.runner.schedule import carry_out
    from proctor.store.paths import RunPaths

    tasks, assets = chosen_tasks(wanted.suite, (), {}, range(wanted.seeds or 1), limit=wanted.limit)
    plan = Plan(
        suite=suite_name(wanted.suite, (), tasks),
        tasks=plan_tasks(tasks),
        agents=tuple(AgentSpec.parse(agent) for agent in agents),
        rules=Rules(backend=wanted.backend),
        assets=assets,
        code=(Path.cwd(),),
    )
    if RunPaths(folder).run.is_file():
        record, begun = go_on_with(folder, trust=False)
        if _episodes(begun) != _episodes(plan):
            record.close()
            raise SpecError(
                f"{folder} contains episodes of a set with other options",
                remedy="give the same options, another --out, or remove that folder",
            )
        plan = begun
        record.adopt()
    else:
        plan = checked_visibly(plan, most_usd=None, endpoints=False, skip_unfit=True)
        record = begin(plan, folder, images=images_of(plan))
        remember(record.root, *(plan.code or [Path.cwd()]))
    shares = {agent.label: plan.share(agent) for agent in plan.agents}
    with record, RunBar(open_console(stderr=True), shares) as bar:
        carry_out(plan, record, find_workers(plan, RunSettings(size=wanted.workers)), heard=bar.hear)


def _episodes(plan: Plan) -> tuple[object, ...]:
    """Return which episodes a plan is of, whatever has been said since in the words of its tasks."""
    named = sorted((task.id, task.seed) for task in plan.tasks)
    return named, [agent.label for agent in plan.agents], plan.rules.backend


def _shortfalls(name: str, has: dict[str, int]) -> list[str]:
    return [f"{has[what]} {what} where {least} are wanted" for what, least in GOALS[name].items() if has[what] < least]


def _counts(folder: Path, name: str) -> dict[str, int]:
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows: list[dict[str, object]] = [json.loads(line) for line in lines]
    if name == "ground":
        return {"samples": len(rows), "applications": len({row["application"] for row in rows})}
    if name == "critic":
        sides = Counter(bool(row["is_success"]) for row in rows)
        return {"trajectories": len(rows), "successes": sides[True], "failures": sides[False]}
    several = sum("actions" in row for row in rows)
    return {"transitions": len(rows) - several, "sequences": several}
