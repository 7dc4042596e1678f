"""Reading the record of one episode, whole or still going on; nothing in it is trusted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from proctor.errors import RecordError
from proctor.records import ChangedPath, Header, ModelCall, RecordedVerdict, Result, Saw, Step, read, read_each
from proctor.store.account import read_account
from proctor.store.bounds import load_json
from proctor.store.completeness import recorded_result
from proctor.store.exchanges import Exchanges, RecordedExchange
from proctor.store.files import open_lines, read_json, read_packed_json, read_whole
from proctor.store.pack import PICTURE
from proctor.store.plain import MAX_LINE

MAX_PICTURE = 64 * 1024 * 1024
MAX_SAID = 4 * 1024 * 1024
MAX_STEPS = 200_000
MAX_STEPS_BYTES = 1024 * 1024 * 1024
"""Of one episode; more is not of Proctor's making."""

_PICTURE = re.compile(rf"{PICTURE.pattern}|\d{{4,9}}\.clip\.webp", re.ASCII)
_PACKED = re.compile(r"\d{4,9}\.(tree|marks)\.json\.gz", re.ASCII)


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One turn of an agent: what it was shown, what it answered, and a line for each action."""

    steps: tuple[Step, ...]

    @property
    def saw(self) -> Saw:
        """What it was shown."""
        return self.steps[0].saw or Saw()

    @property
    def reply(self) -> str:
        """What its model wrote."""
        return self.steps[0].reply

    @property
    def thought(self) -> str:
        """Its reasoning, where that was told apart."""
        return self.steps[0].thought

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The requests to models that it took."""
        return self.steps[0].calls

    @property
    def actions(self) -> list[dict[str, Any]]:
        """What it did, or wanted to."""
        return [step.action for step in self.steps if step.action is not None]


class RecordedEpisode:
    """The record of one try at an episode."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def finished(self) -> bool:
        """Whether it was finished; otherwise it goes on or was interrupted."""
        return (self.folder / "sums.json").is_file()

    @cached_property
    def header(self) -> Header:
        """Key, task, agent, rules, facts of the computer; empty where an interruption came before."""
        return read(Header, self._json("episode.json", {}))

    @property
    def instruction(self) -> str:
        """What the agent was told to do; where a person was told nothing, the goal that they gave."""
        goal = read_account(self.folder).get("goal")
        return goal if isinstance(goal, str) and goal else self.header.instruction

    @property
    def result(self) -> Result | None:
        """What came of it; None while it goes on."""
        return recorded_result(self.folder) if self.finished else None

    @property
    def verdict(self) -> RecordedVerdict | None:
        """The judgement; None where there was none."""
        found = self._json("verdict.json", None) if self.finished else None
        return read(RecordedVerdict, found) if isinstance(found, dict) else None

    @property
    def changes(self) -> list[ChangedPath]:
        """Every path that changed on the computer."""
        return read_each(ChangedPath, self._json("changes.json", []) if self.finished else [])

    @property
    def video(self) -> Path | None:
        """Where its video lies, if it has one."""
        path = self.folder / "video.mp4"
        return path if path.is_file() and not path.is_symlink() else None

    @property
    def said(self) -> str:
        """What the agent printed, and the traceback of its crash; empty where there is neither."""
        path = self.folder / "agent.txt"
        return read_whole(path, MAX_SAID).decode("utf-8", "replace") if os.path.lexists(path) else ""

    def steps(self) -> Iterator[Step]:
        """Walk its steps, a torn last one left out; raises RecordError for a torn one in the middle."""
        path = self.folder / "steps.jsonl"
        if (file := open_lines(path)) is None:
            return
        with file:
            number = size = 0
            while line := file.readline(MAX_LINE + 1):
                number, size = number + 1, size + len(line)
                if number > MAX_STEPS or size > MAX_STEPS_BYTES:
                    raise RecordError(
                        f"{path} holds more steps than an episode has", remedy="see `proctor runs verify`"
                    )
                if not line.endswith(b"\n") and len(line) <= MAX_LINE:
                    return
                try:
                    data = load_json(line)
                except ValueError as error:
                    raise RecordError(
                        f"{path}, line {number} is not the JSON of a record: {error}",
                        remedy="see `proctor runs verify`",
                    ) from error
                if isinstance(data, dict):
                    yield read(Step, data)

    def turns(self) -> Iterator[RecordedTurn]:
        """Walk its turns; the last step, which says what was seen at the end, is none."""
        steps: list[Step] = []
        for step in self.steps():
            if steps and (step.end or step.turn != steps[0].turn):
                yield RecordedTurn(tuple(steps))
                steps = []
            if not step.end:
                steps.append(step)
        if steps:
            yield RecordedTurn(tuple(steps))

    def exchanges(self) -> list[RecordedExchange]:
        """Return what its models were sent and answered; none for agents without one and older records."""
        return Exchanges(self.folder).more()

    def picture(self, name: object) -> bytes:
        """Return a picture that one of its lines names; raises RecordError for any other file."""
        return read_whole(self._file(name, _PICTURE), MAX_PICTURE)

    def read_packed(self, name: object) -> object:
        """Return the accessibility tree or the marks that one of its lines names."""
        return read_packed_json(self._file(name, _PACKED))

    def _file(self, name: object, allowed: re.Pattern[str]) -> Path:
        if not isinstance(name, str) or not allowed.fullmatch(name):
            raise RecordError(f"{self.folder}: {str(name)[:100]!r} is not a file of a record")
        return self.folder / name

    def _json(self, name: str, otherwise: object) -> object:
        path = self.folder / name
        if not os.path.lexists(path):
            return otherwise
        try:
            return read_json(path)
        except RecordError:
            if self.finished:
                raise
            # Somebody is writing it this very moment, or was stopped there.
            return otherwise


def open_episode(folder: Path) -> RecordedEpisode:
    """Open the record of an episode; raises RecordError where there is none."""
    if not folder.is_dir() or folder.is_symlink():
        raise RecordError(f"{folder} contains no episode", remedy="name a folder below `episodes` of a run")
    return RecordedEpisode(folder)
