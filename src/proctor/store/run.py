"""The record of a run: its configuration, its index, and what is left of a crash."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

from proctor.errors import RecordError, SpecError
from proctor.records import EpisodeKey, Result, check_result
from proctor.store.chain import ChainLink, forge, links
from proctor.store.completeness import MAX_SUMS, fault_of, recorded_result
from proctor.store.files import disk_trouble, parse_json, plain_json, read_whole, write_whole
from proctor.store.index import IndexWriter, cut_torn_end, make_index
from proctor.store.lock import RunLock
from proctor.store.paths import FORMAT, RunPaths, place_in_run
from proctor.store.tree import episode_folders, task_digests, task_text

IMPORTED = "it was imported, without a comparison of what was there before and after"
_KEY = tuple(field.name for field in fields(EpisodeKey))


@dataclass(frozen=True, slots=True)
class Broken:
    """A try that was interrupted, or that a crash left damaged."""

    folder: str
    reason: str


@dataclass(frozen=True, slots=True)
class Adopted:
    """What was found on disk that the index did not know."""

    results: tuple[Result, ...]
    """Of whole episodes; they are in the index now."""
    broken: tuple[Broken, ...]
    """What is not whole; a new try moves it aside."""


class RunRecord:
    """The record of one run; `open` it to read, `create` or `resume` it to write.

    Results that were added are durable after `commit`, together with the files of their episodes.
    """

    def __init__(self, folder: Path, *, lock: RunLock | None = None) -> None:
        self.folder = folder
        self.paths = RunPaths(folder)
        text = read_whole(self.paths.run)
        self.config: dict[str, Any] = read_config(text, self.paths.run)
        """What the run is: plan, configuration, versions, host facts."""
        self.root = hashlib.sha256(text).hexdigest()
        """The hash of `run.json`, to which the index is chained."""
        self._lock = lock
        self._index: IndexWriter | None = None
        self._last = self.root
        self._count = 0
        self._known: set[int] = set()
        self._may_be_sealed = True

    @classmethod
    def create(cls, folder: Path, config: Mapping[str, Any], *, clock: Callable[[], float] = time.monotonic) -> Self:
        """Begin the record of a run in a new or empty folder."""
        paths = RunPaths(folder)
        with disk_trouble(folder):
            folder.mkdir(parents=True, exist_ok=True)
        lock = RunLock(paths.lock)
        try:
            others = sorted(entry.name for entry in folder.iterdir() if entry != paths.lock)
            if paths.run.name in others:
                raise RecordError(
                    f"{folder} already contains a run", remedy="`proctor runs resume` it, or choose another folder"
                )
            if others:
                raise RecordError(f"{folder} contains other files: {others[0]}", remedy="choose a new or empty folder")
            write_whole(folder, paths.run.name, plain_json({**config, "format": FORMAT}), durable=True)
            record = cls(folder, lock=lock)
            record._index = IndexWriter(paths.index, 0, clock)
            return record
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open a run to read it, while it goes on or later; raises RecordError where there is none."""
        if not RunPaths(folder).run.is_file():
            raise RecordError(f"{folder} contains no run", remedy="name the folder that `proctor run --out` was given")
        return cls(folder)

    @classmethod
    def resume(cls, folder: Path, *, clock: Callable[[], float] = time.monotonic) -> Self:
        """Open a run to go on with it.

        What a loss of power left of a last line is put aside as `index.torn-<n>`. Raises RecordError when another
        process is writing, or when the index is damaged elsewhere.
        """
        cls.open(folder)
        lock = RunLock(RunPaths(folder).lock)
        try:
            record = cls(folder, lock=lock)
            record._index = IndexWriter(record.paths.index, record._take_stock(), clock)
            return record
        except BaseException:
            lock.release()
            raise

    @property
    def sealed(self) -> bool:
        """Whether the run was done."""
        return self.paths.seal.is_file()

    @property
    def collateral_unknown(self) -> str:
        """Why none of its results can tell of side effects; empty where they can."""
        return reason_nobody_looked(self.config)

    def results(self) -> Iterator[Result]:
        """Walk all results in the order they were added; raises RecordError at the first damaged line."""
        for link in self._links():
            yield self._result(link)

    def final(self) -> Iterator[Result]:
        """Walk the last try at each episode, in the order they were added."""
        last: dict[tuple[Any, ...], tuple[int, int]] = {}
        for link in self._links():
            try:
                check_result(link.data)
                key = tuple(link.data.get(name, 0) for name in _KEY)
                last[key] = max(last.get(key, (0, 0)), (link.data.get("retry", 0), link.number))
            except (TypeError, ValueError) as error:
                raise _no_result(self.folder, link, error) from error
        chosen = {number for _, number in last.values()}
        for link in self._links():
            if link.number in chosen:
                yield self._result(link)

    def add(self, result: Result) -> None:
        """Add the result of an episode whose record is whole.

        It is durable within about a second, or after `commit`.

        A void result without any record has no folder.
        """
        index = self._writer()
        index.check()
        sums = ""
        if result.folder:
            if hash(result.folder) in self._known:
                raise RecordError(f"{result.folder} is in the index already", remedy="each try is added once")
            sums = hashlib.sha256(self._sums_text(result.folder)).hexdigest()
        elif not result.void:
            raise RecordError(f"a scored result of {result.key.task!r} without a record", remedy="record the episode")
        if self._may_be_sealed:
            # What is added to a finished run makes it unfinished.
            self.paths.seal.unlink(missing_ok=True)
            self._may_be_sealed = False
        try:
            line, self._last = forge(self._last, {**result.to_json(), "sums": sums})
        except ValueError as error:
            raise RecordError(f"the result of {result.key.task!r} cannot be written: {error}") from error
        self._count += 1
        if result.folder:
            self._known.add(hash(result.folder))
        index.add(line)

    def commit(self) -> None:
        """Make everything that was added durable; after a HostError it can be called again."""
        self._writer().commit()

    def adopt(self) -> Adopted:
        """Add whole episodes that a crash kept out of the index, and tell which tries are broken."""
        self._writer()
        results, broken = [], []
        for folder in episode_folders(self.paths):
            place = place_in_run(folder)
            if hash(place) in self._known:
                continue
            if reason := self._misfit(folder):
                broken.append(Broken(place, reason))
                continue
            results.append(recorded_result(folder))
            self.add(results[-1])
        self.commit()
        return Adopted(tuple(results), tuple(broken))

    def keep_task(self, digest: str, data: Mapping[str, Any]) -> None:
        """Keep a task as it was set, once; its digest must be the hash of its text."""
        self._writer()
        text = task_text(data)
        if hashlib.sha256(text).hexdigest() != digest:
            raise SpecError(f"the digest {digest[:80]!r} is not that of the task", remedy="give Task.digest")
        path = self.paths.task(digest)
        if not path.exists():
            write_whole(self.paths.make_tasks(), path.name, text)

    def task(self, digest: str) -> str:
        """Return the text of a task as it was set; raises RecordError where it is missing or changed."""
        path = self.paths.task(digest)
        text = read_whole(path)
        if hashlib.sha256(text).hexdigest() != digest:
            raise RecordError(f"{path} does not match its name", remedy="see `proctor runs verify`")
        try:
            return text.decode()
        except UnicodeDecodeError as error:
            raise RecordError(f"{path} is not a text", remedy="see `proctor runs verify`") from error

    def seal(self) -> str:
        """Say that the run is done; returns the hash of the seal, which vouches for everything in it."""
        self.commit()
        self._may_be_sealed = True
        data = seal_text(self.root, self._count, self._last, task_digests(self.paths))
        return write_whole(self.folder, self.paths.seal.name, data, durable=True).sha256

    def close(self) -> None:
        """Commit and let others write; a second time has no effect."""
        index, self._index = self._index, None
        lock, self._lock = self._lock, None
        try:
            if index is not None:
                index.close()
        finally:
            if lock is not None:
                lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _result(self, link: ChainLink) -> Result:
        try:
            result = Result.from_json(link.data)
        except (TypeError, ValueError) as error:
            raise _no_result(self.folder, link, error) from error
        reason = self.collateral_unknown
        return replace(result, collateral_unknown=reason) if reason else result

    def _writer(self) -> IndexWriter:
        if self._index is None:
            raise SpecError(f"the run {self.folder} is not open for writing", remedy="`RunRecord.resume` it")
        return self._index

    def _links(self) -> Iterator[ChainLink]:
        if self._index is not None:
            self._index.commit()
        try:
            for link in links(self.paths.index, self.root):
                if link.torn and not self.sealed:
                    return
                if link.fault:
                    raise _damage_error(self.paths.index, link)
                yield link
        except OSError as error:
            raise RecordError(
                f"cannot read {self.paths.index}: {error.strerror}", remedy="see `proctor runs verify`"
            ) from error

    def _take_stock(self) -> int:
        """Count what the index holds, put a torn end aside, and return where the next line goes."""
        index, end = self.paths.index, 0
        with disk_trouble(index):
            make_index(index)
            for link in links(index, self.root):
                if link.fault:
                    self._put_torn_end_aside(link)
                    return end
                end = link.offset + len(link.raw)
                self._last, self._count = link.hash, link.number
                if folder := str(link.data.get("folder", "")):
                    self._known.add(hash(folder))
        return end

    def _put_torn_end_aside(self, link: ChainLink) -> None:
        """Cut the index where a torn end begins; anything else that is wrong is not ours to mend."""
        if self.sealed or not cut_torn_end(self.paths.index, link.offset):
            raise _damage_error(self.paths.index, link)

    def vouches_for(self, folder: str) -> bool:
        """Tell whether a line of the index was written for the sums that an episode has now."""
        sums = hashlib.sha256(self._sums_text(folder)).hexdigest()
        return any(link.data.get("folder") == folder and link.data.get("sums") == sums for link in self._links())

    def _sums_text(self, folder: str) -> bytes:
        try:
            return read_whole(self.paths.unchecked_path(folder) / "sums.json", MAX_SUMS)
        except RecordError as error:
            remedy = "`finish` or `conclude` an episode before it is added"
            raise RecordError(f"the episode {folder} is incomplete: {error.message}", remedy=remedy) from error

    def _misfit(self, folder: Path) -> str:
        if fault := fault_of(folder):
            return fault
        try:
            result = recorded_result(folder)
        except RecordError as error:
            return error.message
        fits = self.paths.episode(result.key, result.retry) == folder and result.folder == place_in_run(folder)
        return "" if fits else "result.json: belongs to another episode"


