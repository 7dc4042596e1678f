"""The records of a data set on disk: JSON by lines or lists, folders of them, or Parquet."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from proctor.errors import SpecError
from proctor.offline.parquet import parquet_rows
from proctor.offline.sample import Shot
from proctor.store.bounds import load_json

MOST_BYTES = 4 << 30
MOST_LINE = 256 << 20
"""Bytes of one line, and of a whole document that is packed."""
_SPLIT = re.compile(r"(?:^|[-_.])(train|test|validation|val|dev)(?:[-_.]|$)")
_LINES, _LISTS, _TABLES = (".jsonl", ".ndjson", ".jsonl.gz"), (".json", ".json.gz"), (".parquet",)
_PLACES = (
    ("*", _LINES), ("*", _TABLES), ("data/*", _TABLES), ("*", _LISTS), ("annotations/*", _LISTS),
    ("benchmark/*", _LISTS), ("*/*", _TABLES), ("*/*/*", _TABLES), ("*/*", _LINES), ("*/*", _LISTS),
    ("*/*/*/*", _TABLES), ("*/*/*/*/*", _TABLES),
)  # fmt: skip
"""Where folders of sets have their records; the first that has some."""
_WRAPPERS = ("data", "annotations", "samples", "records", "rows", "items", "examples")
"""What a document calls its list, where it has other things to say besides."""
_GZIP, _BOM = b"\x1f\x8b", b"\xef\xbb\xbf"
Opened = io.BufferedReader | gzip.GzipFile


class Row(NamedTuple):
    """One record and where it stands."""

    where: str
    data: dict[str, object]
    folder: Path
    """Of the file that it stands in."""
    pictures: Mapping[str, Shot] = MappingProxyType({})
    """Those that it holds itself, by their names."""

    @property
    def file(self) -> str:
        """The file that it stands in."""
        return str(self.folder / re.split(r"[:#]\d+$", self.where)[0])


def read_rows(data: Path, fits: Callable[[Row], bool]) -> Iterator[Row]:
    """Walk the records of a file, or of those files of a folder whose first record fits."""
    for file in [data] if data.is_file() else _files(data, fits):
        yield from _rows(file)


def _rows(file: Path) -> Iterator[Row]:
    return _parquet_rows(file) if file.suffix.lower() in _TABLES else _json_rows(file)


def _files(folder: Path, fits: Callable[[Row], bool]) -> list[Path]:
    """Return the files of a folder that hold records: the first where none fits, to say why."""
    if not folder.is_dir():
        raise SpecError(f"{folder} is not there", remedy="name the file or folder that holds the records")
    first: list[Path] = []
    for pattern, endings in _PLACES:
        found = sorted(path for path in folder.glob(pattern) if path.name.lower().endswith(endings) and path.is_file())
        if chosen := _files_that_fit(found, fits):
            return chosen
        first = first or found[:1]
    if not first:
        raise SpecError(
            f"{folder} contains no records", remedy="name a .jsonl, .json or .parquet file, or a folder of them"
        )
    return first


def _files_that_fit(files: list[Path], fits: Callable[[Row], bool]) -> list[Path]:
    """Return the files whose first record fits; raises SpecError for one beside them that is broken."""
    chosen, broken = [], None
    for file in files:
        try:
            if (row := next(_rows(file), None)) is not None and fits(row):
                chosen.append(file)
        except SpecError as error:
            broken = broken or error
    if chosen and broken:
        # It may be a part of the set, and a score on the rest would not say so.
        raise broken
    return chosen


def _json_rows(file: Path) -> Iterator[Row]:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise SpecError(f"{file} has more than {MOST_BYTES >> 30} GB", remedy="split it")
        with _open(file) as lines:
            number, first = 0, b""
            while not first.strip() and (first := lines.readline(MOST_LINE)):
                number += 1
            if _is_record(first):
                yield from _lines(first, number, lines, file)
                return
            packed = isinstance(lines, gzip.GzipFile)
            text = first + lines.read(MOST_LINE if packed else -1)
            if packed and len(text) > MOST_LINE:
                raise SpecError(f"{file} holds more than {MOST_LINE >> 20} MB", remedy="unpack it")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SpecError(
            f"{file} cannot be unpacked: {error}", remedy="fetch the file again; it is incomplete"
        ) from error
    except OSError as error:
        raise SpecError(f"{file} cannot be read: {error.strerror}", remedy="name a file that can be read") from error
    if text.strip():
        for place, each in enumerate(_records_of(_parse(text, str(file))), 1):
            yield _row(each, f"{file.name}#{place}", file)


def _open(file: Path) -> Opened:
    """Open a file, whatever its name; what is packed is unpacked on the way."""
    with file.open("rb") as raw:
        packed = raw.read(2) == _GZIP
    return gzip.GzipFile(file) if packed else file.open("rb")


def _is_record(line: bytes) -> bool:
    """Tell whether a line is a record by itself, and not part of a longer document."""
    if not line.removeprefix(_BOM).lstrip().startswith(b"{"):
        return False
    try:
        found = load_json(line)
    except ValueError:
        return False
    return isinstance(found, dict) and _records_of(found) == [found]


def _lines(first: bytes, number: int, lines: Opened, file: Path) -> Iterator[Row]:
    line = first
    while line:
        if line.strip():
            yield _row(_parse(line, f"{file}:{number}"), f"{file.name}:{number}", file)
        line = lines.readline(MOST_LINE)
        number += 1


def _records_of(found: object) -> list[object]:
    """Return the records of a document: a list, the list that it wraps, or itself."""
    if isinstance(found, list):
        return found
    if isinstance(found, dict) and len(found) <= len(_WRAPPERS):
        wrapped = [found[name] for name in _WRAPPERS if isinstance(found.get(name), list) and found[name]]
        if len(wrapped) == 1 and all(isinstance(each, dict) for each in wrapped[0]):
            return list(wrapped[0])
    return [found]


def _parse(text: bytes, where: str) -> object:
    try:
        return load_json(text)
    except ValueError as error:
        raise SpecError(f"{where} is not JSON: {error}", remedy="fetch the file again; it may be cut off") from error


def _row(data: object, where: str, file: Path) -> Row:
    if not isinstance(data, dict):
        raise SpecError(f"{where} is not a record", remedy="a record is a JSON object")
    return Row(where, data, file.parent)


def _parquet_rows(file: Path) -> Iterator[Row]:
    split = _split_in(file)
    for number, data, pictures in parquet_rows(file):
        yield Row(f"{file.name}#{number + 1}", {**split, **data}, file.parent, pictures)


def _split_in(file: Path) -> dict[str, str]:
    """Return the split of a file named as Hugging Face does: `data/test-00000-of-00001.parquet`."""
    for name in (file.stem, file.parent.name):
        if found := _SPLIT.search(name):
            return {"split": found[1]}
    return {}
