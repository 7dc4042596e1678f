"""The XML of OpenDocument files: parts of an archive as elements with short names."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from proctor.vocabulary.formats.guard import read_entry
from proctor.vocabulary.formats.guarded_xml import parse_xml

MOST_ELEMENTS = 2_000_000
"""A sheet has some elements for each of its cells, and up to 200,000 of those are looked at."""
OASIS = "urn:oasis:names:tc:opendocument:xmlns"
NAMESPACES = {
    **{name: f"{OASIS}:{name}:1.0" for name in ("office", "table", "text", "style", "chart", "config")},
    "draw": f"{OASIS}:drawing:1.0",
    "number": f"{OASIS}:datastyle:1.0",
    "fo": f"{OASIS}:xsl-fo-compatible:1.0",
    "svg": f"{OASIS}:svg-compatible:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
    "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
}


def name(short: str) -> str:
    """Return the full name of an element or attribute: `table:name`."""
    prefix, _, local = short.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def get(element: Element, short: str, default: str = "") -> str:
    """Return an attribute."""
    return element.get(name(short), default)


def count(element: Element, short: str) -> int:
    """Return how often something is repeated or how far it reaches; at least once."""
    return max(1, int(get(element, short, "1")))


def part(archive: zipfile.ZipFile, path: str, label: str) -> Element:
    """Return the root of one part of a document; raises CannotSee when it is missing or broken."""
    return parse_xml(read_entry(archive, path, label), f"part {path!r} of {label}", most=MOST_ELEMENTS)


def text_of(paragraph: Element) -> str:
    """Return the text of a paragraph as it is shown, with its blanks, tabs and line breaks."""
    return "".join(_pieces(paragraph))


def _pieces(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag == name("text:s"):
            yield " " * min(int(get(child, "text:c", "1")), 10_000)
        elif child.tag == name("text:tab"):
            yield "\t"
        elif child.tag == name("text:line-break"):
            yield "\n"
        elif child.tag != name("office:annotation"):
            yield from _pieces(child)
        yield child.tail or ""
