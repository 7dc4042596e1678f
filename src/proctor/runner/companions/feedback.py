"""Feedback: an agent that says it is done is told what is missing, so many times, and may go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proctor.actions.action import Action, Answer, Done
from proctor.records import Told
from proctor.runner.companion import Companion
from proctor.runner.state import EpisodeState
from proctor.tasks.probe_context import Ending

Missing = Callable[[Ending], tuple[str, ...]]
"""Judges the computer as it is and returns what is missing; nothing when the task is done."""


class Feedback(Companion):
    """Has the agent's last word judged before it is taken."""

    def __init__(self, missing: Missing, times: int) -> None:
        self._missing = missing
        self._left = times

    def before_action(self, episode: EpisodeState, action: Action) -> Sequence[Told]:
        """Tell what is missing, unless nothing is."""
        if not self._left or not isinstance(action, Done | Answer):
            return ()
        self._left -= 1
        return [Told("feedback", sentence) for sentence in self._missing(Ending(action, episode.ending.asked))]
