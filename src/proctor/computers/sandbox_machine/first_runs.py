"""First-run questions, answered beforehand."""

from __future__ import annotations

from pathlib import Path

from proctor.applications import first_runs
from proctor.computers.images.inside import exists_inside
from proctor.home import absolute


def files(rootfs: Path) -> dict[str, bytes]:
    """Return the answers for the applications that an image has, by absolute path."""
    present = [each for each in first_runs() if exists_inside(rootfs, each.program)]
    return {absolute(path): file.read_bytes() for each in present for path, file in each.files.items()}
