"""A person at the live desktop, whose last word and time count like any agent's."""

from __future__ import annotations

import time
from collections.abc import Callable

from proctor.actions.action import Action, Answer, AskUser, Done, Fail
from proctor.agents.agent import Turn
from proctor.errors import AgentError
from proctor.observations.observation import Observation, Want
from proctor.plain_text import printable
from proctor.records import Brief

HELP = "done | fail REASON | answer TEXT | ask QUESTION"

Prompt = Callable[[str], str]
"""Shows a text and returns the line that the person types."""


class Human:
    """Waits while a person works, until they say how it ended.

    Whoever runs it shows how to reach the desktop; what the person does there needs no turns.
    """

    want = Want(screenshot=False)

    def __init__(self, prompt: Prompt = input) -> None:
        self._prompt = prompt

    def start(self, brief: Brief) -> None:
        """Keep what the person is to read."""
        self._brief = brief

    def drive(self, step: Callable[[Turn], Observation]) -> None:
        """Ask the person for words until one ends the episode, and so raises Over from `step`."""
        brief = self._brief
        told = [brief.instruction, *filter(None, [brief.intent, brief.notes])]
        while True:
            began = time.monotonic()
            line = self._ask("\n".join([*told, f"When you are through: {HELP}", "> "]))
            seconds = time.monotonic() - began
            action = understood(line)
            if action is None:
                told = [f"{line[:80]!r} is none of these."]
                continue
            turn = Turn(actions=(action,), reply=line, thought=f"worked for {seconds:.1f} s")
            told = [item.text for item in step(turn).told]

    def _ask(self, text: str) -> str:
        try:
            return self._prompt(printable(text))
        except EOFError as error:
            raise AgentError("nobody is there to work on the desktop", remedy="run it from a terminal") from error


def understood(line: str) -> Action | None:
    """Return the signal that a line stands for; None when it is none."""
    word, _, rest = line.strip().partition(" ")
    match word.lower():
        case "done":
            return Done()
        case "fail":
            return Fail(reason=rest)
        case "answer" if rest:
            return Answer(text=rest)
        case "ask" if rest:
            return AskUser(question=rest)
        case _:
            return None
