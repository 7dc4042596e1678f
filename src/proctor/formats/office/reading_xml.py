"""Reading the XML parts of office documents that somebody else may have written."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from proctor.formats.guard import read_entry
from proctor.tasks.finding import CannotSee

MOST_BYTES = 32 * 2**20
"""The largest part that is taken apart; its elements need many times its size in memory."""
MOST_DEPTH = 250
"""How deep elements may lie in each other: readers follow them by recursion."""

Element = ElementTree.Element


class _Builder(ElementTree.TreeBuilder):
    """Names elements and attributes by short prefixes, and refuses what no office program writes."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        super().__init__()
        self._prefixes = prefixes
        self._depth = 0

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise ValueError(f"elements lie more than {MOST_DEPTH} deep")
        return super().start(self._short(tag), {self._short(key): value for key, value in attrs.items()})

    def end(self, tag: str) -> Element:
        self._depth -= 1
        return super().end(self._short(tag))

    def doctype(self, name: str, public: str | None, system: str | None) -> None:
        """Entities are declared in a document type, and with them texts that unfold without end."""
        raise ValueError("it declares a document type")

    def _short(self, name: str) -> str:
        if not name.startswith("{"):
            return name
        space, _, local = name[1:].partition("}")
        prefix = self._prefixes.get(space)
        return f"{prefix}:{local}" if prefix else local


class Parts:
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
        parser = ElementTree.XMLParser(target=_Builder(self._prefixes))
        try:
            parser.feed(data)
            root: Element = parser.close()
        except (ElementTree.ParseError, ValueError, LookupError) as error:
            raise CannotSee("unreadable", f"part {name!r} of {self.label} is broken: {error}") from error
        return root

    def __contains__(self, name: str) -> bool:
        return name in self._names


def children(element: Element | None, *names: str) -> Iterator[Element]:
    """Yield the elements directly inside one that have one of these names; all of them without a name."""
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
    """Return a text as a whole number within bounds; what is no number counts as `otherwise`."""
    try:
        return max(-most, min(int(text or ""), most))
    except ValueError:
        return otherwise


def merged(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
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
