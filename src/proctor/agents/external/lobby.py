"""The lobby before many exams of one client, who says which task comes next."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from queue import SimpleQueue
from typing import Literal

from proctor.agents.external.door import Door
from proctor.errors import AgentError

State = Literal["waiting", "running", "finished"]
VERSION = re.compile(r"-v\d+$")


class Lobby:
    """Which tasks there are for one client, one exam after another, in the order that it likes.

    It may be used from any thread. A task is set once.
    """

    def __init__(self, tasks: Sequence[str]) -> None:
        self.states: dict[str, State] = dict.fromkeys(tasks, "waiting")
        """Every task by its id."""
        self.door: Door | None = None
        """Of the exam that was chosen last."""
        self._chosen: SimpleQueue[tuple[str, Door] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._left = ""

    @property
    def tasks_left(self) -> list[str]:
        """The tasks that are not yet chosen."""
        return [task for task, state in self.states.items() if state == "waiting"]

    # Outside.

    def choose(self, name: str = "") -> tuple[str, Door]:
        """Have a task set, by its id or the end of it, or else the next one.

        Raises AgentError where that cannot be.
        """
        with self._lock:
            going_on = [task for task, state in self.states.items() if state == "running"]
            if going_on and not (self.door and self.door.is_shut):
                raise AgentError(f"the task {going_on[0]} is still running", remedy="end it with done or give_up first")
            if not (waiting := self.tasks_left):
                raise AgentError("no task is left; all have been done")
            task = self._find(name, waiting) if name else waiting[0]
            self.states[task], self.door = "running", Door()
            self._chosen.put((task, self.door))
            return task, self.door

    def leave(self, why: str) -> None:
        """Say that nobody will choose or call any more."""
        with self._lock:
            if not self._left:
                self._left = why
                self._chosen.put(None)
        if self.door:
            self.door.leave(why)

    # Inside.

    def next(self) -> tuple[str, Door] | None:
        """Wait for the next task that is chosen; None once nobody will choose any more."""
        return self._chosen.get()

    def over(self, task: str, door: Door, words: str) -> None:
        """Tell whoever calls there how an exam ended."""
        with self._lock:
            self.states[task] = "finished"
            left = len(self.tasks_left)
        more = f" {left} of {len(self.states)} tasks are left; call next_task." if left else " No task is left."
        door.over(words + (more if len(self.states) > 1 else ""))

    def _find(self, name: str, waiting: list[str]) -> str:
        found = [
            task for task in self.states if name in (task, short := task.rpartition("/")[2], VERSION.sub("", short))
        ]
        if not found:
            raise AgentError(f"there is no task {name[:100]!r}", remedy="list_tasks names them")
        if found[0] not in waiting:
            raise AgentError(f"the task {found[0]} has already been chosen", remedy="choose one that is waiting")
        return found[0]
