"""How what a sentence says stands there: asserted, denied, doubted or rounded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from proctor.tasks.answers import moods
from proctor.tasks.answers.mention import Mention, Place, blank
from proctor.tasks.answers.sentences import Sentence
from proctor.tasks.answers.subject import Subject

_BEFORE = 200
"""Characters before a value in which it may be set against another."""
_NEXT_TO_VALUE = re.compile(
    r"\s?(?:at|on|the|in|to|for|€|\$|£|exactly|about|quite|just|until|till)?\s?[€$£]?\s?\d", re.IGNORECASE
)
_OF_KNOWING = re.compile(
    r"\b(?:know|idea|clue|sure|certain|clear|tell|say|remember|recall|get back|let you|pending|TB[CD])\b"
)
_OPENS = re.compile(
    r"\W*(?:(?:well|so|then|hello|hi|ok|okay)\b\W*)?"
    r"(?:(?:(?:it|this|that|there|they|the answer|I)(?:'s| is|'re| are|'m| am)?|my)\s(?:(?:only|just)\s)?)?",
    re.IGNORECASE,
)
_LEADS = re.compile(r"\W*(?:(?:well|so|then|hello|hi|ok|okay)\b\W*)?", re.IGNORECASE)
_TURNS = re.compile(r"\W*(?:but|while|whereas|although|though|however|yet)\b", re.IGNORECASE)
_NAMES_WHAT_IS_OPEN = re.compile(
    r"estimat|provisional|tentative|likely|pending|unsure|un|doubt|not |TB[CD]|guess", re.IGNORECASE
)
"""Words of doubt that may be a label of their own, as in `Estimated: 40, counted: 31`."""
_LABEL = re.compile(r"\W*[^\W\d_][^:]{0,60}:\s")


class Stance:
    """How each piece of a sentence is meant; the words for what is asked deny and doubt nothing."""

    def __init__(self, sentence: Sentence, subjects: Sequence[Subject]) -> None:
        self._sentence, self._subjects = sentence, subjects
        self._doubts: dict[Place, bool] = {}

    @cached_property
    def denials(self) -> list[Place]:
        """The pieces that deny something."""
        return [piece for piece in self._sentence.pieces if moods.DENIAL.search(self._masked_text, *piece)]

    def is_doubted(self, place: Place) -> bool:
        """Tell whether what stands at a place is said with doubt."""
        piece = self._piece(place)[1]
        if piece not in self._doubts:
            self._doubts[piece] = (
                moods.DOUBT.search(self._masked_text, *piece) is not None or piece[0] < self._end_of_opening_doubt
            )
        return self._doubts[piece]

    def is_denied(self, place: Place, value: Mention | None) -> bool:
        """Tell whether what stands at a place is denied, left out, or told of earlier days."""
        at, (start, end) = self._piece(place)
        before = self._sentence.text[max(0, place[0] - _BEFORE) : place[0]]
        if _is_set_against(before, place[0] - start) or moods.FORMERLY.search(before):
            return True
        if value is None and moods.REJECTS.search(self._sentence.text, start, end):
            return True
        if (start, end) in self.denials:
            # "25 and not 26": what is denied next to a value is that value alone.
            return any(
                match.end() <= place[0] or not _NEXT_TO_VALUE.match(self._masked_text, match.end(), end)
                for match in moods.DENIAL.finditer(self._masked_text, start, end)
            )
        return not moods.FINITE.search(self._masked_text, start, end) and self._shares_a_denial(at, start, end)

    def _shares_a_denial(self, at: int, start: int, end: int) -> bool:
        """Tell whether a piece without a verb belongs to one that denies."""
        pieces = self._sentence.pieces
        joined = re.match(r"(?:and|or|nor)\b", self._sentence.text[start:end], re.IGNORECASE)
        if at and joined and pieces[at - 1] in self.denials:
            return True
        # "Ben and Zoe are not": what ends the row is said of all of it.
        return (
            at + 1 < len(pieces) and moods.ROW_ENDS_DENIED.match(self._masked_text[slice(*pieces[at + 1])]) is not None
        )

    @cached_property
    def _masked_text(self) -> str:
        """The sentence without what only looks like a denial or a doubt."""
        text = self._sentence.text
        named = [(start, end) for subject in self._subjects for start, end, _ in subject.labels(text)]
        return blank(blank(text, named), (match.span() for match in moods.NO_DENIAL.finditer(text)))

    @cached_property
    def _end_of_opening_doubt(self) -> int:
        """Where a doubt ends that opens the sentence: `Maybe: this, that` doubts both, up to a `but`."""
        text, pieces = self._masked_text, self._sentence.pieces
        opens = [match.end() for match in (_LEADS.match(text), _OPENS.match(text)) if match]
        found = next((match for at in opens if (match := moods.DOUBT.match(text, at))), None)
        if found is None or not pieces:
            return 0
        behind = text[found.end() :].lstrip()
        if is_of_knowing(found[0]) and not behind.startswith(":"):
            return 0
        labelled = _NAMES_WHAT_IS_OPEN.match(found[0]) is not None
        for start, end in pieces[1:]:
            piece = self._sentence.text[start:end]
            if _TURNS.match(piece) or (labelled and _LABEL.match(piece)):
                return start
        return len(text)

    def _piece(self, place: Place) -> tuple[int, Place]:
        pieces = self._sentence.pieces
        at = next((number for number, (_, end) in enumerate(pieces) if place[0] < end), 0)
        return at, pieces[at] if pieces else (0, len(self._sentence.text))


def is_rounded(text: str, place: Place, value: Mention | None) -> bool:
    """Tell whether what stands at a place is told by and large: about, at least, or so."""
    before, after = text[max(0, place[0] - 45) : place[0]], text[place[1] : place[1] + 60]
    if moods.ROUNDS.search(before) or moods.ISH.search(after):
        return True
    if value is None:
        return False
    if value.kind in ("time", "date", "weekday") and _is_bound(before, after, value.kind):
        return True
    return moods.ROUNDS_BEHIND.search(after) is not None or (
        value.kind == "number" and moods.BOUNDS.search(before) is not None
    )


def _is_bound(before: str, after: str, kind: str) -> bool:
    """Tell whether a time is only one before or after which something is."""
    if (
        kind == "time"
        and moods.OFF.search(before)
        and (not moods.DENIAL.search(before) or moods.NOT_BEFORE.search(before))
    ):
        return True
    return moods.NOT_BEFORE.search(before) is not None or (
        moods.AT_THE_OUTSIDE.search(after) is not None and not moods.DUE.search(before)
    )


def is_of_knowing(doubt: str) -> bool:
    """Tell whether words of doubt say what is not known, which may be something else."""
    return _OF_KNOWING.search(doubt) is not None


def _is_set_against(before: str, in_piece: int) -> bool:
    """Tell whether something is set against what is said: instead of it, anything but it.

    What is left out is left out over commas too; the rest reaches as far as its piece.
    """
    found = [*moods.PREFERS.finditer(before), *moods.INSTEAD.finditer(before)]
    if not found or moods.FINITE.search(before, found[-1].end()):
        return False
    return len(before) - found[-1].end() <= in_piece or moods.EXCEPT.fullmatch(found[-1][0]) is not None
