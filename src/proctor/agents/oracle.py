"""The agent that knows the answer: whoever runs it hands it the moves."""

from __future__ import annotations

from collections.abc import Callable

from proctor.actions.action import Action, Done
from proctor.agents.agent import Turn
from proctor.observations.observation import Observation, Want
from proctor.records import Brief

Moves = Callable[..., None]
"""Carries out an answer key: it is given what performs one action, and calls it for each; `miss=n` asks for the n-th
near miss instead, `reacts=False` for one that takes no notice of disturbances, `everything=True` for all that a day
holds, due or not."""


class Oracle:
    """Performs the task's answer key, one action per turn, and says that it is done."""

    want = Want(screenshot=False)
    looks_by_itself = True
    follows_a_key = True
    """Whether it goes one certain way, whatever it is shown."""

    def __init__(self, moves: Moves, *, tree: bool = False, miss: int = 0, reacts: bool = True) -> None:
        """Take the moves.

        Args:
            moves: What to do.
            miss: Perform the n-th near miss of the task instead, which fails in a tempting way; 0 for the solution.
            reacts: Answer disturbances as somebody at work would.
            tree: Record the accessibility tree with every step, for making data from the record.
        """
        self._moves = moves
        self._options = {**({"miss": miss} if miss else {}), **({} if reacts else {"reacts": False})}
        self.want = Want(screenshot=False, tree=tree)

    def start(self, brief: Brief) -> None:
        """Take no notice: the moves know what to do."""

    def drive(self, step: Callable[[Turn], Observation]) -> None:
        """Make the moves; a last word among them ends the episode, and so raises Over from `step`."""

        def perform(action: Action) -> Observation:
            return step(Turn(actions=(action,)))

        self._moves(perform, **self._options)
        perform(Done())
