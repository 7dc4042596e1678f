"""Performing an answer key: moves turned into ordinary actions on a computer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from proctor.actions.action import Done
from proctor.computers.computer import Computer
from proctor.errors import ComputerLost, ProctorError
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.probe_context import Ending
from proctor.tasks.shelves import run
from proctor.tasks.task import Task
from proctor.tasks.user import SimulatedUser

OPENING = frozenset({"click", "double_click", "right_click", "press", "menu"})
"""Moves that open what the next one needs, and may be made once more."""
FINDING = frozenset({*OPENING, "type_into", "await_element", "await_window"}) - {"press"}
"""Moves that need something to be there."""
WHERE = ("role", "name", "app", "window", "nth")
"""What of a move describes the element that it is made on."""
REACH = 5
"""How many moves back an opening one lies at most from which all is made once more."""


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
    came: Callable[[], int] | None = None,
) -> None:
    """Make moves with a hand; raises MoveFailed that names the one that could not be made.

    Args:
        moves: What to do.
        context: The hand.
        after: Called after each move, with how many have been made.
        came: Returns how much has come in between so far; a move that failed after something came is made once
            more.
    """
    tried = 0
    for place, call in enumerate(moves):
        try:
            context.still_going()
            before = came() if came is not None else 0
            try:
                run(call, context)
            except ProctorError:
                if came is None or came() == tried:
                    raise
                tried = came()
                _make_once_more(moves[: place + 1], context, came)
            else:
                if came is not None and came() > before and _is_left_undone(call, context):
                    with suppress(ProctorError):
                        _make_once_more(moves[: place + 1], context, came)
        except ProctorError as error:
            raise MoveFailed(
                f"move {place + 1} of {len(moves)}, {call}: {error.message}", remedy=error.remedy
            ) from error
        if after is not None:
            after(place + 1)


def make_as_many(moves: Sequence[Call], context: MoveContext, after: Callable[[int], None] | None = None) -> None:
    """Make moves up to the first that cannot be made; raises MoveFailed where the computer is lost."""
    try:
        make_moves(moves, context, after)
    except MoveFailed as error:
        if isinstance(error.__cause__, ComputerLost):
            raise


def _make_once_more(moves: Sequence[Call], context: MoveContext, came: Callable[[], int]) -> None:
    """Make the last of some moves once more; where what it needs was closed, open that again first.

    As long as something new comes in between, it is tried from the same place.
    """
    starts = list(_places_to_begin(moves))
    while True:
        before = came()
        try:
            for call in moves[starts[0] :]:
                run(call, context)
        except ProctorError:
            if came() > before:
                continue
            if len(starts) == 1:
                raise
            starts.pop(0)
        else:
            if came() == before or not _is_left_undone(moves[-1], context):
                return


def _places_to_begin(moves: Sequence[Call]) -> Iterator[int]:
    """Yield from where to make the last of some moves again: itself, and opening ones before it.

    A list or a dialog that was open when something came in between is opened again, and filled in.
    """
    last = len(moves) - 1
    yield last
    yield from (place for place in range(last - 1, max(last - REACH, -1), -1) if _opens(moves[place], moves[place + 1]))


def _is_left_undone(move: Call, context: MoveContext) -> bool:
    """Tell whether a move was to fill in a field, something came, and it says something else."""
    given = move.arguments
    if move.name != "type_into" or given.get("clear") is False:
        return False
    where = {name: given.get(name) for name in WHERE}
    try:
        return context.computer.locate(**where).find().text != str(given["text"])
    except ProctorError:
        return True


def _opens(move: Call, following: Call) -> bool:
    """Tell whether a move opens something; keys do if the next move is about what must be there."""
    return move.name in OPENING and (move.name != "press" or following.name in FINDING)
