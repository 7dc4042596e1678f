"""A text split into what it states: sentences, points of a list, rows of a table."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from proctor.tasks.answers.dates import MONTHS
from proctor.tasks.answers.mention import Place
from proctor.tasks.words import plain

MOST_READ = 40_000
"""Characters of a text that are read; nobody answers at such length, so what is longer states nothing."""

_HALF_OF_DAY = re.compile(r"(?<=[\d\s])([ap])\.\s?m\b(\.(?=\s+(?-i:[A-Z])|\s*$))?\.?", re.IGNORECASE)
_SHORT_FORM = re.compile(
    r"(?<!\w)(approx|ca|mr|mrs|ms|dr|st|prof|vs|incl|excl|e\.g|i\.e|tel|min|max|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    r"|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|(?:p|pp|c)(?=\.\s?\d))\.(?=\s?[\w(])",
    re.IGNORECASE,
)
"""Short for something; its point ends no sentence."""
_BY_POINTS = re.compile(r"(?<![\d.])(0?[1-9]|[12]\d|3[01])\.\s?(1[0-2]|0?[1-9])\.(?:\s?(\d{4}))?(?!\d)")
_NUMBERED = re.compile(r"\b(?:no|nr)\.\s?(?=\d)", re.IGNORECASE)
_POINT = re.compile(r"^[ \t]*(\d{1,2})[.)][ \t]+", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*•‣◦+·]|\[[ xX]\])\s+")
_HEADING = re.compile(r"^\s*#{1,6}\s+")
_QUOTED = re.compile(r"^([\"'])((?:(?!\1\s|\s\1).)*)\1$")
"""A line in quotes from its beginning to its end."""
_RULE = re.compile(r"^[\s|:=_*-]+$")
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\([^)\n]{1,300}\)")
_MARKS = re.compile(
    r"(?<!\w)\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?!\w)|`+|~~|(?<!\w)_{1,2}(?=\w)|(?<=[\w.!?])_{1,2}(?!\w)|</?(?:b|i|strong|em|u|code|p|br)\s?/?>"
)
_END = re.compile(
    r"(?<=[.!?;])(?<!\d\.\d\.)(?<!\d\.\d\d\.)[\"')\]]*\s+|(?<=\d\.\d\.)\s+(?=[A-Z])|(?<=\d\.\d\d\.)\s+(?=[A-Z])"
)
_PIECE = re.compile(
    r",(?=\s)(?!\s(?:19|20)\d\d\b)|\s?[()\[\]]\s?|(?<![\dmh])\s[-–—]{1,2}\s|\s[-–—]{1,2}\s(?!\d)|\s(?=(?:and|but|while|whereas|although|though|because|since|so|yet|then|however)\s)"
    r"|(?<=\w)\s(?=which\s)",
    re.IGNORECASE,
)
_KEPT = re.compile(r"\b(?:between|from)\s[^,;()]{1,30}$|\bhundred$|\bthousand$", re.IGNORECASE)
MOST_IN_SENTENCE = 1_000
"""Characters of a sentence that are read together; what is longer is read in parts."""


@dataclass(frozen=True)
class Sentence:
    """What is stated in one go, under what it stands, and the pieces that it consists of."""

    text: str
    under: str = ""
    """The heading or the label above it."""

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.rstrip("\"') ").endswith("?")

    @functools.cached_property
    def pieces(self) -> list[Place]:
        """Where its pieces begin and end: between commas, brackets, dashes and conjunctions."""
        cuts = [0]
        for match in _PIECE.finditer(self.text):
            if not (
                match.end() < len(self.text)
                and self.text[match.end() :].startswith("and ")
                and _KEPT.search(self.text[max(0, match.start() - 40) : match.start()])
            ):
                cuts.append(match.end())
        return [(start, end) for start, end in zip(cuts, [*cuts[1:], len(self.text)], strict=True) if end > start]


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a text in their order; none of one that is longer than anybody reads."""
    if len(text) > MOST_READ:
        return []
    found: list[Sentence] = []
    under, said = "", False
    for line in _lines(text):
        if not line:
            under, said = ("", False) if said else (under, said)
            continue
        line = _QUOTED.sub(r"\2", line)
        if line.endswith("\x01"):
            under, said = line[:-1][:MOST_IN_SENTENCE], False
            found.append(Sentence(under))
            continue
        parts = [part.strip() for part in _END.split(line) if part.strip(" .;\"'")]
        found += [
            Sentence(part[start : start + MOST_IN_SENTENCE].rstrip(";"), under)
            for part in parts
            for start in range(0, len(part), MOST_IN_SENTENCE)
        ]
        said = said or bool(parts)
    return found


def without_numbering(text: str) -> str:
    """Return a text without the numbers 1, 2, ... before the points of a list."""
    numbers = [int(found[1]) for found in _POINT.finditer(text)]
    return _POINT.sub("", text) if len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1)) else text


def months_named(line: str) -> str:
    """Return a line in which a date such as 16.3. has its month in words: its points end no sentence."""
    return _BY_POINTS.sub(lambda found: f"{found[1]} {MONTHS[int(found[2]) - 1]} {found[3] or ''}".rstrip() + " ", line)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text without Markdown; headings have a mark at their end."""
    lines = without_numbering(text.replace("\r\n", "\n")).split("\n")
    header: list[str] = []
    kept = ""
    for number, raw in enumerate(lines):
        if raw.count("|") >= 2 or (header and "|" in raw):
            cells = [plain(_without_marks(cell)) for cell in raw.strip().strip("|").split("|")]
            if _RULE.match(raw):
                continue
            if not header and number + 1 < len(lines) and "|" in lines[number + 1] and _RULE.match(lines[number + 1]):
                header = cells
                continue
            yield from filter(None, (kept, _row(header, cells)))
            kept = ""
            continue
        header = []
        line = plain(_without_marks(_BULLET.sub("", raw.lstrip("> "))))
        line = _SHORT_FORM.sub(r"\1", _HALF_OF_DAY.sub(r"\1m\2", _NUMBERED.sub("number ", line))).strip()
        if kept and raw[:1].islower() and not re.search(r"[.!?:;,]$", kept) and len(kept) > 30:
            kept = f"{kept} {line}"
            continue
        if kept:
            yield kept
        kept = ""
        if not line or (_RULE.match(raw) and raw.strip()):
            yield ""
        elif line.endswith(":") or (_HEADING.match(raw) and not _END.search(line)):
            yield _HEADING.sub("", line).rstrip(":") + "\x01"
        else:
            kept = line
    if kept:
        yield kept


def _row(header: list[str], cells: list[str]) -> str:
    """Return a row of a table as a sentence: what it is of, and then each cell with its heading."""
    if len(header) != len(cells) or len(cells) < 2:
        return ": ".join(cells) if len(cells) == 2 else ", ".join(cells)
    return f"{cells[0]}: " + ", ".join(
        f"{name} {cell}".strip() for name, cell in zip(header[1:], cells[1:], strict=True)
    )


def _without_marks(line: str) -> str:
    return _MARKS.sub("", _LINK.sub(r"\1", _HEADING.sub("", line)))
