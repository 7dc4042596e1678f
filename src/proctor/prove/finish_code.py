"""The part of a task's finish that only runs code: it is repeated for every changed end state."""

from __future__ import annotations

from proctor.computers.computer import Computer
from proctor.errors import ComputerLost, HostError, ProctorError
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.shelves import run
from proctor.tasks.task import Task
from proctor.tasks.user import SimulatedUser


def has_finish_code(task: Task) -> bool:
    """Tell whether a task runs code between the last action and judgement."""
    return any(call.name == "run_code" for call in task.finish)


def repeat_finish_code(task: Task, computer: Computer) -> None:
    """Run that code again; raises ComputerLost where the computer is gone, and HostError."""
    history = list(computer.history)
    try:
        for call in task.finish:
            if call.name == "run_code":
                _run(task, computer, call)
    finally:
        # What the examiner does is not the agent's doing.
        computer.history[:] = history


def _run(task: Task, computer: Computer, call: Call) -> None:
    try:
        run(call, MoveContext(computer, SimulatedUser(task.user).ask))
    except (ComputerLost, HostError):
        raise
    except (ProctorError, OSError):
        return  # code that fails on a spoilt file leaves nothing for the check to see, which says so
