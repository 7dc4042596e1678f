"""How a model call fails, and which failures are worth another try."""

from __future__ import annotations

import itertools
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Generic, Literal, TypeVar

from proctor.errors import ModelError
from proctor.pause import pause
from proctor.records import ModelCall

T = TypeVar("T")

Kind = Literal[
    "auth",
    "rate",
    "overloaded",
    "timeout",
    "connection",
    "bad_request",
    "too_large",
    "malformed",
    "empty",
    "filtered",
]

TRIES: dict[Kind, int] = {
    "auth": 1, "bad_request": 1, "too_large": 1, "rate": 10, "overloaded": 6, "timeout": 3, "connection": 5,
    "malformed": 3, "empty": 2, "filtered": 1,
}  # fmt: skip
"""How often a request is made at most, by how it last failed."""

_REMEDIES: dict[Kind, str] = {
    "auth": "check the key and what it is allowed to use",
    "rate": "run fewer episodes at a time, or raise the limits of the account",
    "overloaded": "try again later; the provider has problems",
    "timeout": "raise the option timeout, or ask for fewer tokens",
    "connection": "check the base URL, the network, and that the server runs",
    "bad_request": "check the model's name, the base URL and the options",
    "too_large": "send less: fewer or smaller pictures (history, pictures, picture_size), a shorter tree (tree_chars)",
    "malformed": "check that the base URL is that of the provider's API",
    "empty": "raise max_tokens, or choose another model",
    "filtered": "the provider's filter withheld the reply; ask the provider, or choose another model",
}

_NUMBER = re.compile(r"\d{1,9}(\.\d*)?")
_BY_STATUS: dict[int, Kind] = {401: "auth", 403: "auth", 408: "timeout", 413: "too_large", 429: "rate"}
_BY_WORD: dict[str, Kind] = {
    "authentication_error": "auth", "permission_error": "auth", "invalid_api_key": "auth",
    "rate_limit_error": "rate", "rate_limit_exceeded": "rate",
    "request_too_large": "too_large", "context_length_exceeded": "too_large", "string_above_max_length": "too_large",
    "invalid_request_error": "bad_request", "not_found_error": "bad_request", "billing_error": "bad_request",
    "invalid_prompt": "bad_request", "timeout_error": "timeout",
}  # fmt: skip
"""What providers call errors; any other word is trouble of theirs."""


class CallFailed(ModelError):
    """A model call without an answer; `kind` says what went wrong."""

    def __init__(
        self,
        kind: Kind,
        message: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        final: bool = False,
    ) -> None:
        super().__init__(message, remedy=_REMEDIES[kind])
        self.kind: Kind = kind
        self.status = status
        self.retry_after = retry_after
        """Seconds that the provider asks to wait."""
        self.final = final or TRIES[kind] == 1
        """Whether another try would be in vain."""
        self.call: ModelCall | None = None
        """What the tries cost, once they are over."""


def kind_of_status(status: int) -> Kind:
    """Return the class of an HTTP error."""
    return _BY_STATUS.get(status, "overloaded" if status >= 500 else "bad_request")


def kind_of_word(word: object) -> Kind:
    """Return the class of an error that a provider gives a name."""
    return _BY_WORD.get(word, "overloaded") if isinstance(word, str) else "overloaded"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a provider asks to wait, given as seconds, milliseconds or a date."""
    given = headers.get("retry-after", "")
    for text, unit in ((headers.get("retry-after-ms", ""), 1000), (given, 1)):
        if _NUMBER.fullmatch(text):
            return float(text) / unit
    try:
        return max(parsedate_to_datetime(given).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return None


def _announce(text: str) -> None:
    if listener := _LISTENER.get():
        listener(" ".join(text.split()))


_LISTENER: ContextVar[Callable[[str], object] | None] = ContextVar("listener", default=None)


@contextmanager
def announced_to(listener: Callable[[str], object]) -> Iterator[None]:
    """Let somebody know, in words, whenever a call has failed and is about to be made again."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How long to go on trying; waiting and the clock can be replaced, so that tests need not wait."""

    seconds: float = 300.0
    """In all, for one call."""
    first_wait: float = 1.0
    longest_wait: float = 60.0
    wait: Callable[[float], object] = pause
    clock: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = random.random
    """A number from 0 to 1; workers that failed together do not come back together."""

    def delay(self, tries: int, asked: float | None) -> float:
        """Return how long to wait after so many tries; never less than the provider asked for."""
        backoff = min(self.first_wait * 2.0 ** (tries - 1), self.longest_wait) * (0.5 + self.jitter() / 2)
        return backoff if asked is None else max(asked, backoff)


@dataclass(frozen=True, slots=True)
class Tried(Generic[T]):
    """What came of a call in the end."""

    result: T | None
    failure: CallFailed | None
    retries: int
    seconds: float


def persist(attempt: Callable[[], T], patience: Patience) -> Tried[T]:
    """Make a call until it succeeds, fails for good, or patience ends; returns a failure."""
    began = patience.clock()
    for tries in itertools.count(1):
        try:
            return Tried(attempt(), None, tries - 1, patience.clock() - began)
        except CallFailed as failed:
            failure = failed
        spent = patience.clock() - began
        delay = patience.delay(tries, failure.retry_after)
        if failure.final or tries >= TRIES[failure.kind] or spent + delay > patience.seconds:
            return Tried(None, failure, tries - 1, spent)
        _announce(f"{failure.message}; try {tries + 1} of {TRIES[failure.kind]} in {delay:.0f} s")
        patience.wait(delay)
    raise AssertionError("counting has no end")
