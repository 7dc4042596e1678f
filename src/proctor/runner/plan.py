"""The plan of a run: which episodes there are to hold, less those that the record holds already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from proctor.agents.spec import AgentSpec
from proctor.errors import SpecError
from proctor.exam.rules import Rules
from proctor.records import EpisodeKey, Result
from proctor.runner.job import Job
from proctor.tasks.task import Task

CRITIC_SEC = 180.0
"""Patience with a critic, each time that it is asked; its waiting and retries included."""


MOST_NAMED = 5
"""Tasks that a reason names; the rest are counted."""


@dataclass(frozen=True)
class Unfit:
    """An episode that cannot be held, and why not."""

    task: str
    seed: int
    agent: str
    why: str


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
    unproven: bool = False
    """Whether it has no answer key."""


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
    unfit: tuple[Unfit, ...] = ()
    """Episodes that cannot be held, and are left out."""
    seeds_by: str = ""
    """The fingerprint of the secret that its seeds were drawn by; empty for seeds that everybody knows."""
    code: tuple[Path, ...] = field(default=(), compare=False)
    """Where modules that the user named are looked for; no part of the record."""

    def __post_init__(self) -> None:
        labels = [agent.label for agent in self.agents]
        if twice := sorted({label for label in labels if labels.count(label) > 1}):
            raise _same_label(twice[0], [agent for agent in self.agents if agent.label == twice[0]])
        if not self.agents:
            raise SpecError("a run needs an agent", remedy="name one, such as --agent idle; see `proctor agents list`")
        if not self.tasks:
            raise SpecError("a run needs a task", remedy="see `proctor tasks list`")
        refuse_doubles((task.id, task.seed, task.digest) for task in self.tasks)

        if not len(self):
            raise _refusal(self.unfit, 0)

    def __len__(self) -> int:
        return sum(self.share(agent) for agent in self.agents)

    def share(self, agent: AgentSpec) -> int:
        """Return how many of its episodes are one agent's."""
        unfit = {(one.task, one.seed) for one in self.unfit if one.agent == agent.label}
        return self.samples * sum(self._wordings(task) for task in self.tasks if (task.id, task.seed) not in unfit)

    def refuse_unfit(self, unfit: tuple[Unfit, ...], *, skip: bool) -> Plan:
        """Return the plan without what cannot be held.

        Raises SpecError that names it unless told to skip.
        """
        known = {(one.task, one.seed, one.agent) for one in self.unfit}
        new = tuple(one for one in unfit if (one.task, one.seed, one.agent) not in known)
        if new and not skip:
            raise _refusal(new, len(self.tasks) * len(self.agents) - len(known) - len(new))
        return replace(self, unfit=(*self.unfit, *new)) if new else self

    def episodes(self) -> Iterator[tuple[PlannedTask, AgentSpec, EpisodeKey]]:
        """Yield every episode: all tasks once before any is repeated, so that early figures stand for the whole."""
        unfit = {(one.task, one.seed, one.agent) for one in self.unfit}
        for sample in range(self.samples):
            for task in self.tasks:
                for paraphrase in range(self._wordings(task)):
                    for agent in self.agents:
                        if (task.id, task.seed, agent.label) in unfit:
                            continue
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
        return {task.image for task in self.tasks if self._is_held(task)}

    @property
    def longest_sec(self) -> float:
        """How long an agent may work at most on any of the tasks, and its critic with it."""
        critic = CRITIC_SEC * (1 + self.rules.critic_feedback) if self.rules.critic else 0.0
        # The clock does not ring while a tool works; an agent whose time is up is in the middle of one call at most.
        tools = self.rules.tool_sec if self.rules.tool_servers else 0.0
        return critic + tools + max(self.rules.seconds_for(task.seconds) for task in self.tasks)

    def _is_held(self, task: PlannedTask) -> bool:
        out = {one.agent for one in self.unfit if (one.task, one.seed) == (task.id, task.seed)}
        return any(agent.label not in out for agent in self.agents)

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


def plan_tasks(tasks: Iterable[Task]) -> tuple[PlannedTask, ...]:
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
            unproven=task.unproven,
        )
        for task in tasks
    )


def _same_label(label: str, agents: list[AgentSpec]) -> SpecError:
    whole = list(dict.fromkeys(agent.whole for agent in agents))
    if len(whole) == 1:
        return SpecError(f"agent {label!r} is named twice", remedy="name it once; use -k for several attempts")
    return SpecError(
        f"{len(whole)} agents would be called {label!r}: {', '.join(whole)}",
        remedy="give each its own name, such as --agent NAME,option=value,as=LABEL",
    )


def _refusal(unfit: Iterable[Unfit], episodes: int) -> SpecError:
    """Return the error that says who cannot meet whom, each reason with the tasks that it holds for."""
    listed = "".join(f"\n  - {line}" for line in _reasons(unfit))
    left = "add --skip-unfit to skip them" if episodes else "choose other tasks, agents or another computer"
    return SpecError(f"some of this run cannot run here:{listed}", remedy=left)


def _reasons(unfit: Iterable[Unfit]) -> Iterator[str]:
    """Yield each reason once, with the tasks that it holds for."""
    tasks: dict[str, dict[str, None]] = {}
    for one in unfit:
        for why in one.why.split("; "):
            tasks.setdefault(why, {})[one.task] = None
    for why, ids in tasks.items():
        more = f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else ""
        yield f"{why} ({', '.join(list(ids)[:MOST_NAMED])}{more})"
