"""Probes that look at notes and lists of tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from xml.etree.ElementTree import Element

from proctor.tasks.finding import CannotSee
from proctor.tasks.guard import parse_xml
from proctor.tasks.probes.files import decoded
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES

MOST_NOTES = 300
MOST_DEPTH = 8
MOST_NOTE_BYTES = 2**20
GNOTE_FOLDER = ".local/share/gnote"
GTG_FILE = ".local/share/gtg/gtg_data.xml"
NOTEBOOK_TAG = "system:notebook:"


@PROBES.register
def notebook(scene: Scene, path: str) -> dict[str, Any]:
    """The pages of a Zim notebook: names like `Recipes:Soup`, and their text without headers and title."""
    if scene.info(path) is None:
        raise CannotSee("absent", f"there is no notebook at {path}")
    notes = []
    for file in _pages(scene, path, MOST_DEPTH):
        name = file.removeprefix(f"{path}/").removesuffix(".txt").replace("/", ":").replace("_", " ")
        notes.append({"title": name, "text": zim_text(decoded(scene.read(file, most=MOST_NOTE_BYTES), file))})
        if len(notes) > MOST_NOTES:
            raise CannotSee("refused", f"{path} has more than the {MOST_NOTES} pages that are looked at")
    return {"path": path, "notes": notes}


def _pages(scene: Scene, folder: str, depth: int) -> Iterator[str]:
    for entry in scene.computer.list_files(folder):
        name = entry.path.rpartition("/")[2]
        if entry.kind == "folder" and depth and not name.startswith("."):
            yield from _pages(scene, f"{folder}/{name}", depth - 1)
        elif entry.kind == "file" and name.endswith(".txt"):
            yield f"{folder}/{name}"


def zim_text(text: str) -> str:
    """Return what stands on a page: without its headers, its title and the line that says when it was made."""
    if text.startswith("Content-Type: text/x-zim-wiki"):
        text = text.partition("\n\n")[2]
    text = re.sub(r"\A\s*====== .*? ======[ \t]*(\n|\Z)", "", text)
    return re.sub(r"\ACreated \w+ \d+ \w+ \d{4}[ \t]*(\n|\Z)", "", text).strip("\n")


@PROBES.register
def gnote(scene: Scene) -> dict[str, Any]:
    """The notes of Gnote: title, text without the title, and the notebook they are filed in."""
    if scene.info(GNOTE_FOLDER) is None:
        raise CannotSee("absent", "Gnote has no notes")
    files = [
        entry.path.rpartition("/")[2]
        for entry in scene.computer.list_files(GNOTE_FOLDER)
        if entry.path.endswith(".note") and entry.kind == "file"
    ]
    if len(files) > MOST_NOTES:
        raise CannotSee("refused", f"Gnote has more than the {MOST_NOTES} notes that are looked at")
    read = [gnote_note(scene.read(f"{GNOTE_FOLDER}/{name}", most=MOST_NOTE_BYTES), name) for name in files]
    return {"path": "Gnote", "notes": [note for note in read if note is not None]}


def gnote_note(data: bytes, label: str) -> dict[str, Any] | None:
    """Return one note; None for the templates that new notes are made of."""
    root = _bare(parse_xml(data, label))
    tags = [(tag.text or "").strip() for tag in root.iter("tag")]
    if "system:template" in tags:
        return None
    content = next(root.iter("note-content"), None)
    title = (root.findtext("title") or "").strip()
    lines = "".join(content.itertext()).split("\n") if content is not None else []
    if lines and lines[0].strip() == title:
        lines = lines[1:]
    filed = [tag.removeprefix(NOTEBOOK_TAG) for tag in tags if tag.startswith(NOTEBOOK_TAG)]
    return {"title": title, "text": "\n".join(lines).strip("\n"), "notebook": filed[0] if filed else ""}


@PROBES.register
def todo(scene: Scene) -> dict[str, Any]:
    """The tasks of GTG: title, text, status (Active, Done or Dismiss), due and start date, tags."""
    return {"path": "the list of tasks", "tasks": gtg_tasks(scene.read(GTG_FILE), GTG_FILE)}


def gtg_tasks(data: bytes, label: str) -> list[dict[str, Any]]:
    """Return the tasks in GTG's file."""
    root = parse_xml(data, label)
    names = {tag.get("id", ""): tag.get("name", "") for tag in root.iterfind("taglist/tag")}
    return [
        {
            "title": (task.findtext("title") or "").strip(),
            # GTG reads signs such as `&amp;` in it as what they stand for.
            "text": unescape(task.findtext("content") or "").strip(),
            "status": task.get("status", ""),
            "due": _day(task, "due"),
            "start": _day(task, "start"),
            "tags": sorted(names.get((tag.text or "").strip(), "?") for tag in task.iterfind("tags/tag")),
        }
        for task in root.iterfind("tasklist/task")
    ]


def _day(task: Element, name: str) -> str:
    """Return a date without the time of day; words such as `soon` stay as they are."""
    text = (task.findtext(f"dates/{name}") or "").strip()
    return text[:10] if re.match(r"\d{4}-\d\d-\d\d", text) else text


def _bare(root: Element) -> Element:
    """Return the same elements without their namespaces."""
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root
