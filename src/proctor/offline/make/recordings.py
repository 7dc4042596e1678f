"""What data is made from: runs, and recordings that belong to none, such as demonstrations."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from proctor.errors import RecordError, SpecError
from proctor.records import EpisodeKey, Result
from proctor.store.collection import EVERYTHING, EpisodeFilter, runs_in, walk
from proctor.store.read import RecordedEpisode
from proctor.store.walk import WalkedEpisode

DEEPEST = 8
"""Folders below the one that was named in which recordings are looked for."""
STEPS = "steps.jsonl"


def recorded_episodes(place: Path, choice: EpisodeFilter = EVERYTHING) -> list[WalkedEpisode]:
    """Return what is chosen of a run, a folder of runs, a studio, or a folder of recordings.

    A recording is the record of an episode wherever it lies: one that was copied out of its run, that was interrupted,
    or that nobody judged. Without a verdict it gives no trajectory for critics, and all the rest.
    """
    if runs := runs_in(place):
        chosen = [item for item in walk(runs, choice) if item.result.folder]
        return [WalkedEpisode(item.episode.folder, item.result) for item in chosen]
    if choice != EVERYTHING:
        raise SpecError(
            f"{place} contains recordings without a run, which --only cannot filter", remedy="leave out --only"
        )
    found = [_alone(folder) for folder in _recordings(place)]
    if not found:
        raise RecordError(
            f"{place} contains no run and no recording",
            remedy="name the --out of `proctor run`, or folders of episodes",
        )
    return found


def _recordings(place: Path) -> Iterator[Path]:
    if (place / STEPS).is_file():
        yield place
        return
    for folder, below, files in os.walk(place):
        here = Path(folder)
        below.sort()
        if STEPS in files:
            below.clear()
            yield here
        elif len(here.relative_to(place).parts) >= DEEPEST:
            below.clear()


def _alone(folder: Path) -> WalkedEpisode:
    """Return a recording, with an empty result where unfinished, and a task where it names none."""
    episode = RecordedEpisode(folder)
    key = episode.header.key or EpisodeKey(task="", agent="")
    if not key.task:
        named = episode.header.task.id if episode.header.task else ""
        key = replace(key, task=named or f"recordings/{folder.name}", agent=key.agent or "somebody")
    found = episode.result or Result(key=key, stop="void", score=None)
    # Where it lay in its run says nothing any more; here it orders recordings of one task.
    return WalkedEpisode(folder, replace(found, key=found.key if found.key.task else key, folder=str(folder)))
