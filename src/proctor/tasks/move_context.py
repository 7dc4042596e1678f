"""What the moves of an answer key work with: they act as a person would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from proctor.actions.action import Action, AskUser, SignalAction
from proctor.computers.computer import Computer, Performed
from proctor.errors import SpecError
from proctor.tasks.probe_context import Ending, UserExchange


@dataclass
class MoveContext:
    """Performs moves on a computer and remembers what was said to the examiner."""

    computer: Computer
    ask: Callable[[str], str]
    """The simulated user."""
    asked: list[UserExchange] = field(default_factory=list)
    signal: SignalAction | None = None

    def do(self, action: Action) -> Performed:
        """Perform one action."""
        self.still_going()
        return self.computer.perform(action)

    def say(self, signal: SignalAction) -> str:
        """Say something to the examiner or ask the user, whose reply is returned."""
        self.still_going()
        if isinstance(signal, AskUser):
            reply = self.ask(signal.question)
            self.asked.append(UserExchange(signal.question, reply))
            return reply
        self.signal = signal
        return ""

    def still_going(self) -> None:
        """Refuse another move after the last word; raises SpecError."""
        if self.signal is not None:
            raise SpecError(f"a move follows after {self.signal.kind!r}", remedy="make that the last move")

    @property
    def ending(self) -> Ending:
        """How the moves ended."""
        return Ending(self.signal, tuple(self.asked))
