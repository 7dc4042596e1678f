"""The agent that acts on everything and asks nobody: on a day it scores 0 at most."""

from __future__ import annotations

from collections.abc import Callable

from proctor.actions.action import Done
from proctor.agents.agent import Turn
from proctor.agents.oracle import Moves
from proctor.observations.observation import Observation, Want
from proctor.records import Brief


class Busy:
    """Does everything that the key of a day holds, due or not, and says that it is done."""

    want = Want(screenshot=False)
    looks_by_itself = True
    follows_a_key = True

    def __init__(self, moves: Moves, *, tree: bool = False) -> None:
        """Take the moves.

        Args:
            moves: What to do.
            tree: Record the accessibility tree with every step, for making data from the record.
        """
        self._moves = moves
        self.want = Want(screenshot=False, tree=tree)

    def start(self, brief: Brief) -> None:
        """Take no notice: the moves know what to do."""

    def drive(self, step: Callable[[Turn], Observation]) -> None:
        """Make the moves."""

        def perform(action: object) -> Observation:
            return step(Turn(actions=(action,)))  # type: ignore[arg-type]  # the moves make actions

        self._moves(perform, everything=True)
        perform(Done())
