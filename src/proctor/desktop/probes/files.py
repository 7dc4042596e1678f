"""Probes that look at plain files and folders."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from proctor.computers.computer import FileInfo
from proctor.formats.text.reading import decoded
from proctor.home import printable
from proctor.tasks.collateral import noise, sort_out
from proctor.tasks.finding import CannotSee
from proctor.tasks.scene import MOST_TEXT, Scene
from proctor.tasks.shelves import PROBES

MOST_ENTRIES = 5000
"""Entries of a folder, or of a whole tree of folders, that are looked at."""
MOST_DEPTH = 20


@PROBES.register
def file(scene: Scene, path: str) -> dict[str, Any]:
    """What stands at a path: kind, size and mode; not followed, not opened."""
    info = scene.info(path)
    if info is None:
        raise CannotSee("absent", f"there is nothing at {path}")
    return {"path": path, "kind": info.kind, "size": info.size, "mode": info.mode}


@PROBES.register
def text(scene: Scene, path: str) -> dict[str, Any]:
    """The text of a file, read as UTF-8."""
    return {"path": path, "text": decoded(scene.read(path, most=MOST_TEXT), path)}


@PROBES.register
def before(scene: Scene, path: str) -> dict[str, Any]:
    """The text of a file as it was when the task began."""
    return {"path": f"{path} as it was", "text": decoded(scene.before(path, most=MOST_TEXT), path)}


@PROBES.register
def folder(scene: Scene, path: str, deep: bool = False) -> dict[str, Any]:
    """What a folder holds: names (below each other with `deep`), kinds and sizes; links are not followed."""
    info = scene.info(path)
    if info is None:
        raise CannotSee("absent", f"there is no folder {path}")
    if info.kind != "folder":
        raise CannotSee("refused", f"{path} is not a folder")
    entries = []
    for name, entry in _below(scene, path, "", MOST_DEPTH if deep else 1):
        entries.append({"name": name, "kind": entry.kind, "size": entry.size})
        if len(entries) > MOST_ENTRIES:
            raise CannotSee("refused", f"{path} holds more than the {MOST_ENTRIES:,} entries that are looked at")
    return {"path": path, "entries": entries}


@PROBES.register
def link(scene: Scene, path: str) -> dict[str, Any]:
    """Where a symbolic link leads, as it is written; it is not followed."""
    info = scene.info(path)
    if info is None:
        raise CannotSee("absent", f"there is no link {path}")
    if info.kind != "link":
        raise CannotSee("refused", f"{path} is a {info.kind}, not a link")
    read = scene.run(["readlink", "--no-newline", "--", path])
    if read.code != 0:
        raise CannotSee("absent", f"there is no link {path} any more")
    return {"path": path, "target": read.stdout}


@PROBES.register
def digest(scene: Scene, path: str) -> dict[str, Any]:
    """The SHA-256 of a file, now and when the task began (None where it did not exist then)."""
    now = scene.read(path)
    then = scene.computer.before(path) if "changes" in scene.computer.capabilities else None
    return {"path": path, "sha256": _sha256(now), "before": None if then is None else _sha256(then)}


@PROBES.register
def changes(scene: Scene, besides: list[str] | None = None, apps: list[str] | None = None) -> dict[str, Any]:
    """The user's own files that were created, changed or deleted since the task began.

    Hidden files, what the desktop and the named applications always write, and paths that fit `besides` (relative to
    the home folder, with `*` and `**`) are left out.
    """
    ignored = noise(tuple(apps or ()))
    found: dict[str, Any] = {"path": "the user's files", "created": [], "changed": [], "deleted": []}
    home = scene.computer.home
    for effect in sort_out(scene.computer.changes(), besides or (), ignored, home=home):
        if effect.path == "/":
            raise CannotSee("refused", "more files were changed than are looked at")
        inside = effect.path.removeprefix(f"{home}/")
        if effect.path.startswith(f"{home}/") and not any(part.startswith(".") for part in inside.split("/")):
            found[effect.kind].append(inside)
    return found


def _below(scene: Scene, path: str, above: str, depth: int) -> Iterator[tuple[str, FileInfo]]:
    for entry in scene.entries(path):
        name = above + printable(entry.path.rpartition("/")[2])
        yield name, entry
        if entry.kind == "folder" and depth > 1:
            yield from _below(scene, entry.path, f"{name}/", depth - 1)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
