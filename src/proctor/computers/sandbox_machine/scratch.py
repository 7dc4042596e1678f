"""Where a sandbox's own layer lies."""

from __future__ import annotations

import os
import platform
import re
import secrets
import subprocess
from pathlib import Path

from proctor.computers import userns
from proctor.computers.images.folders import data_folder

PREFIX = "proctor-"
_XATTRS_IN_MEMORY = (6, 6)
"""First Linux whose tmpfs holds the attributes that a rootless overlay needs."""


def scratch_folder(*, rootless: bool) -> str:
    """Return a new folder for the layer, or "" when it is kept in memory (always, for root)."""
    if not rootless or _kernel() >= _XATTRS_IN_MEMORY:
        return ""
    sweep()
    folder = _place() / f"{PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
    folder.mkdir(parents=True, mode=0o755)
    return str(folder)


def discard(folder: str) -> None:
    """Remove the folder of a sandbox that never started; the supervisor removes that of one that did."""
    if folder and Path(folder).is_dir():
        Path(folder).rmdir()


def _kernel() -> tuple[int, int]:
    match = re.match(r"(\d+)\.(\d+)", platform.release())
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _place() -> Path:
    return data_folder() / "scratch"


def leftovers() -> list[Path]:
    """Return layers on disk whose harness is no longer alive."""
    found = sorted(_place().glob(f"{PREFIX}*-*")) if _place().is_dir() else []
    return [folder for folder in found if not Path(f"/proc/{folder.name.split('-')[1]}").exists()]


def sweep() -> None:
    """Remove what a killed supervisor could not.

    Its files belong to ids that only the namespace has power over.
    """
    for folder in leftovers():
        process = userns.popen(["rm", "-rf", "--", str(folder)], stderr=subprocess.DEVNULL)
        process.wait()
