"""The episode that somebody means: by its own folder, or by a run that has one."""

from __future__ import annotations

from pathlib import Path

from proctor.errors import RecordError, SpecError
from proctor.store.completeness import fault_of
from proctor.store.paths import place_in_run, run_of
from proctor.store.read import RecordedEpisode, open_episode
from proctor.store.run import RunRecord

_MOST_NAMED = 5


def find_episode(folder: Path) -> tuple[RecordedEpisode, RunRecord]:
    """Return an episode and its run; raises where there is none, or not exactly one."""
    if (folder / "run.json").exists():
        record = RunRecord.open(folder)
        found = [result for result in record.final() if result.folder]
        if len(found) != 1:
            listed = "".join(f"\n  {folder / one.folder}" for one in found[:_MOST_NAMED])
            raise SpecError(
                f"{folder} contains {len(found)} episodes",
                remedy=f"name one of them by its folder, such as:{listed}" if found else "name a run that has one",
            )
        return open_episode(record.paths.at(found[0].folder)), record
    episode = open_episode(folder)
    place = place_in_run(folder)
    if not place.startswith("episodes/"):
        raise RecordError(f"{folder} is not the folder of an episode", remedy="name a folder below `episodes` of a run")
    return episode, RunRecord.open(run_of(folder))


def check_sums(episode: RecordedEpisode, record: RunRecord) -> None:
    """Raise RecordError where an episode is not as its run says that it was written."""
    place = place_in_run(episode.folder)
    fault = fault_of(episode.folder)
    if not fault and not record.vouches_for(place):
        fault = "sums.json: is not the one that the index was written for"
    if fault:
        raise RecordError(
            f"{episode.folder} was changed after it was written: {fault}", remedy="see `proctor runs verify`"
        )
