"""The one way to read XML that an agent may have written: no entities, nothing endless."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol
from xml.etree import ElementTree
from xml.parsers import expat

from proctor.tasks.findings import CannotSee

MOST_ELEMENTS = 200_000
"""In a document that programs write for themselves; whoever reads larger ones says so."""
MOST_NESTING = 200
"""How deep elements may lie in each other: readers follow them by recursion."""
BROKEN = (expat.ExpatError, ElementTree.ParseError, ValueError, LookupError)
"""What the parsers raise on what is not well-formed."""

Element = ElementTree.Element


class _Target(Protocol):
    def close(self) -> object: ...


class _Refused(Exception):
    """What no user wrote."""


class _DocumentType(Exception):
    """A document type, and perhaps entities, are declared: the document is to be looked at first."""


class _Gate:
    """Counts elements as they come and stops where there are too many, or too deep."""

    def __init__(self, most: int, *, typed: bool) -> None:
        self._most, self._typed = most, typed
        self._depth = self._count = 0

    def enter(self) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > MOST_NESTING or self._count > self._most:
            raise _Refused("has more or deeper elements than are looked at")

    def leave(self) -> None:
        self._depth -= 1

    def doctype(self) -> None:
        if not self._typed:
            raise _DocumentType


class _Builder(ElementTree.TreeBuilder):
    """Builds the tree, with names shortened to prefixes where some are given."""

    def __init__(self, gate: _Gate, prefixes: Mapping[str, str] | None) -> None:
        super().__init__()
        self._gate, self._prefixes = gate, prefixes
        self._known: dict[str, str] = {}

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        self._gate.enter()
        if self._prefixes is None:
            return super().start(tag, attrs)
        return super().start(self._short(tag), {self._short(key): value for key, value in attrs.items()})

    def end(self, tag: str) -> Element:
        self._gate.leave()
        return super().end(tag if self._prefixes is None else self._short(tag))

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        """Hear of a document type."""
        self._gate.doctype()

    def _short(self, name: str) -> str:
        short = self._known.get(name)
        if short is None:
            space, _, local = name[1:].partition("}") if name.startswith("{") else ("", "", name)
            prefix = (self._prefixes or {}).get(space)
            short = self._known[name] = f"{prefix}:{local}" if prefix else local
        return short


class _Scanner:
    def __init__(self, gate: _Gate, heard: Callable[[str, Mapping[str, str]], None]) -> None:
        self._gate, self._heard = gate, heard

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        self._gate.enter()
        self._heard(tag.rpartition("}")[2], attrs)

    def end(self, _tag: str) -> None:
        self._gate.leave()

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        """Hear of a document type."""
        self._gate.doctype()

    def close(self) -> None:
        """Hear that the document is over."""


def parse_xml(
    data: bytes, label: str, *, prefixes: Mapping[str, str] | None = None, most: int = MOST_ELEMENTS
) -> Element:
    """Return the root of an XML document.

    Args:
        data: The document.
        label: Its path, for messages.
        prefixes: What to call namespaces for short; names of others lose theirs. None leaves names as they are.
        most: How many elements are looked at.

    Raises:
        CannotSee: It is not well-formed (`unreadable`), or declares entities, nests without end or has more elements
            than any document of a user (`refused`).
    """
    root = _read(data, label, lambda typed: _Builder(_Gate(most, typed=typed), prefixes))
    assert isinstance(root, Element)
    return root


def scan_xml(data: bytes, label: str, heard: Callable[[str, Mapping[str, str]], None], *, most: int) -> None:
    """Tell of each element's name, without namespace, and attributes; CannotSee as `parse_xml`."""
    _read(data, label, lambda typed: _Scanner(_Gate(most, typed=typed), heard))


def _read(data: bytes, label: str, make: Callable[[bool], _Target]) -> object:
    try:
        try:
            return _feed(data, make(False))
        except _DocumentType:
            _refuse_entities(data)
            return _feed(data, make(True))
    except _Refused as refusal:
        raise CannotSee("refused", f"{label} {refusal}") from refusal
    except BROKEN as error:
        raise CannotSee("unreadable", f"{label} is not well-formed XML: {error}") from error


def _feed(data: bytes, target: _Target) -> object:
    parser = ElementTree.XMLParser(target=target)
    parser.feed(data)
    return parser.close()


def _refuse_entities(data: bytes) -> None:
    """Let nothing unfold: a text of entities within entities fills any memory."""

    def entity(*_: object) -> None:
        raise _Refused("declares entities of its own")

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = entity
    parser.Parse(data, True)
