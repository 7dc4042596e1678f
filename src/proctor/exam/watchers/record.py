"""Recording: every step is written down as it happens, with what was seen before it."""

from __future__ import annotations

import time
from dataclasses import replace

from proctor.actions.action import Action, InputAction
from proctor.exam.recorder import Recorder
from proctor.exam.state import ExamState
from proctor.exam.watcher import Reply, Watcher
from proctor.observations.observation import Observation
from proctor.records import ModelCall, Saw, Step


class RecordWatcher(Watcher):
    """Writes an episode to a recorder; goes last, so that it sees what the others let through and add."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._saw = Saw()
        self._shown: Observation | None = None
        """What `_saw` speaks of; a hand on the desktop acts on what is there by then."""
        self._kept: tuple[int, tuple[ModelCall, ...]] = (0, ())
        """The last turn whose calls were kept, and these."""

    def begin(self, exam: ExamState) -> None:
        """Keep what is there at the beginning."""
        self._see(exam, exam.number)

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Write down what must be known if this process does not live to tell: what was paid for, and that it acts."""
        self._calls(exam)
        if exam.observation is not self._shown:
            self._see(exam, exam.number)
        if isinstance(action, InputAction) and not exam.acted:
            self._recorder.note(acted=round(time.time(), 3))
        return None

    def after(self, exam: ExamState, step: Step) -> Step:
        """Write the step, and keep what is to be seen before the next one."""
        step = replace(step, saw=self._saw, calls=self._calls(exam) if step.calls else ())
        self._recorder.step(step)
        self._see(exam, exam.number + 1)
        return step

    def end(self, exam: ExamState) -> None:
        """Write what was seen at the end; of a void episode only the request that failed, which may have cost money."""
        if exam.failed_call is not None:
            self._recorder.call(exam.failed_call, exam.turns + 1)
        if exam.stop is not None:
            saw = self._recorder.see(exam.observation, exam.number)
            self._recorder.step(Step(step=exam.number, end=True, at=time.time(), saw=saw, stop=exam.stop))

    def _see(self, exam: ExamState, number: int) -> None:
        self._shown = exam.observation
        self._saw = self._recorder.see(self._shown, number)

    def _calls(self, exam: ExamState) -> tuple[ModelCall, ...]:
        """Return the calls of the turn as they are kept, each once."""
        if self._kept[0] != exam.turns:
            kept = tuple(self._recorder.call(call, exam.turns) for call in exam.turn.calls)
            self._kept = (exam.turns, kept)
        return self._kept[1]
