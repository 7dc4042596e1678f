"""How long the screen is waited for after a step: until it rests, or as the caller asks."""

from __future__ import annotations

from proctor.actions.action import Action
from proctor.computers.computer import Computer
from proctor.computers.settle import Pause, Settling
from proctor.errors import SpecError
from proctor.exam.state import ExamState
from proctor.exam.watcher import Reply, Watcher
from proctor.records import Step

LONGEST_PAUSE_SEC = 600.0
GESTURE_SEC = 0.1
"""How long PyAutoGUI waits after each gesture of a program."""


class PauseWatcher(Watcher):
    """Has the caller's pause come after the last action of a turn, PyAutoGUI's after the others."""

    def __init__(self) -> None:
        self.seconds: float | None = None
        self._usual: Settling = "quick"

    def begin(self, exam: ExamState) -> None:
        """Remember how long the screen is waited for otherwise."""
        self._usual = exam.computer.settling

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Say how long this action is waited for."""
        actions = exam.turn.actions
        self.prepare(exam.computer, asked=not actions or action is actions[-1])
        return None

    def after(self, exam: ExamState, step: Step) -> Step:
        """Have judgement wait as usual: the pause is for the agent."""
        self.release(exam.computer)
        return step

    def prepare(self, computer: Computer, *, asked: bool = True) -> None:
        """Say how long the computer is waited for when it is next to come to rest."""
        if self.seconds is not None:
            computer.settling = Pause(self.seconds if asked else GESTURE_SEC)

    def release(self, computer: Computer) -> None:
        """Have the computer be waited for as usual."""
        computer.settling = self._usual


def read_pause(pause: object) -> float | None:
    """Return a pause; raises SpecError for what is none."""
    if pause is None:
        return None
    if isinstance(pause, int | float) and not isinstance(pause, bool) and 0 <= pause <= LONGEST_PAUSE_SEC:
        return float(pause)
    raise SpecError(f"a pause of {pause!r}", remedy=f"give seconds from 0 to {LONGEST_PAUSE_SEC:g}, or None")
