"""Checks on printed or exported PDF files: they say what was printed, and nothing else of note."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Annotated

from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short
from proctor.vocabulary.formats.documents.paragraphs import tidy
from proctor.vocabulary.formats.pictures.checks import picture_like

Lines = Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]
MOST_BESIDE = 40
"""Words around what is printed, on each page."""
_OF_PRINTING = re.compile(
    r"\W*|\W*\d[\d\W]*(?:[ap]\.?m\.?|st|nd|rd|th)?\W*|\S*[/\\:]\S*|\S+\.\w{2,4}|[ap]\.?m\.?,?|(?:page|of|printed|by|user|from|on)\W*"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\W*|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\W*|utc|gmt",
    re.IGNORECASE,
)
"""Words that programs print above and below a page: dates, times, numbers of pages, names and addresses of files."""


@CHECKS.register
def pdf_lines_are(of: Seen, lines: Lines) -> Finding:
    """A PDF file has exactly these lines in this order.

    How they are broken does not matter. Around them, as programs print it at the edges of a page, may stand a date, the
    number of the page, the address or name of a file, and what the first line says.
    """
    wanted = [tidy(line).split() for line in lines]
    words = tidy(" ".join(of["pages"])).split()
    return unless(_problems(of["path"], len(of["pages"]), words, wanted))


@CHECKS.register
def like_pdf(of: Seen, other: Seen, least: Annotated[float, Field(gt=0, le=1)] | None = None) -> Finding:
    """How similar the text of a PDF file is to another's: the score, unless `least` is given."""
    one, two = (tidy(" ".join(each["pages"])).split() for each in (of, other))
    if one == two:
        return right()
    ratio = SequenceMatcher(None, one, two, autojunk=False).ratio()
    said = f"The text of {of['path']} is only {ratio:.0%} that of the other."
    if least is not None:
        return right() if ratio >= least else wrong(said)
    return Finding(min(round(ratio, 6), 0.999999), (said,))


@CHECKS.register
def pdf_holds(of: Seen, other: Seen) -> Finding:
    """A PDF file contains every key and every value of the object in a JSON file."""
    held, data = tidy(" ".join(of["pages"])), other["data"]
    if not isinstance(data, dict) or not data:
        return wrong(f"{other['path']} holds nothing to look for.")
    wanted = [str(text) for key, value in data.items() for text in (key, value)]
    return unless(f"{of['path']} does not say {short(text)}." for text in wanted if tidy(text) not in held)


@CHECKS.register
def same_drawn_pages(of: Seen, other: Seen) -> Finding:
    """The pages of a PDF file look like those of another, one by one."""
    mine, theirs = of["pages"], other["pages"]
    if len(mine) != len(theirs):
        return wrong(f"{of['path']} has {len(mine)} pages, expected {len(theirs)}.")
    findings = [picture_like(*pair, same_size=False) for pair in zip(mine, theirs, strict=True)]
    return unless(said for finding in findings for said in finding.feedback)


@CHECKS.register
def pdf_length(of: Seen, least: Annotated[int, Field(ge=0)] = 0, most: int | None = None) -> Finding:
    """A PDF file has a number of pages in a range, both ends included."""
    count = len(of["pages"])
    fits = count >= least and (most is None or count <= most)
    return right() if fits else wrong(f"{of['path']} has {count} pages.")


@CHECKS.register
def pdf_reaches_down(of: Seen, most: Annotated[float, Field(ge=0)]) -> Finding:
    """No page of a PDF file has more points than this below its last word (`see.pdf_margins`)."""
    below = [(number, page["below"]) for number, page in enumerate(of["pages"], 1)]
    said = [
        f"Page {number} of {of['path']} ends {free:.0f} pt above its edge." for number, free in below if free > most
    ]
    return unless(said) if below else wrong(f"{of['path']} has no pages.")


def _problems(path: str, pages: int, words: list[str], wanted: list[list[str]]) -> Iterator[str]:
    at, beside = 0, []
    for line in wanted:
        place = _find(words, line, at)
        if place is None:
            where = "does not say" if _find(words, line, 0) is None else "says in another place"
            yield f"{path} {where} {short(' '.join(line))}."
        else:
            beside += words[at:place]
            at = place + len(line)
    beside += words[at:]
    first = {_bare(word) for word in wanted[0]}
    other = [word for word in beside if not _OF_PRINTING.fullmatch(word) and not _begins(word, first)]
    if other or len(beside) > MOST_BESIDE * pages:
        yield f"{path} says more than it should: {short(' '.join(other or beside))}."


def _find(words: list[str], line: list[str], start: int) -> int | None:
    ends = range(start, len(words) - len(line) + 1)
    return next((at for at in ends if words[at : at + len(line)] == line), None)


def _begins(word: str, others: set[str]) -> bool:
    """Tell whether a word is among some, or is cut off and one of them begins so."""
    return _bare(word) in others or (word.endswith("...") and any(each.startswith(_bare(word)) for each in others))


def _bare(word: str) -> str:
    return re.sub(r"^\W+|\W+$", "", word).casefold()
