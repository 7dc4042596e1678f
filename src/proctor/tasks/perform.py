"""Performing an answer key: moves turned into ordinary actions on a computer."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

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
CLICKS = OPENING - {"press"}
REACH = 4
"""How many moves back a click lies at most from which what it opened is done again."""


class MoveFailed(ProctorError):
    """A move of an answer key failed: the key is wrong, or the computer is not as it should be."""


def perform(
    task: Task, moves: Sequence[Call], computer: Computer, after: Callable[[int], None] | None = None
) -> Ending:
    """Make the moves one after another and return how they end.

    Without a last word they end with Done.

    `after` is called after each move, with how many have been made.
    """
    user = SimulatedUser(task.user, computer, task.instruction)
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
    starts = list(_places_to_begin(moves))
    for start in starts:
        try:
            for call in moves[start:]:
                run(call, context)
        except ProctorError:
            if start == starts[-1]:
                raise
        else:
            return


def _places_to_begin(moves: Sequence[Call]) -> Iterator[int]:
    """Yield from where to make the last of some moves again.

    From itself, from the one before it, from the last click before it: a list that was open when somebody came in between is clicked open again, and chosen from.
    """
    last = len(moves) - 1
    yield last
    if last and moves[last - 1].name in OPENING:
        yield last - 1
    clicks = (place for place in range(last - 2, max(last - REACH, 0) - 1, -1) if moves[place].name in CLICKS)
    yield from itertools.islice(clicks, 1)
