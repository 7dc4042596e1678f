"""Tasks of GTG."""

from __future__ import annotations

import re
from html import unescape
from xml.etree.ElementTree import Element

from proctor.vocabulary.formats.guarded_xml import parse_xml

GTG_FILE = ".local/share/gtg/gtg_data.xml"


def gtg_tasks(data: bytes, label: str) -> list[dict[str, object]]:
    """Return the tasks in GTG's file."""
    root = parse_xml(data, label)
    names = {tag.get("id", ""): tag.get("name", "") for tag in root.iterfind("taglist/tag")}
    return [
        {
            "title": (task.findtext("title") or "").strip(),
            # GTG reads signs such as `&amp;` in it as what they stand for.
            "text": _own_words(unescape(task.findtext("content") or "")),
            "status": task.get("status", ""),
            "due": _day(task, "due"),
            "start": _day(task, "start"),
            "recurs": _recurs(task),
            "tags": sorted(names.get((tag.text or "").strip(), "?") for tag in task.iterfind("tags/tag")),
            "uid": task.get("id", ""),
            "subtasks": [(part.text or "").strip() for part in task.iterfind("subtasks/sub")],
        }
        for task in root.iterfind("tasklist/task")
    ]


def gtg_besides(data: bytes, label: str) -> dict[str, list[dict[str, str]]]:
    """Return the tags that GTG has, with how they look, and searches that were kept."""
    root = parse_xml(data, label)
    return {
        "derived": [dict(tag.attrib) for tag in root.iterfind("taglist/tag")],
        "searches": [dict(search.attrib) for search in root.iterfind("searchlist/savedSearch")],
    }


def _own_words(text: str) -> str:
    """Return a text without the tags that GTG keeps at its beginning; they are told apart."""
    return re.sub(r"\A(?:\s*@[\w-]+,?)+(?=\s|\Z)", "", text).strip()


def _recurs(task: Element) -> str:
    """Return how a task comes back once it is done; nothing where it does not."""
    held = task.find("recurring")
    return (held.findtext("term") or "?").strip() if held is not None and held.get("enabled") == "true" else ""


def _day(task: Element, name: str) -> str:
    """Return a date without the time of day; words such as `soon` stay as they are."""
    text = (task.findtext(f"dates/{name}") or "").strip()
    return text[:10] if re.match(r"\d{4}-\d\d-\d\d", text) else text
