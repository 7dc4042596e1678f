"""MiniWoB++'s pages: found in their package without importing it, and carried into a computer."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import io
import tarfile
from pathlib import Path

from proctor.errors import MissingExtra, UnknownName

INSIDE = "/run/miniwob"
"""Where the pages lie in a computer: in memory, where the agent's user cannot change them, and not among the files
whose changes are looked for."""
OUTCOME = "proctorOutcome"
"""The function by which a page tells how its problem ended."""
BEGUN = "proctorBegun"
"""What is true in a page whose problem we began."""
REWARD = (
    "({done: WOB_DONE_GLOBAL === true, raw: Number(WOB_RAW_REWARD_GLOBAL), reward: Number(WOB_REWARD_GLOBAL),"
    " reason: WOB_REWARD_REASON === null ? '' : String(WOB_REWARD_REASON)})"
)
"""How its problem ended, in the page's own words."""
_FOLDERS = ("miniwob", "core", "common")
"""What a task's page needs, of all that the package has."""
_NOT_SERVED = (".py", ".pyc", ".md")


def folder() -> Path:
    """Return the folder of the pages; raises MissingExtra where the package is not installed."""
    spec = importlib.util.find_spec("miniwob")
    places = spec.submodule_search_locations if spec else None
    found = Path(next(iter(places))) / "html" if places else None
    if found is None or not (found / "core" / "core.js").is_file():
        raise MissingExtra("the suite 'miniwob'", "miniwob")
    return found


@functools.cache
def names() -> tuple[str, ...]:
    """Return the name of every task that the package has, sorted."""
    return tuple(sorted(path.stem for path in (folder() / "miniwob").glob("*.html")))


@functools.cache
def digest(name: str) -> str:
    """Return the SHA-256 of a task's page; raises UnknownName where the package has no such task."""
    if name not in names():
        raise UnknownName("page of MiniWoB++", name, names())
    return hashlib.sha256((folder() / "miniwob" / f"{name}.html").read_bytes()).hexdigest()


def address(name: str) -> str:
    """Return where a task's page is found inside a computer."""
    return f"file://{INSIDE}/miniwob/{name}.html"


@functools.cache
def pages_as_tar() -> bytes:
    """Return all pages and what they use, as a tar; the same bytes each time."""
    buffer = io.BytesIO()
    root = folder()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for place in _FOLDERS:
            for path in sorted((root / place).rglob("*")):
                if path.is_file() and path.suffix not in _NOT_SERVED:
                    member = tarfile.TarInfo(str(path.relative_to(root)))
                    data = path.read_bytes()
                    member.size, member.mode = len(data), 0o644
                    tar.addfile(member, io.BytesIO(data))
    return buffer.getvalue()
