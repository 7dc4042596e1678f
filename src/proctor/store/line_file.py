"""Files of JSON lines that are only added to; what a kill leaves half written is cut off."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from proctor.store.files import disk_trouble, open_to_change, read_whole, write_fully


def text_of_lines(lines: Iterable[Mapping[str, object]]) -> bytes:
    """Return lines as such a file has them."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def append_lines(path: Path, lines: Iterable[Mapping[str, object]]) -> None:
    """Add lines, so that they outlive a loss of power."""
    with disk_trouble(path), os.fdopen(open_to_change(path), "r+b", buffering=0) as file:
        file.seek(0, os.SEEK_END)
        write_fully(file.fileno(), text_of_lines(lines))
        os.fsync(file.fileno())


def drop_torn_line(path: Path) -> None:
    """Cut off the line that was being written when its writer was killed."""
    with disk_trouble(path), os.fdopen(open_to_change(path), "r+b") as file:
        data = file.read()
        if not data.endswith(b"\n"):
            file.truncate(data.rfind(b"\n") + 1)


def read_lines(path: Path) -> Iterator[Any]:
    """Yield what each line says, a torn one at the end left out; nothing where there is no file."""
    if not os.path.lexists(path):
        return
    drop_torn_line(path)
    # What a line quotes may hold any character; only a line feed ends it.
    for line in read_whole(path).split(b"\n")[:-1]:
        yield json.loads(line)
