"""Electronic books, and the marks that readers leave in documents."""

from __future__ import annotations

import posixpath
import zipfile
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guard import open_zip, read_entry
from proctor.vocabulary.formats.guarded_xml import parse_xml

MOST_CHAPTERS = 500

MOST_TEXT = 200_000


def epub_content(data: bytes, path: str) -> dict[str, object]:
    """Return what is in an e-book."""
    with open_zip(data, path) as archive:
        container = _part(archive, "META-INF/container.xml", path)
        place = next((each.get("full-path", "") for each in container.iter("rootfile")), "")
        package = _part(archive, place, path)
        targets = {item.get("id", ""): item.get("href", "") for item in package.iter("item")}
        order = [targets.get(each.get("idref", ""), "") for each in package.iter("itemref")][:MOST_CHAPTERS]
        folder = posixpath.dirname(place)
        chapters = [_text(_part(archive, posixpath.join(folder, unquote(name)), path)) for name in order if name]
        return {
            "path": path,
            **{name: (package.findtext(f".//{tag}") or "").strip() for name, tag in _FACTS.items()},
            "chapters": chapters,
        }


_FACTS = {"title": "title", "author": "creator", "language": "language"}


def _part(archive: zipfile.ZipFile, name: str, path: str) -> Element:
    root = parse_xml(read_entry(archive, name, path), f"{name} in {path}")
    for element in root.iter():
        if not isinstance(element.tag, str):
            raise CannotSee("unreadable", f"{name} in {path} is not a page")
        element.tag = element.tag.rpartition("}")[2]
    return root


def _text(page: Element) -> str:
    body = page.find("body")
    pieces = [" ".join("".join(each.itertext()).split()) for each in (body if body is not None else ())]
    return "\n".join(piece for piece in pieces if piece)[:MOST_TEXT]
