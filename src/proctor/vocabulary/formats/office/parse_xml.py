"""Reading the XML parts of office documents that somebody else may have written."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.guard import read_entry
from proctor.vocabulary.formats.guarded_xml import Element, parse_xml

MOST_BYTES = 64 * 2**20
"""The largest part that is taken apart; its elements need many times its size in memory."""
MOST_ELEMENTS = 2_000_000
"""A sheet has some elements for each of its cells, and up to 200,000 of those are looked at."""


class PackageParts:
    """The XML parts of one archive."""

    def __init__(self, archive: zipfile.ZipFile, label: str, prefixes: Mapping[str, str]) -> None:
        self.archive = archive
        self.label = label
        self._prefixes = prefixes
        self._names = set(archive.namelist())

    def read(self, name: str) -> bytes:
        """Return a part as it is."""
        return read_entry(self.archive, name, self.label)

    def xml(self, name: str) -> Element:
        """Return the root of a part; raises CannotSee when it is missing, broken or not fit to be read."""
        data = self.read(name)
        if len(data) > MOST_BYTES:
            raise CannotSee("refused", f"part {name!r} of {self.label} has {len(data):,} bytes")
        return parse_xml(data, f"part {name!r} of {self.label}", prefixes=self._prefixes, most=MOST_ELEMENTS)

    def __contains__(self, name: str) -> bool:
        return name in self._names


class FlatParts(PackageParts):
    """The parts of a document that is one XML file: all of them in the same root."""

    def __init__(self, data: bytes, label: str, prefixes: Mapping[str, str]) -> None:
        self.label = label
        self._names = {"content.xml", "styles.xml", "meta.xml", "settings.xml"}
        self._root = parse_xml(data, label, prefixes=prefixes, most=MOST_ELEMENTS)

    def read(self, name: str) -> bytes:
        """Raise CannotSee: nothing lies beside the one file."""
        raise CannotSee("unreadable", f"{self.label} has no part {name!r}")

    def xml(self, name: str) -> Element:
        """Return the root, which holds every part."""
        del name
        return self._root


def children(element: Element | None, *names: str) -> Iterator[Element]:
    """Yield the elements directly inside one that have one of these names; all without a name."""
    for inside in element if element is not None else ():
        if not names or inside.tag in names:
            yield inside


def child(element: Element | None, *path: str) -> Element | None:
    """Return the first element at a path of names; None when there is none."""
    for name in path:
        element = next(children(element, name), None)
    return element


def get(element: Element | None, attribute: str, otherwise: str = "") -> str:
    """Return an attribute of an element that may be missing."""
    return otherwise if element is None else element.get(attribute, otherwise)


def number(text: str | None, otherwise: int = 0, most: int = 10**9) -> int:
    """Return a text as a whole number within bounds; what is not a number counts as `otherwise`."""
    try:
        return max(-most, min(int(text or ""), most))
    except ValueError:
        return otherwise


def merge_runs(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join neighbouring runs that look the same: where programs split a text says nothing."""
    joined: list[dict[str, Any]] = []
    for run in runs:
        if not run["text"]:
            continue
        looks = {key: value for key, value in run.items() if key != "text"}
        if joined and {key: value for key, value in joined[-1].items() if key != "text"} == looks:
            joined[-1] = {**joined[-1], "text": joined[-1]["text"] + run["text"]}
        else:
            joined.append(run)
    return joined


STYLE_NAMES = {
    "standard": "Default",
    "normal": "Default",
    "default paragraph style": "Default",
    "text body": "Body Text",
    "quotations": "Quote",
    "horizontal line": "Horizontal Line",
}


def style_name(name: str) -> str:
    """Return one name for the styles that the two families of formats call differently."""
    plain = name.replace("_20_", " ").strip()
    known = STYLE_NAMES.get(plain.casefold())
    return known or (plain[:1].upper() + plain[1:] if plain.islower() else plain).replace("heading ", "Heading ")
