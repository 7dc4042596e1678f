"""A client of the DevTools protocol: questions with a patience, and events as they come by."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from proctor.computers.channels.cdp.pipe import Pipe
from proctor.errors import ComputerError, NotReady

Result = dict[str, Any]
Handler = Callable[[str, Result, str], None]
"""Hears an event: its name, what it says, and the session (a tab) it comes from; empty for the browser itself."""
PATIENCE_SEC = 10.0


class CdpRefused(ComputerError):
    """The browser answered that it cannot do this."""


class NoAnswer(NotReady):
    """The browser, or a page in it, did not answer in time."""


class Devtools:
    """One connection; it belongs to one thread.

    Events are heard only while something is asked or `listen` is called. A handler may `tell` and must not `ask`.
    """

    def __init__(self, pipe: Pipe, hear: Handler) -> None:
        self._pipe = pipe
        self._hear = hear
        self._serial = 0
        self._awaited: dict[int, Result | None] = {}

    @property
    def alive(self) -> bool:
        """Whether the browser has not ended, as far as is known."""
        return self._pipe.open

    def tell(self, method: str, session: str = "", **parameters: Any) -> int:
        """Send a command without waiting for what comes of it; return its number."""
        self._serial += 1
        message: dict[str, Any] = {"id": self._serial, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self._pipe.send(message, time.monotonic() + PATIENCE_SEC)
        return self._serial

    def ask(
        self,
        method: str,
        session: str = "",
        *,
        timeout_sec: float = PATIENCE_SEC,
        unless: Callable[[], bool] | None = None,
        **parameters: Any,
    ) -> Result:
        """Send a command (to the browser itself without `session`) and return what it brought.

        `unless` is asked after every event: whether something has happened that keeps the answer from coming. Raises
        Refused with the browser's words, NoAnswer, BrowserGone.
        """
        (result,) = self.ask_all([(method, session, parameters)], timeout_sec=timeout_sec, unless=unless)
        return result

    def ask_all(
        self,
        commands: Sequence[tuple[str, str, dict[str, Any]]],
        *,
        timeout_sec: float = PATIENCE_SEC,
        unless: Callable[[], bool] | None = None,
    ) -> list[Result]:
        """Send several commands, each with its session and parameters, before the first answer is waited for."""
        deadline = time.monotonic() + timeout_sec
        asked = [(self.tell(method, session, **parameters), method) for method, session, parameters in commands]
        self._awaited.update((serial, None) for serial, _ in asked)
        try:
            return [self._answer(serial, method, deadline, timeout_sec, unless) for serial, method in asked]
        finally:
            for serial, _ in asked:
                del self._awaited[serial]

    def _answer(
        self, serial: int, method: str, deadline: float, timeout_sec: float, unless: Callable[[], bool] | None
    ) -> Result:
        while (reply := self._awaited[serial]) is None:
            if unless is not None and unless():
                raise NoAnswer(f"{method} was not answered: something else came up")
            if not self._take(deadline):
                raise NoAnswer(f"{method} was not answered within {timeout_sec:g} s")
        if "error" in reply:
            error = reply["error"]
            said = error.get("message", "") if isinstance(error, dict) else error
            raise CdpRefused(f"the browser refused {method}: {str(said)[:300]}")
        result = reply.get("result")
        return result if isinstance(result, dict) else {}

    def listen(self, timeout_sec: float = 0.0) -> bool:
        """Hear what has come by, and wait for one event if there was none; tell whether there was any."""
        heard = self._take(time.monotonic() + timeout_sec)
        ends = time.monotonic() + 1.0  # a page that never stops must not keep us here
        while heard and time.monotonic() < ends and self._take(0.0):
            pass
        return heard

    def _take(self, deadline: float) -> bool:
        message = self._pipe.receive(deadline)
        if message is None:
            return False
        serial = message.get("id")
        if isinstance(serial, int) and serial in self._awaited:
            self._awaited[serial] = message
        elif isinstance(method := message.get("method"), str):
            parameters = message.get("params")
            session = message.get("sessionId")
            self._hear(
                method,
                parameters if isinstance(parameters, dict) else {},
                session if isinstance(session, str) else "",
            )
        return True

    def close(self) -> None:
        self._pipe.close()
