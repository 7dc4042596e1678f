"""Pages of Zim's notebooks."""

from __future__ import annotations

import re
from typing import Any

from proctor.home import printable
from proctor.vocabulary.apps.notes.parse import apart
from proctor.vocabulary.formats.text.parse import decode

HEADERS = re.compile(
    r"\AContent-Type: text/x-zim-wiki[ \t]*\n(?:Wiki-Format: zim [\d.]+[ \t]*\n)?(?:Creation-Date: [\w:.+-]+[ \t]*\n)?"
    r"(?:Modification-Date: [\w:.+-]+[ \t]*\n)?(?:[ \t]*\n|\Z)"
)
"""What Zim writes above a page; anything else up there is what somebody wrote."""

UNLISTED = "\N{OPEN BOX}"
"""Stands for a blank in the name of a file."""


def zim_pages(data: bytes, sizes: list[int], names: list[str]) -> list[dict[str, Any]]:
    """Return the pages of a notebook from their files, one after the other in `data`."""
    pages = []
    for content, name in zip(apart(data, sizes), names, strict=True):
        # Zim writes a blank as `_`, and does not list a page whose file or folder has a blank in its name.
        title = printable(name).removesuffix(".txt").replace("/", ":").replace(" ", UNLISTED).replace("_", " ")
        text = decode(content, name)
        pages.append({"title": title, "text": zim_text(text), "derived": {"heading": zim_heading(text)}})
    return pages


def zim_heading(text: str) -> str:
    """Return the title that stands on a page, which need not be its name."""
    found = re.match(r"\s*====== (.*?) ======", HEADERS.sub("", text.replace("\r\n", "\n")))
    return found[1] if found else ""


def zim_text(text: str) -> str:
    """Return what stands on a page, without its headers, its title and the line of its date."""
    text = HEADERS.sub("", text.replace("\r\n", "\n"))
    text = re.sub(r"\A\s*====== .*? ======[ \t]*(\n|\Z)", "", text)
    return re.sub(r"\ACreated[ \t]+\w+[ \t]+\d+[ \t]+\w+[ \t]+\d{4}[ \t]*(\n|\Z)", "", text).strip("\n")
