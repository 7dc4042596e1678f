"""Judging an attempt by its pictures: what a critic is asked, and the verdict in what it replies."""

from __future__ import annotations

import re
from dataclasses import dataclass

from proctor.models.answer_text import answer_part

CRITIC = """\
The pictures show a screen while someone works on a task{between}. Judging by the last picture, was the task done?

Task: {instruction}

End with two lines, how sure you are from 0 to 1, and the answer, True or False:
Confidence: 0.5
Answer: True"""
SAID = re.compile(r"(?:final\s+)?answers?\W{0,6}(?:is|are)?\W{0,6}", re.IGNORECASE)
"""What stands before an answer."""

_CONFIDENCE = re.compile(
    r"(?:confidence|probability|certainty)\W{0,6}(?:is\s|of\s)?(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})\s?(%?)", re.I
)
_VERDICTS = {
    True: r"true|yes|success|successful|succeeded|completed|accomplished|pass|passed",
    False: r"false|no|failure|failed|fail|unsuccessful|incomplete|not\s+(?:completed|successful|accomplished|done)",
}
_WORDS = {truth: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for truth, words in _VERDICTS.items()}
_FIRST = {truth: re.compile(rf"(?:{words})\b", re.IGNORECASE) for truth, words in _VERDICTS.items()}
_OFFERED = re.compile(r"\W{0,6}(?:or\b|/|\|)\W{0,6}", re.IGNORECASE)
"""What stands between two answers of which none is given."""
_FIELD = re.compile(
    r'"(?:success|successful|answer|verdict|completed|done|result)"\s{0,9}:\s{0,9}"?(?=[a-z])', re.IGNORECASE
)
"""What stands before an answer in JSON."""
_CHOICE = re.compile(r"\((?:true|yes) ?(?:or|/|\||,) ?(?:false|no)\)", re.IGNORECASE)
"""The question said again before its answer."""
_FAR = 200
"""Characters that are looked at behind what announces an answer."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a reply says of a trajectory."""

    success: bool | None = None
    confidence: float | None = None
    """How sure it says it is of its answer, from 0 to 1, where it says so."""
    problem: str = ""


def critic_prompt(instruction: str, *, with_actions: bool = True, wording: str = "") -> str:
    """Return what a critic is asked after the pictures; a wording of one's own has the same places."""
    between = ", with each action after the picture it was taken on" if with_actions else ""
    return (wording or CRITIC).format(instruction=instruction, between=between)


def find_verdict(reply: str) -> Judged:
    """Return whether a reply says that it was a success; one that says both says nothing."""
    text, problem = answer_part(reply)
    if problem:
        return Judged(problem=problem)
    text = _CHOICE.sub("", text)
    confidence = _confidence(text)
    said = set()
    for match in (*SAID.finditer(text), *_FIELD.finditer(text)):
        said |= _verdicts_at(text[match.end() : match.end() + _FAR].lstrip("*`\"'( \n{[:"))
    if not said:
        bare = _CONFIDENCE.sub(" ", text)
        # What is negated does not count as said.
        texts = {True: re.sub(r"\bnot\s+\w+", " ", bare, flags=re.IGNORECASE), False: bare}
        said = {truth for truth, pattern in _WORDS.items() if pattern.search(texts[truth])}
    if len(said) == 1:
        return Judged(said.pop(), confidence)
    return Judged(problem="it says both" if said else "it says neither")


def _verdicts_at(text: str) -> set[bool]:
    """Return the verdict that a text begins with; both where it offers one or the other."""
    for truth, pattern in _FIRST.items():
        if first := pattern.match(text):
            offered = _OFFERED.match(text, first.end())
            other = offered and _FIRST[not truth].match(text, offered.end())
            return {True, False} if other else {truth}
    return set()


def _confidence(text: str) -> float | None:
    found = _CONFIDENCE.findall(text)
    if not found:
        return None
    number, percent = found[-1]
    value = float(number) / 100 if percent or float(number) > 1 else float(number)
    return value if 0 <= value <= 1 else None
