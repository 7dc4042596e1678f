"""Who caused it: whether trouble with a computer that an agent has acted on is the agent's doing or the host's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from proctor.computers.computer import Computer
from proctor.computers.wellness import Wellness
from proctor.errors import ComputerError, ComputerLost, HostError, Overrun

TROUBLE = (ComputerError, OSError)
"""What a computer raises when it fails; an OSError is passed on as it was inside."""


@dataclass(frozen=True)
class Blame:
    """Whose doing something is, and what shows it."""

    whose: Literal["agent", "host"]
    why: str
    evidence: dict[str, Any]
    """Plain data for the record."""
    defect: str = ""
    """The trace of a defect of ours, where the computer's own programs of ours left one."""


def blame(error: Exception, computer: Computer, wellness: Wellness | None = None) -> Blame:
    """Tell whose doing it is that a computer fails after an agent has acted on it.

    What runs inside can end or silence everything inside, so that is the agent's doing unless something shows that it
    came from outside: what the backend knows of the end (`Computer.autopsy`), or the state of the host, of which only
    the present is known where nobody watched it.
    """
    wellness = wellness or Wellness()
    lost = isinstance(error, ComputerLost)
    found = _autopsy(computer) if lost else {}
    evidence: dict[str, Any] = {
        "error": f"{type(error).__name__}: {error}"[:4000],
        "computer": found,
        "host": wellness.signs(),
    }
    if computer.incidents:
        evidence["incidents"] = computer.incidents.to_json()
    defect = str(found.get("defect", "")) or _trace(error)
    if isinstance(error, HostError):
        return Blame("host", error.message, evidence)
    if outside := str(found.get("outside", "")):
        return Blame("host", outside, evidence)
    overrun, own = error.seconds if isinstance(error, Overrun) else 0.0, int(found.get("memory_bytes") or 0)
    if unwell := wellness.trouble(own, alive=not found.get("ended"), overrun=overrun):
        return Blame("host", unwell, evidence)
    why = str(found.get("ended", "")) or "it failed while its host was well"
    return Blame("agent", why, evidence, defect)


def _autopsy(computer: Computer) -> dict[str, Any]:
    try:
        return computer.autopsy()
    except TROUBLE as error:
        return {"autopsy_failed": f"{type(error).__name__}: {error}"}


def _trace(error: Exception) -> str:
    """Return the trace that process 1 answers with where a request made it fail."""
    text = str(error)
    return text if isinstance(error, OSError) and "Traceback (most recent call last)" in text else ""
