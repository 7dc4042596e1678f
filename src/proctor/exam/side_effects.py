"""What was changed on the computer of an exam, and what of it the task did not ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field, replace

from proctor.computers.computer import Computer
from proctor.home import printable
from proctor.records import ChangedPath
from proctor.tasks.collateral import Collateral, severity, side_effects
from proctor.tasks.task import Task


@dataclass(frozen=True)
class SideEffects:
    """Every change, and those that are side effects."""

    changes: tuple[ChangedPath, ...] = ()
    effects: tuple[Collateral, ...] = ()
    unknown: str = ""
    """Why nobody can tell, where nobody can."""

    def with_parts(self, parts: Sequence[Collateral]) -> SideEffects:
        """Return them with what changed inside documents and stores, but for what is listed as a whole already."""
        listed = {effect.path for effect in self.effects}
        new = tuple(part for part in parts if part.path not in listed)
        changes = (
            ChangedPath(path=part.path, kind=part.kind, part=part.part, collateral=part.severity) for part in new
        )
        return replace(self, changes=(*self.changes, *changes), effects=(*self.effects, *new))

    @property
    def counts(self) -> dict[str, int]:
        """How many side effects there are of each severity."""
        return dict(Counter(effect.severity for effect in self.effects))


NOT_LOOKED = SideEffects(unknown="the exam ended before its changes were compared")


@dataclass
class SideEffectCounter:
    """Compares a computer with how it was when the task was prepared."""

    task: Task
    others: set[str] = field(default_factory=set)
    """Paths that whoever holds the loop writes to; what changes there is nobody's side effect."""

    def compare(self, computer: Computer) -> SideEffects:
        """Return what changed; where the computer cannot tell, that is said."""
        if "changes" not in computer.capabilities:
            return SideEffects(unknown=f"a computer of kind {computer.backend!r} cannot tell what changed")
        changes = [change for change in computer.changes() if not _is_below(change.path, self.others)]
        # By the path as it is: names that are not UTF-8 may be written the same and are still several.
        found = {change.path: change for change in side_effects(self.task, computer, changes)}
        worst = {path: severity(change, computer.home) for path, change in found.items()}
        return SideEffects(
            tuple(ChangedPath(**asdict(change), collateral=worst.get(change.path, "")) for change in changes),
            tuple(Collateral(printable(path), change.kind, worst[path]) for path, change in found.items()),
        )


def _is_below(path: str, folders: Collection[str]) -> bool:
    return any(f"{path}/".startswith(f"{folder.rstrip('/')}/") for folder in folders)
