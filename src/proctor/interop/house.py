"""What other people's runners share: rules, a record for each process, first and last words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from proctor.actions.action import AskUser, SignalAction
from proctor.agents.native.words import CLOSE, ENDS, last_words
from proctor.exam.door_run import DoorRun
from proctor.exam.rules import DAY_SEC, Rules
from proctor.interop.loan import Loan
from proctor.interop.venue import Venue
from proctor.suites import load_suite
from proctor.tasks.task import Task

LEAST_STEPS = 500
"""A task's own limit is for actions on a desktop; a shell takes more and smaller steps."""
_runs: dict[Path, DoorRun] = {}
_lock = Lock()


def lend(
    house: str,
    suite: str,
    task: str,
    seed: int = 0,
    *,
    computer: str = "sandbox",
    options: Mapping[str, object] | None = None,
    steps: int | None = None,
    out: str = "",
    agent: str = "",
) -> Loan:
    """Return a computer with a task on it, not yet open; raises SpecError for what there is not."""
    source = load_suite(suite)
    chosen = source.task(task, seed)
    venue = Venue(
        computer=computer,
        options=options or {},
        rules=house_rules(chosen, steps),
        uses=("run_code",),
        agent=agent or house,
        assets=source.assets,
        run=house_run(out, house),
    )
    return Loan(venue, chosen)


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


def prompt_of(task: Task) -> str:
    """Return what an agent is told: the instruction, and with which words to end."""
    endings = [CLOSE, *(f"- {ENDS[kind]}" for kind in ("done", "fail", "answer"))]
    return "\n".join([task.instruction, "", *endings])


def last_signal(said: str) -> SignalAction | None:
    """Return what the last words of an agent mean, where they end the task."""
    signal = last_words(said)
    return signal if isinstance(signal, SignalAction) and not isinstance(signal, AskUser) else None
