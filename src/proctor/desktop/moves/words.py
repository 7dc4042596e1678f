"""Moves that are words to the examiner or to the user."""

from __future__ import annotations

from proctor.actions.action import Answer, AskUser, Done, Fail
from proctor.tasks.hand import Hand
from proctor.tasks.shelves import MOVES


@MOVES.register
def done(hand: Hand) -> None:
    """Say that the task is done; without any last word this is said at the end."""
    hand.say(Done())


@MOVES.register
def fail(hand: Hand, reason: str) -> None:
    """Say that the task cannot be done, and why."""
    hand.say(Fail(reason=reason))


@MOVES.register
def answer(hand: Hand, text: str) -> None:
    """Answer the question that the task asked."""
    hand.say(Answer(text=text))


@MOVES.register
def ask(hand: Hand, question: str) -> None:
    """Ask the user something."""
    hand.say(AskUser(question=question))
