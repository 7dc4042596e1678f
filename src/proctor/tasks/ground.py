"""The ground on which is judged: live programs are asked first, then everything stands still."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Self

from proctor.computers.computer import Computer, RunningProgram
from proctor.errors import CheckError, ComputerError, ComputerLost
from proctor.tasks.call import Call, walk
from proctor.tasks.deadline import Deadline
from proctor.tasks.examine import looker
from proctor.tasks.look_safely import Trouble, look_safely
from proctor.tasks.probe_context import Ending, ProbeContext
from proctor.tasks.shelves import tool
from proctor.tasks.task import Task

Evidence = dict[str, object]
"""What probes saw, by their calls."""
ENDED = "ended to hold the computer still"
"""Under what name the evidence tells of programs that did not stand still."""
MOST_READINGS = 3
"""How often all is read again because a program has come to life meanwhile, and was ended for it."""


class Ground:
    """A computer that is held still while it is looked at, where it can be.

    Others are looked at as they are. Entering what is held still already changes nothing: whoever held it first lets
    it go.
    """

    def __init__(self, computer: Computer, trouble: Trouble | None = None) -> None:
        self._computer, self._trouble = computer, trouble
        self._ours = self._held = False
        self.ended: list[RunningProgram] = []
        """Programs that did not stand still, and were ended."""

    def __enter__(self) -> Self:
        programs = self._computer.parts.programs
        if programs is None:
            return self
        self._ours = not programs.frozen
        try:
            held = programs.freeze()
        except (ComputerError, OSError) as error:
            self._ours = False
            if self._trouble is None:
                raise
            self._trouble(error)
            return self
        self._held = True
        self.ended += held.ended
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.release()

    def release(self) -> None:
        """Let everything go on that this one holds still."""
        ours, self._ours = self._ours, False
        if not ours or self._computer.parts.programs is None:
            return
        try:
            self._computer.thaw()
        except (ComputerLost, OSError) as error:
            # It has gone since it was looked at, which whoever uses it next must know; nobody else does.
            if self._trouble is None:
                raise
            self._trouble(error)

    def has_moved(self) -> bool:
        """Tell whether something came to life since this was last asked, so that all is read again.

        Raises CheckError when files changed and nothing had moved, which is a defect of ours.
        """
        programs = self._computer.parts.programs
        if programs is None or not self._held:
            return False
        try:
            now = programs.verify()
        except (ComputerError, OSError) as error:
            if self._trouble is None:
                raise
            self._trouble(error)
            return False
        self.ended += now.ended
        if now.changed and not now.ended:
            raise CheckError("files of the agent's user changed while all its programs were held still")
        return bool(now.ended)

    def add_to(self, evidence: Mapping[str, object]) -> Evidence:
        """Return what was seen, and what had to be ended for it, where something had to."""
        before = evidence.get(ENDED, [])
        names = [each.command or each.name for each in self.ended]
        return {**evidence, ENDED: [*before, *names]} if names and isinstance(before, list) else dict(evidence)


def live_calls(task: Task) -> Iterator[Call]:
    """Yield the probes of a task that ask what only a running program can tell."""
    checks = [*task.checks, *(node.check for node in (task.graph.nodes if task.graph else ()))]
    for check in checks:
        for _, call in walk(check, ()):
            if call.kind == "probe" and tool(call).live:
                yield call


def ask_live(
    task: Task,
    computer: Computer,
    ending: Ending,
    trouble: Trouble | None = None,
    deadline: Deadline | None = None,
) -> Evidence:
    """Return what the live programs of a computer tell."""
    evidence: Evidence = {}
    context = ProbeContext(computer, ending, tuple(computer.history), deadline or Deadline())
    look = look_safely(looker(context, evidence), evidence, trouble)
    for call in live_calls(task):
        look(call)
    return evidence
