"""A collection: any number of runs of agents and of people, and what is chosen of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from proctor.errors import RecordError, SpecError
from proctor.records import OUTCOMES, Result
from proctor.store.account import read_account
from proctor.store.files import parse_json
from proctor.store.paths import RunPaths, folder_name
from proctor.store.read import RecordedEpisode, open_episode
from proctor.store.reviews import Review, read_reviews, reviews_of
from proctor.store.run import RunRecord

DEMONSTRATIONS, REFINED = "demonstrations", "refined"
"""Folders of runs in that of a studio: as they were recorded, and versions that were written out."""
NAMES = ("task", "person", "agent", "app", "verdict", "review", "since", "until")
"""By what it can be chosen."""
REVIEWS = ("done", "not-done", "undecided", "none")
"""What reviewers say: all that it was done, or that it was not; neither; nobody said anything."""


@dataclass(frozen=True)
class Recorded:
    """The last try at an episode."""

    result: Result
    episode: RecordedEpisode
    run: RunRecord
    within: str = ""
    """What stands for its run where a collection has several."""
    reviews: tuple[Review, ...] = ()

    @property
    def place(self) -> str:
        """What names it: its folder in the run, below the run's name where there are several."""
        return f"{self.within}/{self.result.folder}" if self.within else self.result.folder

    @property
    def task(self) -> dict[str, object]:
        """The task as it was set, answer key included; what of it is exported is for the format to say."""
        found = parse_json(self.run.task(self.result.digest).encode(), f"the task {self.result.digest}")
        return found if isinstance(found, dict) else {}

    @cached_property
    def person(self) -> str:
        """Who did it by hand; empty for an agent."""
        found = read_account(self.episode.folder).get("person") if self.result.folder else ""
        return found if isinstance(found, str) else ""

    @property
    def verdict(self) -> str:
        """What came of it, of OUTCOMES."""
        return self.result.outcome

    @property
    def review(self) -> str:
        """What its reviewers say, of REVIEWS."""
        said = {review.success for review in self.reviews}
        if not said:
            return "none"
        return "done" if said == {True} else "not-done" if said == {False} else "undecided"


@dataclass(frozen=True)
class EpisodeFilter:
    """What is chosen of a collection; of one name any value fits, of several names all must."""

    wanted: dict[str, tuple[str, ...]]

    @classmethod
    def parse(cls, given: Iterable[str]) -> EpisodeFilter:
        """Read `NAME=VALUE` texts; raises SpecError for what makes no sense."""
        wanted: dict[str, tuple[str, ...]] = {}
        for text in given:
            name, equals, value = text.partition("=")
            if not equals or name not in NAMES or not value:
                raise SpecError(
                    f"{text!r} is not a filter", remedy=f"write NAME=VALUE, with one of these names: {', '.join(NAMES)}"
                )
            allowed = {"verdict": OUTCOMES, "review": REVIEWS}.get(name)
            if allowed and value not in allowed:
                raise SpecError(f"{name} is never {value!r}", remedy=f"choose one of: {', '.join(allowed)}")
            if name in ("since", "until"):
                _day(text, value)
            wanted[name] = (*wanted.get(name, ()), value)
        return cls(wanted)

    def takes(self, item: Recorded) -> bool:
        """Tell whether an episode is chosen."""
        return all(any(_fits(item, name, value) for value in values) for name, values in self.wanted.items())


EVERYTHING = EpisodeFilter({})


def find_runs(folders: Sequence[Path]) -> list[Path]:
    """Return the runs in folders: each is a run, a studio's folder, or holds runs; each run once.

    Of a studio's demonstration the newest version that was written out and judged takes its place. Raises RecordError
    for a folder without any.
    """
    found: dict[Path, Path] = {}
    for folder in folders:
        here = runs_in(folder)
        if not here:
            raise RecordError(
                f"{folder} contains no run", remedy="name runs, a folder of runs, or the folder of a studio"
            )
        for run in here:
            found.setdefault(run.resolve(), run)
    return list(found.values())


def walk(runs: Sequence[Path], choice: EpisodeFilter = EVERYTHING) -> Iterator[Recorded]:
    """Walk what is chosen of runs: the last try at each episode, in the order they ended."""
    names = _names(runs) if len(runs) > 1 else [""]
    for folder, name in zip(runs, names, strict=True):
        record = RunRecord.open(folder)
        reviews = read_reviews(folder)
        for result in record.final():
            # A void try without any record has no folder, and nothing to open.
            episode = (
                open_episode(record.paths.at(result.folder)) if result.folder else RecordedEpisode(record.paths.run)
            )
            item = Recorded(result, episode, record, name, tuple(reviews_of(reviews, result)))
            if choice.takes(item):
                yield item


def runs_in(folder: Path) -> list[Path]:
    """Return the runs that a folder is or holds, as `find_runs` finds them; none where there is none."""
    if RunPaths(folder).run.is_file():
        return [folder]
    if (folder / DEMONSTRATIONS).is_dir():
        refined = _refined_runs(folder / REFINED)
        return [refined.get(run.name, run) for run in _children(folder / DEMONSTRATIONS)]
    return _children(folder)


def _children(folder: Path) -> list[Path]:
    """Return the runs in a folder; links lead elsewhere and are none of them."""
    try:
        inner = sorted(folder.iterdir())
    except OSError as error:
        raise RecordError(f"{folder} cannot be read: {error}", remedy="name a folder of runs") from error
    return [run for run in inner if RunPaths(run).run.is_file() and not run.is_symlink()]


def _refined_runs(folder: Path) -> dict[str, Path]:
    """Return the newest judged version of each demonstration, by the name of its run."""
    found: dict[str, tuple[int, Path]] = {}
    for run in _children(folder) if folder.is_dir() else ():
        for result in RunRecord.open(run).final():
            refined = open_episode(RunPaths(run).at(result.folder)).header.refined if result.folder else None
            if refined is None or result.void:
                continue
            name = refined.episode.partition("/")[0]
            if name not in found or found[name][0] <= refined.version:
                found[name] = refined.version, run
    return {name: run for name, (_, run) in found.items()}


def _names(runs: Sequence[Path]) -> list[str]:
    """Return a name for each run, different from all others, that every file system and format takes."""
    used: dict[str, int] = {}
    names = []
    for run in runs:
        name = folder_name(run.resolve().name)
        used[name] = used.get(name, 0) + 1
        names.append(name if used[name] == 1 else f"{name}-{used[name]}")
    return names if len(set(names)) == len(names) else [f"{number:06d}-{name}" for number, name in enumerate(names)]


def _fits(item: Recorded, name: str, value: str) -> bool:
    result = item.result
    match name:
        case "task":
            whole = result.key.task
            short = whole.partition("/")[2]
            return any(fnmatchcase(text, value) for text in (whole, short, short.rpartition("-v")[0]))
        case "person":
            return bool(item.person and fnmatchcase(item.person, value))
        case "agent":
            return fnmatchcase(result.key.agent, value)
        case "app":
            return value in result.apps
        case "since":
            return result.started >= _day(name, value)
        case "until":
            return result.started < _day(name, value, more=1)
    return bool(getattr(item, name) == value)


def _day(text: str, value: str, more: int = 0) -> float:
    """Return when a day begins, or one so many days later, in seconds since the epoch."""
    try:
        begin = datetime.combine(date.fromisoformat(value) + timedelta(days=more), datetime.min.time(), UTC)
    except (ValueError, OverflowError) as error:
        raise SpecError(f"{text!r} is not a day", remedy="write it as 2026-03-12; days are those of UTC") from error
    return begin.timestamp()
