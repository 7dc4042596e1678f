"""What a person is doing right now, kept beside the record in case the studio is killed.

A step is written when it is over. Until then a small file says what it would be; it goes when the episode is finished,
and is made a step of when the record of a killed studio is made whole.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from proctor.actions.action import from_json
from proctor.errors import AgentError
from proctor.records import Saw, Step, read_each, without_defaults
from proctor.store.files import plain_json, write_whole
from proctor.store.read import open_episode
from proctor.studio.record.gestures import MadeAction
from proctor.web.files import read_object

NAME = "doing.part"
"""Of a kind that never belongs to a finished record."""
EVERY_SEC = 0.4


@dataclass
class Journal:
    """Writes what is under way, at most every so often."""

    folder: Path
    _written: tuple[int, str] = (0, "[]")
    _at: float = 0.0

    def keep(self, told: int, doing: Sequence[MadeAction]) -> None:
        """Say what comes after this many actions that were told already."""
        now = time.monotonic()
        if now - self._at < EVERY_SEC:
            return
        wall = time.time() - now
        actions = [{"at": round(made.began + wall, 3), "action": made.action.to_json()} for made in doing]
        state = (told, json.dumps([entry["action"] for entry in actions]))
        if state != self._written:
            write_whole(str(self.folder), NAME, plain_json({"after": told, "doing": actions}))
            self._written, self._at = state, now


def complete(folder: Path) -> int:
    """Add what was under way in a killed episode to its steps; return how many actions it has now."""
    path = folder / "steps.jsonl"
    if not path.is_file() or path.is_symlink():
        return 0
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:  # the last line was not written to its end
        path.write_bytes(whole)
    steps = [step for step in open_episode(folder).steps() if not step.end]
    count = sum(step.action is not None for step in steps)
    for entry in _under_way(folder, count):
        last = steps[-1] if steps else Step()
        pictures = sorted(found.name for found in folder.glob("[0-9][0-9][0-9][0-9].png"))
        number = (last.step if last.step is not None else -1) + 1
        saw = Saw(at=entry.at, screenshot=pictures[-1] if pictures else "")
        steps.append(replace(entry, step=number, turn=(last.turn or 0) + 1, saw=saw))
        with path.open("ab") as file:
            file.write(plain_json(without_defaults(steps[-1])) + b"\n")
        count += 1
    return count


def _under_way(folder: Path, count: int) -> list[Step]:
    """Return what was under way after so many actions, unless it is a step already, or damaged."""
    kept = read_object(folder / NAME) or {}
    found = kept.get("doing")
    if kept.get("after") != count or not isinstance(found, list):
        return []
    steps = read_each(Step, found)
    try:
        for step in steps:
            from_json(step.action)
    except AgentError:
        return []
    return steps if len(steps) == len(found) and all(step.at is not None for step in steps) else []
