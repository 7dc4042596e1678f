"""A JSON file from elsewhere: comments and stray commas are taken, other faults have a place."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NoReturn

from proctor.tasks import positions
from proctor.tasks.call import DataPath
from proctor.tasks.load import MOST_BYTES
from proctor.tasks.positions import MOST_NESTING
from proctor.vocabulary.formats.data.parse_comments import without_comments

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _Unusable(Exception):
    """The text is none that can be read; says why."""


@dataclass(frozen=True)
class ForeignFile:
    """What a file holds, or why it cannot be read."""

    path: Path
    data: object = None
    fault: str = ""
    """Why it cannot be read, with the line where there is one; empty where it could be."""
    remarks: tuple[str, ...] = ()
    """What was tolerated."""
    digest: str = ""
    text: str = field(default="", repr=False)

    @cached_property
    def _document(self) -> positions.Document:
        try:
            return positions.read(self.text)
        except json.JSONDecodeError:
            return positions.Document()

    def place(self, path: DataPath) -> str:
        """Return the file and line of a part, as people are told of it."""
        return f"{self.path}:{self._document.line(path)}"


def read_file(path: Path, within: Path) -> ForeignFile:
    """Read a file that must lie in a folder; nothing in it can make this raise."""
    try:
        if not path.resolve().is_relative_to(within.resolve()):
            return ForeignFile(path, fault=f"it is a link that leads out of {within}")
        if not path.is_file():
            return ForeignFile(path, fault="it is no plain file")
        if path.stat().st_size > MOST_BYTES:
            return ForeignFile(path, fault=f"it has more than the {MOST_BYTES:,} bytes that a task file may have")
        content = path.read_bytes()
    except (OSError, RuntimeError) as error:
        return ForeignFile(path, fault=f"it cannot be read: {getattr(error, 'strerror', None) or error}")
    digest = hashlib.sha256(content).hexdigest()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return ForeignFile(
            path, fault=f"it is not a text in UTF-8: {error.reason} at byte {error.start}", digest=digest
        )
    return _parse(path, text, digest)


def _parse(path: Path, text: str, digest: str) -> ForeignFile:
    remarks: list[str] = []
    doubled: list[str] = []
    try:
        try:
            data = _load(text, doubled)
        except json.JSONDecodeError:
            plain = without_comments(text)
            if plain == text:
                raise
            doubled.clear()
            data = _load(plain, doubled)
            text = plain
            remarks.append("comments or stray commas in it were left out")
    except json.JSONDecodeError as error:
        said = f"line {error.lineno}: it is not valid JSON: {error.msg} (column {error.colno})"
        return ForeignFile(path, fault=said, digest=digest)
    except _Unusable as error:
        return ForeignFile(path, fault=str(error), digest=digest)
    except RecursionError:
        return ForeignFile(path, fault="it is nested too deeply", digest=digest)
    if _depth_exceeds(data, MOST_NESTING):
        return ForeignFile(path, fault=f"it is nested deeper than {MOST_NESTING} levels", digest=digest)
    if _SURROGATE.search(text) and not _is_text(data):
        return ForeignFile(path, fault="it holds half a character, such as \\ud800 alone", digest=digest)
    remarks += [f"the key {name!r} is given twice; the last counts" for name in dict.fromkeys(doubled)]
    return ForeignFile(path, data, remarks=tuple(remarks), digest=digest, text=text)


def _load(text: str, doubled: list[str]) -> object:
    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            doubled.extend(name for name in found if names.count(name) > 1)
        return found

    def no_number(word: str) -> NoReturn:
        raise _Unusable(f"it holds {word}, which is no number")

    try:
        data: object = json.loads(text, object_pairs_hook=members, parse_constant=no_number)
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        raise _Unusable(f"it holds a number with too many digits: {error}") from error
    return data


def _is_text(data: object) -> bool:
    """Tell whether all that stands in some data can be written down."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _depth_exceeds(data: object, most: int) -> bool:
    level = [data]
    for _ in range(most + 1):
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return False
    return True
