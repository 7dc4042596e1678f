"""Bookmarks that Okular keeps of documents."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote, urlsplit

from proctor.vocabulary.formats.guarded_xml import parse_xml


def okular_bookmarks(data: bytes, path: str, label: str) -> list[dict[str, Any]]:
    """Return the bookmarks in one document, in order of pages."""
    found = []
    for mark in parse_xml(data, label).iter("bookmark"):
        try:
            address = urlsplit(mark.get("href", ""))
        except ValueError:
            continue  # no address, and so no mark
        place = re.match(r"[0-9]{1,6}(?![0-9])", address.fragment)
        if unquote(address.path) == path and place:
            found.append({"page": int(place[0]) + 1, "title": (mark.findtext("title") or "").strip()})
    return sorted(found, key=lambda mark: mark["page"])
