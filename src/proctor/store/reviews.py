"""What people say of recorded episodes.

Kept beside the record of a run, outside its chain, one file for each reviewer.

`RUN/reviews/WHO.jsonl` holds every version that a reviewer saved. It lies in the run, so that it goes where the run
goes and a report finds it; it is no part of the record, so nothing of what was sealed is touched. Each review names the
run and the sums of the episode that was looked at, and counts only while both are still the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from proctor.errors import RecordError
from proctor.records import Mode, Result
from proctor.store.completeness import MAX_SUMS
from proctor.store.files import read_whole
from proctor.store.inner_folders import below, made_below
from proctor.store.paths import RunPaths, folder_name, place_in_run
from proctor.store.versions import Version, VersionLog

FOLDER = "reviews"
FAILURES: tuple[str, ...] = (*get_args(Mode), "other")
"""How an episode may have failed: the modes of the record, which reports count, and what is none of them."""
MOST_COMMENT = 10_000
MOST_REVIEWERS = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """What one person says of one episode."""

    episode: str
    """Its place in the run."""
    by: str
    success: bool | None = None
    """Whether the task was done; None where nobody says so."""
    first_wrong: int | None = None
    """The number of the first step that was wrong, as the record counts them; None where none was, or none is named."""
    failures: tuple[str, ...] = ()
    """Of FAILURES."""
    comment: str = ""
    version: int = 0


def review_log(run: Path, person: str) -> VersionLog:
    """Return the file that a reviewer saves into; raises RecordError where a link is in its way."""
    return VersionLog(made_below(run, FOLDER) / f"{folder_name(person)}.jsonl")


def read_reviews(run: Path) -> dict[str, list[Review]]:
    """Return the last review of each reviewer by its episode's place; RecordError for no run.

    Reviews of another run, or of an episode that has changed since, are left out.
    """
    folder = below(run, FOLDER)
    found: dict[str, list[Review]] = {}
    if not folder.is_dir():
        return found
    root = root_of(run)
    sums: dict[str, str] = {}
    for path in sorted(folder.glob("*.jsonl"))[:MOST_REVIEWERS]:
        for version in VersionLog(path).latest().values():
            review = review_from(version)
            if version.data.get("run") != root or review is None:
                continue
            if review.episode not in sums:
                sums[review.episode] = sums_of(run, review.episode)
            if version.data.get("sums") == sums[review.episode] != "":
                found.setdefault(review.episode, []).append(review)
    return found


def reviews_of(reviews: Mapping[str, list[Review]], result: Result) -> list[Review]:
    """Return the reviews of an episode by its result."""
    return reviews.get(result.folder, [])


def review_from(version: Version) -> Review | None:
    """Return the review that was saved; None for what is none."""
    data = version.data
    success, first, failures, comment = (data.get(name) for name in ("success", "first_wrong", "failures", "comment"))
    if data.get("withdrawn") is True:
        return None
    return Review(
        episode=version.key,
        by=version.by,
        success=success if isinstance(success, bool) else None,
        first_wrong=first if isinstance(first, int) and not isinstance(first, bool) and first >= 0 else None,
        failures=tuple(each for each in FAILURES if each in failures) if isinstance(failures, list) else (),
        comment=comment[:MOST_COMMENT] if isinstance(comment, str) else "",
        version=version.number,
    )


def bind(run: Path, episode: Path, data: Mapping[str, object]) -> dict[str, object]:
    """Return a review bound to the record it is about; raises RecordError for an unfinished episode."""
    place = place_in_run(episode)
    sums = sums_of(run, place)
    if not sums:
        raise RecordError(f"{place} is not finished", remedy="wait until the episode has ended")
    return {**data, "run": root_of(run), "sums": sums}


def root_of(run: Path) -> str:
    """Return the hash of `run.json`, by which a run is known wherever it lies."""
    return hashlib.sha256(read_whole(RunPaths(run).run)).hexdigest()


def sums_of(run: Path, episode: str) -> str:
    """Return the hash of an episode's sums, and so of every file of it; empty where it is not whole."""
    try:
        return hashlib.sha256(read_whole(RunPaths(run).at(episode) / "sums.json", MAX_SUMS)).hexdigest()
    except RecordError:
        return ""
