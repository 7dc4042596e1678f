"""The simulated user: answers an agent's questions from what the task says, the same way every time."""

from __future__ import annotations

import re

from proctor.tasks.probe_context import Exchange
from proctor.tasks.task import User


class SimulatedUser:
    """Answers questions and remembers them."""

    def __init__(self, user: User) -> None:
        self._user = user
        self.asked: list[Exchange] = []

    def ask(self, question: str) -> str:
        """Return the replies to everything the question is about, or what this user says to all other questions."""
        words = [reply.reply for reply in self._user.replies if any(_mentions(question, word) for word in reply.about)]
        reply = " ".join(words) or self._user.otherwise
        self.asked.append(Exchange(question, reply))
        return reply


def _mentions(question: str, word: str) -> bool:
    # Whole words, so that "pin" is not found in "shopping"; a plural is still the same word.
    return re.search(rf"(?<!\w){re.escape(word)}(s|es)?(?!\w)", question, re.IGNORECASE) is not None
