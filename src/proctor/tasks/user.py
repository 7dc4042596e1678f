"""The simulated user: understands an agent's questions however they are put, and answers the same way every time."""

from __future__ import annotations

from proctor.tasks.probe_context import Exchange
from proctor.tasks.task import Reply, User
from proctor.tasks.understanding import is_about

MOST_QUESTIONS = 20
"""Questions to the user in one episode; more are not answered."""


class SimulatedUser:
    """Answers questions and remembers them."""

    def __init__(self, user: User) -> None:
        self._user = user
        self.asked: list[Exchange] = []

    def ask(self, question: str) -> str:
        """Return the replies to everything the question is about, or what this user says to all other questions."""
        reply = " ".join(each.reply for each in self.meant(question)) or self._user.otherwise
        self.asked.append(Exchange(question, reply))
        return reply

    def meant(self, question: str) -> list[Reply]:
        """Return what this user can say to a question."""
        return [reply for reply in self._user.replies if is_about(question, reply.about)]
