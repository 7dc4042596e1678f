"""What was changed on the computer of an exam, and what of it the task did not ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import asdict, dataclass, field

from proctor.computers.computer import Computer
from proctor.errors import Overrun
from proctor.home import printable
from proctor.records import ChangedPath
from proctor.tasks.collateral import Collateral, severity, side_effects
from proctor.tasks.deadline import Deadline
from proctor.tasks.task import Task


@dataclass(frozen=True)
class SideEffects:
    """Every change, and those that are side effects."""

    changes: tuple[ChangedPath, ...] = ()
    effects: tuple[Collateral, ...] = ()
    unknown: str = ""
    """Why nobody can tell, where nobody can."""

    @property
    def counts(self) -> dict[str, int]:
        """How many side effects there are of each severity."""
        return dict(Counter(effect.severity for effect in self.effects))


COMPARE_SEC = 8.0
"""How long it may take to tell side effects from what was asked for; with honest agents it takes milliseconds."""
TOO_MUCH = "more was changed than can be compared in time"
NOT_LOOKED = SideEffects(unknown="the exam ended before its changes were compared")


@dataclass
class SideEffectCounter:
    """Compares a computer with how it was when the task was prepared."""

    task: Task
    others: set[str] = field(default_factory=set)
    """Paths that whoever holds the loop writes to; what changes there is nobody's side effect."""

    def compare(self, computer: Computer) -> SideEffects:
        """Return what changed; where nobody can tell what of it is a side effect, that is said."""
        if "changes" not in computer.capabilities:
            return SideEffects(unknown=f"a computer of kind {computer.backend!r} cannot tell what changed")
        changes = [change for change in computer.changes() if not _is_below(change.path, self.others)]
        try:
            with Deadline(COMPARE_SEC).hold():
                # By the path as it is: names that are not UTF-8 may be written the same and are still several.
                found = {change.path: change for change in side_effects(self.task, computer, changes)}
        except Overrun:
            return SideEffects(tuple(ChangedPath(**asdict(change)) for change in changes), unknown=TOO_MUCH)
        worst = {path: severity(change, computer.home) for path, change in found.items()}
        return SideEffects(
            tuple(ChangedPath(**asdict(change), collateral=worst.get(change.path, "")) for change in changes),
            tuple(Collateral(printable(path), change.kind, worst[path]) for path, change in found.items()),
        )


def _is_below(path: str, folders: Collection[str]) -> bool:
    return any(f"{path}/".startswith(f"{folder.rstrip('/')}/") for folder in folders)
