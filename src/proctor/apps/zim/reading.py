"""Pages of Zim's notebooks."""

from __future__ import annotations

import re
from typing import Any

from proctor.apps.notes.reading import apart
from proctor.formats.text.reading import decoded
from proctor.home import printable


def zim_pages(data: bytes, sizes: list[int], names: list[str]) -> list[dict[str, Any]]:
    """Return the pages of a notebook from their files, one after the other in `data`."""
    pages = []
    for content, name in zip(apart(data, sizes), names, strict=True):
        title = printable(name).removesuffix(".txt").replace("/", ":").replace("_", " ")
        pages.append({"title": title, "text": zim_text(decoded(content, name))})
    return pages


def zim_text(text: str) -> str:
    """Return what stands on a page: without its headers, its title and the line that says when it was made."""
    if text.startswith("Content-Type: text/x-zim-wiki"):
        text = text.partition("\n\n")[2]
    text = re.sub(r"\A\s*====== .*? ======[ \t]*(\n|\Z)", "", text)
    return re.sub(r"\ACreated \w+ \d+ \w+ \d{4}[ \t]*(\n|\Z)", "", text).strip("\n")
