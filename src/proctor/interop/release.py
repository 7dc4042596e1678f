"""Closing what nobody uses any more, by a thread of its own.

The collector may run in any thread while it holds any lock, so nothing that takes a lock may be called from there: a
computer was once closed so in the middle of handing work to a thread pool, and both waited for each other for good.
"""

from __future__ import annotations

import atexit
import threading
import weakref
from collections.abc import Callable
from functools import lru_cache
from queue import SimpleQueue

Close = Callable[[], None]

_gone: SimpleQueue[Close] = SimpleQueue()
"""What is to be closed; putting something there takes no lock that anybody could hold."""
_held: set[Close] = set()
"""What has not been closed yet."""


def close_when_gone(owner: object, close: Close) -> None:
    """Have something closed soon after its owner is no longer used, or when the interpreter ends."""
    _closer()
    _held.add(close)
    weakref.finalize(owner, _gone.put, close).atexit = False


@lru_cache(maxsize=1)
def _closer() -> threading.Thread:
    atexit.register(_close_the_rest)
    # Nobody waits for its end: it has work as long as the interpreter lives, which closes the rest itself when it ends.
    thread = threading.Thread(target=_close_one_after_another, name="proctor-closing", daemon=True)
    thread.start()
    return thread


def _close_one_after_another() -> None:
    while True:
        close = _gone.get()
        _held.discard(close)
        close()


def _close_the_rest() -> None:
    for close in list(_held):
        close()
