"""The runs that were given to look at, and the name under which a browser may ask for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from proctor.errors import SpecError
from proctor.store.addresses import run_id
from proctor.store.lock import holder
from proctor.store.paths import RunPaths
from proctor.web.episodes import ListedEpisode, ListedEpisodes

State = Literal["finished", "running", "interrupted"]


@dataclass(frozen=True, kw_only=True)
class ListedRun:
    """One run on disk."""

    id: str
    """What a browser says for it; never a path."""
    name: str
    paths: RunPaths
    episodes: ListedEpisodes

    @property
    def state(self) -> State:
        """Return whether it is done, being written, or was left."""
        if self.paths.seal.exists():
            return "finished"
        return "running" if holder(self.paths.lock) else "interrupted"


class Runs:
    """The runs in the folders that were given; a folder is a run itself, or holds runs."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Remember the folders; raises SpecError when one of them is neither a run nor a folder."""
        for folder in folders:
            if not folder.is_dir():
                raise SpecError(f"{folder} is not a folder", remedy="give the folder of a run, or one that holds runs")
        self._folders = [folder.resolve() for folder in folders]
        self._open: dict[str, ListedRun] = {}

    def list_runs(self) -> list[ListedRun]:
        """Return the runs that are there now, the newest first."""
        roots = dict.fromkeys(root for folder in self._folders for root in _runs_in(folder))
        found = [self._run(root) for root in roots]
        return sorted(found, key=lambda run: _modification_time(run.paths.run), reverse=True)

    def find(self, run_id: str) -> ListedRun | None:
        """Return the run of an id, if there is one."""
        known = self._open.get(run_id)
        if known and known.paths.run.exists():
            return known
        return next((run for run in self.list_runs() if run.id == run_id), None)

    def find_episode(self, run_id: str, episode_id: str) -> tuple[ListedRun, ListedEpisode] | None:
        """Return the run and the episode of two ids, if there are such."""
        run = self.find(run_id)
        entry = run.episodes.find(episode_id) if run else None
        return (run, entry) if run and entry else None

    def _run(self, root: Path) -> ListedRun:
        number = run_id(root)
        if number not in self._open:
            paths = RunPaths(root)
            self._open[number] = ListedRun(id=number, name=root.name, paths=paths, episodes=ListedEpisodes(paths))
        return self._open[number]


def _runs_in(folder: Path) -> list[Path]:
    if RunPaths(folder).run.is_file():
        return [folder]
    return [child.resolve() for child in folder.iterdir() if RunPaths(child).run.is_file()]


def _modification_time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
