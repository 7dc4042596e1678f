"""The part of a task's finish that only runs code: it is repeated for every changed end state."""

from __future__ import annotations

from proctor.computers.computer import Computer
from proctor.tasks.task import Task


def has_finish_code(task: Task) -> bool:
    """Tell whether a task runs code between the last action and judgement."""
    return any(call.name == "run_code" for call in task.finish)


def repeat_finish_code(task: Task, computer: Computer) -> None:
    """Run that code again, past the hand, which would wait for the screen each time.

    Code that fails on a spoilt file leaves nothing for the check to see, which says so.
    """
    for call in task.finish:
        if call.name == "run_code":
            computer.execute(call.arguments["code"], language=call.arguments.get("language", "shell"))
