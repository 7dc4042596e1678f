"""What all text dialects share: all or nothing when reading, no loss when writing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from proctor.actions.action import Action, Click, Done, Press, Type
from proctor.actions.dialects import reply as replies
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.actions.dialects.prompt_words import has_ids
from proctor.actions.dialects.space import sample_place
from proctor.actions.dialects.translation import MAX_ACTIONS, bare, check_keys, complaint, no_word, too_many
from proctor.errors import AgentError

MAX_THOUGHT = 100_000


class TextDialect(ABC):
    """A dialect read block by block.

    A reply with a mistake anywhere yields its problem and no action at all, so that nothing is done by half: the
    model is told, and writes the whole again.
    """

    name: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]
    labels: ClassVar[frozenset[str]] = frozenset()
    """Labels of fences that surely hold this dialect; others are left aside where there is one of these."""
    hint: ClassVar[str]
    """How to write an action, for a reply that has none."""
    several: ClassVar[bool] = True
    """Whether a reply may hold more than one action."""
    thinks: ClassVar[bool] = False
    """Whether its form has a place of its own for reasoning."""
    endings: ClassVar[Mapping[str, str]] = {}
    """How each signal is written."""
    by_id: ClassVar[str] = ""
    """A click on the element with the id 3, where elements can be named."""

    @abstractmethod
    def describe(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return how to write actions of these kinds."""

    def example(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return a reply with one action, for a prompt; empty where no action that it shows is allowed."""
        if self.by_id and "click" in kinds and has_ids(frame):
            return f"For example:\n{self._assemble([self.by_id])}"
        across, down = sample_place(frame)
        samples: tuple[Action, ...] = (Click(x=across, y=down), Press(keys="ctrl+s"), Type(text="hello"), Done())
        shown = next((action for action in samples if action.kind in kinds and action.kind in self.kinds), None)
        return f"For example:\n{self._assemble([self._render(shown, frame)])}" if shown else ""

    def read(self, reply: str, frame: Frame) -> Reading:
        """Return the actions of a reply, or its problem."""
        if len(reply) > replies.MAX_REPLY:
            return Reading(
                problem=f"the reply is {len(reply)} characters long; write at most {replies.MAX_REPLY}",
                thought=reply[:1000],
            )
        parts = replies.take_apart(reply)
        try:
            found, used_fences = self._read_parts(parts, frame)
            if len(found.actions) > MAX_ACTIONS:
                raise too_many()
            actions = tuple(check_keys(action) for action in found.actions)
        except AgentError as error:
            return Reading(problem=complaint(error), thought=_join_thoughts(parts.thinking, parts.prose))
        except RecursionError:
            return Reading(
                problem="the reply is nested too deeply", thought=_join_thoughts(parts.thinking, parts.prose)
            )
        around = replies.without_special_lines(parts.prose) if used_fences else ""
        thought = _join_thoughts(parts.thinking, around, found.thought)
        if not actions:
            return Reading(problem=f"no action was found; {self._hint(frame)}", thought=thought)
        return Reading(actions=actions, thought=thought)

    def write(self, actions: Sequence[Action], frame: Frame) -> str:
        """Return actions as this dialect writes them; raises AgentError for one that it has no word for."""
        for action in actions:
            if bare(self.read(self._assemble([self._render(action, frame)]), frame).actions) != bare([action]):
                raise no_word(self.name, action)
        written = self._assemble([self._render(action, frame) for action in actions])
        if actions and bare(self.read(written, frame).actions) != bare(actions):
            raise AgentError(f"{self.name} cannot write these {len(actions)} actions as one reply", remedy="split them")
        return written

    def _hint(self, frame: Frame) -> str:
        return self.hint

    def _read_parts(self, parts: replies.ReplyParts, frame: Frame) -> tuple[Reading, bool]:
        """Read the fences; where they hold no action, read the prose. Tell which it was."""
        fences = parts.fences
        if any(fence.label in self.labels for fence in fences):
            known = self.labels | {""}
            fences = tuple(fence for fence in fences if fence.label in known or replies.special(fence.body))
        found = _join_readings(self._read_fence(fence.body, frame) for fence in fences)
        if found.actions:
            after = tuple(replies.special_lines(parts.tail))
            return Reading(actions=found.actions + after, thought=found.thought), True
        return self._read_prose(parts.prose, frame), False

    def _read_fence(self, body: str, frame: Frame) -> Reading:
        word = replies.special(body)
        return Reading(actions=(word,)) if word else self._read_block(body, frame)

    @abstractmethod
    def _read_block(self, body: str, frame: Frame) -> Reading:
        """Return the actions of a fenced block; raises AgentError."""

    @abstractmethod
    def _read_prose(self, prose: str, frame: Frame) -> Reading:
        """Return the actions of a text without fences, its other words as thought; raises AgentError."""

    @abstractmethod
    def _render(self, action: Action, frame: Frame) -> str:
        """Return one action; raises AgentError where there is no word for it."""

    @abstractmethod
    def _assemble(self, pieces: Sequence[str]) -> str:
        """Return a reply of rendered actions."""


def _join_readings(readings: Iterable[Reading]) -> Reading:
    actions: list[Action] = []
    thoughts: list[str] = []
    for reading in readings:
        actions += reading.actions
        thoughts.append(reading.thought)
        if len(actions) > MAX_ACTIONS:
            raise too_many()
    return Reading(actions=tuple(actions), thought="\n".join(filter(None, thoughts)))


def _join_thoughts(*pieces: str) -> str:
    return "\n".join(filter(None, (piece.strip() for piece in pieces)))[:MAX_THOUGHT]
