"""A task's setup, and what it asks for between the last action and judgement."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from proctor.computers.computer import Computer
from proctor.errors import ComputerLost, HostError, ProctorError, SetupFailed, SpecError
from proctor.tasks.call import Call
from proctor.tasks.examine import examine, get_ready, looker
from proctor.tasks.findings import CannotSee
from proctor.tasks.move_context import MoveContext
from proctor.tasks.probe_context import Ending, ProbeContext
from proctor.tasks.rest import come_to_rest
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import run
from proctor.tasks.task import Task
from proctor.tasks.user import SimulatedUser

CONCLUDE_SEC = 60.0
"""The slowest of what tasks ask for takes half of it; windows that an agent left could take minutes to close."""

SEE_CHECK = "correct its check, or what the setup makes"


def get_ready_to_judge(task: Task) -> None:
    """Load what the checks of a task will need, so that nobody waits for it at the end."""
    checks = [*task.checks, *(node.check for node in (task.graph.nodes if task.graph else ()))]
    get_ready([*checks, *(check for event in task.every_event for check in event.checks)])


def set_up(task: Task, computer: Computer, *, assets: Path | None = None) -> None:
    """Carry out a task's setup; raises SetupFailed where it did not take."""
    take_steps(task.setup, SetupContext(computer, assets, task.assets))
    computer.settle()
    if task.ready is not None:
        finding = examine(task.ready, looker(ProbeContext(computer), {}))
        if not finding.passed:
            raise SetupFailed(f"the computer is not as the task wants it: {' '.join(finding.feedback)}")


def require_beginning(task: Task, computer: Computer, ending: Ending | None = None, reached: int = 0) -> None:
    """Refuse a beginning at which other than the first so many checkpoints hold, or a guard fails.

    Raises SetupFailed: what holds already could be earned for nothing.
    """
    if not task.checkpoints:
        return
    context = ProbeContext(computer, ending or Ending(), tuple(computer.history))
    finding = examine(task.check, looker(context, {}))
    for place, (each, part) in enumerate(zip(task.checkpoints, finding.parts, strict=False)):
        if part.passed and place >= reached:
            raise SetupFailed(f"the checkpoint {each.name!r} holds before anything was done for it", remedy=SEE_CHECK)
        if not part.passed and place < reached:
            raise SetupFailed(f"the checkpoint {each.name!r} does not hold: {' '.join(part.feedback)}")
    for guard in finding.parts[len(task.checkpoints) :]:
        if not guard.passed:
            raise SetupFailed(f"a guard fails before anything was done: {' '.join(guard.feedback)}", remedy=SEE_CHECK)


def require_reached(task: Task, computer: Computer, ending: Ending) -> None:
    """Let the computer rest after the first part of a solution, which must have reached its end."""
    come_to_rest(computer)
    require_beginning(task, computer, ending, task.head_start)


def take_steps(steps: Sequence[Call], context: SetupContext) -> None:
    """Take setup steps one after another.

    Raises SetupFailed where one did not take, with the reason as its cause, and SpecError for one that is wrong.
    """
    for place, call in enumerate(steps):
        try:
            run(call, context)
        except SetupFailed:
            raise
        except SpecError as error:
            raise SpecError(f"setup step {place + 1}, {call}: {error.message}", remedy=error.remedy) from error
        except ProctorError as error:
            raise SetupFailed(f"setup step {place + 1}, {call}, did not take: {error}") from error
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            raise SetupFailed(f"setup step {place + 1}, {call}, did not take: {said}") from error


def words_of(task: Task, computer: Computer) -> str:
    """Return what a task asks for where only its set-up computer knows; empty where the task says it.

    Raises SetupFailed where the computer does not say it.
    """
    if task.goal is None:
        return ""
    try:
        said = run(task.goal, ProbeContext(computer))
    except CannotSee as error:
        raise SetupFailed(f"what is asked cannot be read: {error.fault.why}") from error
    if not isinstance(said, str) or not said.strip():
        raise SetupFailed("what is asked cannot be read: there are no words")
    return said


def conclude(task: Task, computer: Computer) -> None:
    """Let the computer rest after the agent, and do what the task asks for then, such as saving.

    Nothing of it is waited for longer than `CONCLUDE_SEC`, all in all. Raises ComputerLost where the computer is gone,
    and HostError.
    """
    history = list(computer.history)
    try:
        with computer.patience(CONCLUDE_SEC):
            come_to_rest(computer)
            _finish(task, computer)
    finally:
        # What the examiner does is not the agent's doing.
        computer.history[:] = history


def _finish(task: Task, computer: Computer) -> None:
    context = SetupContext(computer)
    user = SimulatedUser(task.user)
    for call in task.finish:
        try:
            run(call, context if call.kind == "setup" else MoveContext(computer, user.ask))
        except (ComputerLost, HostError):
            raise
        except (ProctorError, OSError):
            # What the agent left may not allow it (nothing is open any more, or two of a kind); the checks will say
            # what is missing.
            continue
    if task.finish:
        come_to_rest(computer)
