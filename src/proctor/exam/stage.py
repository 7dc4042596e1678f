"""The stage of an exam: setup steps on a computer in use, which are not the agent's doing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from proctor.computers.computer import Computer
from proctor.errors import ComputerError, ComputerLost, HostError, ProctorError, SpecError
from proctor.exam.inventory import Inventory
from proctor.exam.side_effects import SideEffectCounter
from proctor.exam.state import ExamState
from proctor.exam.trouble import Troubles
from proctor.tasks.call import Call
from proctor.tasks.prepare import take_steps
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.task import Task

BRING_SEC = 45.0
"""How long it may take: programs that are opened need some seconds."""


@dataclass
class Stage:
    """Brings about what happens by itself."""

    task: Task
    computer: Computer
    assets: Path | None
    troubles: Troubles
    """Hears of a computer that fails."""
    side_effects: SideEffectCounter
    inventory: Inventory = field(init=False)
    """What was there, of what the steps may name."""

    def __post_init__(self) -> None:
        self.inventory = Inventory(self.computer)

    def bring_about(self, exam: ExamState, steps: Sequence[Call]) -> Exception | None:
        """Take setup steps; returns what one failed with, where one did."""
        computer, history = self.computer, list(self.computer.history)
        try:
            with computer.patience(BRING_SEC), self.side_effects.spare(computer):
                take_steps(steps, SetupContext(computer, self.assets, self.task.assets))
        except (ProctorError, OSError) as error:
            lost = error if isinstance(error, ComputerLost | HostError) else error.__cause__
            if isinstance(lost, ComputerLost | HostError):
                self._hear(exam, lost)
            return error
        finally:
            # What happens by itself is not the agent's doing.
            computer.history[:] = history
        return None

    def see_agents_doing(self, exam: ExamState, steps: Sequence[Call], error: Exception) -> str:
        """Return what the agent did that made steps fail, in words; empty where nothing shows that it was the agent.

        Raises HostError where the host was unwell.
        """
        if not exam.acted or isinstance(error, SpecError):
            return ""
        try:
            missing = self.inventory.find_missing(steps)
        except (ComputerError, OSError) as trouble:
            self._hear(exam, trouble)
            return ""
        if missing:
            self.troubles(error)
        return missing

    def show(self, exam: ExamState) -> None:
        """Have the agent shown the computer as it is now."""
        try:
            self.computer.settle()
            exam.look_again()
        except (ComputerError, OSError) as error:
            self._hear(exam, error)

    def _hear(self, exam: ExamState, error: Exception) -> None:
        """Take in that the computer failed, which can be the agent's doing only once it has acted."""
        if not exam.acted:
            raise error
        self.troubles(error, broken=True)
