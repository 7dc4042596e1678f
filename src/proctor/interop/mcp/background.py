"""A server on a thread of its own: the main thread holds an examination or waits for Ctrl-C."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

Serving = Callable[[], Coroutine[Any, Any, None]]


class Background:
    """Runs a server until it ends by itself.

    A thread that reads standard input can only be ended from outside, so whoever is through with one ends the process.
    """

    def __init__(self, serve: Serving, *, ended: Callable[[], None] | None = None) -> None:
        """Start it; `ended` is called when it has ended, however it did."""
        self._serve, self._ended = serve, ended
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="mcp", daemon=True)
        self._thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended, or so long; return whether it has. Raises what it failed with."""
        self._thread.join(seconds)
        if self._error is not None:
            raise self._error
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._error = error
        finally:
            if self._ended is not None:
                self._ended()
