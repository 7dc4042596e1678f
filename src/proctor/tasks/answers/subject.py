"""What a value in a text is said of."""

from __future__ import annotations

import functools
import re
from collections.abc import Hashable, Sequence
from typing import Literal

from proctor.tasks.answers import moods
from proctor.tasks.answers.dates import weekdays_in
from proctor.tasks.answers.mention import Place
from proctor.tasks.answers.sentences import Sentence
from proctor.tasks.model import PlainModel, Text
from proctor.tasks.words import plain

Of = Literal["this", "other", ""]
"""Whether something is said of what is asked for, of something else, or of neither by name."""

_TOGETHER = re.compile(
    r"(?:\s|,|&|/|-|\band\b|\bor\b|\bto\b|\bthrough\b|\buntil\b|\bas well as\b|\bthe\b|\bon\b|\bboth\b)*", re.IGNORECASE
)
_ARTICLE = re.compile(r"\W*(?:the|an?|all|our|their|its)?\s?", re.IGNORECASE)
_LABEL = re.compile(r"^\s*[^\W\d_][^:]{0,60}:\s")
_LABELS_ONLY = re.compile(r"\s*[:=,-]?\s*")
_SINCE = re.compile(r"(?:-|to|until|till?|through)", re.IGNORECASE)


class Subject(PlainModel):
    """One respect in which something is asked for: words for it, and for what stands beside it."""

    words: tuple[Text, ...]
    others: tuple[Text, ...] = ()

    def labels(self, text: str) -> list[tuple[int, int, Of]]:
        """Return where a text names this or one of the others, in their order."""
        found: list[tuple[int, int, Of]] = []
        for words, of in ((self.words, "this"), (self.others, "other")):
            pattern, days = _any_of(words), _days(words)
            if pattern is not None:
                found += [(match.start(), match.end(), of) for match in pattern.finditer(text)]  # type: ignore[misc]
            if days:
                found += [(day.start, day.end, of) for day in weekdays_in(text) if day.meant & days]  # type: ignore[misc]
        # The longest of those that begin at one place, and none inside another: "not in the kitchen" is no kitchen.
        kept: list[tuple[int, int, Of]] = []
        for label in sorted(found, key=lambda each: (each[0], -each[1])):
            if not kept or label[0] >= kept[-1][1]:
                kept.append(label)
        return kept


@functools.lru_cache(maxsize=256)
def _days(words: tuple[str, ...]) -> frozenset[Hashable]:
    """Return the days of the week among some words, which are found in every form."""
    return frozenset(
        meant
        for word in words
        for day in weekdays_in(word)
        if (day.start, day.end) == (0, len(word))
        for meant in day.meant
    )


@functools.lru_cache(maxsize=256)
def _any_of(words: tuple[str, ...]) -> re.Pattern[str] | None:
    if not words:
        return None
    listed = sorted((re.escape(plain(word)).replace(r"\ ", r"\s") for word in words), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(listed)})(?!\w)", re.IGNORECASE)


def said_of(sentence: Sentence, place: Place, subject: Subject, values: Sequence[Place], denied: Sequence[Place]) -> Of:
    """Return what a place in a sentence is said of, among other values and pieces that deny.

    By what is named next to it, then by what leads the sentence, by what follows it, and by what it stands under.
    """
    labels = subject.labels(sentence.text)
    pieces = sentence.pieces
    at = next((number for number, (_, end) in enumerate(pieces) if place[0] < end), 0)
    piece = pieces[at] if pieces else (0, len(sentence.text))
    here = [label for label in labels if piece[0] <= label[0] < piece[1] and not _inside(label, place)]
    close = [label for label in here if not _between(label, place, values)] or [
        label for label in here if not any(0 <= label[0] - end <= 1 for _, end in values)
    ]
    if close:
        return _nearest(sentence.text, close, place, labels)
    if not _LABEL.match(sentence.text[piece[0] : piece[1]]):
        for start, end in reversed(pieces[:at]):
            if lead := [label for label in labels if start <= label[0] < end]:
                if _leads(sentence.text, lead[-1], (start, end), values):
                    return _nearest(sentence.text, lead, place, labels)
                break
    for start, end in pieces[at + 1 : at + 2]:
        after = [label for label in labels if start <= label[0] < end]
        told = any(start <= value[0] < end for value in values) or (start, end) in denied
        if after and not told and not _is_about_another(sentence.text[start:end], after[0], start):
            return _nearest(sentence.text, after, place, labels)
    above = subject.labels(sentence.under)
    return above[-1][2] if above else ""


def _is_about_another(piece: str, label: tuple[int, int, Of], start: int) -> bool:
    """Tell whether a piece says something of its own, of another thing: aisle seats are cheaper."""
    first, last = label[0] - start, label[1] - start
    return (
        label[2] == "other"
        and _ARTICLE.fullmatch(piece[:first]) is not None
        and moods.FINITE.search(piece, last) is not None
    )


def _nearest(text: str, close: list[tuple[int, int, Of]], place: Place, labels: list[tuple[int, int, Of]]) -> Of:
    """Return of what the nearest label is; this, where it is named together with others."""
    near = min(close, key=lambda label: (_gap(label, place), label[0] > place[0]))
    if near[2] == "other":
        # Seven guests are vegetarian: what is counted is named, and then what they are.
        if 0 <= near[0] - place[1] <= 1 and any(label[2] == "this" for label in close):
            return "this"
        for label in labels:
            first, last = sorted((label, near))
            if label[2] == "this" and _TOGETHER.fullmatch(text[first[1] : last[0]]):
                return "this"
    return near[2]


def _leads(text: str, label: tuple[int, int, Of], piece: Place, values: Sequence[Place]) -> bool:
    """Tell whether a label holds for what follows its piece, and not for a value in it alone."""
    inside = [value for value in values if piece[0] <= value[0] < piece[1]]
    if not inside:
        return True
    first = inside[0]
    return label[1] <= first[0] and not _LABELS_ONLY.fullmatch(text[label[1] : first[0]])


def _inside(label: tuple[int, int, Of], place: Place) -> bool:
    return place[0] <= label[0] and label[1] <= place[1]


def _between(label: tuple[int, int, Of], place: Place, values: Sequence[Place]) -> bool:
    """Tell whether another value stands between a label and a place."""
    first, last = (label[1], place[0]) if label[0] < place[0] else (place[1], label[0])
    return any(first <= start and end <= last for start, end in values if (start, end) != place)


def _gap(label: tuple[int, int, Of], place: Place) -> int:
    return max(label[0] - place[1], place[0] - label[1], 0)
