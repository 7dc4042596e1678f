"""Finding the folders and files of a run on disk."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from proctor.store.paths import RunPaths, is_kept_aside, is_try


def episode_folders(paths: RunPaths) -> Iterator[Path]:
    """Walk the tries at all episodes in a fixed order, those of one episode by their number; not what lies aside."""
    for case in _cases(paths):
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
    return [name.removesuffix(".json") for name in _names(paths.tasks) if name.endswith(".json")]


def task_text(data: Mapping[str, Any]) -> bytes:
    """Return the text of a task whose SHA-256 is its digest."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def folders_in(folder: Path) -> list[str]:
    """Return the names of the folders in a folder, sorted; links are none."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _cases(paths: RunPaths) -> Iterator[Path]:
    for agent in folders_in(paths.episodes):
        for task in folders_in(paths.episodes / agent):
            for case in folders_in(paths.episodes / agent / task):
                yield paths.episodes / agent / task / case


def _names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
