"""Addresses, ranges and formulas of spreadsheets: how formats write them, when two are the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

MOST_ROWS = 2**20
MOST_COLUMNS = 2**14
MOST_CHARACTERS = 8192
"""Of a formula, as in OOXML; what is longer was written to keep a reader busy."""
MOST_APOSTROPHES = 500
"""Each of them may begin the name of a sheet, which has to be looked for up to the end."""

_ADDRESS = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})\Z")
_QUOTED = re.compile(r"""("(?:[^"]|"")*+")|('(?:[^']|'')*+')""")
_PREFIX = re.compile(r"\A\s*(?:of:|oooc:|msoxl:)?=?\s*\+?", re.IGNORECASE)
_BRACKETS = re.compile(r"\[((?:[^\[\]']|'(?:[^']|'')*+')*)\]")
_DOTTED = re.compile(r"((?<![\w'])[^\W\d]\w*|'(?:[^']|'')*+')\.(?=\$?[A-Z]{1,3}\$?[0-9]+(?![\w(.]))", re.IGNORECASE)
_FOREIGN = re.compile(r"_XLFN\.|_XLWS\.|COM\.MICROSOFT\.")
_WHOLE_COLUMNS = re.compile(rf"\b([A-Z]{{1,3}})1:([A-Z]{{1,3}}){MOST_ROWS}\b")
_REFERENCE = re.compile(
    r"(?<![\w.'!])(?:(?P<sheet>'(?:[^']|'')*+'|[^\W\d][\w.]*)!)?"
    r"(?P<range>[A-Z]{1,3}[1-9][0-9]*(?::[A-Z]{1,3}[1-9][0-9]*)?|[A-Z]{1,3}:[A-Z]{1,3}|[1-9][0-9]*:[1-9][0-9]*)"
    r"(?![\w(.!])"
)


class Span(NamedTuple):
    """A rectangle of cells; rows and columns count from 0, and the last ones belong to it."""

    top: int
    left: int
    bottom: int
    right: int

    def covers(self, row: int, column: int) -> bool:
        """Tell whether a cell lies in it."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right

    def places(self) -> Iterator[tuple[int, int]]:
        """Yield row and column of each cell, row by row."""
        return product(range(self.top, self.bottom + 1), range(self.left, self.right + 1))

    @property
    def size(self) -> int:
        """How many cells it has."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)

    def __str__(self) -> str:
        first, last = address(self.top, self.left), address(self.bottom, self.right)
        return first if first == last else f"{first}:{last}"


def column_name(column: int) -> str:
    """Return the letters of a column, 0 for A."""
    name, rest = "", column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def column_number(name: str) -> int:
    """Return the number of a column, A for 0."""
    number = 0
    for letter in name.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def address(row: int, column: int) -> str:
    """Return the address of a cell, such as `B7`."""
    return f"{column_name(column)}{row + 1}"


def place(text: str) -> tuple[int, int]:
    """Return row and column of an address; raises ValueError when it is none."""
    found = _ADDRESS.match(text.strip())
    if not found:
        raise ValueError(f"{text!r} is not the address of a cell, such as B7")
    return int(found[2]) - 1, column_number(found[1])


def span(text: str) -> Span:
    """Return the rectangle that `B7`, `B2:D9`, `B:C` or `2:5` means, or raise ValueError."""
    first, _, last = text.replace("$", "").strip().partition(":")
    last = last or first
    if first.isalpha() and last.isalpha() and ":" in text:
        return Span(0, column_number(first), MOST_ROWS - 1, column_number(last))
    if first.isdigit() and last.isdigit() and ":" in text:
        return Span(int(first) - 1, 0, int(last) - 1, MOST_COLUMNS - 1)
    (top, left), (bottom, right) = place(first), place(last)
    return Span(min(top, bottom), min(left, right), max(top, bottom), max(left, right))


def addresses(text: str) -> list[str]:
    """Return the addresses in a range, row by row."""
    found = span(text)
    if found.size > 100_000:
        raise ValueError(f"{text!r} has {found.size:,} cells, too many to name one by one")
    return [address(row, column) for row, column in found.places()]


def plain_formula(text: str) -> str:
    """Return a formula as people write it, whatever the file format: `=SUM(B2:B9,Prices!A1)`."""
    if len(text) > MOST_CHARACTERS or text.count("'") > MOST_APOSTROPHES:
        raise ValueError(f"a formula of {len(text):,} characters is not one that people write")
    if text.lstrip().lower().startswith(("of:", "oooc:")):
        text = _BRACKETS.sub(lambda found: _plain_reference(found[1]), text)
        # Brackets are gone and strings stay; what is left of semicolons separates arguments.
        text = "".join(part if quoted else part.replace(";", ",") for part, quoted in _parts(text))
    return "=" + _PREFIX.sub("", text, count=1)


def canonical(formula: str) -> str:
    """Return the form in which formulas compare: blanks, case, dollars, separators do not matter."""
    try:
        plain = plain_formula(formula)
    except ValueError:
        return formula  # nobody writes such a thing, and it is like no other
    pieces = []
    for part, quoted in _parts(plain):
        if quoted:
            pieces.append(part.upper() if part.startswith("'") else part)
        else:
            pieces.append(re.sub(r"[\s$]", "", part).upper().replace(";", ","))
    text = _FOREIGN.sub("", "".join(pieces))
    text = _DOTTED.sub(r"\1!", text)
    text = re.sub(r"'([^\W\d]\w*)'!", r"\1!", text)
    return _WHOLE_COLUMNS.sub(r"\1:\2", text)


def references(formula: str) -> Iterator[tuple[str, Span]]:
    """Yield what a formula refers to: a sheet in capitals, empty for its own, and the cells."""
    text = "".join(part for part, _ in _parts(canonical(formula)) if not part.startswith('"'))
    for found in _REFERENCE.finditer(text):
        try:
            area = span(found["range"])
        except ValueError:
            continue  # beyond the last row there is no cell
        yield (found["sheet"] or "").strip("'").replace("''", "'"), area


def plain_range(text: str) -> str:
    """Return a range as people write it: `$Sales.$B$2:$Sales.$B$7` becomes `Sales!B2:B7`."""
    return canonical_sheet(_plain_reference(text.replace("!", ".")))


def canonical_sheet(text: str) -> str:
    """Return a reference without the quotes that its sheet's name does not need."""
    return re.sub(r"'([^\W\d]\w*)'!", r"\1!", text.replace("$", ""))


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Yield a formula in pieces, each with whether it stands in quotes."""
    end = 0
    for found in _QUOTED.finditer(text):
        if text[end : found.start()]:
            yield text[end : found.start()], False
        yield found[0], True
        end = found.end()
    if text[end:]:
        yield text[end:], False


def _plain_reference(text: str) -> str:
    ends = re.findall(r"(?:'(?:[^']|'')*+'|[^:'])+", text)
    plain: list[str] = []
    for end in ends:
        sheet, dot, cell = end.rpartition(".")
        sheet = sheet.lstrip("$")
        same = plain and (not sheet or plain[0].startswith(f"{sheet}!"))
        plain.append(cell if dot and (same or not sheet) else f"{sheet}!{cell}" if dot else end)
    return ":".join(plain)
