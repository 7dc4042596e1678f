"""Finding what is wrong with the record of a run: changed, missing, cut off, added, out of order."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from proctor.errors import RecordError
from proctor.store.chain import ChainLink, links
from proctor.store.completeness import MAX_RESULT, MAX_SUMS, Damage, What, episode_damage
from proctor.store.files import parse_json, read_whole, sum_file
from proctor.store.lock import holder
from proctor.store.paths import RunPaths, is_kept_aside, place_in_run
from proctor.store.run import read_config, seal_text
from proctor.store.tree import cases, episode_folders, folders_in, strangers, task_digests

_OURS = re.compile(
    r"run\.json|index\.jsonl|seal\.json|lock|report|reviews|(?:admission|versions)\.jsonl|tasks|episodes|index\.torn-\d{1,6}",
    re.ASCII,
)
_CHAIN_FIELDS = frozenset({"sums"})


def verify(
    folder: Path, *, partial: bool = False, seal: str = "", on_episode: Callable[[], None] = lambda: None
) -> list[Damage]:
    """Return everything that is wrong with the record of a run.

    An empty list when it is as it was written.

    Args:
        folder: The run.
        partial: Accept that the run is not done: no seal, unfinished episodes, episodes that are not in the index yet.
        seal: The hash of the seal, where it is known from elsewhere; without it, somebody who rewrites everything, the
            seal included, is not found out.
        on_episode: Called after each episode.
    """
    found = list(_Audit(RunPaths(folder), seal, on_episode).damage())
    return [damage for damage in found if not partial or damage.what not in ("unsealed", "unfinished", "no line")]


class _Audit:
    def __init__(self, paths: RunPaths, seal: str, on_episode: Callable[[], None]) -> None:
        self._paths = paths
        self._seal = seal
        self._on_episode = on_episode
        self._root = self._last = ""
        self._count = 0
        self._chained = True
        self._seen: set[int] = set()
        self._digests: set[str] = set()

    def damage(self) -> Iterator[Damage]:
        paths = self._paths
        if not paths.root.is_dir():
            yield Damage(".", "missing", "there is no such folder")
            return
        try:
            text = read_whole(paths.run)
        except RecordError as error:
            yield Damage("run.json", "missing", error.message)
            return
        try:
            read_config(text, paths.run)
        except RecordError as error:
            yield Damage("run.json", "format", error.message)
            return
        self._root = self._last = hashlib.sha256(text).hexdigest()
        yield from self._index()
        yield from self._folders()
        yield from self._tasks()
        yield from self._check_seal()
        for entry in sorted(os.scandir(paths.root), key=lambda entry: entry.name):
            if not _OURS.fullmatch(entry.name):
                yield Damage(entry.name, "extra", "does not belong to the record")
            elif entry.is_symlink():
                yield Damage(entry.name, "changed", "is a link to somewhere else")

    def _index(self) -> Iterator[Damage]:
        try:
            for link in links(self._paths.index, self._root):
                if link.fault:
                    self._chained = False
                    yield self._fault(link)
                if link.data:
                    yield from self._line(link)
                    self._on_episode()
                self._last, self._count = link.hash, link.number
        except OSError as error:
            yield Damage("index.jsonl", "missing", f"cannot be read: {error.strerror}")

    def _fault(self, link: ChainLink) -> Damage:
        if link.number == 1 and link.data:
            return Damage("run.json", "changed", "does not fit the first line of the index: one of them was changed")
        return Damage(f"index.jsonl:{link.number}", "truncated" if link.torn else "chain", f"this line {link.fault}")

    def _line(self, link: ChainLink) -> Iterator[Damage]:
        where = f"index.jsonl:{link.number}"
        place = str(link.data.get("folder", ""))
        self._digests.add(str(link.data.get("digest", "")))
        if not place:
            return
        try:
            folder = self._paths.at(place)
        except RecordError as error:
            yield Damage(where, "chain", error.message)
            return
        if hash(place) in self._seen:
            yield Damage(where, "chain", f"names {place} a second time")
            return
        self._seen.add(hash(place))
        if not folder.is_dir():
            yield Damage(place, "no folder", f"the episode of line {link.number} is missing")
            return
        yield from self._episode(place, folder, link)

    def _episode(self, place: str, folder: Path, link: ChainLink) -> Iterator[Damage]:
        sums = folder / "sums.json"
        try:
            if hashlib.sha256(read_whole(sums, MAX_SUMS)).hexdigest() != link.data.get("sums"):
                yield Damage(f"{place}/sums.json", "changed", f"is not the one that line {link.number} was written for")
        except RecordError:
            yield Damage(f"{place}/sums.json", "missing", "is missing or not a plain file")
            return
        faults = list(episode_damage(folder))
        yield from (replace(damage, file=f"{place}/{damage.file}") for damage in faults)
        if not any(damage.file in ("result.json", "sums.json") for damage in faults):
            said = {name: value for name, value in link.data.items() if name not in _CHAIN_FIELDS}
            if _json(folder / "result.json", MAX_RESULT) != said:
                yield Damage(f"{place}/result.json", "changed", f"differs from line {link.number}")

    def _folders(self) -> Iterator[Damage]:
        for folder in episode_folders(self._paths):
            place = place_in_run(folder)
            if hash(place) in self._seen:
                continue
            faults = list(episode_damage(folder))
            yield from (replace(damage, file=f"{place}/{damage.file}") for damage in faults)
            if not faults:
                yield Damage(place, "no line", "is complete, but not in the index")
        for path in strangers(self._paths):
            yield Damage(str(path.relative_to(self._paths.root)), "extra", "does not belong to the record")

    def _tasks(self) -> Iterator[Damage]:
        """Look at the tasks: each is named by its own hash."""
        kept = set(task_digests(self._paths))
        for digest in sorted(kept):
            path = self._paths.task(digest)
            try:
                right = sum_file(path).sha256 == digest
            except OSError:
                right = False
            if not right:
                yield Damage(f"tasks/{path.name}", "changed", "its content does not match its name")
        if kept:
            for digest in sorted(self._digests - kept - {""}):
                yield Damage(f"tasks/{digest}.json", "missing", "the task of an episode is missing")
            for entry in sorted(os.scandir(self._paths.tasks), key=lambda entry: entry.name):
                if entry.name.removesuffix(".json") not in kept:
                    yield Damage(f"tasks/{entry.name}", "extra", "does not belong to the record")

    def _check_seal(self) -> Iterator[Damage]:
        path = self._paths.seal
        if not os.path.lexists(path):
            who = holder(self._paths.lock)
            why = f"the run is being written by {who}" if who else "the run was interrupted, or its seal was removed"
            yield Damage("seal.json", "unsealed", why)
            return
        try:
            text = read_whole(path)
            data = parse_json(text, path)
            run, last, lines = str(data["run"]), str(data["last"]), int(data["lines"])
            tasks = [str(digest) for digest in data["tasks"]]
        except (RecordError, KeyError, TypeError, ValueError, OverflowError):
            yield Damage("seal.json", "changed", "is not a seal")
            return
        if text != seal_text(run, lines, last, tasks):
            yield Damage("seal.json", "changed", "is not written as a seal is")
        # Where the index follows from run.json without a fault, it is the seal that was changed.
        follows = self._chained and self._count > 0
        if run != self._root and follows:
            yield Damage("seal.json", "changed", "was not made for this run")
        elif run != self._root:
            yield Damage("run.json", "changed", "is not the one that the seal was made for")
        if self._seal and hashlib.sha256(text).hexdigest() != self._seal:
            yield Damage("seal.json", "changed", "is not the one whose hash was given")
        if lines != self._count and last == self._last and follows:
            yield Damage("seal.json", "changed", f"speaks of {lines} lines; the index has {self._count}")
        elif lines != self._count:
            what: What = "truncated" if self._count < lines else "extra"
            yield Damage("index.jsonl", what, f"has {self._count} lines; the seal was made for {lines}")
        elif last != self._last:
            yield Damage("seal.json", "changed", "was not made for this index")
        yield from self._sealed_tasks(set(tasks))

    def _sealed_tasks(self, sealed: set[str]) -> Iterator[Damage]:
        kept = set(task_digests(self._paths))
        for digest in sorted(sealed - kept):
            if digest in self._digests:
                yield Damage(f"tasks/{digest}.json", "missing", "is missing")
            else:
                yield Damage("seal.json", "changed", f"names a task {digest} that no episode is about")
        for digest in sorted(kept - sealed):
            if digest in self._digests:
                yield Damage("seal.json", "changed", f"does not name the task {digest}")
            else:
                yield Damage(f"tasks/{digest}.json", "extra", "was added after the run was sealed")


def _json(path: Path, most: int) -> object:
    try:
        return parse_json(read_whole(path, most), path)
    except RecordError:
        return None


def kept_aside(folder: Path) -> int:
    """Return how many interrupted tries were kept aside; they are not part of the results."""
    return sum(is_kept_aside(name) for case in cases(RunPaths(folder)) for name in folders_in(case))
