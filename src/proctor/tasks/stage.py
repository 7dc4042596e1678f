"""The stage: what a setup step may touch while it prepares a computer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from proctor.computers.computer import CommandResult, Computer
from proctor.errors import SetupFailed, SpecError


@dataclass(frozen=True)
class Stage:
    """A computer before the agent sees it, and the files that came with the task."""

    computer: Computer
    assets: Path | None = None
    """The folder of the task file; None for a task without files of its own."""

    def asset(self, name: str) -> bytes:
        """Return a file that came with the task."""
        if self.assets is None:
            raise SpecError(f"the task has no folder for the asset {name!r}", remedy="load the task from a file")
        path = (self.assets / name).resolve()
        if not path.is_relative_to(self.assets.resolve()) or not path.is_file():
            raise SpecError(f"there is no asset {name!r} in {self.assets}", remedy="put the file beside the task file")
        return path.read_bytes()

    def command(self, argv: list[str], *, root: bool = False, input: bytes = b"") -> CommandResult:
        """Run a command that must succeed; raises SetupFailed with what it said."""
        result = self.computer.run(argv, root=root, input=input)
        if result.code != 0:
            said = (result.stderr or result.stdout).strip()[-500:]
            raise SetupFailed(f"the setup command {' '.join(argv)!r} ended with status {result.code}: {said}")
        return result
