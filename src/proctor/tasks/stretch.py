"""Stretches: the same task, begun where its solution has reached a checkpoint."""

from __future__ import annotations

from proctor.errors import SpecError, UnknownName
from proctor.tasks.checkpoints import UNSTATED
from proctor.tasks.task import Task


def from_checkpoint(task: Task, which: str) -> Task:
    """Return a task begun after one of its checkpoints, given by number or name; 0 stands for the beginning.

    Raises SpecError for a task that has none, or no key to reach them, and UnknownName.
    """
    if task.unproven or not task.checkpoints:
        lacks = "solution" if task.checkpoints else "checkpoints"
        raise SpecError(f"the task {task.id} has no {lacks}", remedy="leave out --from-checkpoint for it")
    names = [each.name for each in task.checkpoints][:-1]
    number = int(which) if which.isdecimal() else -1
    if 0 <= number <= len(names):
        name = names[number - 1] if number else ""
    elif which in names:
        name = which
    else:
        raise UnknownName(f"checkpoint of task {task.id!r}", which, [*map(str, range(1, len(names) + 1)), *names])
    fields = {field: getattr(task, field) for field in Task.model_fields}
    # The check follows from the rest.
    return Task(**{**fields, "begin_after": name, "check": UNSTATED})
