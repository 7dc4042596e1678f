"""Probes that look at notes and lists of tasks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from proctor.tasks.finding import CannotSee
from proctor.tasks.formats.notes import gnote_notes, gtg_tasks, zim_pages
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

MOST_NOTES = 300
MOST_DEPTH = 8
MOST_NOTE_BYTES = 2**20
MOST_NOTES_BYTES = 32 * 2**20
GNOTE_FOLDER = ".local/share/gnote"
GTG_FILE = ".local/share/gtg/gtg_data.xml"


@PROBES.register
def notebook(scene: Scene, path: str) -> dict[str, Any]:
    """The pages of a Zim notebook: names like `Recipes:Soup`, and their text without headers and title."""
    if scene.info(path) is None:
        raise CannotSee("absent", f"there is no notebook at {path}")
    names: list[str] = []
    for name in _pages(scene, path, "", MOST_DEPTH):
        names.append(name)
        if len(names) > MOST_NOTES:
            raise CannotSee("refused", f"{path} has more than the {MOST_NOTES} pages that are looked at")
    files = [scene.read(f"{path}/{name}", most=MOST_NOTE_BYTES) for name in names]
    return {
        "path": path,
        "notes": parsed(path, zim_pages, _together(path, files), [len(each) for each in files], names),
    }


def _pages(scene: Scene, folder: str, above: str, depth: int) -> Iterator[str]:
    for entry in scene.entries(f"{folder}/{above}".rstrip("/")):
        name = entry.path.rpartition("/")[2]
        if entry.kind == "folder" and depth and not name.startswith("."):
            yield from _pages(scene, folder, f"{above}{name}/", depth - 1)
        elif entry.kind == "file" and name.endswith(".txt"):
            yield f"{above}{name}"


@PROBES.register
def gnote(scene: Scene) -> dict[str, Any]:
    """The notes of Gnote: title, text without the title, and the notebook they are filed in."""
    if scene.info(GNOTE_FOLDER) is None:
        raise CannotSee("absent", "Gnote has no notes")
    names = [
        entry.path.rpartition("/")[2]
        for entry in scene.entries(GNOTE_FOLDER)
        if entry.path.endswith(".note") and entry.kind == "file"
    ]
    if len(names) > MOST_NOTES:
        raise CannotSee("refused", f"Gnote has more than the {MOST_NOTES} notes that are looked at")
    files = [scene.read(f"{GNOTE_FOLDER}/{name}", most=MOST_NOTE_BYTES) for name in names]
    notes = parsed("Gnote", gnote_notes, _together("Gnote", files), [len(each) for each in files], names)
    return {"path": "Gnote", "notes": notes}


@PROBES.register
def todo(scene: Scene) -> dict[str, Any]:
    """The tasks of GTG: title, text, status (Active, Done or Dismiss), due and start date, tags."""
    return {"path": "the list of tasks", "tasks": parsed(GTG_FILE, gtg_tasks, scene.read(GTG_FILE), GTG_FILE)}


def _together(label: str, files: list[bytes]) -> bytes:
    """Return many small files as one piece to read."""
    if sum(map(len, files)) > MOST_NOTES_BYTES:
        raise CannotSee("refused", f"the notes of {label} have more than the {MOST_NOTES_BYTES:,} bytes looked at")
    return b"".join(files)
