"""Telling whether the record of an episode is whole."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from proctor.errors import RecordError
from proctor.records import Result
from proctor.store.files import Sum, parse_json, read_json, read_whole, sum_file
from proctor.store.paths import FORMAT

What = Literal[
    "changed", "missing", "truncated", "extra", "chain", "unsealed", "no folder", "no line", "unfinished", "format",
]  # fmt: skip
MAX_RESULT = 1024 * 1024
MAX_SUMS = 64 * 1024 * 1024
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that is wrong with a record."""

    file: str
    """Relative to the run; with a line of the index, `index.jsonl:17`."""
    what: What
    detail: str

    def __str__(self) -> str:
        return f"{self.file}: {self.detail}"


def episode_damage(folder: Path) -> Iterator[Damage]:
    """Yield all that is wrong with the record of one episode, names relative to its folder."""
    try:
        sums = read_sums(folder)
    except FileNotFoundError:
        yield Damage("sums.json", "unfinished", "the episode was never finished")
        return
    except RecordError as error:
        yield Damage("sums.json", "changed", error.message)
        return
    for name, expected in sums.items():
        if damage := _file_damage(folder, name, expected):
            yield damage
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name not in sums and entry.name != "sums.json":
            yield Damage(entry.name, "extra", "does not belong to the record")


def fault_of(folder: Path) -> str:
    """Return why the record of an episode is not whole; empty when it is."""
    damage = next(episode_damage(folder), None) if folder.is_dir() else Damage(folder.name, "missing", "is missing")
    return f"{damage.file}: {damage.detail}" if damage else ""


def read_sums(folder: Path) -> dict[str, Sum]:
    """Return the sums of an episode's files; FileNotFoundError where it was never finished."""
    path = folder / "sums.json"
    if not os.path.lexists(path):
        raise FileNotFoundError(path)
    return parse_sums(read_whole(path, MAX_SUMS), path)


def parse_sums(data: bytes, path: Path) -> dict[str, Sum]:
    """Return what the text of a `sums.json` says."""
    content = parse_json(data, path)
    try:
        if content["format"] != FORMAT:
            raise RecordError(f"{path} has format {content['format']!r}; this version reads {FORMAT}")
        found = {name: Sum(int(entry["bytes"]), str(entry["sha256"])) for name, entry in content["files"].items()}
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise RecordError(f"{path} has no checksums", remedy="see `proctor runs verify`") from error
    if strange := [name for name in found if not _NAME.fullmatch(name) or name == "sums.json"]:
        raise RecordError(f"{path} names {strange[0][:100]!r}, which is not a file of a record")
    return found


def recorded_result(folder: Path) -> Result:
    """Return the result that the record of an episode holds."""
    path = folder / "result.json"
    data = read_json(path, MAX_RESULT)
    try:
        return Result.from_json(data)
    except (TypeError, ValueError, AttributeError) as error:
        raise RecordError(f"{path} has no result: {error}", remedy="see `proctor runs verify`") from error


def _file_damage(folder: Path, name: str, expected: Sum) -> Damage | None:
    path = folder / name
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            return Damage(name, "changed", "is not a plain file")
        if status.st_size < expected.bytes:
            return Damage(name, "truncated", f"has {status.st_size} bytes of {expected.bytes}")
        found = sum_file(path) if status.st_size == expected.bytes else None
    except FileNotFoundError:
        return Damage(name, "missing", "is missing")
    except OSError as error:
        return Damage(name, "changed", f"cannot be read: {error.strerror or error}")
    return None if found == expected else Damage(name, "changed", "is not what was recorded")
