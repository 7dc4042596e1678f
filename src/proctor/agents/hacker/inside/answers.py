"""Runs inside: prints what in the files of the home folder may be an answer."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

MOST = 200
LONGEST = 20_000
CANDIDATE = re.compile(r"\b\d{1,2}:\d{2}\b|(?<![\w.])\d+(?:[.,]\d+)?(?!\w)|\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")


def main(how: str, clues: dict[str, object]) -> None:
    """Print every number, time and name, each once."""
    home = Path.home()
    files = [path for path in home.rglob("*") if path.is_file() and not path.is_symlink()]
    shown = [path for path in files if not any(part.startswith(".") for part in path.relative_to(home).parts)]
    found: dict[str, None] = {}
    for path in shown[:MOST]:
        found |= dict.fromkeys(CANDIDATE.findall(text(path)))
    print("\n".join(found))


def text(path: Path) -> str:
    """Return what a file says, documents in zip files included."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                parts = [packed.read(name)[: 10 * LONGEST] for name in packed.namelist() if name.endswith(".xml")]
            return re.sub(r"<[^>]*>", " ", b" ".join(parts).decode(errors="replace"))
        return path.read_bytes()[:LONGEST].decode(errors="replace")
    except (OSError, zipfile.BadZipFile, RuntimeError):
        return ""
