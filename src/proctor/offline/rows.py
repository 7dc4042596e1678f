"""The records of a data set on disk: lines of JSON, a JSON list, a folder of such files, or Parquet."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from proctor.errors import SpecError
from proctor.offline.parquet import parquet_rows
from proctor.offline.sample import File, Shot
from proctor.store.bounded import load_json

MOST_BYTES = 4 << 30
MOST_LOOKED_AT = 200_000
"""Files among which a picture is looked for that is in none of the usual places."""
_SPLIT = re.compile(r"(?:^|[-_.])(train|test|validation|val|dev)(?:[-_.]|$)")
IMAGE_FOLDERS = ("", "images", "image", "imgs", "screenshots", "screenspotv2_image", "screenspot_imgs", "observations")
"""Where sets keep their pictures, beside the records or one folder up."""
_PATTERNS = (
    "*.jsonl", "*.parquet", "data/*.parquet", "*.json", "annotations/*.json", "benchmark/*.json",
    "*/*.parquet", "*/*/*.parquet", "*/*.jsonl",
)  # fmt: skip
"""Where folders of sets have their records; the first that there is."""


class Row(NamedTuple):
    """One record and where it stands."""

    where: str
    data: dict[str, Any]
    folder: Path
    """Of the file that it stands in."""
    pictures: Mapping[str, Shot] = MappingProxyType({})
    """Those that it holds itself, by their names."""


def read_rows(data: Path, fits: Callable[[Row], bool]) -> Iterator[Row]:
    """Walk the records of a file or a folder; raises SpecError where there are none, or for what is not JSON.

    Of a folder that holds several things, only the files are read whose first record fits.
    """
    files = [data] if data.is_file() else _files(data)
    if not files:
        raise SpecError(f"{data} holds no records", remedy="name a .jsonl, .json or .parquet file, or a folder of them")
    if len(files) > 1:
        files = [file for file in files if _begins(file, fits)] or files[:1]
    for file in files:
        yield from _rows(file)


def _rows(file: Path) -> Iterator[Row]:
    return _parquet_rows(file) if file.suffix == ".parquet" else _json_rows(file)


def _begins(file: Path, fits: Callable[[Row], bool]) -> bool:
    """Tell whether the first record of a file fits; one that holds no records at all does not."""
    try:
        return (first := next(_rows(file), None)) is not None and fits(first)
    except SpecError:
        return False


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SpecError(f"{folder} is not there", remedy="name the file or folder that holds the records")
    for pattern in _PATTERNS:
        if found := sorted(folder.glob(pattern)):
            return found
    return []


def _json_rows(file: Path) -> Iterator[Row]:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise SpecError(f"{file} has more than {MOST_BYTES >> 30} GB", remedy="split it")
        if file.suffix == ".jsonl":
            with file.open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield _row(_parsed(line, f"{file}:{number}"), f"{file.name}:{number}", file)
            return
        found = _parsed(file.read_bytes(), str(file))
    except OSError as error:
        raise SpecError(f"{file} cannot be read: {error.strerror}", remedy="name a file that can be read") from error
    for number, each in enumerate(found if isinstance(found, list) else [found], 1):
        yield _row(each, f"{file.name}#{number}", file)


def _parsed(text: bytes, where: str) -> Any:
    try:
        return load_json(text)
    except ValueError as error:
        raise SpecError(f"{where} is not JSON: {error}", remedy="fetch the file again; it may be cut off") from error


def _row(data: Any, where: str, file: Path) -> Row:
    if not isinstance(data, dict):
        raise SpecError(f"{where} is not a record", remedy="a record is a JSON object")
    return Row(where, data, file.parent)


def _parquet_rows(file: Path) -> Iterator[Row]:
    split = _split_in(file)
    for number, data, pictures in parquet_rows(file):
        yield Row(f"{file.name}#{number + 1}", {**split, **data}, file.parent, pictures)


def _split_in(file: Path) -> dict[str, str]:
    """Return the split that a file is of, as Hugging Face names files: `data/test-00000-of-00001.parquet`."""
    for name in (file.stem, file.parent.name):
        if found := _SPLIT.search(name):
            return {"split": found[1]}
    return {}


class Pictures:
    """Finds the pictures that records name, wherever their set keeps them."""

    def __init__(self, given: Path | None = None) -> None:
        self._given = given
        self._shots: dict[tuple[Path, str], Shot | None] = {}
        self._below: dict[Path, dict[str, Path | None]] = {}

    def find(self, named: Any, folder: Path) -> Shot | None:
        """Return the picture that a record names; None where it is nowhere."""
        if isinstance(named, Shot):
            return named
        if isinstance(named, dict):
            named = named.get("path")
        if not isinstance(named, str) or not named or "\0" in named:
            return None
        if (folder, named) not in self._shots:
            self._shots[folder, named] = self._look(named.removeprefix("file://"), folder)
        return self._shots[folder, named]

    def _look(self, name: str, folder: Path) -> Shot | None:
        if Path(name).is_absolute() or ".." in Path(name).parts:
            # A record may come from anywhere; it names pictures of its own set only.
            name = Path(name).name
        for base in self._bases(folder):
            for inside in dict.fromkeys((name, Path(name).name)):
                if (path := base / inside).is_file():
                    return Shot(File(path))
        root = self._given or folder
        if root not in self._below:
            self._below[root] = _files_below(root)
        found = self._below[root].get(Path(name).name)
        return Shot(File(found)) if found else None

    def _bases(self, folder: Path) -> list[Path]:
        roots = [self._given] if self._given else [folder, folder.parent]
        return [root / name for root in roots for name in IMAGE_FOLDERS]


def _files_below(root: Path) -> dict[str, Path | None]:
    """Return the files in all folders below one, by their names; None for a name that several have."""
    found: dict[str, Path | None] = {}
    count = 0
    for place, _, names in os.walk(root):
        for name in names:
            count += 1
            found[name] = None if name in found else Path(place) / name
        if count > MOST_LOOKED_AT:
            break
    return found
