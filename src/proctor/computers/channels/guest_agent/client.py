"""A client of QEMU's guest agent (qemu-ga)."""

from __future__ import annotations

import base64
import binascii
import secrets
import socket
import time
from typing import Any

from proctor.computers.channels.command_output import CommandOutput
from proctor.computers.channels.qmp.lines import Garbled, LineEnded, QmpLines, Silent
from proctor.errors import ComputerError, ComputerLost
from proctor.pause import pause

ANSWER_SEC = 30.0
SYNC_SEC = 5.0
RESET = b"\xff"
"""A byte that no message holds: it makes the agent forget what it has half read, and its answer begins with it."""
MOST_ID = 1 << 31
FIRST_LOOK_SEC, MOST_LOOK_SEC = 0.005, 0.25
REMEDY = "check that qemu-guest-agent is running in the guest"


class Declined(ComputerError):
    """The agent answered a command with an error."""


class Endless(Exception):
    """A command that has not ended in time."""

    def __init__(self, process: int) -> None:
        super().__init__(process)
        self.process = process


class GuestAgent:
    """The agent in a guest, whether it runs yet or not; it belongs to one thread."""

    def __init__(self, sock: socket.socket) -> None:
        self._lines = QmpLines(sock)
        self._in_step = False

    def close(self) -> None:
        self._lines.close()

    def answers(self, timeout_sec: float) -> bool:
        """Tell whether the agent answers within a time; raises ComputerLost when the line is cut."""
        try:
            self._sync(timeout_sec)
        except Silent:
            return False
        return True

    def ask(self, command: str, *, timeout_sec: float = ANSWER_SEC, **arguments: Any) -> Any:
        """Carry out a command; raises Declined in the agent's words, ComputerLost when it is silent."""
        given = {name.replace("_", "-"): value for name, value in arguments.items()}
        try:
            if not self._in_step:
                self._sync(min(SYNC_SEC, timeout_sec))
            # Until its answer has come, nobody knows whose answer comes next.
            self._in_step = False
            self._lines.send({"execute": command, "arguments": given})
            message = self._lines.receive(time.monotonic() + timeout_sec)
        except Silent as error:
            raise ComputerLost(f"the guest agent did not answer {command}", remedy=REMEDY) from error
        except LineEnded as error:
            raise ComputerLost(
                f"the connection to the guest agent is lost: {error}", remedy="open another one"
            ) from error
        except Garbled as error:
            raise ComputerLost(f"the guest agent sent {error}", remedy=REMEDY) from error
        self._in_step = True
        if "error" in message:
            said = message["error"]
            raise Declined(f"the guest agent: {said.get('desc') if isinstance(said, dict) else said}")
        return message.get("return")

    def run(self, argv: list[str], *, input: bytes = b"", timeout_sec: float) -> CommandOutput:
        """Run a program to its end; raises Endless, or Declined when it cannot be started."""
        given: dict[str, Any] = {"input_data": base64.b64encode(input).decode()} if input else {}
        started = self.ask("guest-exec", path=argv[0], arg=argv[1:], capture_output=True, **given)
        process = _number(started, "pid")
        ends, delay = time.monotonic() + timeout_sec, FIRST_LOOK_SEC
        while True:
            status = self.ask("guest-exec-status", pid=process)
            if isinstance(status, dict) and status.get("exited"):
                return _ran(status)
            left = ends - time.monotonic()
            if left <= 0:
                raise Endless(process)
            pause(min(delay, left))
            delay = min(1.5 * delay, MOST_LOOK_SEC)

    def _sync(self, timeout_sec: float) -> None:
        """Get in step: whatever was said before, the next answer belongs to the next command."""
        number = secrets.randbelow(MOST_ID)
        ends = time.monotonic() + timeout_sec
        try:
            self._lines.send({"execute": "guest-sync-delimited", "arguments": {"id": number}}, before=RESET)
            while True:
                self._lines.skip_to(RESET, ends)
                try:
                    if self._lines.receive(ends).get("return") == number:
                        self._in_step = True
                        return
                except Garbled:
                    continue  # the end of something said before
        except LineEnded as error:
            raise ComputerLost(
                f"the connection to the guest agent is lost: {error}", remedy="open another one"
            ) from error


def _number(answer: Any, name: str) -> int:
    value = answer.get(name) if isinstance(answer, dict) else None
    if type(value) is not int:
        raise ComputerLost(f"the guest agent's answer has no {name}", remedy=REMEDY)
    return value


def _ran(status: dict[str, Any]) -> CommandOutput:
    try:
        return CommandOutput(
            code=-int(status["signal"]) if "signal" in status else int(status.get("exitcode", 0)),
            stdout=base64.b64decode(status.get("out-data", "")),
            stderr=base64.b64decode(status.get("err-data", "")),
            cut=bool(status.get("out-truncated") or status.get("err-truncated")),
        )
    except (TypeError, ValueError, binascii.Error) as error:
        raise ComputerLost(f"the guest agent's answer cannot be understood: {error}", remedy=REMEDY) from error
