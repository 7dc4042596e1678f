"""Read files of a record that may be damaged, or not be there."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

from proctor.errors import RecordError
from proctor.store.bounds import load_json
from proctor.store.files import read_whole


def read_json(path: Path) -> object:
    """Return what a JSON file holds; None when it is absent, damaged, or nothing that a record has."""
    try:
        return load_json(read_whole(path))
    except (RecordError, ValueError):
        return None


def read_object(path: Path) -> dict[str, Any] | None:
    """Return the object in a JSON file; None when there is none."""
    data = read_json(path)
    return data if isinstance(data, dict) else None


def read_text(path: Path, most: int) -> str | None:
    """Return the text of a plain file of at most so many bytes; None when there is none."""
    try:
        return read_whole(path, most).decode("utf-8", "replace")
    except RecordError:
        return None


def is_plain(path: Path) -> bool:
    """Tell whether a path is a plain file, and no link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