def reason_nobody_looked(config: Mapping[str, object]) -> str:
    """Return why no episode of such a run could be searched for side effects; empty where some could."""
    return IMPORTED if "imported" in config else ""


def read_config(text: bytes, path: Path) -> dict[str, Any]:
    """Return what a `run.json` says; raises RecordError for one of another format."""
    config = parse_json(text, path)
    version = config.pop("format", None) if isinstance(config, dict) else None
    if version != FORMAT:
        raise RecordError(
            f"{path} has format {version!r}; this version reads {FORMAT}", remedy="use the Proctor that wrote it"
        )
    return dict(config)


def seal_text(run: str, count: int, last: str, tasks: list[str]) -> bytes:
    """Return a run's seal: hash of `run.json`, number of lines, hash of the last one, tasks."""
    return plain_json({"format": FORMAT, "run": run, "lines": count, "last": last, "tasks": tasks})


def _no_result(folder: Path, link: ChainLink, error: Exception) -> RecordError:
    return RecordError(
        f"{folder}/index.jsonl, line {link.number}: no result: {error}", remedy="see `proctor runs verify`"
    )


def _damage_error(index: Path, link: ChainLink) -> RecordError:
    return RecordError(
        f"{index}, line {link.number} (byte {link.offset}): {link.fault}",
        remedy="`proctor runs verify` lists all damage; go back to an undamaged copy",
    )
