"""Moves that are signals or to the user."""

from __future__ import annotations

from proctor.actions.action import Answer, AskUser, Done, Fail
from proctor.tasks.move_context import MoveContext
from proctor.tasks.shelves import MOVES


@MOVES.register
def done(context: MoveContext) -> None:
    """Say that the task is done; this is the default at the end."""
    context.say(Done())


@MOVES.register
def fail(context: MoveContext, reason: str) -> None:
    """Say that the task cannot be done, and why."""
    context.say(Fail(reason=reason))


@MOVES.register
def answer(context: MoveContext, text: str) -> None:
    """Answer the question that the task asked."""
    context.say(Answer(text=text))


@MOVES.register
def ask(context: MoveContext, question: str) -> None:
    """Ask the user something."""
    context.say(AskUser(question=question))
