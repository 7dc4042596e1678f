"""What other people's runners are given by default: rules, and one record for each process."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from proctor.exam.door_run import DoorRun
from proctor.exam.rules import DAY_SEC, Rules
from proctor.tasks.task import Task

LEAST_STEPS = 500
"""A task's own limit is for actions on a desktop; a shell takes more and smaller steps."""
_runs: dict[Path, DoorRun] = {}
_lock = Lock()


def house_rules(task: Task, steps: int | None = None) -> Rules:
    """Return the rules where somebody else holds the loop, and says when it has gone on too long.

    Polling a terminal repeats itself and changes nothing on the screen, which is no reason to stop.
    """
    most = steps or max(task.limits.steps, LEAST_STEPS)
    return Rules(steps=most, seconds=DAY_SEC, repetition=max(most, 2), fruitless=most)


def house_run(folder: str, house: str) -> DoorRun | None:
    """Return the run in a folder, which all exams of this process share; None where none is named.

    It is sealed when the process ends. Raises RecordError where there is something else.
    """
    if not folder:
        return None
    place = Path(folder).expanduser().resolve()
    with _lock:
        if place not in _runs:
            _runs[place] = DoorRun(place, served={"house": house})
        return _runs[place]
