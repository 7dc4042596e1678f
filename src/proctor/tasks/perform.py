"""Performing an answer key: moves turned into ordinary actions on a computer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proctor.actions.action import Done
from proctor.computers.computer import Computer
from proctor.errors import ProctorError
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.probe_context import Ending
from proctor.tasks.shelves import run
from proctor.tasks.task import Task
from proctor.tasks.user import SimulatedUser

OPENING = frozenset({"click", "double_click", "right_click", "press", "menu"})
"""Moves that open what the next one needs, and may be made once more."""


class MoveFailed(ProctorError):
    """A move of an answer key failed: the key is wrong, or the computer is not as it should be."""


def perform(
    task: Task, moves: Sequence[Call], computer: Computer, after: Callable[[int], None] | None = None
) -> Ending:
    """Make the moves one after another and return how they end.

    Without a last word they end with Done.

    `after` is called after each move, with how many have been made.
    """
    user = SimulatedUser(task.whole_user, computer, task.instruction)
    context = MoveContext(computer, user.ask)
    make_moves(moves, context, after)
    if context.signal is None:
        context.say(Done())
    return Ending(context.signal, tuple(user.asked))


def make_moves(
    moves: Sequence[Call],
    context: MoveContext,
    after: Callable[[int], None] | None = None,
    again: Callable[[], bool] | None = None,
) -> None:
    """Make moves with a hand; raises MoveFailed that names the one that could not be made.

    Args:
        moves: What to do.
        context: The hand.
        after: Called after each move, with how many have been made.
        again: Tells of a move that failed whether it is worth making once more, as something came in between.
    """
    for place, call in enumerate(moves):
        try:
            context.still_going()
            try:
                run(call, context)
            except ProctorError:
                if again is None or not again():
                    raise
                _make_once_more(moves[: place + 1], context)
        except ProctorError as error:
            raise MoveFailed(
                f"move {place + 1} of {len(moves)}, {call}: {error.message}", remedy=error.remedy
            ) from error
        if after is not None:
            after(place + 1)


def _make_once_more(moves: Sequence[Call], context: MoveContext) -> None:
    """Make the last of some moves once more; where what it needs was closed, open that again first."""
    try:
        run(moves[-1], context)
    except ProctorError:
        if len(moves) == 1 or moves[-2].name not in OPENING:
            raise
        run(moves[-2], context)
        run(moves[-1], context)
