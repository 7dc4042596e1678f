"""`cmd:COMMAND`: an agent in any language, spoken to in lines of JSON.

The program is started once, without a shell, and reads one JSON object a line from its standard input: one that begins
an episode, then one for each turn. It answers each turn with one line on its standard output, and flushes it. It may
write what it likes to its standard error; the end of that is shown when it fails. `proctor.agents.wire` draws the
objects. When its input ends it is to end too; it and its children are killed a second later.

It is the user's own program and inherits the environment, API keys included. It runs on the host, not in the computer.
"""

from __future__ import annotations

import json
import shlex
import shutil
import tempfile
from pathlib import Path
from typing import Any, Literal

from proctor.agents.agent import Turn
from proctor.agents.external.process import LineProcess, LineTooLong
from proctor.agents.views import ObserveOrNot, want_for
from proctor.agents.wire import MAX_REPLY_BYTES, TOO_LONG, observe_message, read_reply, start_message
from proctor.errors import SpecError
from proctor.observations.observation import Observation
from proctor.records import Brief


class CommandAgent:
    """A program that receives its brief and observations as lines of JSON, and answers with actions."""

    def __init__(
        self,
        command: str,
        *,
        observe: ObserveOrNot = "screenshot",
        scale: float = 1.0,
        pictures: Literal["inline", "file"] = "inline",
        patience: float = 120.0,
    ) -> None:
        """Prepare the program; it starts with the first episode.

        Args:
            command: The program and its arguments, quoted as in a shell.
            observe: What it is shown.
            scale: Size of the picture relative to the desktop; coordinates remain those of the desktop.
            pictures: Whether pictures come as base64 or as the path of a file that lasts for the turn.
            patience: Maximum seconds for a turn.
        """
        self.want = want_for(observe, scale=scale)
        self._argv = _argv(command)
        self._pictures = pictures
        self._patience = patience
        self._process: LineProcess | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def start(self, brief: Brief) -> None:
        """Tell the program its brief; one that has ended is started again."""
        if self._process is not None and not self._process.running:
            self._process.close()
            self._process = None
        if self._process is None:
            self._process = LineProcess(self._argv, max_line=MAX_REPLY_BYTES)
        self._process.tell(_line(start_message(brief)), patience=self._patience)

    def act(self, observation: Observation) -> Turn:
        """Show the program an observation and return its answer.

        Raises AgentError with the end of its standard error when it crashes or does not answer in time.
        """
        if self._process is None:
            raise SpecError("the agent has no episode yet", remedy="call start(brief) first")
        try:
            return read_reply(self._process.ask(self._observation_line(observation), patience=self._patience))
        except LineTooLong:
            return Turn(problem=TOO_LONG)

    def first_messages(self, brief: Brief, observation: Observation) -> list[dict[str, object]]:
        """Return the objects that the program would be sent, for people to read."""
        return [start_message(brief), observe_message(observation)]

    def close(self) -> None:
        """End the program and its children."""
        if self._process is not None:
            self._process.close()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _observation_line(self, observation: Observation) -> bytes:
        if self._pictures == "inline":
            return _line(observe_message(observation))
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="proctor-agent-")
        return _line(observe_message(observation, picture_file=Path(self._folder.name) / "screen.png"))


def _argv(command: str) -> list[str]:
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise SpecError(f"the command {command!r} cannot be read: {error}", remedy="close its quotes") from error
    if not argv:
        raise SpecError("the agent's command is empty", remedy="write cmd:PROGRAM ARGUMENTS")
    if shutil.which(argv[0]) is None:
        raise SpecError(f"there is no program {argv[0]!r}", remedy="check its name and that it is executable")
    return argv


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode("ascii")
