"""A computer lent to somebody else's runner; what an agent does there are steps of an exam."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar, Unpack

from proctor.actions.action import Action, AskUser, Done, SignalAction
from proctor.computers.computer import Computer, Performed
from proctor.errors import AgentError, ComputerError, ComputerLost, EpisodeVoid, SpecError
from proctor.exam.exam import Exam
from proctor.interop import guest_commands
from proctor.interop.agent_commands import NOT_RUN, code_that_writes, do_and_note, why_over
from proctor.interop.guest_commands import CommandOptions, Ran
from proctor.interop.venue import Venue
from proctor.records import Result
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import make_moves
from proctor.tasks.task import Task

Given = TypeVar("Given")


class Loan:
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

    # -- its life -------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Start the computer; raises ComputerError or SpecError, and leaves none behind then."""
        self._computer = self._venue.open(self.task)
        try:
            self._computer.start()
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
            raise SpecError("this computer has no task", remedy="name its suite and its task")
        venue = replace(self._venue, agent=agent) if agent else self._venue
        self._exam = venue.exam(self.task, self.computer)
        self._exam.side_effects.others = self.others
        self._exam.begin()

    def end(self, signal: SignalAction | None = None) -> Result:
        """Judge what is there, once; raises EpisodeVoid where nothing can be said."""
        result = self.exam.end(signal)
        if result.score is None:
            raise EpisodeVoid(f"void: {result.error}", remedy="do not count it, and run it again")
        return result

    def close(self) -> None:
        """Close the computer, once; an exam that was left in its middle is recorded as void."""
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

    # -- what an agent does ---------------------------------------------------------------------------------------

    def perform(self, action: Action) -> Performed:
        """Carry out an action of the agent; raises AgentError where it is refused or the exam is over."""
        if not self._is_examining:
            return self.computer.perform(action)
        exam = self.exam
        if exam.over:
            raise AgentError(why_over(exam))
        step = exam.step(action)
        if step.stop == "broke_the_computer":
            raise ComputerLost(exam.state.error)
        if step.refused:
            raise AgentError(step.refused)
        if step.trouble:
            raise ComputerError(step.trouble)
        if step.performed is None:
            raise AgentError(why_over(exam))
        return step.performed

    def run(self, command: Sequence[str], *, code: str = "", **options: Unpack[CommandOptions]) -> Ran:
        """Run a command as `guest_commands.run` does, and raise what that raises.

        `code` is what the agent wrote, where the command is the agent's; it is empty where it is the runner's own.
        """
        if code and self._is_examining and self.exam.over:
            return Ran(NOT_RUN, "", f"{why_over(self.exam)}\n")
        return self._do(code, lambda: guest_commands.run(self.computer, command, **options))

    def write_file(self, path: str, data: bytes, *, by_agent: bool = False) -> None:
        """Write a file; one of the agent's is a step, as the command that would write the same.

        Raises PermissionError where the exam is over by then.
        """
        if by_agent and self._is_examining and self.exam.over:
            raise PermissionError(errno.EPERM, why_over(self.exam), path)
        self._do(code_that_writes(path, data) if by_agent else "", lambda: self._write(path, data))

    def perform_key(self) -> SignalAction:
        """Perform the answer key of the task, step by step, and return its last word."""
        task = self.exam.task
        if not task.solution:
            raise EpisodeVoid("the task has no answer key", remedy="choose another task for the oracle")
        moves = _KeyMoves(self)
        make_moves(task.solution, moves)
        return moves.signal or Done()

    # -- how ------------------------------------------------------------------------------------------------------

    @property
    def _is_examining(self) -> bool:
        return self._exam is not None and self._exam.begun and self._exam.result is None

    def _write(self, path: str, data: bytes) -> Ran:
        self.computer.write_file(path, data)
        return Ran(0, "", "")

    def _do(self, code: str, work: Callable[[], Ran]) -> Ran:
        """Do what a command does, and note the command where it is the agent's."""
        return do_and_note(self.exam, code, work) if code and self._is_examining else work()


class _KeyMoves(MoveContext):
    """Moves made in an exam, where their questions are asked too."""

    def __init__(self, loan: Loan) -> None:
        super().__init__(loan.computer, self._ask_user)
        self._loan = loan

    def do(self, action: Action) -> Performed:
        self.still_going()
        return self._loan.perform(action)

    def _ask_user(self, question: str) -> str:
        step = self._loan.exam.step(AskUser(question=question))
        return next((each.text for each in step.observation.told if each.kind == "reply"), "")
