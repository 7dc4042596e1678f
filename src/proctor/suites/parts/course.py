"""The course of long work: its stretches in order, each with its checkpoint, a quick way and slips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from proctor.suites.parts.ways import by_hand
from proctor.tasks.call import Call
from proctor.tasks.checkpoints import Checkpoint
from proctor.tasks.task import NearMiss, Way

Moves = tuple[Call, ...]


@dataclass(frozen=True)
class Stretch:
    """One part of long work."""

    name: str
    """Of its checkpoint."""
    check: Call
    weight: float
    moves: Moves
    """How a person does it."""
    quick: Moves
    """How code does it, whatever else is done or not."""
    slips: Mapping[str, Moves] = field(default_factory=dict)
    """What goes wrong, and the code that does so: the other checkpoints hold, this one does not."""

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint at its end."""
        return Checkpoint(name=self.name, check=self.check, weight=self.weight, moves=len(self.moves))


@dataclass(frozen=True)
class Slip:
    """Something that goes wrong where one act reaches several checkpoints."""

    name: str
    breaks: str
    """The checkpoint that does not hold then."""
    instead: Mapping[str, Moves]
    """What is done in place of some stretches, by their names."""


@dataclass(frozen=True)
class Course:
    """All of it."""

    stretches: tuple[Stretch, ...]
    first: Moves = ()
    """What code does before everything else."""
    slips: tuple[Slip, ...] = ()

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """The checkpoints in their order."""
        return tuple(each.checkpoint for each in self.stretches)

    @property
    def solution(self) -> Moves:
        """The moves of a person who does everything."""
        return tuple(move for each in self.stretches for move in each.moves)

    @property
    def near_misses(self) -> tuple[NearMiss, ...]:
        """The slips, each among all other stretches done right, by code."""
        own = [
            Slip(slip, each.name, {each.name: moves}) for each in self.stretches for slip, moves in each.slips.items()
        ]
        return tuple(
            NearMiss(name=slip.name, moves=self._by_code(slip.instead), breaks=slip.breaks)
            for slip in (*own, *self.slips)
        )

    def by_code(self, name: str = "everything by code") -> Way:
        """Return another way: all stretches by code."""
        return by_hand(name, *self._by_code({}))

    def without(self, name: str, *left_out: str, besides: Moves = ()) -> Way:
        """Return a way that leaves stretches out, and does something else at the end."""
        return by_hand(name, *self._by_code(dict.fromkeys(left_out, ())), *besides)

    def _by_code(self, instead: Mapping[str, Moves]) -> Moves:
        done = (instead.get(each.name, each.quick) for each in self.stretches)
        return (*self.first, *(move for moves in done for move in moves))
