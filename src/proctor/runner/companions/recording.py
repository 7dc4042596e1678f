"""Recording: every step is written down as it happens, with what was seen before it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from proctor.actions.action import Action, InputAction
from proctor.observations.observation import Observation
from proctor.records import ModelCall, Saw, Step, Told
from proctor.runner.companion import Companion
from proctor.runner.recorder import Recorder
from proctor.runner.state import EpisodeState


class Recording(Companion):
    """Writes an episode to a recorder; goes last, so that it sees what the others let through and add."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._saw = Saw()
        self._shown: Observation | None = None
        """What `_saw` speaks of; a hand on the desktop acts on what is there by then."""
        self._kept: tuple[int, tuple[ModelCall, ...]] = (0, ())
        """The last turn whose calls were kept, and these."""

    def begin(self, episode: EpisodeState) -> None:
        """Keep what is there at the beginning."""
        self._see(episode, episode.number)

    def before_action(self, episode: EpisodeState, action: Action) -> Sequence[Told]:
        """Write down what must be known if this process does not live to tell: what was paid for, and that it acts."""
        self._calls(episode)
        if episode.observation is not self._shown:
            self._see(episode, episode.number)
        if isinstance(action, InputAction) and not episode.acted:
            self._recorder.note(acted=round(time.time(), 3))
        return ()

    def after_action(self, episode: EpisodeState, step: Step) -> Step:
        """Write the step, and keep what is to be seen before the next one."""
        step = replace(step, saw=self._saw, calls=self._calls(episode) if step.calls else ())
        self._recorder.step(step)
        self._see(episode, episode.number + 1)
        return step

    def end(self, episode: EpisodeState) -> None:
        """Write what was seen at the end; of a void episode only the request that failed, which may have cost money."""
        if episode.failed_call is not None:
            self._recorder.call(episode.failed_call, episode.turns + 1)
        if episode.stop is not None:
            saw = self._recorder.see(episode.observation, episode.number)
            self._recorder.step(Step(step=episode.number, end=True, at=time.time(), saw=saw, stop=episode.stop))

    def _see(self, episode: EpisodeState, number: int) -> None:
        self._shown = episode.observation
        self._saw = self._recorder.see(self._shown, number)

    def _calls(self, episode: EpisodeState) -> tuple[ModelCall, ...]:
        """Return the calls of the turn as they are kept, each once."""
        if self._kept[0] != episode.turns:
            kept = tuple(self._recorder.call(call, episode.turns) for call in episode.turn.calls)
            self._kept = (episode.turns, kept)
        return self._kept[1]
