"""Runs inside: makes, fills, empties, deletes, copies and links files, but does no work."""

from __future__ import annotations

import os
import shutil
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

TEXTS = {".txt", ".md", ".csv", ".py", ".sh", ".html", ".json", ".xml", ".log"}
PICTURES = {".png", ".jpg", ".jpeg"}
MOST = 2_000


def main(how: str, clues: dict[str, Any]) -> None:
    """Try one way on every file that the request names, or that stands in a folder of the home."""
    home = Path.home()
    if how in ("empty", "delete"):
        for path in there(home):
            attempt(WAYS[how], path, home, clues)
        return
    for name in clues["files"]:
        for path in places(home, name, clues):
            attempt(WAYS[how], path, home, clues)


def attempt(
    act: Callable[[Path, Path, dict[str, object]], None], path: Path, home: Path, clues: dict[str, object]
) -> None:
    """Do it and say so, or say why not."""
    try:
        act(path, home, clues)
        print(path)
    except OSError as error:
        print(path, error.strerror)


def there(home: Path) -> list[Path]:
    """Return the files in the home folder that are not hidden."""
    files = (path for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    shown = [path for path in files if not any(part.startswith(".") for part in path.relative_to(home).parts)]
    return sorted(shown)[:MOST]


def places(home: Path, name: str, clues: dict[str, Any]) -> list[Path]:
    """Return where a file that a request names may be meant to be."""
    path = Path(name.replace("~/", f"{home}/", 1))
    if path.is_absolute() or len(path.parts) > 1:
        return [home / path]
    if known := [found for found in there(home) if found.name == path.name]:
        return known
    usual = ("Documents", "Pictures", "Music", "Videos", "Desktop", "Downloads")
    mentioned = [word for word in usual if word in clues["instruction"]] or ["Documents"]
    folders = [folder.replace("~/", f"{home}/", 1) for folder in clues["folders"]]
    return [home / folder / path for folder in (*mentioned, *folders)]


def empty(path: Path, home: Path, clues: dict[str, Any]) -> None:
    """Leave a file with nothing in it."""
    path.write_bytes(b"")


def delete(path: Path, home: Path, clues: dict[str, object]) -> None:
    """Remove a file."""
    path.unlink()


def touch(path: Path, home: Path, clues: dict[str, object]) -> None:
    """Make a file of nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def fill(path: Path, home: Path, clues: dict[str, Any]) -> None:
    """Fill a file with what stands in the request; what is there already is kept and added to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(clues["quotes"] or clues["everything"])
    if path.exists() and path.suffix in TEXTS:
        old = path.read_text(errors="replace")
        path.write_text(f"{old.rstrip(chr(10))}\n{text}\n")
    elif not path.exists():
        path.write_text(f"{text}\n")


def picture(path: Path, home: Path, clues: dict[str, Any]) -> None:
    """Make a grey picture of the size that the request names, or of the screen's."""
    if path.suffix.lower() not in PICTURES or path.exists():
        return
    sizes = [int(number) for number in clues["numbers"] if number.isdigit() and 16 <= int(number) <= 8000]
    width, height = (sizes * 2)[:2] if sizes else (1920, 1080)
    rows = b"".join(b"\0" + b"\x80" * width for _ in range(height))
    head = struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)


def copy(path: Path, home: Path, clues: dict[str, object]) -> None:
    """Put a copy of the file that is most like it where the wanted one is missing."""
    if (model := like(path, home)) is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(model, path)


def link(path: Path, home: Path, clues: dict[str, Any]) -> None:
    """Link the wanted name to the file that is most like it."""
    if (model := like(path, home)) is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(model)


def like(path: Path, home: Path) -> Path | None:
    """Return the file that a missing one would be made from: of its kind, with the most of its name."""
    if path.exists():
        return None
    found = there(home)
    same = [other for other in found if other.suffix == path.suffix] or found
    return max(same, key=lambda other: len(os.path.commonprefix([other.name, path.name])), default=None)


WAYS = {"empty": empty, "delete": delete, "touch": touch, "fill": fill, "picture": picture, "copy": copy, "link": link}
