"""The door of an exam: an agent's calls come in from any thread and are taken one by one."""

from __future__ import annotations

import threading
from collections.abc import Collection
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue

from proctor.agents.agent import Over, Turn
from proctor.errors import AgentError
from proctor.observations.observation import Observation
from proctor.records import Brief

Call = tuple[Turn, "Future[Observation]"]


@dataclass(frozen=True)
class Opened:
    """What whoever stands outside may know once the computer is prepared."""

    brief: Brief
    parts: frozenset[str]
    """What the computer has parts for, such as `tree`."""


class TooLate(Over):
    """Raised for a call that was not carried out, because the examination had ended before."""


class Door:
    """Where the calls of one examination come in.

    It may be used from any thread. A call that was given up before its turn is not carried out; one that is being
    carried out is finished. When all is over, calls that wait are told so, and so is each that comes later.
    """

    def __init__(self) -> None:
        self.opened: Future[Opened] = Future()
        """Done when the computer is prepared; it raises Over where that did not come about."""
        self._calls: SimpleQueue[Call | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._waiting: set[Future[Observation]] = set()
        self._left = ""
        self._ended = False
        self._over = ""

    # Outside.

    def submit(self, turn: Turn) -> Future[Observation]:
        """Hand in a turn; the answer is what is seen then, Over when it ended the exam, or TooLate."""
        answer: Future[Observation] = Future()
        with self._lock:
            if self._over:
                answer.set_exception(TooLate(self._over))
                return answer
            self._waiting.add(answer)
        answer.add_done_callback(self._stop_waiting)
        if not self._ended:
            self._calls.put((turn, answer))
        return answer

    @property
    def is_over(self) -> str:
        """How it ended, once that is known."""
        return self._over

    @property
    def is_shut(self) -> bool:
        """Whether no further call is taken, as its exam has ended."""
        return self._ended

    def leave(self, why: str) -> None:
        """Say that nobody will call any more."""
        if not self._left:
            self._left = why
            self._calls.put(None)

    # Inside.

    def open(self, brief: Brief, parts: Collection[str]) -> None:
        """Let calls in."""
        self.opened.set_result(Opened(brief, frozenset(parts)))

    def next(self) -> Call:
        """Wait for the next call that is still wanted; raises AgentError once nobody will call any more."""
        while True:
            call = self._calls.get()
            if call is None:
                raise AgentError(self._left)
            if call[1].set_running_or_notify_cancel():
                return call

    def close(self) -> None:
        """Take no further calls; those that come wait to be told how it ended."""
        self._ended = True

    def over(self, words: str) -> None:
        """Tell all who wait, and all who come, that it is over."""
        with self._lock:
            self._ended, self._over = True, words
            waiting = list(self._waiting)
        if not self.opened.done():
            self.opened.set_exception(TooLate(words))
        for answer in waiting:
            if answer.running():
                answer.set_exception(Over(words))
            elif answer.set_running_or_notify_cancel():
                answer.set_exception(TooLate(words))

    def _stop_waiting(self, answer: Future[Observation]) -> None:
        with self._lock:
            self._waiting.discard(answer)
