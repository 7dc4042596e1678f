"""The plan of a run: which episodes there are to hold, less those that the record holds already."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proctor.agents.spec import AgentSpec
from proctor.errors import RecordError, SpecError
from proctor.records import EpisodeKey, Result
from proctor.runner.host import host_facts
from proctor.runner.job import Job, Rules
from proctor.store.run import RunRecord
from proctor.tasks.task import Task
from proctor.version import VERSION


@dataclass(frozen=True)
class PlannedTask:
    """One task of a plan, as text that is read only where it is set."""

    id: str
    seed: int
    digest: str
    text: str
    wordings: int = 1
    """Its instruction and paraphrases."""
    seconds: int = 900
    image: str = ""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Tasks x agents x samples x wordings, under one set of rules."""

    suite: str
    tasks: tuple[PlannedTask, ...]
    agents: tuple[AgentSpec, ...]
    samples: int = 1
    paraphrases: bool = False
    """Whether each wording of an instruction is set, or only the first."""
    rules: Rules = Rules()
    assets: Path | None = None
    code: Path | None = field(default=None, compare=False)
    """Where modules that the user named are looked for; no part of the record."""

    def __post_init__(self) -> None:
        labels = [agent.label for agent in self.agents]
        if twice := sorted({label for label in labels if labels.count(label) > 1}):
            raise SpecError(f"agent {twice[0]!r} is named twice", remedy="name it once; use -k for several attempts")
        if not self.agents:
            raise SpecError("a run needs an agent", remedy="name one, such as --agent idle; see `proctor agents list`")
        if not self.tasks:
            raise SpecError("a run needs a task", remedy="see `proctor tasks list`")
        refuse_doubles((task.id, task.seed, task.digest) for task in self.tasks)

    def __len__(self) -> int:
        return sum(self._wordings(task) for task in self.tasks) * len(self.agents) * self.samples

    def episodes(self) -> Iterator[tuple[PlannedTask, AgentSpec, EpisodeKey]]:
        """Yield every episode: all tasks once before any is repeated, so that early figures stand for the whole."""
        for sample in range(self.samples):
            for task in self.tasks:
                for paraphrase in range(self._wordings(task)):
                    for agent in self.agents:
                        key = EpisodeKey(
                            task=task.id, agent=agent.label, seed=task.seed, sample=sample, paraphrase=paraphrase
                        )
                        yield task, agent, key

    def jobs(self, held: Mapping[EpisodeKey, Result], run: Path) -> Iterator[Job]:
        """Yield what is left to do: episodes that are not held, and void ones that may be tried again."""
        for task, agent, key in self.episodes():
            last = held.get(key)
            if last is not None and not last.may_be_repeated(self.rules.retries):
                continue
            yield Job(
                key=key,
                retry=last.retry + 1 if last else 0,
                agent=agent,
                rules=self.rules,
                digest=task.digest,
                task_json=task.text,
                run=run,
                assets=self.assets,
                code=self.code,
            )

    @property
    def images(self) -> set[str]:
        """The desktop images that its tasks run on."""
        return {task.image for task in self.tasks}

    @property
    def longest_sec(self) -> float:
        """How long an agent may work at most on any of the tasks."""
        return float(self.rules.seconds or max(task.seconds for task in self.tasks))

    def _wordings(self, task: PlannedTask) -> int:
        return task.wordings if self.paraphrases else 1


def refuse_doubles(tasks: Iterable[tuple[str, int, str]]) -> None:
    """Raise SpecError when two tasks, given by id, seed and digest, would have one place in the record."""
    known: dict[tuple[str, int], str] = {}
    for name, seed, digest in tasks:
        first = known.setdefault((name, seed), "")
        if first == digest:
            raise SpecError(f"the task {name!r} is named twice", remedy="name it once; use -k for several attempts")
        if first:
            raise SpecError(f"two tasks have the id {name!r}", remedy="give one of them another id")
        known[name, seed] = digest


def planned(tasks: Iterable[Task]) -> tuple[PlannedTask, ...]:
    """Return tasks as a plan holds them."""
    return tuple(
        PlannedTask(
            id=task.id,
            seed=task.seed or 0,
            digest=task.digest,
            text=task.text,
            wordings=1 + len(task.paraphrases),
            seconds=task.limits.seconds,
            image=task.image,
        )
        for task in tasks
    )


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
    try:
        return _plan(record)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(
            f"{record.paths.run} holds no plan: {error!r}", remedy="see `proctor verify`, or begin a new run"
        ) from error


def _plan(record: RunRecord) -> Plan:
    config = record.config
    tasks = [PlannedTask(text=record.task(entry["digest"]), **entry) for entry in config["tasks"]]
    return Plan(
        suite=config["suite"],
        tasks=tuple(tasks),
        agents=tuple(AgentSpec(agent["name"], agent["options"]) for agent in config["agents"]),
        samples=config["samples"],
        paraphrases=config["paraphrases"],
        rules=Rules.from_json(config["rules"]),
        assets=Path(config["assets"]) if config["assets"] else None,
    )


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
            }
            for task in plan.tasks
        ],
        "agents": [{"name": agent.name, "options": dict(agent.options)} for agent in plan.agents],
        "samples": plan.samples,
        "paraphrases": plan.paraphrases,
        "rules": plan.rules.to_json(),
        "assets": str(plan.assets.resolve()) if plan.assets else "",
        "episodes": len(plan),
        "images": dict(images),
        "proctor": VERSION,
        "host": host_facts(),
        "started": time.time(),
    }
