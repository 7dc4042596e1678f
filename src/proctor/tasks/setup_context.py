"""What a setup step may touch while it prepares a computer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from proctor.computers.computer import CommandResult, Computer
from proctor.errors import SetupFailed, SpecError


@dataclass(frozen=True)
class SetupContext:
    """A computer before the agent sees it, and the files that came with the task."""

    computer: Computer
    assets: Path | None = None
    """The folder of the task file; None for a task without files of its own."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """The SHA-256 that the task says its files have, by their names."""

    def asset(self, name: str) -> bytes:
        """Return a file that came with the task."""
        if self.assets is None:
            raise SpecError(f"the task has no folder for the asset {name!r}", remedy="load the task from a file")
        path = (self.assets / name).resolve()
        if not path.is_relative_to(self.assets.resolve()) or not path.is_file():
            raise SpecError(f"there is no asset {name!r} in {self.assets}", remedy="put the file next to the task file")
        data = path.read_bytes()
        if self.digests.get(name) not in (None, hashlib.sha256(data).hexdigest()):
            raise SpecError(f"the asset {name!r} is not the one the task was made with", remedy="load the task again")
        return data

    def command(self, argv: list[str], *, root: bool = False, input: bytes = b"") -> CommandResult:
        """Run a command that must succeed; raises SetupFailed with what it said."""
        result = self.computer.run(argv, root=root, input=input)
        if result.code != 0:
            said = (result.stderr or result.stdout).strip()[-500:]
            raise SetupFailed(f"the setup command {' '.join(argv)!r} ended with status {result.code}: {said}")
        return result
