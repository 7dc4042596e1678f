"""The episodes of one run as they appear: ended ones from its index, others from its folders."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from proctor.errors import RecordError
from proctor.records import EpisodeKey, Result, check_result
from proctor.store.addresses import episode_id
from proctor.store.inner_folders import below
from proctor.store.lines import JsonLines
from proctor.store.lock import holder
from proctor.store.paths import RunPaths, is_try
from proctor.store.run import reason_nobody_looked
from proctor.web.files import read_object

MOST_EPISODES = 1_000_000
DEPTH = 4
"""Folders below `episodes/`: agent, task, case, retry."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedEpisode:
    """One episode."""

    id: str
    """What a browser says for it; never a path."""
    folder: Path
    key: EpisodeKey
    retry: int = 0
    result: Result | None = None
    """None until it has ended."""
    running: bool = False
    """Whether somebody is writing it; one without a result that nobody writes was interrupted."""


class ListedEpisodes:
    """Every episode of a run; `refresh` looks for new ones."""

    def __init__(self, paths: RunPaths) -> None:
        self._paths = paths
        self._index = JsonLines(paths.index, MOST_EPISODES)
        self._ended: dict[str, ListedEpisode] = {}
        self._under_way: dict[str, ListedEpisode] = {}
        self._lock = threading.Lock()
        self._unlooked = reason_nobody_looked(read_object(paths.run) or {})

    @property
    def problems(self) -> list[str]:
        """What of the index could not be read."""
        return list(self._index.problems)

    def refresh(self) -> bool:
        """Read what was added; tell whether anything changed."""
        with self._lock:
            new = self._index.more()
            for line in new:
                try:
                    result = Result.from_json(line.data)
                    entry = self._entry(replace(result, collateral_unknown=self._unlooked or result.collateral_unknown))
                except (TypeError, KeyError, ValueError, AttributeError):
                    self._index.problems.append(f"line {line.number} of {self._index.path.name} is not a result")
                    continue
                self._ended[entry.id] = entry
            before = self._under_way
            self._under_way = {} if self._paths.seal.exists() else {entry.id: entry for entry in self._begun_episodes()}
            return bool(new) or before != self._under_way

    def ended_episodes(self) -> list[ListedEpisode]:
        """Return those that ended, in the order they did."""
        return list(self._ended.values())

    def under_way(self) -> list[ListedEpisode]:
        """Return those that have begun and are not in the index."""
        return list(self._under_way.values())

    def find(self, episode_id: str) -> ListedEpisode | None:
        """Return the episode of an id, if the run has one; its folder is one of the run's own."""
        found = self._ended.get(episode_id)
        if found is None:
            self.refresh()
            found = self._ended.get(episode_id) or self._under_way.get(episode_id)
        return found if found and self._is_ours(found.folder) else None

    def _entry(self, result: Result) -> ListedEpisode:
        # The folder follows from the key: one that a record names could lead anywhere.
        folder = self._paths.episode(result.key, result.retry)
        return ListedEpisode(id=self._id(folder), folder=folder, key=result.key, retry=result.retry, result=result)

    def _begun_episodes(self) -> Iterator[ListedEpisode]:
        running = bool(holder(self._paths.lock))
        for folder in _folders(self._paths.episodes, DEPTH):
            number = self._id(folder)
            if is_try(folder.name) and number not in self._ended and (header := _header(folder)):
                yield ListedEpisode(id=number, folder=folder, key=header[0], retry=header[1], running=running)

    def _id(self, folder: Path) -> str:
        return episode_id(self._paths.root, folder)

    def _is_ours(self, folder: Path) -> bool:
        try:
            return below(self._paths.root, *folder.relative_to(self._paths.root).parts).is_dir()
        except RecordError:
            return False


def _folders(root: Path, depth: int) -> Iterator[Path]:
    try:
        if root.is_symlink():
            return
        with os.scandir(root) as entries:
            below = sorted(Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return  # not there yet, or gone meanwhile
    for folder in below:
        if depth > 1:
            yield from _folders(folder, depth - 1)
        else:
            yield folder


def _header(folder: Path) -> tuple[EpisodeKey, int] | None:
    header = read_object(folder / "episode.json") or {}
    try:
        names = EpisodeKey.__dataclass_fields__
        check_result(header["key"])
        key = EpisodeKey(**{name: value for name, value in header["key"].items() if name in names})
        return key, int(folder.name)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
