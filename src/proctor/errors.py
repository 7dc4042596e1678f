"""The error tree: each name says who is at fault, and that decides between reporting, retrying, scoring and voiding.

ProctorError
├── SpecError              the author: a task, suite, option or call is wrong      reported at once, never retried
│   ├── UnknownName        a name that is not registered; carries the suggestion
│   └── MissingExtra       an optional dependency is absent; carries the command
├── ComputerError          the machine: start, connection, command                 void, or broken by the agent
│   ├── HostError          the host lacks something; carries what to do            void, retried
│   ├── ImageError         a desktop image is missing, damaged or could not be built
│   ├── ComputerLost       a started computer stopped answering
│   ├── NotReady           something awaited did not come true in time
│   │   └── ElementNotFound   a locator matched nothing; lists near matches
│   └── SetupFailed        a setup step did not take
├── ModelError             the provider: rate, refusal, outage                     backoff, then void
├── AgentError             the agent: malformed turn, impossible action            fed back, then scored
├── CheckError             the evaluator crashed: a defect of ours                 void, never 0, not retried
└── RecordError            the record: damaged, incomplete, in use, foreign        reported at once, never retried
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ProctorError(Exception):
    """Base of every error Proctor raises on purpose; `remedy` says what to do about it."""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}\n  remedy: {self.remedy}" if self.remedy else self.message


class SpecError(ProctorError):
    """A task, suite, option or call is wrong."""


class UnknownName(SpecError):
    """A name that is not registered."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        choices = sorted(known)
        near = difflib.get_close_matches(name, choices, n=1)
        remedy = f"did you mean {near[0]!r}?" if near else f"choose one of: {', '.join(choices) or '(none)'}"
        super().__init__(f"unknown {kind} {name!r}", remedy=remedy)
        self.kind, self.name, self.known = kind, name, choices


class MissingExtra(SpecError):
    """An optional dependency is absent."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an optional dependency", remedy=f"pip install 'proctor[{extra}]'")
        self.extra = extra


class ComputerError(ProctorError):
    """The machine failed; whose doing it was depends on whether an agent had acted on it, and on its host."""


class HostError(ComputerError):
    """The host lacks something Proctor needs."""


class ImageError(ComputerError):
    """A desktop image is missing, damaged or could not be built."""


class ComputerLost(ComputerError):
    """A started computer stopped answering."""


class NotReady(ComputerError):
    """Something awaited did not come true in time."""


class ElementNotFound(NotReady):
    """A locator matched nothing before its time ran out."""


class SetupFailed(ComputerError):
    """A setup step did not take."""


class ModelError(ProctorError):
    """The model provider failed."""


class AgentError(ProctorError):
    """The agent produced something that cannot be carried out."""


class CheckError(ProctorError):
    """The evaluator itself failed."""


class RecordError(ProctorError):
    """The record of a run is damaged, incomplete, in use by another process, or of a foreign format."""
