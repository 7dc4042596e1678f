"""A computer lent to somebody else's runner, in a thread of its own, with or without an exam."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from proctor.actions.action import SignalAction
from proctor.computers import open_computer
from proctor.computers.computer import Computer
from proctor.errors import EpisodeVoid, SpecError
from proctor.exam.exam import Exam
from proctor.interop.venue import Venue
from proctor.records import Result
from proctor.tasks.task import Task

Given = TypeVar("Given")


class ThreadedComputer:
    """One computer, and all that is done on it, by one thread.

    `submit` and `leave` may be called from any thread; everything else belongs into what is submitted. Without a task
    it is a plain computer, and nothing is examined.
    """

    def __init__(self, venue: Venue, task: Task | None = None) -> None:
        self.task, self._venue = task, venue
        self._computer: Computer | None = None
        self._exam: Exam | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="proctor-lent")
        self.others: set[str] = set()
        """Paths that the runner itself writes to; what changes there is nobody's side effect."""

    def submit(self, work: Callable[[], Given]) -> Future[Given]:
        """Have something done in the computer's own thread."""
        return self._thread.submit(work)

    @property
    def computer(self) -> Computer:
        """The computer; raises SpecError before `open` and after `close`."""
        if self._computer is None:
            raise SpecError("the computer is not open", remedy="open it first")
        return self._computer

    @property
    def exam(self) -> Exam:
        """The exam; raises EpisodeVoid where none has begun."""
        if self._exam is None or not self._exam.begun:
            name = self.task.id if self.task else "that is not there"
            raise EpisodeVoid(f"void: task {name} was never prepared", remedy="keep the setup of the task in place")
        return self._exam

    @property
    def is_examining(self) -> bool:
        """Whether an exam has begun and has no result yet."""
        return self._exam is not None and self._exam.begun and self._exam.result is None

    # -- its life -------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Start the computer; raises ComputerError or SpecError, and leaves none behind then."""
        venue = self._venue
        if self.task is not None:
            computer = venue.open(self.task)
        else:
            computer = (
                open_computer(venue.computer, **venue.options) if isinstance(venue.computer, str) else venue.computer()
            )
        self._computer = computer
        try:
            computer.start()
        except BaseException:
            self.close()
            raise

    def begin(self, agent: str = "") -> None:
        """Begin the exam of the task, of an agent by this name; a second time has no effect.

        Raises EpisodeVoid where the computer cannot be made ready.
        """
        if self._exam is not None:
            return
        if self.task is None:
            raise SpecError("no task is set on this computer", remedy="name its suite and its task")
        computer = self.computer
        venue = replace(self._venue, computer=lambda: computer, options={}, agent=agent or self._venue.agent)
        self._exam = venue.exam(self.task)
        self._exam.side_effects.others = self.others
        self._exam.begin()

    def end(self, signal: SignalAction | None = None) -> Result:
        """Judge what is there, once; raises EpisodeVoid where nothing can be said."""
        result = self.exam.end(signal)
        if result.void:
            raise EpisodeVoid(f"void: {result.error}", remedy="leave it out of what is counted, and run it again")
        return result

    def close(self) -> None:
        """Close the computer; an exam that was left in its middle is recorded as void.

        A second time has no effect.
        """
        computer, self._computer = self._computer, None
        try:
            if self._exam is not None:
                self._exam.close()
        finally:
            if computer is not None:
                computer.close()

    def leave(self) -> Future[None]:
        """Close the computer once nothing is under way, and let its thread go."""
        closing = self._thread.submit(self.close)
        self._thread.shutdown(wait=False)
        return closing
