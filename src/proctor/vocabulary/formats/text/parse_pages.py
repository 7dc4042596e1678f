"""Web pages: the text that can be read on them."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.text.parse import decode

MOST_TEXT = 1_000_000
UNSEEN = re.compile(
    r"display:none|visibility:hidden|opacity:0(?:\.0*)?(?![.\d])|font-size:0(?:\.0*)?(?![.\d])|"
    r"(?<![-\w])color:(?:white|#fff(?:fff)?|transparent)(?!\w)"
)
"""A style in which nobody can read a text; without blanks, in small letters."""
EMPTY = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
"""Elements of pages that hold nothing and have no end."""
UNREAD = frozenset({"style", "script", "head", "template", "noscript"})
"""Elements of which nothing is shown."""
BLOCKS = frozenset(
    {
        "p", "div", "blockquote", "li", "tr", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "dt", "dd",
        "table", "section", "article", "header", "footer", "main", "nav",
    }
)  # fmt: skip
"""Elements that begin a new line and end it."""


class PageText(HTMLParser):
    """Collects the text of a page that can be read."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.open: list[tuple[str, bool]] = []
        """The elements that one is in, and whether what they hold is out of sight."""
        self.names: Counter[str] = Counter()
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Begin an element."""
        if tag == "body":
            self.handle_endtag("head")  # its end may be left out
        if tag not in EMPTY:
            unseen = tag in UNREAD or _unseen(dict(attrs))
            self.open.append((tag, unseen))
            self.names[tag] += 1
            self.hidden += unseen
        if tag in BLOCKS or tag in ("br", "hr"):
            self.parts.append("\n")
        elif tag in ("td", "th"):
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        # What was left open inside ends with it; an end of what is not open ends nothing.
        name = "" if self.names[tag] else tag
        while name != tag:
            name, unseen = self.open.pop()
            self.names[name] -= 1
            self.hidden -= unseen
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Take the text in an element; outside of `pre`, how it is broken in the file does not matter."""
        if not self.hidden:
            self.parts.append(data if self.names["pre"] else re.sub(r"\s+", " ", data))

    def text_of(self, page: str) -> str:
        """Return the text of a page."""
        self.feed(page)
        self.close()
        return re.sub(r"\n{3,}", "\n\n", "".join(self.parts)).strip()


def page_text(data: bytes, label: str) -> str:
    """Return what the page in a file says; raises CannotSee when it is none."""
    page = decode(data, label)[:MOST_TEXT]
    if not re.search(r"<(?:!doctype\s+)?html\b", page, re.IGNORECASE):
        raise CannotSee("unreadable", f"{label} is not a web page")
    return PageText().text_of(page)


def _unseen(attributes: dict[str, str | None]) -> bool:
    """Tell whether an element is out of sight by what it says of itself."""
    style = "".join((attributes.get("style") or "").lower().split())
    return "hidden" in attributes or UNSEEN.search(style) is not None
