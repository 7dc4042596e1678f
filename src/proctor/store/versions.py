"""A log of versions people save; each save names the one it saw, so none destroys a newer one."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.errors import RecordError
from proctor.store.files import disk_trouble, open_to_change, plain_json, write_fully
from proctor.store.lines import JsonLines, LogLine

MOST_LINES = 5_000_000
TORN = b" (cut off)\n"
"""Ends what a crash left of a line: nobody was told that it was saved, so it must not become whole by its last byte."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """What somebody saved under a key."""

    key: str
    number: int
    """1 for the first; what was never saved has version 0."""
    data: dict[str, Any]
    by: str = ""
    at: float = 0.0
    """When, in seconds since 1970; clocks may jump, so nothing is ordered by it."""
    save: str = ""
    """What the page called this save, so that one that was sent twice counts once."""


class OutOfDate(RecordError):
    """Somebody saved in the meantime; `current` is what they saved."""

    def __init__(self, current: Version) -> None:
        super().__init__(
            f"version {current.number} was saved in the meantime", remedy="load it again; nothing was changed"
        )
        self.current = current


class VersionLog:
    """One file of JSON lines, only ever appended to; the last whole line of a key counts.

    A line is on the disk before `save` returns. What a crash left of a last line is passed over, and the next save
    begins on a line of its own. Several threads and processes may save at once.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self._lines = JsonLines(path, MOST_LINES)
        self._latest: dict[str, Version] = {}
        self._clock = clock

    @property
    def problems(self) -> list[str]:
        """Lines that could not be read, in words."""
        return list(self._lines.problems)

    def latest(self) -> dict[str, Version]:
        """Return the last version of every key, by key."""
        with self._lines.lock:
            self._read()
            return dict(self._latest)

    def find(self, key: str) -> Version | None:
        """Return the last version of a key; None where nothing was saved."""
        with self._lines.lock:
            self._read()
            return self._latest.get(key)

    def every(self, key: str) -> list[Version]:
        """Return every version of a key that was saved, in order; the file is read anew."""
        return [found for line in JsonLines(self.path, MOST_LINES).more() if (found := _version(line, key))]

    def save(
        self, key: str, seen: int, data: Mapping[str, object], *, by: str, save: str = "", follows: str = ""
    ) -> Version:
        """Append a version.

        Args:
            key: What it is a version of.
            seen: The number of the version that it was made from; 0 for the first.
            data: What is saved.
            by: Who saves it.
            save: A name for this save; the same name again returns the version that it made the first time.
            follows: The save before it of the same page, whose answer may not have come back yet.

        Raises:
            OutOfDate: There is a newer version than the one that was seen.
            HostError: The disk is full, or the file may not be written.
        """
        with self._lines.lock, disk_trouble(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fd = open_to_change(self.path)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)
                self._read()
                current = self._latest.get(key)
                if current and save and current.save == save:
                    return current
                if current and current.number != seen and not (follows and current.save == follows):
                    raise OutOfDate(current)
                number = current.number + 1 if current else 1
                made = Version(key=key, number=number, data=dict(data), by=by, at=self._clock(), save=save)
                size = os.lseek(fd, 0, os.SEEK_END)
                torn = size and os.pread(fd, 1, size - 1) != b"\n"
                write_fully(fd, (TORN if torn else b"") + _line(made))
                os.fsync(fd)
            finally:
                os.close(fd)
            self._read()
            return made

    def _read(self) -> None:
        for line in self._lines.more():
            if found := _version(line):
                self._latest[found.key] = found


def _line(version: Version) -> bytes:
    head = {"key": version.key, "version": version.number, "by": version.by, "at": version.at, "save": version.save}
    return plain_json({**head, "data": version.data}) + b"\n"


def _version(line: LogLine, of: str | None = None) -> Version | None:
    """Return what a line says; None for one that is no version, or one of another key."""
    said = line.data
    key, number, data = said.get("key"), said.get("version"), said.get("data")
    if of is not None and key != of:
        return None
    if not isinstance(key, str) or not isinstance(number, int) or number < 1 or not isinstance(data, dict):
        return None
    by, at, save = said.get("by"), said.get("at"), said.get("save")
    return Version(
        key=key,
        number=number,
        data=data,
        by=by if isinstance(by, str) else "",
        at=float(at) if isinstance(at, int | float) else 0.0,
        save=save if isinstance(save, str) else "",
    )
