"""First-run questions, answered beforehand."""

from __future__ import annotations

import os
from pathlib import Path

from proctor.applications import first_runs
from proctor.home import absolute


def files(rootfs: Path) -> dict[str, bytes]:
    """Return the answers for the applications that an image has, by absolute path."""
    # Not `exists`: a link that is absolute inside leads elsewhere here.
    present = [each for each in first_runs() if os.path.lexists(f"{rootfs}{each.program}")]
    return {absolute(path): file.read_bytes() for each in present for path, file in each.files.items()}
