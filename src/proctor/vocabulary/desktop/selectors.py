"""CSS selectors over the elements of the screen, as far as suites of other systems use them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from proctor.errors import SpecError

MOST_LETTERS = 5_000
_SPACE = re.compile(r"\s*([>+~])\s*|\s+")
_NAME = r"(?:[\w-]|\\.)+"
_PART = re.compile(
    rf"(?P<tag>\*|{_NAME})|\[\s*(?:(?P<space>\w+)\|)?(?P<name>{_NAME})\s*(?:(?P<how>[*^$~]?=)\s*"
    r"(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>(?:[^'\\]|\\.)*)'|(?P<bare>[\w-]+))\s*)?\]"
)
_TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "=": lambda held, wanted: held == wanted,
    "*=": lambda held, wanted: bool(wanted) and wanted in held,
    "^=": lambda held, wanted: bool(wanted) and held.startswith(wanted),
    "$=": lambda held, wanted: bool(wanted) and held.endswith(wanted),
    "~=": lambda held, wanted: wanted in held.split(),
}


@dataclass(frozen=True)
class ScreenElement:
    """An element of the screen, with its place among the others."""

    tag: str
    parent: int | None
    held: Mapping[str, str]
    """Its attributes by name; those of others by `space|name`."""


@dataclass(frozen=True)
class _Piece:
    tag: str
    wanted: tuple[tuple[str, str, str], ...]
    """Attributes: name, how it compares, with what; nothing where it only has to be there."""
    link: str
    """How it hangs on the piece before it; empty for the first."""

    def fits(self, element: ScreenElement) -> bool:
        """Tell whether an element is like this, whatever is around it."""
        if self.tag not in ("", "*", element.tag):
            return False
        return all(
            name in element.held and (not how or _TESTS[how](element.held[name], value))
            for name, how, value in self.wanted
        )


@dataclass(frozen=True)
class CssSelector:
    """A selector that was read."""

    pieces: tuple[_Piece, ...]

    @classmethod
    def of(cls, text: str) -> CssSelector:
        """Read a selector; raises SpecError for what is not understood."""
        if len(text) > MOST_LETTERS:
            raise SpecError(f"the selector {text[:60]!r} is too long")
        return cls(tuple(_pieces(text.strip())))

    def places(self, elements: Sequence[ScreenElement]) -> Iterator[int]:
        """Yield the places of the elements that it means."""
        children: dict[int | None, list[int]] = {}
        for place, element in enumerate(elements):
            children.setdefault(element.parent, []).append(place)
        hits = {place for place, element in enumerate(elements) if self.pieces[0].fits(element)}
        for piece in self.pieces[1:]:
            hits = {
                place
                for place, element in enumerate(elements)
                if piece.fits(element) and hits.intersection(_around(place, piece.link, elements, children))
            }
        yield from sorted(hits)


def _around(
    place: int, link: str, elements: Sequence[ScreenElement], children: Mapping[int | None, list[int]]
) -> Iterator[int]:
    """Yield the places that an element may hang on, by how it does."""
    parent = elements[place].parent
    if link in (">", " "):
        while parent is not None:
            yield parent
            parent = elements[parent].parent if link == " " else None
        return
    before = [each for each in children[parent] if each < place]
    yield from before[-1:] if link == "+" else before


def _pieces(text: str) -> Iterator[_Piece]:
    at, link = 0, ""
    while at < len(text):
        tag, wanted, start = "", [], at
        while match := _PART.match(text, at):
            if match["tag"]:
                if at > start:
                    break
                tag = _plain(match["tag"])
            else:
                value = next((match[each] for each in ("double", "single", "bare") if match[each] is not None), "")
                name = f"{match['space']}|{match['name']}" if match["space"] else _plain(match["name"])
                wanted.append((name, match["how"] or "", _plain(value)))
            at = match.end()
        if at == start:
            raise SpecError(f"the selector {text[:100]!r} is not understood from {text[at : at + 20]!r} on")
        yield _Piece(tag, tuple(wanted), link)
        space = _SPACE.match(text, at)
        if space is None:
            if at < len(text):
                raise SpecError(f"the selector {text[:100]!r} is not understood from {text[at : at + 20]!r} on")
            return
        link, at = space[1] or " ", space.end()
    raise SpecError(f"the selector {text[:100]!r} ends too early")


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
