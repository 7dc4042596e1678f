"""The lookout of an exam: those who watch have a look while the agent thinks or waits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EVERY_SEC = 0.2
"""How often whoever has something to do meanwhile is asked."""


class Lookout:
    """Asks those who watch between the calls of an exam, and never during one in another thread.

    What fails is kept, and raised by the next call of the exam.
    """

    def __init__(self, lock: threading.RLock) -> None:
        self._lock = lock
        self._look: Callable[[], None] | None = None
        self._failure: Exception | None = None

    def begin(self, look: Callable[[], None] | None) -> Callable[[], None] | None:
        """Say who is asked, if anybody; returns what whoever waits on the computer may call meanwhile."""
        self._look = look
        return self.look if look is not None else None

    def look(self) -> None:
        """Have them look, unless the exam is busy in another thread; whoever calls may use the computer."""
        if self._look is None or not self._lock.acquire(blocking=False):
            return
        try:
            if self._look is not None and self._failure is None:
                self._look()
        except Exception as error:
            self._failure = error
        finally:
            self._lock.release()

    def failure(self) -> Exception | None:
        """Return what has failed since this was last asked."""
        failure, self._failure = self._failure, None
        return failure

    def end(self) -> None:
        """Ask nobody any more."""
        self._look = None

    @contextmanager
    def keep(self) -> Iterator[None]:
        """Have them look now and then in the block, in a thread: nobody else may use the computer."""
        if self._look is None:
            yield
            return
        over = threading.Event()

        def go_on() -> None:
            while not over.wait(EVERY_SEC):
                self.look()

        thread = threading.Thread(target=go_on, name="lookout", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
