"""What proofs have shown of tasks without an answer key, kept for the results of later runs.

A file for each task under `<data>/proofs/shown/`, by the task's digest.
"""

from __future__ import annotations

from pathlib import Path

from proctor.computers.images import folders
from proctor.plain_text import json_text
from proctor.store.bounds import load_json
from proctor.store.files import write_whole
from proctor.version import VERSION

MOST_BYTES = 10_000


def keep_shown(digest: str, shown: tuple[str, ...]) -> None:
    """Keep what a proof has shown of a task."""
    data = {"proctor": VERSION, "shown": list(shown)}
    write_whole(folders.make(_folder()), f"{digest}.json", json_text(data).encode())


def find_shown(digest: str) -> tuple[str, ...]:
    """Return what this version has shown of a task, nothing where nobody has tried."""
    try:
        with (_folder() / f"{digest}.json").open("rb") as file:
            data = load_json(file.read(MOST_BYTES))
    except (OSError, ValueError):
        return ()
    if not isinstance(data, dict) or data.get("proctor") != VERSION or not isinstance(data.get("shown"), list):
        return ()
    return tuple(str(each) for each in data["shown"])


def _folder() -> Path:
    return folders.data_folder() / "proofs" / "shown"
