"""Tasks as a run loop of OSWorld hands them over: dictionaries with an id and an instruction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from proctor.errors import SpecError
from proctor.suites import DEFAULT, load_suite, write_tasks
from proctor.suites.foreign import osworld as foreign
from proctor.suites.foreign.assets import Assets
from proctor.suites.foreign.collection import slug
from proctor.suites.foreign.json_file import ForeignFile
from proctor.tasks.free import free_task
from proctor.tasks.task import Task

OURS = "proctor"
"""The key under which one of our own tasks is named."""


@dataclass(frozen=True)
class GivenTask:
    """A task, and where its files lie."""

    task: Task
    assets: Path | None = None
    asked: bool = True
    """Whether anything is asked; a plain desktop is not evaluated."""


def task_configs(
    suite: str = DEFAULT, names: Sequence[str] = (), seeds: Sequence[int] = (0,)
) -> list[dict[str, object]]:
    """Return tasks of ours as `DesktopEnv.reset` and OSWorld's run loops take them.

    Args:
        suite: The name of a suite, or a folder of tasks.
        names: Which; all where none is named.
        seeds: Which variants of each.
    """
    return [
        {
            "id": task.id,
            "instruction": task.instruction,
            "related_apps": list(task.tags.apps),
            "source": f"proctor {suite}",
            OURS: {"suite": str(suite), "task": task.id, "seed": task.seed or 0},
        }
        for task in write_tasks(suite, names, seeds)
    ]


def read_task(config: object, seed: int | None, *, suite: str, assets: Path | None) -> GivenTask:
    """Return the task that was handed over; raises SpecError with what is wrong with it.

    Args:
        config: A name of a task, a task, a dictionary of `task_configs`, one of OSWorld's, or None for none.
        seed: Which variant of a task of ours.
        suite: Where a name is looked for.
        assets: The folder of the files that tasks name.
    """
    if config is None:
        return GivenTask(free_task(), assets, asked=False)
    if isinstance(config, Task):
        return GivenTask(config, assets)
    if isinstance(config, str):
        return _own(suite, config, seed)
    if not isinstance(config, Mapping):
        raise SpecError(
            f"a task is a dictionary or the name of one, not {type(config).__name__}",
            remedy="give what task_configs() returns, or a task file of OSWorld's as it is read by json.load",
        )
    if OURS in config:
        return _own_of(config[OURS], seed)
    if "evaluator" in config:
        return _foreign(config, assets)
    if isinstance(name := config.get("id"), str):
        return _own(suite, name, seed)
    raise SpecError(
        f"this dictionary is no task: it has {', '.join(repr(str(key)[:40]) for key in list(config)[:8]) or 'nothing'}",
        remedy=f"give one with `evaluator`, as OSWorld's tasks have, or with {OURS!r}, as task_configs() returns",
    )


def _own_of(named: object, seed: int | None) -> GivenTask:
    if not isinstance(named, Mapping) or not isinstance(named.get("task"), str):
        raise SpecError(
            f"{OURS!r} of a task names none", remedy="give its suite, task and seed, as task_configs() does"
        )
    variant = named.get("seed", 0) if seed is None else seed
    if not isinstance(variant, int) or isinstance(variant, bool):
        raise SpecError(f"the seed {variant!r} of task {named['task']!r} is no whole number")
    return _own(str(named.get("suite", DEFAULT)), named["task"], variant)


def _own(suite: str, name: str, seed: int | None) -> GivenTask:
    source = load_suite(suite)
    return GivenTask(source.task(name, seed or 0), source.assets)


def _foreign(config: Mapping[str, object], assets: Path | None) -> GivenTask:
    """Return a task of OSWorld's; raises SpecError with all that it needs and does not have."""
    text = json.dumps(config, default=str, sort_keys=True)
    name = slug(str(config.get("id", "")))
    file = ForeignFile(Path(f"{name}.json"), data=json.loads(text), digest=sha256(text.encode()).hexdigest(), text=text)
    folder = assets.resolve() if assets else None
    apps = config.get("related_apps")
    domain = str(apps[0]) if isinstance(apps, list) and len(apps) == 1 else "multi_apps"
    found = foreign.read_task(file, domain, Assets(folder))
    if found.make is None:
        said = "; ".join(dict.fromkeys(reason.why for reason in found.reasons))
        raise SpecError(
            f"the task {name!r} is not ready ({found.status}): {said[:1000]}",
            remedy="`proctor tasks import osworld FOLDER --report` says so of every file",
        )
    return GivenTask(found.make(), folder)
