"""Probes that look at plain files and folders."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Any

from pydantic import Field

from proctor.computers.computer import FileInfo
from proctor.home import absolute, printable
from proctor.tasks.collateral import TRASH, noise, sort_out
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import MOST_TEXT, ProbeContext
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.text.parse import decode, manner, unseen_manner

MOST_ENTRIES = 5000
"""Entries of a folder, or of a whole tree of folders, that are looked at."""
MOST_DEPTH = 20
MOST_DIGESTED = 1_000
"""Files of which a digest is made."""


@PROBES.register
def file(context: ProbeContext, path: str) -> dict[str, object]:
    """What is at a path: kind, size and mode; links are not followed, files not opened.

    `out_of_reach` is told where its owner may not read it, or not enter it.
    """
    info = context.info(path)
    if info is None:
        raise CannotSee("absent", f"there is nothing at {path}")
    return {"path": path, "kind": info.kind, "size": info.size, "mode": info.mode, **_reach(info)}


@PROBES.register_with(whole="file", noise=unseen_manner)
def text(context: ProbeContext, path: str) -> dict[str, object]:
    """The text of a file, read as UTF-8, and its line endings."""
    data = context.read(path, most=MOST_TEXT)
    return {"path": path, "text": decode(data, path), **manner(data)}


@PROBES.register
def before(context: ProbeContext, path: str) -> dict[str, object]:
    """The text of a file as it was when the task began."""
    return {"path": f"{path} as it was", "text": decode(context.before(path, most=MOST_TEXT), path)}


@PROBES.register
def folder(context: ProbeContext, path: str, deep: bool = False) -> dict[str, object]:
    """What is in a folder (with `deep`, also in its subfolders): names, kinds, sizes and modes.

    Links are not followed.
    """
    info = context.info(path)
    if info is None:
        raise CannotSee("absent", f"there is no folder {path}")
    if info.kind != "folder":
        raise CannotSee("refused", f"{path} is not a folder")
    entries = []
    for name, entry in _below(context, path, "", MOST_DEPTH if deep else 1):
        mode = {} if entry.kind == "link" else {"mode": entry.mode}
        entries.append({"name": name, "kind": entry.kind, "size": entry.size, **mode, **_reach(entry)})
        if len(entries) > MOST_ENTRIES:
            raise CannotSee("refused", f"{path} holds more than the {MOST_ENTRIES:,} entries that are looked at")
    return {"path": path, "entries": entries}


@PROBES.register
def link(context: ProbeContext, path: str) -> dict[str, object]:
    """The target of a symbolic link, as written; it is not followed."""
    info = context.info(path)
    if info is None:
        raise CannotSee("absent", f"there is no link {path}")
    if info.kind != "link":
        raise CannotSee("refused", f"{path} is a {info.kind}, not a link")
    place = absolute(path, context.computer.home)
    # Not with the agent's rights, who may have locked everybody else out of its folders.
    read = context.run(["readlink", "--no-newline", "--", place], root=context.computer.parts.programs is not None)
    if read.code != 0:
        raise CannotSee("absent", f"there is no link {path} any more")
    return {"path": path, "target": read.stdout}


@PROBES.register
def digest(context: ProbeContext, path: str) -> dict[str, object]:
    """The SHA-256 of a file, now and when the task began (None where it did not exist then).

    Where the file has other names as well, by hard links, it says how many it has.
    """
    now = context.read(path)
    then = context.computer.before(path) if "changes" in context.computer.capabilities else None
    info = context.info(path)
    links = {"links": info.links} if info is not None and info.links > 1 else {}
    return {"path": path, "sha256": _sha256(now), "before": None if then is None else _sha256(then), **links}


@PROBES.register
def digest_before(context: ProbeContext, path: str) -> dict[str, object]:
    """The SHA-256 of a file as it was when the task began."""
    return {"path": f"{path} as it was", "sha256": _sha256(context.before(path))}


@PROBES.register
def copies(context: ProbeContext, paths: Annotated[list[str], Field(min_length=1)]) -> dict[str, object]:
    """Which other files, outside the trash, now have the content that files had when the task began."""
    held = {_sha256(data): path for path in paths if (data := context.computer.before(path)) is not None}
    sizes = {len(context.computer.before(path) or b"") for path in held.values()}
    home = context.computer.home
    found: dict[str, list[str]] = {path: [] for path in paths}
    for change in context.computer.changes():
        elsewhere = change.kind != "deleted" and change.path not in {absolute(path, home) for path in paths}
        if change.file != "file" or change.size not in sizes or not elsewhere or f"/{TRASH}/" in change.path:
            continue
        with suppress(CannotSee):
            source = held.get(_sha256(context.read(change.path)))
            found.get(source or "", []).append(printable(change.path))
    return {"path": "the user's files", "copies": found}


@PROBES.register
def folder_digests(context: ProbeContext, path: str) -> dict[str, object]:
    """The SHA-256 of all files in a folder and its subfolders, sorted."""
    files = [entry for _, entry in _below(context, path, "", MOST_DEPTH) if entry.kind == "file"]
    if len(files) > MOST_DIGESTED:
        raise CannotSee("refused", f"{path} holds more than the {MOST_DIGESTED:,} files that are looked at")
    return {"path": path, "digests": sorted(_sha256(context.read(entry.path)) for entry in files)}


@PROBES.register
def changes(context: ProbeContext, besides: list[str] | None = None, apps: list[str] | None = None) -> dict[str, Any]:
    """The user's own files that were created, changed or deleted since the task began.

    Hidden files, what the desktop and the named applications always write, and paths that fit `besides` (relative to
    the home folder, with `*` and `**`) are left out.
    """
    ignored = noise(tuple(apps or ()))
    found: dict[str, Any] = {"path": "the user's files", "created": [], "changed": [], "deleted": []}
    home = context.computer.home
    for effect in sort_out(context.computer.changes(), (), (*(besides or ()), *ignored), home=home):
        if effect.path == "/":
            raise CannotSee("refused", "more files were changed than are looked at")
        inside = effect.path.removeprefix(f"{home}/")
        if effect.path.startswith(f"{home}/") and not any(part.startswith(".") for part in inside.split("/")):
            found[effect.kind].append(inside)
    return found


def _reach(info: FileInfo) -> dict[str, object]:
    """Return whether the owner of a file is kept out of it, where that is so."""
    needed = {"file": stat.S_IRUSR, "folder": stat.S_IRUSR | stat.S_IXUSR}.get(info.kind, 0)
    return {} if info.mode & needed == needed else {"out_of_reach": True}


def _below(context: ProbeContext, path: str, above: str, depth: int) -> Iterator[tuple[str, FileInfo]]:
    for entry in context.entries(path):
        name = above + printable(entry.path.rpartition("/")[2])
        yield name, entry
        if entry.kind == "folder" and depth > 1:
            yield from _below(context, entry.path, f"{name}/", depth - 1)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
