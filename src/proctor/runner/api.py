"""A run called from Python: planned, carried out on this machine, its results returned."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from proctor.agents.spec import AgentSpec
from proctor.errors import SpecError
from proctor.exam.rules import Rules
from proctor.records import Result
from proctor.runner.admission import EpisodeAdmission
from proctor.runner.capacity import share
from proctor.runner.plan import Plan, plan_tasks
from proctor.runner.plan_record import begin, recall
from proctor.runner.preflight import check_plan, images_of
from proctor.runner.schedule import carry_out
from proctor.runner.workers.local import LocalWorkers
from proctor.store.run import RunRecord
from proctor.suites import load_suite, write_tasks


def run_suite(
    suite: str,
    agents: Sequence[str],
    folder: Path,
    *,
    tasks: Sequence[str] = (),
    seeds: int = 1,
    attempts: int = 1,
    workers: int | None = None,
    skip_unfit: bool = False,
    loose_limits: bool = False,
    **rules: Any,
) -> list[Result]:
    """Examine agents on a suite; see `proctor.run`."""
    source = load_suite(suite)
    plan = Plan(
        suite=source.name,
        tasks=plan_tasks(write_tasks(suite, tasks, range(seeds))),
        agents=tuple(AgentSpec.parse(agent) for agent in agents),
        samples=attempts,
        rules=Rules(**rules),
        assets=source.assets,
    )
    plan = check_plan(plan, skip_unfit=skip_unfit, trying=str, loose_limits=loose_limits)
    admission = EpisodeAdmission.for_plan(len(plan), workers, share(plan.images, thinking=True))
    with _record(plan, folder) as record:
        carry_out(plan, record, LocalWorkers(admission, longest_sec=plan.longest_sec))
        return list(record.final())


def _record(plan: Plan, folder: Path) -> RunRecord:
    if not (folder / "run.json").exists():
        return begin(plan, folder, images=images_of(plan))
    record = RunRecord.resume(folder)
    if recall(record) != plan:
        record.close()
        raise SpecError(f"{folder} contains another run", remedy="choose another folder, or `proctor runs resume` it")
    record.adopt()
    return record
