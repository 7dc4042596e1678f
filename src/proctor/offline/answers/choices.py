"""Lettered choices and verdicts in what models write; a reply that says two things says nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from proctor.offline.answers.replies import answering

_SAID = re.compile(r"(?:final\s+)?answers?\W{0,6}(?:is|are)?\W{0,6}", re.IGNORECASE)
_CONFIDENCE = re.compile(
    r"(?:confidence|probability|certainty)\W{0,6}(?:is\s|of\s)?(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})\s?(%?)", re.I
)
_VERDICTS = {
    True: r"true|yes|success|successful|succeeded|completed|accomplished|pass|passed",
    False: r"false|no|failure|failed|fail|unsuccessful|incomplete|not\s+(?:completed|successful|accomplished|done)",
}
_WORDS = {truth: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for truth, words in _VERDICTS.items()}
_FIRST = {truth: re.compile(rf"(?:{words})\b", re.IGNORECASE) for truth, words in _VERDICTS.items()}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The options that a reply names, by their places."""

    places: tuple[int, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a reply says of a trajectory."""

    success: bool | None = None
    confidence: float | None = None
    """How sure it says it is of its answer, from 0 to 1, where it says so."""
    problem: str = ""


def find_choices(reply: str, options: Sequence[str], *, several: bool) -> Chosen:
    """Return the options that a reply chooses: the letters after its last `Answer:`, or all that it says."""
    text, problem = answering(reply)
    if problem:
        return Chosen(problem=problem)
    marked = list(_SAID.finditer(text))
    bodies = [text[match.end() :] for match in reversed(marked)] or [text]
    for body in bodies[:1] if several else bodies:
        found = _sequence(body, options) if several else _one(body, options, alone=not marked)
        if found:
            return Chosen(tuple(found))
    return Chosen(problem="there is no option in it" if not marked else "what follows 'Answer:' is no option")


def _one(body: str, options: Sequence[str], *, alone: bool) -> list[int]:
    letters = _letter(len(options))
    first = body.strip().strip("*`\"'$ ")
    if match := re.match(rf"\W{{0,4}}(?:\\?(?:boxed|text)\W)?\(?({letters})(?![A-Za-z])", first):
        return [_place(match[1])]
    lowered = first.lower()
    if not alone:
        longest = sorted(enumerate(options), key=lambda each: -len(each[1]))
        begun = [place for place, option in longest if re.match(rf"{re.escape(option.lower())}\b", lowered)]
        return begun[:1]
    # Nothing marks the answer: it counts where one option alone is spoken of.
    named = {place for place, option in enumerate(options) if re.search(rf"\b{re.escape(option)}\b", body, re.I)}
    named = {one for one in named if not any(one != other and options[one] in options[other] for other in named)}
    last = re.findall(rf"(?:^|\n)\W{{0,4}}({letters})\W{{0,4}}$", body.strip())
    return [_place(last[-1])] if last else list(named) if len(named) == 1 else []


def _sequence(body: str, options: Sequence[str]) -> list[int]:
    """Return the letters or names of a sequence: one a line, or on one line between commas or arrows."""
    letters = _letter(len(options))
    lowered = {option.lower(): place for place, option in enumerate(options)}
    found: list[int] = []
    for piece in re.split(r"[\n,;]|->|\N{RIGHTWARDS ARROW}|=>|\band\b", body[:4_000]):
        bare = re.sub(r"^\s*(?:\d{1,2}[.):]\s*|[-*]\s+)", "", piece).strip().strip("*`\"'$[]().\\ ")
        if not bare:
            continue
        if re.fullmatch(rf"(?:{letters}\s+)+{letters}", bare):
            found += [_place(each) for each in bare.split()]
        elif match := re.fullmatch(rf"({letters})(?:\W.{{0,80}})?", bare):
            found.append(_place(match[1]))
        elif (named := bare.lower()) in lowered:
            found.append(lowered[named])
        else:
            break
    return found


def _letter(count: int) -> str:
    last = chr(ord("A") + count - 1)
    return f"[A-{last}]"


def _place(letter: str) -> int:
    return ord(letter) - ord("A")


def find_verdict(reply: str) -> Judged:
    """Return whether a reply says that it was a success; one that says both says nothing."""
    text, problem = answering(reply)
    if problem:
        return Judged(problem=problem)
    confidence = _confidence(text)
    said = set()
    for match in _SAID.finditer(text):
        rest = text[match.end() :].lstrip("*`\"'( \n{[:")
        said |= {truth for truth, pattern in _FIRST.items() if pattern.match(rest)}
    if not said:
        bare = _CONFIDENCE.sub(" ", text)
        said = {truth for truth, pattern in _WORDS.items() if pattern.search(_without_negated(bare, truth))}
    if len(said) == 1:
        return Judged(said.pop(), confidence)
    return Judged(problem="it says both" if said else "it says neither")


def _without_negated(text: str, truth: bool) -> str:
    """Return a text in which what is negated does not count as said."""
    return re.sub(r"\bnot\s+\w+", " ", text, flags=re.IGNORECASE) if truth else text


def _confidence(text: str) -> float | None:
    found = _CONFIDENCE.findall(text)
    if not found:
        return None
    number, percent = found[-1]
    value = float(number) / 100 if percent or float(number) > 1 else float(number)
    return value if 0 <= value <= 1 else None
