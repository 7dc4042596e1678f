"""The error tree: each name says who is at fault.

That decides between reporting, retrying, scoring and voiding.

ProctorError
├── SpecError              the author: a task, suite, option or call is wrong      reported at once, never retried
│   ├── UnknownName        a name that is not registered; carries the suggestion
│   └── MissingExtra       an optional dependency is absent; carries the command
├── ComputerError          the machine: start, connection, command                 void, or broken by the agent
│   ├── HostError          the host lacks something; carries what to do            void, retried
│   ├── ImageError         a desktop image is missing, damaged or could not be built
│   │   └── ImageMissing   it has a recipe and was never built; the command line offers to
│   ├── ComputerLost       a started computer stopped answering
│   ├── NotReady           something awaited did not come true in time
│   │   └── ElementNotFound   a locator matched nothing; lists near matches
│   ├── CommandLate        a command did not end in the time it was given
│   ├── Overrun            what was left takes too long to be judged           judged as what cannot be seen
│   └── SetupFailed        a setup step did not take
├── ModelError             the provider: rate, refusal, outage                     backoff, then void
├── AgentError             the agent: malformed turn, impossible action            fed back, then scored
├── CheckError             the evaluator crashed: a defect of ours                 void, never 0, not retried
├── EpisodeVoid            an episode that another's trainer steps came to nothing masked by whoever learns, never 0
└── RecordError            the record: damaged, incomplete, in use, foreign        reported at once, never retried
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable

NEAR_NAMES = 5
"""Names that an error suggests at most; a longer list is for the command that prints it."""
SHORT_LIST = 12
"""So many names are listed whole."""


class ProctorError(Exception):
    """Base of every error Proctor raises on purpose; `remedy` says what to do about it."""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}\n  remedy: {self.remedy}" if self.remedy else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Errors travel from workers through pipes. What a constructor was given is not kept, only what it made of it.
        return _again, (type(self), self.message, self.remedy), self.__dict__


def _again(kind: type[ProctorError], message: str, remedy: str) -> ProctorError:
    """Return an error as it was, without its own constructor."""
    error = kind.__new__(kind, message)
    ProctorError.__init__(error, message, remedy=remedy)
    return error


class SpecError(ProctorError):
    """A task, suite, option or call is wrong."""


class UnknownName(SpecError):
    """A name that is not registered."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, listing: str = "") -> None:
        """Say which names are near, or all of them where few; `listing` is the command that lists them."""
        choices = sorted(known)
        super().__init__(f"unknown {kind} {name!r}", remedy=_suggestion(name, choices, listing))
        self.kind, self.name, self.known = kind, name, choices


def _suggestion(name: str, choices: list[str], listing: str) -> str:
    near = difflib.get_close_matches(name, choices, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    if len(choices) <= SHORT_LIST:
        return f"choose one of: {', '.join(choices) or '(none)'}"
    some = difflib.get_close_matches(name, choices, n=NEAR_NAMES, cutoff=0.4)
    where = f"`{listing}` lists all {len(choices)}" if listing else f"there are {len(choices)}"
    return f"the nearest are: {', '.join(some)}; {where}" if some else where


class MissingExtra(SpecError):
    """An optional dependency is absent."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an optional dependency", remedy=f"pip install 'proctor[{extra}]'")
        self.extra = extra


class ComputerError(ProctorError):
    """The machine failed; by whose doing depends on what an agent has done to it, and on its host."""


class HostError(ComputerError):
    """The host lacks something Proctor needs."""


class ImageError(ComputerError):
    """A desktop image is missing, damaged or could not be built."""


class ImageMissing(ImageError):
    """A desktop image has a recipe and is not built yet."""

    name = ""
    """Which image."""


class ComputerLost(ComputerError):
    """A started computer stopped answering."""


class NotReady(ComputerError):
    """Something awaited did not come true in time."""


class CommandLate(ComputerError):
    """A command did not end in the time it was given, and was ended where that is possible."""


class Overrun(ComputerError):
    """What was left on a computer takes more time to be judged than there is."""

    def __init__(self, message: str, *, remedy: str = "", seconds: float = 0.0) -> None:
        super().__init__(message, remedy=remedy)
        self.seconds = seconds
        """How long was waited for it."""


class ElementNotFound(NotReady):
    """A locator matched nothing before its time ran out."""


class SetupFailed(ComputerError):
    """A setup step did not take."""


class EventFailed(ProctorError):
    """An event that the verdict depends on could not be brought about."""


class ModelError(ProctorError):
    """The model provider failed."""


class AgentError(ProctorError):
    """The agent produced something that cannot be carried out."""


class CheckError(ProctorError):
    """The evaluator itself failed."""


class EpisodeVoid(ProctorError):
    """An episode ended that says nothing about the agent; whoever learns from it leaves it out."""


class RecordError(ProctorError):
    """The record of a run is damaged, incomplete, in use by another process, or of a foreign format."""


def place_of(error: BaseException) -> str:
    """Return where in a user's code an error came up, as ` (file:line)`; empty if unknown."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}:{error.lineno})"
    found, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith(_NOT_BROUGHT):
            found = f" ({file}:{trace.tb_lineno})"
        trace = trace.tb_next
    return found


_NOT_BROUGHT = (*(file.rpartition(os.sep)[0] + os.sep for file in (__file__, os.__file__)), "<frozen")
"""How the names of files begin that are Proctor's or Python's own."""


def trouble_of(error: Exception) -> str:
    """Return what people are told of an error; one of a kind not our own is called a defect."""
    return str(error) if isinstance(error, ProctorError) else f"a defect of Proctor: {type(error).__name__}: {error}"
