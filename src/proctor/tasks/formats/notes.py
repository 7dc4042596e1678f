"""Notes of Zim and Gnote, and the tasks of GTG."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from xml.etree.ElementTree import Element

from proctor.home import printable
from proctor.tasks.formats.texts import decoded
from proctor.tasks.guard import parse_xml

NOTEBOOK_TAG = "system:notebook:"


def zim_pages(data: bytes, sizes: list[int], names: list[str]) -> list[dict[str, Any]]:
    """Return the pages of a notebook from their files, one after the other in `data`."""
    pages = []
    for content, name in zip(_apart(data, sizes), names, strict=True):
        title = printable(name).removesuffix(".txt").replace("/", ":").replace("_", " ")
        pages.append({"title": title, "text": zim_text(decoded(content, name))})
    return pages


def zim_text(text: str) -> str:
    """Return what stands on a page: without its headers, its title and the line that says when it was made."""
    if text.startswith("Content-Type: text/x-zim-wiki"):
        text = text.partition("\n\n")[2]
    text = re.sub(r"\A\s*====== .*? ======[ \t]*(\n|\Z)", "", text)
    return re.sub(r"\ACreated \w+ \d+ \w+ \d{4}[ \t]*(\n|\Z)", "", text).strip("\n")


def gnote_notes(data: bytes, sizes: list[int], names: list[str]) -> list[dict[str, Any]]:
    """Return the notes from their files, one after the other in `data`."""
    read = [gnote_note(content, name) for content, name in zip(_apart(data, sizes), names, strict=True)]
    return [note for note in read if note is not None]


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


def _apart(data: bytes, sizes: list[int]) -> Iterator[bytes]:
    start = 0
    for size in sizes:
        yield data[start : start + size]
        start += size
