"""Figures of composed tasks: how much they repeat, what is handed on, how long they take to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from statistics import median

from proctor.graphs.compose.composer import features_of
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.language.realise import realise

COMMONEST = 15
"""Of so many subtasks it is told how many nodes are theirs."""
SMALL = 8
"""Up to so many subtasks a request is to be short."""


@dataclass(frozen=True)
class TaskFigures:
    """What counts of one task."""

    subtasks: tuple[str, ...]
    links: int
    generic: int
    """How many links go into kinds that say little."""
    fed_by_itself: int
    """How many subtasks take what the same subtask gave."""
    packed_again: int
    """How many archives go into another archive."""
    coherent: bool
    """Whether logical consistency is defined."""
    goal: str
    words: int


@dataclass(frozen=True)
class PoolFigure:
    """One figure of many tasks, and the bound it is to keep."""

    name: str
    value: float
    most: float | None = None
    least: float | None = None
    share: bool = True
    """Whether it is a share of 1, and no count."""

    @property
    def is_kept(self) -> bool:
        """Whether it keeps its bound, if it has one."""
        return (self.most is None or self.value <= self.most) and (self.least is None or self.value >= self.least)

    @property
    def limit(self) -> str:
        """What it is to keep, in words."""
        if self.most is not None:
            return f"at most {self.text(self.most)}"
        return f"at least {self.text(self.least)}" if self.least is not None else ""

    def text(self, value: float) -> str:
        """Return a value as people read it."""
        return f"{100 * value:.1f} %" if self.share else f"{value:g}"


def figures_of(composition: Composition, pool: SubtaskPool) -> TaskFigures:
    """Return what counts of a composition."""
    features = features_of(composition, pool)
    pairs = [(composition.node(one.producer), composition.node(one.consumer)) for one in composition.bindings]
    return TaskFigures(
        subtasks=features.subtasks,
        links=features.links,
        generic=features.generic,
        fed_by_itself=sum(first.subtask == later.subtask for first, later in pairs),
        packed_again=sum(
            "archive" in pool[first.subtask].gives.values() and "archive" in pool[later.subtask].gives.values()
            for first, later in pairs
        ),
        coherent=features.coherent,
        goal=features.goal,
        words=len(realise(composition, pool.by_name).split()),
    )


def summary_of(found: Iterable[TaskFigures]) -> list[PoolFigure]:
    """Return the figures of many tasks."""
    tasks = list(found)
    several = [task for task in tasks if len(task.subtasks) > 1]
    nodes = Counter(chain.from_iterable(task.subtasks for task in tasks))
    common = sum(count for _, count in nodes.most_common(COMMONEST))
    links = sum(task.links for task in several)
    small = [task.words for task in tasks if len(task.subtasks) <= SMALL]
    counts = {
        "tasks": len(tasks), "tasks of several subtasks": len(several),
        "goals": len({task.goal for task in tasks}), "subtasks used": len(nodes),
    }  # fmt: skip
    repeated = sum(len(set(task.subtasks)) < len(task.subtasks) for task in several)
    return [
        *(PoolFigure(name, count, share=False) for name, count in counts.items()),
        PoolFigure("tasks of several subtasks that repeat one", repeated / max(1, len(several)), most=0.1),
        PoolFigure("subtasks fed by themselves", sum(task.fed_by_itself for task in tasks), most=0, share=False),
        PoolFigure("archives packed into archives", sum(task.packed_again for task in tasks), most=0, share=False),
        PoolFigure(f"nodes of the {COMMONEST} commonest subtasks", common / max(1, nodes.total()), most=0.2),
        PoolFigure(
            "links into files and texts of any kind", sum(task.generic for task in several) / max(1, links), most=0.4
        ),
        PoolFigure(
            "logical consistency is defined", sum(task.coherent for task in several) / max(1, len(several)), least=0.95
        ),
        PoolFigure(f"words, median up to {SMALL} subtasks", median(small) if small else 0, most=60, share=False),
        PoolFigure("words, most", max((task.words for task in tasks), default=0), most=140, share=False),
    ]
