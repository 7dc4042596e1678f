"""Conditions: whether checks hold on a computer right now, while an agent is at work on it."""

from __future__ import annotations

from proctor.computers.computer import Computer
from proctor.errors import Overrun
from proctor.tasks.agenda import Holds
from proctor.tasks.call import Call
from proctor.tasks.deadline import Deadline
from proctor.tasks.examine import examine, looker
from proctor.tasks.look_safely import Trouble, look_safely
from proctor.tasks.probe_context import Ending, ProbeContext

LOOK_SEC = 3.0
"""How long all that is asked in one look may take; honest ones take a hundredth of it."""


def conditions_on(computer: Computer, ending: Ending, trouble: Trouble | None = None) -> Holds:
    """Return what tells whether a check holds: each probe is asked once, and all within one deadline.

    What cannot be looked at in time does not hold; `trouble` is told of a computer that fails, as in `judge`. That
    little time was too short is nobody's trouble.
    """

    def hear(failure: Exception) -> None:
        if trouble is None or isinstance(failure, Overrun):
            raise failure
        trouble(failure)

    deadline = Deadline(LOOK_SEC)
    evidence: dict[str, object] = {}
    context = ProbeContext(computer, ending, tuple(computer.history), deadline)
    look = look_safely(looker(context, evidence), evidence, hear)

    def holds(check: Call) -> bool:
        try:
            return examine(check, look, deadline).passed
        except Overrun:
            return False

    return holds
