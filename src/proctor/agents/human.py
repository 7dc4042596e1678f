"""A person at the live desktop, whose last word and time count like any agent's."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Protocol

from proctor.actions.action import Action, Answer, AskUser, Done, Fail
from proctor.agents.agent import Turn
from proctor.errors import AgentError
from proctor.observations.observation import Observation, Want
from proctor.plain_text import printable
from proctor.records import Brief

HELP = "done | fail REASON | answer TEXT | ask QUESTION"

Prompt = Callable[[str], str]
"""Shows a text and returns the line that the person types."""


class LiveHand(Protocol):
    """A person's hand on the desktop, watched by whoever shows it to them."""

    def turns(self) -> Iterator[Turn]:
        """Yield what the person does and says, as it happens; the last turn ends the episode."""

    def show(self, observation: Observation) -> None:
        """Hear what was seen after the last turn, and what the person is told."""


class Human:
    """Waits while a person works, until they say how it ended.

    Whoever runs it shows how to reach the desktop. What the person does there needs no turns, unless somebody watches
    their hand: then each thing they do is a turn.
    """

    want = Want(screenshot=False)

    def __init__(self, prompt: Prompt = input, hand: LiveHand | None = None) -> None:
        self._prompt = prompt
        self._hand = hand
        if hand is not None:
            self.want = Want()  # who works by hand sees the screen

    def start(self, brief: Brief) -> None:
        """Keep what the person is to read."""
        self._brief = brief

    def drive(self, step: Callable[[Turn], Observation]) -> None:
        """Ask the person for words until one ends the episode, and so raises Over from `step`."""
        if self._hand is not None:
            for turn in self._hand.turns():
                self._hand.show(step(turn))
            return
        brief = self._brief
        told = [brief.instruction, *filter(None, [brief.intent, brief.notes])]
        while True:
            began = time.monotonic()
            line = self._ask("\n".join([*told, f"When you are finished: {HELP}", "> "]))
            seconds = time.monotonic() - began
            action = read_signal(line)
            if action is None:
                told = [f"{line[:80]!r} is none of these."]
                continue
            turn = Turn(actions=(action,), reply=line, thought=f"worked for {seconds:.1f} s")
            told = [item.text for item in step(turn).told]

    def _ask(self, text: str) -> str:
        try:
            return self._prompt(printable(text))
        except EOFError as error:
            raise AgentError("there is nobody here to use the desktop", remedy="run it from a terminal") from error


def read_signal(line: str) -> Action | None:
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
