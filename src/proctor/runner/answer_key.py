"""An answer key as moves on an exam: its actions are the exam's steps, like any agent's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proctor.computers.computer import Computer
from proctor.errors import AgentError, ComputerLost
from proctor.exam.key_hand import Perform, key_hand
from proctor.runner.reactions import Reactions, StartOver
from proctor.runner.return_to_work import give_answer
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import MoveFailed, make_moves
from proctor.tasks.task import Task


def hand_on(computer: Computer, step: Perform, reactions: Reactions | None = None) -> MoveContext:
    """Return the hand that makes moves on a computer, with a function that carries out one action.

    With reactions it answers each disturbance as soon as the action is over during which it came.
    """
    if reactions is None:
        return key_hand(computer, step)
    known, answering = reactions, False

    def answer_what_came() -> None:
        nonlocal answering
        if answering:
            return
        answering = True
        try:
            while new := known.take_new():
                for answer in new:
                    give_answer(answer, hand)
                    if answer.loses_work:
                        raise StartOver
        finally:
            answering = False

    hand = key_hand(computer, step, answer_what_came)
    return hand


def follow(wanted: Sequence[Call], hand: MoveContext, reactions: Reactions | None = None) -> None:
    """Make moves with a hand, from the beginning whenever what was done is lost; raises MoveFailed."""
    while True:
        try:
            make_moves(wanted, hand, came=(lambda: reactions.count) if reactions else None)
        except StartOver:
            continue
        return


def moves(
    task: Task, computer: Computer, *, miss: int = 0, everything: bool = False, reactions: Reactions | None = None
) -> Callable[[Perform], None]:
    """Return the moves of a task's solution, to be made with a function that carries out one action.

    Args:
        task: Whose.
        computer: Where.
        miss: Make those of its n-th near miss instead; raises AgentError when the task has not so many.
        everything: Make all that its day holds, whether it is due or not.
        reactions: What is done about disturbances; a move that fails after one is made once more.
    """
    if miss > len(task.near_misses) or miss < 0:
        raise AgentError(f"the task {task.id} has {len(task.near_misses)} near misses and no number {miss}")
    wanted = task.near_misses[miss - 1].moves if miss else task.solution[len(task.lead_in) :]
    if everything:
        if task.day is None:
            raise AgentError(f"the task {task.id} is no day, on which somebody could act on everything")
        wanted = task.day.busy_moves

    def make(step: Perform) -> None:
        try:
            follow(wanted, hand_on(computer, step, reactions), reactions)
        except MoveFailed as error:
            if isinstance(error.__cause__, ComputerLost):
                raise error.__cause__ from None
            raise

    return make
