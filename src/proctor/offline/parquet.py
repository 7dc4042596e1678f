"""Records in Parquet files, with pictures that stay in the file until they are looked at."""

from __future__ import annotations

import importlib
import re
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from proctor.errors import MissingExtra, RecordError, SpecError
from proctor.offline.sample import Shot

BATCH = 16
"""Rows that are decoded at a time where they hold pictures."""
KEPT_BATCHES = 8
"""Of one column: several workers ask for rows that are near each other."""
MOST_OPEN = 8
_REMEDY = "fetch the file again; it may be cut off"
_NAMED = re.compile(r"(.*\.parquet)#([0-9]+)\.(.*)", re.IGNORECASE | re.DOTALL)


class ParquetRow(NamedTuple):
    """A row, its pictures replaced by where they are."""

    number: int
    data: dict[str, Any]
    pictures: dict[str, Shot]
    """Pictures in lists of the row, by the paths that they had once: another column may name them."""


@dataclass(frozen=True, slots=True)
class PictureCell:
    """A picture inside a Parquet file."""

    path: Path
    row: int
    column: str
    inside: tuple[str | int, ...] = ()
    """The way to it, where the column holds lists or records with pictures in them."""

    @property
    def name(self) -> str:
        """File, row, column and what leads on from there."""
        return "/".join([f"{self.path}#{self.row}.{self.column}", *map(str, self.inside)])

    @classmethod
    def of_name(cls, name: str) -> PictureCell | None:
        """Return the cell of a name; None for the name of something else."""
        if not (found := _NAMED.fullmatch(name)):
            return None
        column, *inside = found[3].split("/")
        way = tuple(int(part) if part.isdecimal() else part for part in inside)
        return cls(Path(found[1]), int(found[2]), column, way)

    def read(self) -> bytes:
        """Return its bytes; raises RecordError."""
        try:
            found = _column(self.path, self.column).cell(self.row)
            for step in self.inside:
                found = found[step]
            return bytes((found or {}).get("bytes") or b"") if isinstance(found, dict) else bytes(found)
        except (OSError, ValueError, TypeError, LookupError) as error:
            raise RecordError(f"{self.name} cannot be read: {error}", remedy="fetch the file again") from error


def parquet_rows(path: Path) -> Iterator[ParquetRow]:
    """Walk the rows of a file without keeping their pictures; raises SpecError for another file."""
    parquet, arrow = _library(), importlib.import_module("pyarrow")
    try:
        with parquet.ParquetFile(path, memory_map=True) as file:
            schema = file.schema_arrow
            plain = [name for name in schema.names if _is_picture(schema.field(name).type, arrow)]
            nested = [name for name in schema.names if name not in plain and _has_bytes(schema.field(name).type, arrow)]
            read = [name for name in schema.names if name not in plain]
            number = 0
            for batch in file.iter_batches(BATCH if nested else 1024, columns=read):
                for data in batch.to_pylist():
                    found: dict[str, Shot] = {}
                    for name in nested:
                        data[name] = _lift_pictures(data[name], PictureCell(path, number, name), found)
                    data |= {name: Shot(PictureCell(path, number, name)) for name in plain}
                    yield ParquetRow(number, data, found)
                    number += 1
    except (OSError, arrow.ArrowException) as error:
        raise SpecError(f"{path} is not Parquet: {error}", remedy=_REMEDY) from error


def _library() -> Any:
    try:
        return importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise MissingExtra("reading Parquet", "parquet") from error


def _is_picture(kind: Any, arrow: Any) -> bool:
    if arrow.types.is_struct(kind):
        return any(_is_binary(each.type, arrow) for each in kind)
    return _is_binary(kind, arrow)


def _has_bytes(kind: Any, arrow: Any) -> bool:
    if arrow.types.is_list(kind) or arrow.types.is_large_list(kind):
        return _is_picture(kind.value_type, arrow) or _has_bytes(kind.value_type, arrow)
    return arrow.types.is_struct(kind) and any(
        _is_picture(each.type, arrow) or _has_bytes(each.type, arrow) for each in kind
    )


def _is_binary(kind: Any, arrow: Any) -> bool:
    return bool(arrow.types.is_binary(kind) or arrow.types.is_large_binary(kind))


def _lift_pictures(value: Any, cell: PictureCell, found: dict[str, Shot]) -> Any:
    """Return a value with its pictures replaced by where they are, and note those that have paths."""
    if isinstance(value, bytes) or (isinstance(value, dict) and isinstance(value.get("bytes"), bytes)):
        shot = Shot(cell)
        if isinstance(value, dict) and isinstance(named := value.get("path"), str):
            found.setdefault(named, shot)
        return shot

    def below(step: str | int) -> PictureCell:
        return PictureCell(cell.path, cell.row, cell.column, (*cell.inside, step))

    if isinstance(value, dict):
        return {name: _lift_pictures(each, below(name), found) for name, each in value.items()}
    if isinstance(value, list):
        return [_lift_pictures(each, below(place), found) for place, each in enumerate(value)]
    return value


class _Column:
    """One column, read forward a few rows at a time: public sets have one group of rows."""

    def __init__(self, path: Path, column: str) -> None:
        self._file = _library().ParquetFile(path, memory_map=True)
        self._name = column
        groups = [self._file.metadata.row_group(group).num_rows for group in range(self._file.num_row_groups)]
        self._starts = [0, *accumulate(groups)]
        self._lock = threading.Lock()
        self._next = 0
        self._batches: Iterator[Any] = iter(())
        self._kept: OrderedDict[int, Any] = OrderedDict()
        """By the number of their first row."""

    def cell(self, row: int) -> Any:
        if row >= self._starts[-1]:
            raise IndexError(f"there are {self._starts[-1]} rows")
        with self._lock:
            while (found := self._among_kept(row)) is None:
                self._advance(row)
            start, batch = found
            return batch.column(0)[row - start].as_py()

    def _among_kept(self, row: int) -> tuple[int, Any] | None:
        return next(
            ((start, batch) for start, batch in self._kept.items() if start <= row < start + batch.num_rows), None
        )

    def _advance(self, row: int) -> None:
        """Decode the next rows on the way to one, from the start of its group if that is no detour."""
        group = bisect_right(self._starts, row) - 1
        if row < self._next or self._starts[group] > self._next or not self._next:
            self._next = self._starts[group]
            groups = list(range(group, len(self._starts) - 1))
            self._batches = self._file.iter_batches(BATCH, row_groups=groups, columns=[self._name])
        batch = next(self._batches)
        self._kept[self._next] = batch
        self._kept.move_to_end(self._next)
        self._next += batch.num_rows
        while len(self._kept) > KEPT_BATCHES:
            self._kept.popitem(last=False)


_OPEN: OrderedDict[tuple[Path, str, int, int], _Column] = OrderedDict()
_OPENING = threading.Lock()


def _column(path: Path, column: str) -> _Column:
    state = path.stat()
    key = path, column, state.st_mtime_ns, state.st_size
    with _OPENING:
        if key not in _OPEN:
            _OPEN[key] = _Column(path, column)
        _OPEN.move_to_end(key)
        while len(_OPEN) > MOST_OPEN:
            # Whoever still reads from it holds it open.
            _OPEN.popitem(last=False)
        return _OPEN[key]
