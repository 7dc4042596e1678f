"""Lettered choices in what models write."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from proctor.models.answering import answering
from proctor.models.critic import SAID


@dataclass(frozen=True, slots=True)
class Chosen:
    """The options that a reply names, by their places."""

    places: tuple[int, ...] = ()
    problem: str = ""


def find_choices(reply: str, options: Sequence[str], *, several: bool) -> Chosen:
    """Return the options that a reply chooses: the letters after its last `Answer:`, or all that it says."""
    text, problem = answering(reply)
    if problem:
        return Chosen(problem=problem)
    marked = list(SAID.finditer(text))
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
