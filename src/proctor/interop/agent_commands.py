"""What an agent does through somebody else's runner: each action and command is a step."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Mapping, Sequence

from proctor.actions.action import Action, AskUser, Done, RunCode, SignalAction
from proctor.computers.computer import CodeResult, Performed
from proctor.errors import AgentError, ComputerError, ComputerLost, EpisodeVoid, HostError
from proctor.exam.exam import Exam
from proctor.interop import guest_commands
from proctor.interop.guest_commands import Ran, TooMuchOutput
from proctor.interop.threaded import ThreadedComputer
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import make_moves

LONGEST_CODE = 1_000_000
"""Characters of a command that the history keeps: as many as an action may hold."""
TASK = "<the task>"
"""Stands for the words of the task in a command."""
NOT_RUN = 1
"""How a command ends that is not run, because the exam is over."""


def perform(lent: ThreadedComputer, action: Action) -> Performed:
    """Carry out an action of the agent; raises AgentError where it is refused or the exam is over."""
    if not lent.is_examining:
        return lent.computer.perform(action)
    exam = lent.exam
    if exam.over:
        raise AgentError(_why_over(exam))
    step = exam.step(action)
    if step.stop == "broke_the_computer":
        raise ComputerLost(exam.state.error)
    if step.refused:
        raise AgentError(step.refused)
    if step.trouble:
        raise ComputerError(step.trouble)
    if step.performed is None:
        raise AgentError(_why_over(exam))
    return step.performed


def run(
    lent: ThreadedComputer,
    command: Sequence[str],
    *,
    code: str = "",
    input: bytes = b"",
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    user: str | None = None,
    timeout_sec: float | None = None,
) -> Ran:
    """Run a command as `guest_commands.run` does, and raise what that raises.

    `code` is what the agent wrote, where the command is the agent's; it is empty where it is the runner's own.
    """
    given = {"input": input, "cwd": cwd, "env": env, "user": user, "timeout_sec": timeout_sec}
    if not code or not lent.is_examining:
        return guest_commands.run(lent.computer, command, **given)  # type: ignore[arg-type]
    exam = lent.exam
    if exam.over:
        return Ran(NOT_RUN, "", f"{_why_over(exam)}\n")
    began = time.time()
    try:
        ran = guest_commands.run(lent.computer, command, **given)  # type: ignore[arg-type]
    except HostError as error:
        exam.fail(error)
        raise
    except (ComputerError, OSError, TooMuchOutput) as error:
        # However it ended, the agent has begun it; where the computer is gone, that shows now.
        timed_out = isinstance(error, TimeoutError)
        _note(exam, code, began, CodeResult(output="", error=type(error).__name__, timed_out=timed_out))
        raise
    said = f"exit status {ran.code}" if ran.code else ""
    _note(exam, code, began, CodeResult(output=ran.stdout + ran.stderr, error=said))
    return ran


def perform_key(lent: ThreadedComputer) -> SignalAction:
    """Perform the answer key of the task, step by step, and return its last word."""
    task = lent.exam.task
    if not task.solution:
        raise EpisodeVoid("the task has no answer key", remedy="choose another task for the oracle")
    moves = _KeyMoves(lent)
    make_moves(task.solution, moves)
    return moves.signal or Done()


class _KeyMoves(MoveContext):
    """Moves made in an exam, where their questions are asked too."""

    def __init__(self, lent: ThreadedComputer) -> None:
        super().__init__(lent.computer, self._ask_user)
        self._lent = lent

    def do(self, action: Action) -> Performed:
        """Perform one action."""
        self.still_going()
        return perform(self._lent, action)

    def _ask_user(self, question: str) -> str:
        step = self._lent.exam.step(AskUser(question=question))
        return next((each.text for each in step.observation.told if each.kind == "reply"), "")


def _note(exam: Exam, code: str, began: float, result: CodeResult) -> None:
    action = RunCode(code=_without_task(code, exam.state.brief.instruction)[:LONGEST_CODE], language="shell")
    exam.note(Performed(action=action, started=began, ended=time.time(), result=result))


def _without_task(code: str, task: str) -> str:
    """Return a command without the words of the task: whoever repeats them saw nothing."""
    for words in (shlex.quote(task)[1:-1], json.dumps(task)[1:-1], json.dumps(task, ensure_ascii=False)[1:-1], task):
        code = code.replace(words, TASK)
    return code


def _why_over(exam: Exam) -> str:
    return f"The task has ended ({(exam.state.stop or 'void').replace('_', ' ')})."
