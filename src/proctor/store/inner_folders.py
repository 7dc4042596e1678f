"""Folders that are really in a record; links, which could lead anywhere, are refused."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from proctor.errors import RecordError
from proctor.store.files import disk_trouble

_EPISODE_DEPTH = 4
"""Folders of an episode below `episodes`."""


def below(root: Path, *names: str) -> Path:
    """Return a place below a folder; RecordError when what is on the way is a link or no folder.

    The root itself is what a user named, and may be a link. What is not there yet is not an obstacle.
    """
    place = root
    for name in names:
        place = place / name
        try:
            mode = os.lstat(place).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return root.joinpath(*names)
        if not stat.S_ISDIR(mode):
            what = "a link to somewhere else" if stat.S_ISLNK(mode) else "not a folder"
            raise RecordError(f"{place} is {what}", remedy="the record was changed; use an undamaged copy")
    return place


def made_below(root: Path, *names: str) -> Path:
    """Return the same, made where it was missing."""
    place = below(root, *names)
    with disk_trouble(place):
        place.mkdir(parents=True, exist_ok=True)
    # Once more: whoever was faster may have put a link there.
    return below(root, *names)


def episode_room(folder: Path) -> Path:
    """Return the folder that holds an episode's, made where missing, no link on the way to it."""
    steps = folder.absolute().parent.parts
    if len(steps) > _EPISODE_DEPTH and steps[-_EPISODE_DEPTH] == "episodes":
        return made_below(Path(*steps[:-_EPISODE_DEPTH]), *steps[-_EPISODE_DEPTH:])
    with disk_trouble(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
    return folder.parent
