"""Which of many texts on a screen an instruction speaks of."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from proctor.actions.in_words import role_words

Corners = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_WORD = re.compile(r"\w+", re.UNICODE)
_QUOTED = re.compile(
    r"[\"\u201c\u00ab]([^\"\u201d\u00bb]{1,80})[\"\u201d\u00bb]|(?<!\w)['\u2018]([^'\u2019]{1,80})['\u2019](?!\w)"
)
_SAYS_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "a an the of on in at to for from by with and or is are be it its this that there here your you my me i we "
        "please want which where what how named called labelled",
    )
)
_SAYS_LITTLE = frozenset(
    re.findall(
        r"\w+",
        "click press tap select choose open go find locate show see view use make button icon menu item entry tab link "
        "box field option checkbox check list bar toolbar window dialog page screen element label text",
    )
)
_LITTLE = 0.15
"""What a word counts that most instructions have; it may still be the one on the button."""
_WINDOW = 8
"""Of a long line, at most so many words in a row are taken for one name."""
_SHORTEST_SQUEEZED = 4
_ALIKE = 0.8
_QUOTED_FACTOR = 1.5
_IN_ORDER = 0.1
_OF_THE_ROLE = 0.05
_PART = 0.9
"""A button says what it is for and no more, so that a whole line counts before the same words within a longer one."""


@dataclass(frozen=True, slots=True)
class TextCandidate:
    """A text on the screen and where it is."""

    text: str
    box: Corners
    role: str = ""
    part: bool = False
    """Whether it is only a part of a longer line."""


def best_match(instruction: str, candidates: Iterable[TextCandidate]) -> TextCandidate | None:
    """Return the candidate that fits an instruction best; None where none has a word of it."""
    quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(instruction)]
    wanted = words(instruction)
    exact = [words(each) for each in quoted]
    best, most = None, 0.0
    for candidate in candidates:
        said = words(candidate.text)
        score = _fit(said, wanted)
        score = max([score, *(_QUOTED_FACTOR * _fit(said, words(each)) for each in quoted)])
        score *= _PART if candidate.part else 1.0
        # The same words in another order are another name, and a button may be called what a menu is.
        score += _IN_ORDER if score and said in exact else 0.0
        score += _OF_THE_ROLE * _words_for_role(candidate.role, wanted) if score and candidate.role else 0.0
        if score > most + 1e-9:
            best, most = candidate, score
    return best


def _words_for_role(role: str, wanted: Sequence[str]) -> int:
    """Return by how many words an instruction names a role, as trees or people do."""
    names = [words(name) for name in (role, role_words(role))]
    return max((len(name) for name in names if set(name) <= set(wanted)), default=0)


def windows(text: str, box: Corners) -> list[TextCandidate]:
    """Return a line and the runs of words in it, each with its likely place."""
    found = list(_WORD.finditer(text))
    if len(found) <= 1:
        return [TextCandidate(text, box)]
    left, top, right, bottom = box
    per_letter = (right - left) / max(len(text), 1)
    parts = [TextCandidate(text, box)]
    for start in range(len(found)):
        for end in range(start + 1, min(start + _WINDOW, len(found)) + 1):
            if end - start < len(found):
                a, b = found[start].start(), found[end - 1].end()
                place = (left + a * per_letter, top, left + b * per_letter, bottom)
                parts.append(TextCandidate(text[a:b], place, part=True))
    return parts


def run_together(instruction: str, lines: Iterable[TextCandidate]) -> list[TextCandidate]:
    """Return where names of an instruction stand in lines whose words were read as one or several."""
    phrases = _phrases(words(instruction))
    found = []
    for line in lines:
        letters = [(place, char) for place, char in enumerate(line.text.lower()) if char.isalnum()]
        squeezed = "".join(char for _, char in letters)
        if line.part or len(squeezed) != len(letters):
            continue
        left, top, right, bottom = line.box
        per_letter = (right - left) / max(len(line.text), 1)
        for phrase, text in phrases.items():
            if (at := squeezed.find(phrase)) >= 0:
                start, end = letters[at][0], letters[at + len(phrase) - 1][0] + 1
                whole = len(phrase) == len(squeezed)
                place = (left + start * per_letter, top, left + end * per_letter, bottom)
                found.append(TextCandidate(text, line.box if whole else place, part=not whole))
    return found


def _phrases(said: Sequence[str]) -> dict[str, str]:
    """Return runs of words that may be a name, by letters; short ones are in too many words."""
    found: dict[str, str] = {}
    for start in range(len(said)):
        for end in range(start + 1, min(start + _WINDOW, len(said)) + 1):
            run = said[start:end]
            squeezed = "".join(run)
            if len(squeezed) >= _SHORTEST_SQUEEZED and _weight(run[0]) and _weight(run[-1]):
                found[squeezed] = " ".join(run)
    return found


def words(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    return _WORD.findall(text.lower())


def _weight(word: str) -> float:
    return 0.0 if word in _SAYS_NOTHING else len(word) * (_LITTLE if word in _SAYS_LITTLE else 1.0)


def _fit(said: Sequence[str], wanted: Sequence[str]) -> float:
    """Return how well a candidate covers the words wanted, and little else, from 0 to 1."""
    all_said, all_wanted = sum(map(_weight, said)), sum(map(_weight, wanted))
    if not all_said or not all_wanted:
        return 0.0
    hit_said = sum(_weight(word) * max(_alike(word, other) for other in wanted) for word in said)
    hit_wanted = sum(_weight(word) * max(_alike(word, other) for other in said) for word in wanted)
    precision, recall = hit_said / all_said, hit_wanted / all_wanted
    # What is on a button is usually shorter than the sentence about it, so that covering the button counts more.
    return 1.25 * precision * recall / (0.25 * precision + recall) if precision and recall else 0.0


@lru_cache(maxsize=200_000)
def _alike(first: str, second: str) -> float:
    """Return how alike two words are: 1 when equal, less with a misread letter or other ending, or 0."""
    if first == second:
        return 1.0
    if min(len(first), len(second)) < 4:
        return 0.0
    ratio = difflib.SequenceMatcher(None, first, second).ratio()
    return ratio if ratio >= _ALIKE else 0.0
