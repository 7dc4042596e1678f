"""Expected files, seen by the very probes that look at what an agent leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from proctor.errors import SpecError
from proctor.tasks.call import Call
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import MOST_BYTES
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import run
from proctor.vocabulary.formats.archives.parse_members import member_copy


@dataclass(frozen=True)
class _OneFile:
    """Stands in for a computer before a probe of one file, which does no more than read it."""

    file: Path

    def read(self, path: str, *, most: int = MOST_BYTES) -> bytes:
        """Return the content of the file."""
        if self.file.stat().st_size > most:
            raise CannotSee("refused", f"{path} has more than the {most:,} bytes that are looked at")
        return self.file.read_bytes()

    def read_beside(self, path: str) -> bytes:
        """Return nothing: nothing lies beside it."""
        return b""


def copy_of_member(file: Path, member: str) -> str:
    """Return a file in an archive of the host in base64; raises SpecError where it cannot be read."""
    try:
        return parsed(str(file), member_copy, str(file), file.read_bytes(), member)
    except CannotSee as error:
        raise SpecError(f"the expected file {file} cannot be used: {error.fault.why}") from error


def look_at(file: Path, probe: str, arguments: Mapping[str, object]) -> object:
    """Return what a probe sees in a file of the host; raises SpecError where it cannot be read."""
    call = Call("probe", probe, {"path": f"the expected {file.name}", **arguments})
    try:
        return run(call, _OneFile(file))
    except CannotSee as error:
        raise SpecError(
            f"the expected file {file} cannot be used: {error.fault.why}", remedy="fetch it again, whole"
        ) from error
