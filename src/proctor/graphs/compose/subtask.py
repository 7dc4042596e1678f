"""Subtasks: proven pieces of work with typed inputs and outputs, made to be put together.

A subtask leaves what it takes as it is and gives something new, so that whatever was given stays what it was; only
single-slot resources, such as the clipboard, are replaced. It opens what it needs and closes it again, so that
subtasks can follow one another in any order that their resources admit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from proctor.graphs.compose.resource import Resource, kind_of
from proctor.graphs.compose.theme import Theme
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.task import Admission, NearMiss, Way


@dataclass(frozen=True, kw_only=True)
class Bound:
    """A subtask with everything chosen: what it takes, what it gives, and its other parameters."""

    takes: Mapping[str, Resource] = field(default_factory=dict)
    gives: Mapping[str, Resource] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    """What else its wording names, by placeholder."""


@dataclass(frozen=True, kw_only=True)
class Work:
    """How a bound subtask is done and judged."""

    moves: tuple[Call, ...]
    check: Call
    alone: tuple[Call, ...] = ()
    """What else is expected where the subtask is a task of its own and there is nothing else to do: that nothing more
    was said, that everything else was kept, or that a screenshot shows what the screen still shows."""
    finish: tuple[Call, ...] = ()
    """What is done before it is judged as a task of its own: an application is closed that saves only then."""
    near_misses: tuple[NearMiss, ...] = ()
    other_ways: tuple[Way, ...] = ()
    """Other right ways, tried where the subtask is a task of its own."""
    cheats: tuple[Way, ...] = ()
    """Ways to score without doing the work, tried likewise."""
    may_differ: tuple[Admission, ...] = ()
    """Changes of the end that a proof tries and that are harmless or refused for a reason, admitted in words."""
    expected: tuple[str, ...] = ()
    """Paths that it may change besides the files it gives."""
    copies: Mapping[str, str] = field(default_factory=dict)
    """Which of the files it gives are copies of others, where the subtask is a task of its own."""
    setup: tuple[Call, ...] = ()
    """What must be there besides what it takes, such as a service."""


class Subtask(ABC):
    """One kind of work; a subclass is written once and bound many times."""

    app: ClassVar[str]
    """Application, by its name in `taxonomy.APPLICATIONS`."""
    takes: ClassVar[Mapping[str, str]] = {}
    """Kinds of what it takes, by placeholder."""
    gives: ClassVar[Mapping[str, str]] = {}
    """Kinds of what it gives, by placeholder."""
    asks: ClassVar[tuple[str, ...]]
    """Wordings in the imperative, without a full stop, with a placeholder for each resource and parameter, such as
    `pack {source} into the archive {archive}`. The first is the plainest."""
    brief: ClassVar[str] = ""
    """A wording in as few words as will do, such as `zip {source} as {archive}`."""
    steps: ClassVar[tuple[str, ...]]
    """The same step by step, in sentences."""
    demand: ClassVar[str]
    """Its place in the demand hierarchy, such as `System/Files and Applications/Files`."""
    alike: ClassVar[tuple[str, ...]] = ()
    """Placeholders of what it takes whose order makes no difference, so that a text may say `the two pictures`."""
    tied: ClassVar[bool] = False
    """Whether nothing else will do than this application, even though its files could come from elsewhere."""
    version: ClassVar[int] = 1
    services: ClassVar[tuple[str, ...]] = ()

    @cached_property
    def name(self) -> str:
        """Its name in the pool: the class's, with hyphens."""
        words = "".join(f"-{char.lower()}" if char.isupper() else char for char in type(self).__name__)
        return words.strip("-")

    @cached_property
    def needs_app(self) -> bool:
        """Whether the work depends on its application, so that a request has to name it."""
        return self.tied or any(kind_of(kind).kept for kind in (*self.takes.values(), *self.gives.values()))

    @abstractmethod
    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        """Choose what is still open, and say what it will give; cheap, as composing calls it often."""

    @abstractmethod
    def work(self, bound: Bound) -> Work:
        """Return how it is done and judged."""
