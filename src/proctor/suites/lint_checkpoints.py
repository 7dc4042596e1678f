"""Lint for long tasks: checkpoints that hold at the beginning, or that no near miss breaks alone."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.tasks.call import Call, walk
from proctor.tasks.examine import examine
from proctor.tasks.task import Task

LEAST_WORDS, MOST_WORDS = 25, 60
"""Of the instruction of long work: more would tell how to do it."""
NOTHING_SENT = {"mailbox": "what was sent", "letters": []}


def checkpoint_messages(task: Task) -> Iterator[str]:
    """Yield what is wrong with the checkpoints of a task."""
    broken = {miss.breaks for miss in task.near_misses}
    for each in task.checkpoints:
        if each.name not in broken:
            yield f"no near miss breaks the checkpoint {each.name!r} alone; give one with `breaks`"
        if holds_at_the_beginning(each.check, task):
            yield f"the checkpoint {each.name!r} holds at the beginning, so that it could be earned for nothing"
    for guard in task.guards:
        if holds_at_the_beginning(guard, task) is False:
            yield f"the guard {guard.name!r} fails at the beginning, so that nothing could be earned"
    if task.checkpoints and not LEAST_WORDS <= (count := len(task.instruction.split())) <= MOST_WORDS:
        yield f"its instruction has {count} words; tell long work in {LEAST_WORDS} to {MOST_WORDS}"


def holds_at_the_beginning(check: Call, task: Task) -> bool | None:
    """Tell whether a check holds before anything was done; None where only a computer can say."""
    seen = {call: _first_look(call, task) for _, call in walk(check) if call.kind == "probe"}
    if not seen or None in seen.values():
        return None
    return examine(check, seen.__getitem__).passed


def _first_look(probe: Call, task: Task) -> object:
    """Return what a probe sees at the beginning; None where only a computer can say."""
    if probe.name == "posted_mail":
        return NOTHING_SENT
    made = [step for step in task.setup if step.arguments.get("path") == probe.arguments.get("path")]
    if probe.name == "text" and [step.name for step in made] == ["text_file"]:
        return {"path": probe.arguments["path"], "text": made[0].arguments["text"]}
    return None
