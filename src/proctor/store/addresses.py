"""Under which names the pages know runs and episodes; never a path."""

from __future__ import annotations

import hashlib
from pathlib import Path

from proctor.store.paths import folder_name

VIEWER = "http://127.0.0.1:8420"
"""Where `proctor view` serves unless it is told otherwise."""


def run_id(root: Path) -> str:
    """Return the id of a run: its name, and enough of a hash to tell two of one name apart."""
    place = root.resolve()
    return f"{folder_name(place.name)}-{hashlib.sha256(str(place).encode()).hexdigest()[:6]}"


def episode_id(root: Path, folder: Path) -> str:
    """Return the id of the episode in a folder of a run."""
    return _hash(folder.relative_to(root).as_posix())


def replay_path(root: Path, place: str) -> str:
    """Return where the pages replay the episode at a place in a run, which is never opened."""
    return f"/replay/{run_id(root)}/{_hash(place)}"


def report_path(root: Path) -> str:
    """Return where the pages show the report on a run."""
    return f"/report/{run_id(root)}"


def _hash(place: str) -> str:
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:12]
