"""The simulated user: understands questions however they are put, and answers the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proctor.errors import Overrun
from proctor.tasks.deadline import Deadline
from proctor.tasks.examine import examine, looker
from proctor.tasks.look_safely import look_safely
from proctor.tasks.probe_context import ProbeContext, UserExchange
from proctor.tasks.task import Reply, User
from proctor.tasks.topics import is_about

if TYPE_CHECKING:
    from proctor.computers.computer import Computer

MOST_QUESTIONS = 20
"""Questions to the user in one episode; more are not answered."""
LOOK_SEC = 5.0
"""How long it may take to see whether a question is still open."""


class SimulatedUser:
    """Answers questions and remembers them, and whether they came in time."""

    def __init__(self, user: User, computer: Computer | None = None) -> None:
        self._user, self._computer = user, computer
        self.asked: list[UserExchange] = []

    def ask(self, question: str) -> str:
        """Return the replies to all the question is about, or what this user says to other questions.

        Raises ComputerError where it must be looked at whether the question is still open, and cannot be.
        """
        meant = self.replies_to(question)
        reply = " ".join(each.reply for each in meant) or self._user.otherwise
        self.asked.append(UserExchange(question, reply, late=any(self._is_decided(each) for each in meant)))
        return reply

    def replies_to(self, question: str) -> list[Reply]:
        """Return what this user can say to a question."""
        return [reply for reply in self._user.replies if is_about(question, reply.about)]

    def _is_decided(self, reply: Reply) -> bool:
        """Tell whether the agent has done already what it asks about.

        What it left may take too long to look at; then nobody can say that the question is still open.
        """
        if reply.undecided is None or self._computer is None:
            return False
        deadline, seen = Deadline(LOOK_SEC), dict[str, object]()
        look = looker(ProbeContext(self._computer, history=tuple(self._computer.history), deadline=deadline), seen)
        return not examine(reply.undecided, look_safely(look, seen, _raise_all_but_overruns), deadline).passed


def _raise_all_but_overruns(error: Exception) -> None:
    if not isinstance(error, Overrun):
        raise error
