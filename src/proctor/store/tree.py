"""Finding the folders and files of a run on disk."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from proctor.store.files import open_plain
from proctor.store.paths import RunPaths, is_kept_aside, is_try

_TASK = re.compile(r"[0-9a-f]{64}\.json", re.ASCII)


def episode_folders(paths: RunPaths) -> Iterator[Path]:
    """Walk the tries at all episodes in a fixed order, by number in each; not what lies aside."""
    for case in cases(paths):
        tries = [name for name in folders_in(case) if is_try(name)]
        yield from (case / name for name in sorted(tries, key=lambda name: (int(name), name)))


def strangers(paths: RunPaths) -> Iterator[Path]:
    """Walk what lies among the episodes and belongs to none."""
    levels = [paths.episodes]
    for _ in range(3):
        deeper = []
        for folder in levels:
            known = folders_in(folder)
            yield from (folder / name for name in _names(folder) if name not in known)
            deeper += [folder / name for name in known]
        levels = deeper
    for case in levels:
        known = [name for name in folders_in(case) if is_try(name) or is_kept_aside(name)]
        yield from (case / name for name in _names(case) if name not in known)


def task_digests(paths: RunPaths) -> list[str]:
    """Return the digests of all tasks that were kept."""
    return [name.removesuffix(".json") for name in _names(paths.tasks) if _TASK.fullmatch(name)]


def line_count(index: Path) -> int:
    """Return how many lines an index has; none where it cannot be read."""
    try:
        fd = open_plain(index)
    except OSError:
        return 0
    with os.fdopen(fd, "rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))


def task_text(data: Mapping[str, object]) -> bytes:
    """Return the text of a task whose SHA-256 is its digest."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def folders_in(folder: Path) -> list[str]:
    """Return the names of the folders in a folder, sorted; links, and what is behind one, are none."""
    try:
        if folder.is_symlink():
            return []
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    except (FileNotFoundError, NotADirectoryError):
        return []


def cases(paths: RunPaths) -> Iterator[Path]:
    """Walk the folders that hold the tries at one episode each."""
    for agent in folders_in(paths.episodes):
        for task in folders_in(paths.episodes / agent):
            for case in folders_in(paths.episodes / agent / task):
                yield paths.episodes / agent / task / case


def _names(folder: Path) -> list[str]:
    try:
        return [] if folder.is_symlink() else sorted(entry.name for entry in folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
