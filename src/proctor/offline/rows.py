"""The records of a data set on disk: lines of JSON, a JSON list, a folder of such files, or Parquet."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from proctor.errors import MissingExtra, RecordError, SpecError
from proctor.offline.sample import File, Shot
from proctor.store.bounded import load_json

MOST_BYTES = 4 << 30
IMAGE_FOLDERS = ("", "images", "image", "imgs", "screenshots", "screenspotv2_image", "screenspot_imgs", "observations")
"""Where sets keep their pictures, beside the records or one folder up."""


class Row(NamedTuple):
    """One record and where it stands."""

    where: str
    data: dict[str, Any]
    folder: Path
    """Of the file that it stands in."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A picture inside a Parquet file."""

    path: Path
    row: int
    column: str

    @property
    def name(self) -> str:
        """File, row and column."""
        return f"{self.path}#{self.row}.{self.column}"

    def read(self) -> bytes:
        """Return its bytes; only the group of rows that it stands in is read."""
        parquet = _parquet()
        try:
            with parquet.ParquetFile(self.path) as file:
                begun = 0
                for group in range(file.num_row_groups):
                    count = file.metadata.row_group(group).num_rows
                    if self.row < begun + count:
                        column = file.read_row_group(group, columns=[self.column])[self.column]
                        found = column[self.row - begun].as_py()
                        return bytes((found or {}).get("bytes") or b"") if isinstance(found, dict) else bytes(found)
                    begun += count
        except (OSError, ValueError, TypeError) as error:
            raise RecordError(f"{self.name} cannot be read: {error}", remedy="fetch the file again") from error
        raise RecordError(f"{self.name} is not there", remedy="fetch the file again")


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
    for pattern in ("*.jsonl", "*.parquet", "data/*.parquet", "*.json", "annotations/*.json", "benchmark/*.json"):
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


def _parquet() -> Any:
    try:
        return importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise MissingExtra("reading Parquet", "parquet") from error


def _parquet_rows(path: Path) -> Iterator[Row]:
    """Walk rows without their pictures, which stay in the file until they are looked at."""
    parquet, arrow = _parquet(), importlib.import_module("pyarrow")
    try:
        with parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            pictures = [name for name in schema.names if _holds_bytes(schema.field(name).type, arrow)]
            number = 0
            for batch in file.iter_batches(columns=[name for name in schema.names if name not in pictures]):
                for data in batch.to_pylist():
                    cells = {name: Shot(Cell(path, number, name)) for name in pictures}
                    yield Row(f"{path.name}#{number + 1}", {**data, **cells}, path.parent)
                    number += 1
    except (OSError, arrow.ArrowException) as error:
        raise SpecError(f"{path} is not Parquet: {error}", remedy="fetch the file again; it may be cut off") from error


def _holds_bytes(kind: Any, arrow: Any) -> bool:
    if arrow.types.is_struct(kind):
        return any(arrow.types.is_binary(each.type) or arrow.types.is_large_binary(each.type) for each in kind)
    return bool(arrow.types.is_binary(kind) or arrow.types.is_large_binary(kind))


class Pictures:
    """Finds the pictures that records name, wherever their set keeps them."""

    def __init__(self, given: Path | None = None) -> None:
        self._given = given
        self._shots: dict[tuple[Path, str], Shot | None] = {}

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
        return None

    def _bases(self, folder: Path) -> list[Path]:
        roots = [self._given] if self._given else [folder, folder.parent]
        return [root / name for root in roots for name in IMAGE_FOLDERS]
