"""Who watches an exam: sees every step, and may refuse, replace, add or end."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from proctor.actions.action import ACTIONS, Action
from proctor.agents.agent import Turn, Vetoed
from proctor.computers.computer import Performed
from proctor.errors import CheckError, ComputerLost, EventFailed, HostError, ProctorError, RecordError, SpecError
from proctor.exam.state import ExamState
from proctor.observations.observation import Observation
from proctor.records import Step, Told

Given = TypeVar("Given")

PLAIN = (Vetoed, HostError, ComputerLost, SpecError, CheckError, RecordError, EventFailed)
"""What a watcher may raise as it is: each says already whose failure it is."""


@dataclass(frozen=True)
class Refusal:
    """The action is not carried out, and the agent is told why."""

    told: tuple[Told, ...]

    @classmethod
    def because(cls, reason: str) -> Refusal:
        """Return the refusal of an action that must not be performed."""
        return cls((Told("refused", reason),))


@dataclass(frozen=True)
class Replacement:
    """Another action is attempted in place of this one; who watches is asked about it in turn."""

    action: Action
    told: tuple[Told, ...] = ()


@dataclass(frozen=True)
class AlreadyPerformed:
    """A hand on the desktop has carried the action out; this is how, and what was seen after it."""

    performed: Performed
    seen: Observation


Reply = Refusal | Replacement | AlreadyPerformed | None
"""What a watcher says to an action before it is performed; None lets it through."""


class Watcher:
    """Goes along with an exam; a subclass overrides what it cares for.

    What it raises is a failure on this side and never the agent's: the exam is then void, while what fails in `end`
    leaves the verdict as it is. Only a computer that is lost after the agent acted on it is the agent's doing, here as
    everywhere. A watcher that looks at a computer which may be in disorder does so with `Troubles`, as a judge does.
    """

    by = "human"
    """Who acts in what `between` yields."""
    looks = False
    """Whether it looks at the computer, which an agent can make slow: one that does not answer is then the agent's."""

    def begin(self, exam: ExamState) -> None:
        """The computer is prepared and was looked at; the agent knows nothing yet."""

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Refuse or replace an action, or say that it has happened; raises Vetoed to end the exam.

        Words to the examiner are actions too.
        """
        return None

    def after(self, exam: ExamState, step: Step) -> Step:
        """Return the step as it is to be recorded; also called for refused actions and for turns without any."""
        return step

    def between(self, exam: ExamState) -> Iterable[Turn]:
        """Yield turns of somebody else after one of the agent's: a person who takes over."""
        return ()

    def meanwhile(self, exam: ExamState) -> None:
        """The agent thinks or waits; called some times a second, and the exam stands meanwhile."""

    def end(self, exam: ExamState) -> None:
        """The exam is over and not yet judged, or void: called for everyone whose `begin` was, in any case."""


_TOLD: ContextVar[Callable[[str], None]] = ContextVar("told", default=lambda _what: None)


@contextmanager
def asked_aloud(tell: Callable[[str], None]) -> Iterator[None]:
    """Say which watcher is asked, while it is, to whoever must know should it never answer."""
    token = _TOLD.set(tell)
    try:
        yield
    finally:
        _TOLD.reset(token)


class WatcherFailed(ProctorError):
    """A watcher raised what it should not have, or answered what nobody understands."""


class Watchers:
    """Those of one exam, asked in their order; the last that began is the first to end."""

    def __init__(self, watchers: Sequence[Watcher]) -> None:
        self._all = list(watchers)
        self._began: list[Watcher] = []

    def begin(self, exam: ExamState) -> None:
        """Let all begin."""
        for watcher in self._all:
            self._began.append(watcher)
            _ask(watcher, watcher.begin, exam)

    @property
    def attentive(self) -> bool:
        """Whether any of them has something to do while the agent thinks."""
        return any(type(watcher).meanwhile is not Watcher.meanwhile for watcher in self._all)

    def meanwhile(self, exam: ExamState) -> None:
        """Let those have a look who have something to do meanwhile."""
        for watcher in self._began:
            if type(watcher).meanwhile is not Watcher.meanwhile:
                _ask(watcher, watcher.meanwhile, exam)

    def end(self, exam: ExamState) -> None:
        """Let all that began end.

        What fails then changes nothing about the agent, unless the record cannot be written: raises HostError.
        """
        unwritten: HostError | None = None
        while self._began:
            watcher = self._began.pop()
            try:
                _ask(watcher, watcher.end, exam)
            except HostError as error:
                unwritten = error
            except Exception:
                exam.defects.append(traceback.format_exc())
        if unwritten is not None:
            raise unwritten

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Return what the first that does not simply let the action through has to say.

        What has been carried out already is not refused any more: then all the others hear of it too.
        """
        happened: AlreadyPerformed | None = None
        for watcher in self._all:
            reply = _ask(watcher, watcher.before, exam, action)
            if not _is_reply(reply):
                raise _nonsense(watcher, "before", reply)
            if isinstance(reply, AlreadyPerformed):
                happened = happened or reply
            elif happened is None and (reply is not None or exam.stop is not None):
                return reply
        return happened

    def after(self, exam: ExamState, step: Step) -> Step:
        """Return the step with what each adds to it."""
        for watcher in self._all:
            answer = _ask(watcher, watcher.after, exam, step)
            if not isinstance(answer, Step):
                raise _nonsense(watcher, "after", answer)
            step = answer
        return step

    def between(self, exam: ExamState) -> Iterator[tuple[str, Turn]]:
        """Yield the turns of others with who makes them."""
        for watcher in self._all:
            turns = _ask(watcher, iter, _ask(watcher, watcher.between, exam))
            while (turn := _ask(watcher, next, turns, None)) is not None:
                if not isinstance(turn, Turn):
                    raise _nonsense(watcher, "between", turn)
                yield watcher.by, turn


def _ask(watcher: Watcher, ask: Callable[..., Given], *about: object) -> Given:
    told = _TOLD.get()
    told("" if watcher.looks else f"the watcher {type(watcher).__name__} was asked")
    try:
        return ask(*about)
    except PLAIN:
        raise
    except Exception as error:
        why = f"the watcher {type(watcher).__name__} failed with {type(error).__name__}: {error}"
        raise WatcherFailed(why) from error
    finally:
        told("")


def _is_reply(reply: object) -> bool:
    if isinstance(reply, Refusal):
        return isinstance(reply.told, tuple) and bool(reply.told) and all(isinstance(each, Told) for each in reply.told)
    if isinstance(reply, Replacement):
        return isinstance(reply.action, tuple(ACTIONS.values()))
    return reply is None or isinstance(reply, AlreadyPerformed)


def _nonsense(watcher: Watcher, hook: str, answer: object) -> WatcherFailed:
    return WatcherFailed(
        f"the watcher {type(watcher).__name__} answered {hook} with {str(answer)[:80]!r}",
        remedy=f"see what Watcher.{hook} returns",
    )
