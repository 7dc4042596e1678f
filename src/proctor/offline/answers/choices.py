"""Lettered choices in what models write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from proctor.models.answer_text import answer_part
from proctor.models.critic import SAID

_MOST_MARKS, _MOST_BODY = 20, 4_000
"""Of a reply without end, so many `Answer:` from its end, and so many characters after each, are looked at."""
_CLOSING = re.compile(r"</\s{0,2}(?:final_)?answer\s{0,2}>", re.IGNORECASE)
_LEAD = r"(?:\\?(?:boxed|text)\W{1,2})?(?:(?:the\s)?(?:option|letter|choice|action)\s)?"
_COUNTED = re.compile(r"^\s*(?:(?:step|action)?\s?\d{1,2}\s?[.):-]\s*|[-*]\s+|then\s+)+", re.IGNORECASE)
_WORD_AFTER = re.compile(r"\s+(?!(?:because|since|as|is|was|for|it|the|this|which|given|due|or|and)\b)[a-z]")
"""What follows `A` and `I` where they are words of a sentence, not letters of options."""
_AROUND = "*`\"'$[](){}.\\ \t\r"
_WRAPPED = re.compile(r"^\\?(?:boxed|text)\{|<[^<>]{0,20}>")
_SPLITS = (
    re.compile(r"\n"),
    re.compile(r"[,;|]|->|\N{RIGHTWARDS ARROW}|=>|(?<=\b[A-Za-z])\s?[-/>]\s?(?=[A-Za-z]\b)"),
    re.compile(r"\b(?:and|then)\b", re.IGNORECASE),
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The options that a reply names, by their places."""

    places: tuple[int, ...] = ()
    problem: str = ""


def find_choices(reply: str, options: Sequence[str], *, several: bool) -> Chosen:
    """Return the options a reply chooses: the letters after its last `Answer:`, or all it says."""
    text, problem = answer_part(reply)
    if problem:
        return Chosen(problem=problem)
    text = _CLOSING.sub("\n", text)
    marked = list(SAID.finditer(text))[-_MOST_MARKS:]
    bodies = [text[match.end() : match.end() + _MOST_BODY] for match in reversed(marked)] or [text]
    for body in bodies[:1] if several else bodies:
        found = _sequence(body, options) if several else _one(body, options, alone=not marked)
        if len(found) > 1 and not several:
            return Chosen(problem="it names several options")
        if found:
            return Chosen(tuple(found))
    return Chosen(problem="there is no option in it" if not marked else "what follows 'Answer:' is no option")


def _one(body: str, options: Sequence[str], *, alone: bool) -> list[int]:
    letters = _letter(len(options))
    first = body.strip().strip("*`\"'$ ")
    match = re.match(rf"\W{{0,4}}{_LEAD}\W{{0,2}}({letters})(?![A-Za-z])", first, re.IGNORECASE)
    # A small letter is one where nothing but a stop follows; otherwise it is a word.
    if match and (match[1].isupper() or re.match(r"\W*(?:\n|$)|[.:)]", first[match.end() :])):
        rest = first[match.end() :]
        if not _is_word(match[1], rest, options):
            also = re.match(rf"\s{{0,2}}(?:,|/|\bor\b|\band\b)\W{{0,3}}({letters})\W*(?:\n|$)", rest, re.IGNORECASE)
            return [_place(each) for each in dict.fromkeys((match[1], also[1] if also else match[1]))]
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
    """Return the letters or names of a sequence, by lines or between commas, bars or arrows."""
    letters = _letter(len(options))
    lowered = {option.lower(): place for place, option in enumerate(options)}
    found: list[int] = []
    for bare in _pieces(body[:_MOST_BODY], lowered):
        if re.fullmatch(rf"(?:{letters}\s+)+{letters}|{letters}{{2,26}}", bare):
            found += [_place(each) for each in bare if not each.isspace()]
        elif (named := bare.lower()) in lowered:
            found.append(lowered[named])
        elif (match := re.fullmatch(rf"{_LEAD}({letters})(\W.{{0,80}})?", bare, re.IGNORECASE)) and (
            match[1].isupper() or not match[2]
        ):
            if _is_word(match[1], match[2] or "", options):
                break
            found.append(_place(match[1]))
        else:
            break
    return found


def _pieces(text: str, names: dict[str, int], depth: int = 0) -> Iterator[str]:
    """Yield what stands between line ends, commas, arrows and joining words; option names stay whole."""
    for piece in _SPLITS[depth].split(text):
        bare = _WRAPPED.sub("", _COUNTED.sub("", piece.strip(_AROUND))).strip(_AROUND)
        if not bare:
            continue
        if depth + 1 == len(_SPLITS) or bare.lower() in names:
            yield bare
        else:
            yield from _pieces(bare, names, depth + 1)


def _is_word(letter: str, rest: str, options: Sequence[str]) -> bool:
    """Tell whether a letter is an article or a pronoun: `A new line is there`, `I think so`."""
    if letter.upper() not in "AI" or not _WORD_AFTER.match(rest):
        return False
    return not rest.strip().lower().startswith(options[_place(letter)].lower())


def _letter(count: int) -> str:
    last = chr(ord("A") + count - 1)
    return f"[A-{last}]"


def _place(letter: str) -> int:
    return ord(letter.upper()) - ord("A")
