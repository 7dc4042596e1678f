"""What a text asserts, and of what: each place that names a value, and how it stands there."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import cast

from proctor.tasks.answers import moods
from proctor.tasks.answers.mention import Kind, Mention, Place, blank
from proctor.tasks.answers.sentences import MOST_READ, Sentence, sentences
from proctor.tasks.answers.stance import Stance, is_of_knowing, is_rounded
from proctor.tasks.answers.subject import Of, Subject, said_of
from proctor.tasks.answers.sums import terms_in
from proctor.tasks.answers.values import Sought, is_meant, phrase_pattern, values_in
from proctor.tasks.words import plain

MOST_OTHERS = 8
"""Values beside the right one that a text may name in passing; who names more has named them all."""
MOST_VALUES = 120
"""Places that name a value of one kind, or say the same words; nobody looks at more."""


_OF_ALL_BEFORE = re.compile(r"\s(?:\w+\s){0,2}(?:it|that|this|them|these|those)\W*$", re.IGNORECASE)
"""Behind words of doubt, these make them doubt all that was said: I did not check it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One place of a text that names a value or says words, and how it stands there."""

    sentence: Sentence
    value: Mention | None
    place: Place
    denied: bool = False
    doubted: bool = False
    rounded: bool = False
    """Whether it is told by and large: about, at least, or so."""
    asked: bool = False
    term: bool = False
    """Whether it is worked with: what stands before the result."""

    @property
    def holds(self) -> bool:
        """Whether it is asserted, and without any reservation."""
        return not (self.denied or self.doubted or self.asked or self.term)


class Assertions:
    """A text as it is read: what it claims, denies, doubts and leaves open.

    Args:
        text: What somebody wrote.
        names: What may be repeated without being an answer, such as `Pier 7`.
        subjects: What is asked for; one for each respect in which something else may be told besides.
    """

    def __init__(self, text: str, names: Iterable[str] = (), subjects: Sequence[Subject] = ()) -> None:
        self.too_long = len(text) > MOST_READ
        self.sentences = sentences(plain_lines(text)) if not self.too_long else []
        self.subjects = tuple(subjects)
        labels = (word for subject in subjects for word in (*subject.words, *subject.others))
        self._names = [name for name in (*names, *labels) if any(map(str.isdigit, name))]
        self._claims: dict[str, list[Claim]] = {}
        self._abouts: dict[tuple[int, Place], Of] = {}
        self._stances: dict[int, Stance] = {}

    # What it says.

    def claims(self, kind: Kind) -> list[Claim]:
        """Return the places that name a value of one kind, at most MOST_VALUES of them."""
        if kind not in self._claims:
            found: list[Claim] = []
            for sentence in self.sentences:
                text = _without_figures_in(sentence.text, self._names)
                values = values_in(text, kind) if len(found) <= MOST_VALUES else []
                terms = terms_in(sentence.text, values) if kind == "number" else set()
                found += [
                    self._claim(sentence, value, (value.start, value.end), value in terms)
                    for value in values[: MOST_VALUES + 1 - len(found)]
                ]
            self._claims[kind] = found
        return self._claims[kind]

    def sayings(self, phrase: str) -> list[Claim]:
        """Return the places that say words as they are."""
        if phrase not in self._claims:
            pattern = phrase_pattern(phrase)
            places = ((each, match.span()) for each in self._wide(phrase) for match in pattern.finditer(each.text))
            self._claims[phrase] = [
                self._claim(sentence, None, place, False) for sentence, place in islice(places, MOST_VALUES + 1)
            ]
        return self._claims[phrase]

    def answers_to(self, wanted: Sought, tolerance: float = 0.0) -> list[Claim]:
        """Return the places that say what is looked for, however they stand."""
        if wanted.kind in ("yes", "no", "words"):
            return self.sayings(wanted.phrase)
        kind = cast(Kind, wanted.kind)
        nought = self._noughts() if wanted.meant == 0.0 and kind == "number" else []
        return nought + [
            claim for claim in self.claims(kind) if claim.value and is_meant(claim.value, wanted, tolerance)
        ]

    def names_too_many(self, wanted: Sought) -> bool:
        """Tell whether more values are named than anybody looks at."""
        words = wanted.kind in ("yes", "no", "words")
        found = self.sayings(wanted.phrase) if words else self.claims(cast(Kind, wanted.kind))
        return len(found) > MOST_VALUES

    def _noughts(self) -> list[Claim]:
        """Return the places that say nought in words: none, no unread letters."""
        found: list[Claim] = []
        for sentence in self.sentences:
            for match in islice(moods.NOUGHT.finditer(sentence.text), MOST_VALUES - len(found)):
                value = Mention("number", *match.span(), frozenset([0.0]))
                claim = self._claim(sentence, value, match.span(), False)
                found.append(replace(claim, denied=False))
        return found

    def tells(self, wanted: Sought) -> bool:
        """Tell whether a text tells something for what is asked, be it doubted.

        What it tells by the way, of another thing or as a reason does not count.
        """
        return any(
            not (claim.denied or claim.term or (claim.value is not None and claim.value.aside))
            and self.of(claim) != "other"
            and not (claim.value is None and (_is_a_reason(claim) or _is_ranked_behind(claim)))
            for claim in self.answers_to(wanted)
        )

    # Of what it says it.

    def of(self, claim: Claim) -> Of:
        """Return what a claim is about: another thing in one respect makes it one of another thing."""
        key = (id(claim.sentence), claim.place)
        if key not in self._abouts:
            found = [self._of(claim, subject) for subject in self.subjects]
            self._abouts[key] = "other" if "other" in found else "this" if "this" in found else ""
        return self._abouts[key]

    def span_of(self, claim: Claim) -> tuple[Claim, Claim] | None:
        """Return the two ends of the span that a time is an end of, such as 10:00-16:30."""
        if claim.value is None:
            return None
        row = [each for each in self.claims(claim.value.kind) if each.sentence is claim.sentence]
        for since, until in zip(row, row[1:], strict=False):
            between = claim.sentence.text[since.place[1] : until.place[0]]
            opens = moods.BETWEEN.search(claim.sentence.text[: since.place[0]]) is not None
            if claim in (since, until) and (moods.SPAN.fullmatch(between) or (opens and between.strip() == "and")):
                return since, until
        return None

    def _of(self, claim: Claim, subject: Subject) -> Of:
        if claim.value and claim.value.kind == "time" and (span := self.span_of(claim)):
            role = "from" if claim is span[0] else "until"
            if role in subject.words or role in subject.others:
                return "this" if role in subject.words else "other"
        values = (
            []
            if claim.value is None
            else [each.place for each in self.claims(claim.value.kind) if each.sentence is claim.sentence]
        )
        return said_of(claim.sentence, claim.place, subject, values, self._stance(claim.sentence).denials)

    # How it says it.

    @functools.cached_property
    def reservation(self) -> str:
        """What is said of the whole answer that keeps it from being one."""
        for number, sentence in enumerate(self.sentences):
            if sentence.asks:
                continue
            for start, end in sentence.pieces:
                piece = sentence.text[start:end]
                if (number or start) and moods.IS_WRONG.search(piece.strip(" .!,")):
                    return piece.strip()
                doubt = self._doubt(piece)
                if doubt and not self._is_of_its_own(piece):
                    return doubt
        return ""

    @functools.cached_property
    def doubted(self) -> bool:
        """Whether anything at all in it is doubted."""
        return any(self._doubt(each.text[start:end]) for each in self.sentences for start, end in each.pieces)

    def polarity(self) -> set[str]:
        """Return whether it says yes or no without these words: that what is asked for is so, or is not."""
        named = [each for each in self.sentences if any(subject.labels(each.text) for subject in self.subjects)]
        said = named or [each for each in self.sentences[:1] if self._is_short_for_it(each.text)]
        return {
            "no" if moods.DENIAL.search(self._without_labels(each.text)) else "yes" for each in said if not each.asks
        }

    def _is_short_for_it(self, text: str) -> bool:
        """Tell whether a sentence says so or not and nothing of its own, such as `It does`."""
        words = set(re.findall(r"[^\W\d_]+", text.lower())) - moods.GENERIC
        return moods.FINITE.search(text) is not None and not (words and self.subjects)

    def _without_labels(self, text: str) -> str:
        return blank(text, [(start, end) for subject in self.subjects for start, end, _ in subject.labels(text)])

    @functools.cached_property
    def choice(self) -> str:
        """What leaves the choice to who asked; nothing where none is left."""
        for sentence in self.sentences:
            if found := moods.LEFT_OPEN.search(sentence.text):
                return found[0]
        return ""

    def _claim(self, sentence: Sentence, value: Mention | None, place: Place, term: bool) -> Claim:
        stance = self._stance(sentence)
        return Claim(
            sentence,
            value,
            place,
            denied=stance.is_denied(place, value),
            doubted=stance.is_doubted(place),
            rounded=is_rounded(sentence.text, place, value),
            asked=sentence.asks,
            term=term,
        )

    def _stance(self, sentence: Sentence) -> Stance:
        if id(sentence) not in self._stances:
            self._stances[id(sentence)] = Stance(sentence, self.subjects)
        return self._stances[id(sentence)]

    def _doubt(self, piece: str) -> str:
        """Return the words by which a piece of a sentence doubts what is asked for."""
        found = moods.DOUBT.search(piece)
        if found is None:
            return ""
        rest = piece[: found.start()] + " " + piece[found.end() :]
        words = [word for word in re.findall(r"[^\W\d_]+", rest.lower()) if word not in moods.GENERIC]
        asked = {word.lower() for subject in self.subjects for each in subject.words for word in each.split()}
        about = any(label[2] == "this" for subject in self.subjects for label in subject.labels(rest))
        other = any(label[2] == "other" for subject in self.subjects for label in subject.labels(rest))
        if re.search(r"\d", rest) or about or any(word in asked for word in words):
            return found[0]
        return "" if other or (words and is_of_knowing(found[0])) else found[0]

    def _is_of_its_own(self, piece: str) -> bool:
        """Tell whether a piece doubts a value that it names itself: the last entry, perhaps 16:00."""
        if any(_OF_ALL_BEFORE.match(piece, found.end()) for found in moods.DOUBT.finditer(piece)):
            return False
        words = set(re.findall(r"[^\W\d_]+", moods.DOUBT.sub(" ", piece).lower())) - moods.GENERIC
        return any(character.isdigit() for character in piece) and bool(words)

    def _wide(self, phrase: str) -> list[Sentence]:
        """Return the sentences to look for words in; an address may be spread over lines."""
        pattern = phrase_pattern(phrase)
        if "," not in phrase or any(pattern.search(each.text) for each in self.sentences):
            return self.sentences
        return [
            Sentence(f"{one.text}, {other.text}")
            for one, other in zip(self.sentences, self.sentences[1:], strict=False)
        ]


def plain_lines(text: str) -> str:
    """Return a text with one kind of quotes, dashes and blanks, line by line."""
    return "\n".join(line[: len(line) - len(line.lstrip())] + plain(line) for line in text.split("\n"))


def own_words(claim: Claim) -> set[str]:
    """Return the words of its piece and of the label above it that say what a claim is about."""
    pieces = claim.sentence.pieces
    start, end = next(((start, end) for start, end in pieces if claim.place[0] < end), (0, len(claim.sentence.text)))
    text = claim.sentence.text[start : claim.place[0]] + " " + claim.sentence.text[claim.place[1] : end]
    found = re.findall(r"[^\W\d_]+", f"{text} {claim.sentence.under}".lower())
    return {word for word in found if word not in moods.GENERIC}


def _is_a_reason(claim: Claim) -> bool:
    text = claim.sentence.text
    return any(
        start and start <= claim.place[0] < end and moods.FOR_A_REASON.search(text[start:end])
        for start, end in claim.sentence.pieces
    )


def _is_ranked_behind(claim: Claim) -> bool:
    return moods.RANKED_BEHIND.search(claim.sentence.text[: claim.place[0]]) is not None


def _without_figures_in(text: str, names: Iterable[str]) -> str:
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(plain(name))}(?!\w)", _letters, text, flags=re.IGNORECASE)
    return text


def _letters(match: re.Match[str]) -> str:
    return re.sub(r"\d", "x", match[0])
