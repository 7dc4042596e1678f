"""A client of QMP, by which a running QEMU is asked and told."""

from __future__ import annotations

import socket
import time
from collections import deque
from contextlib import suppress
from typing import Any

from proctor.computers.channels.qmp.lines import Garbled, LineEnded, QmpLines, Silent
from proctor.errors import ComputerError, ComputerLost

ANSWER_SEC = 20.0
MOST_EVENTS = 256
REMEDY = "open another one; a memory snapshot can be restored all the same"


class QmpRefused(ComputerError):
    """QEMU answered a command with an error."""


class Qmp:
    """One monitor of a QEMU; it belongs to one thread."""

    def __init__(self, sock: socket.socket, *, timeout_sec: float = ANSWER_SEC) -> None:
        """Introduce oneself to a monitor in QMP's mode; ComputerLost when QEMU accepts no commands."""
        self._lines = QmpLines(sock)
        self._asked = 0
        self.events: deque[dict[str, Any]] = deque(maxlen=MOST_EVENTS)
        """What QEMU told unasked, oldest first; only the last ones are kept."""
        greeting = self._receive(time.monotonic() + timeout_sec, "said nothing after its start", timeout_sec)
        about = greeting.get("QMP")
        if not isinstance(about, dict):
            raise ComputerLost("what answers there is not QEMU's monitor", remedy="check that the program is QEMU")
        self.version = _version(about)
        """Such as `7.2.22`; empty where it does not say."""
        self.ask("qmp_capabilities", timeout_sec=timeout_sec)

    def close(self) -> None:
        self._lines.close()

    def ask(self, command: str, *, timeout_sec: float = ANSWER_SEC, fd: int | None = None, **arguments: Any) -> Any:
        """Carry out a command and return its answer; a descriptor `fd` goes with it.

        Underscores in the names of arguments stand for dashes. Raises Refused with QEMU's own words, ComputerLost when
        it has ended or does not answer.
        """
        self._asked += 1
        given = {name.replace("_", "-"): value for name, value in arguments.items()}
        ends = time.monotonic() + timeout_sec
        try:
            self._lines.send({"execute": command, "arguments": given, "id": self._asked}, fd=fd)
        except LineEnded as error:
            raise _loss(error) from error
        except Silent as error:
            raise ComputerLost(f"QEMU accepts no commands ({command})", remedy=REMEDY) from error
        while True:
            message = self._receive(ends, f"did not answer {command}", timeout_sec)
            if message.get("id") != self._asked:
                continue  # the answer to a command that was given up
            if "error" in message:
                said = message["error"]
                raise QmpRefused(f"QEMU refused {command}: {said.get('desc') if isinstance(said, dict) else said}")
            return message.get("return")

    def tell(self, line: str, *, timeout_sec: float = ANSWER_SEC) -> str:
        """Carry out a line of the human monitor and return what it prints."""
        return str(self.ask("human-monitor-command", timeout_sec=timeout_sec, command_line=line))

    def reason_of_end(self) -> str:
        """Return the reason that QEMU gave last for shutting down, such as `guest-shutdown` or `host-signal`."""
        with suppress(ComputerLost):
            while True:  # what was said and not yet read
                self._receive(time.monotonic(), "said nothing more", 0.0)
        told = [event.get("data") for event in self.events if event["event"] == "SHUTDOWN"]
        return str(told[-1].get("reason", "")) if told and isinstance(told[-1], dict) else ""

    def _receive(self, ends: float, why: str, timeout_sec: float) -> dict[str, Any]:
        """Return the next message that is no event."""
        while True:
            try:
                message = self._lines.receive(ends)
            except LineEnded as error:
                raise _loss(error) from error
            except Silent as error:
                raise ComputerLost(f"QEMU {why} for {timeout_sec:g} s", remedy=REMEDY) from error
            except Garbled as error:
                raise ComputerLost(f"QEMU's monitor sent {error}", remedy=REMEDY) from error
            if "event" not in message:
                return message
            self.events.append(message)


def _loss(error: LineEnded) -> ComputerLost:
    return ComputerLost(f"QEMU has ended: {error}", remedy=REMEDY)


def _version(about: dict[str, Any]) -> str:
    try:
        told = about["version"]["qemu"]
        return f"{told['major']}.{told['minor']}.{told['micro']}"
    except (KeyError, TypeError):
        return ""
