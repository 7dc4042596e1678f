"""How somebody writes a letter: greeting, what surrounds the matter, farewell, slips."""

from __future__ import annotations

import random
import re
import textwrap

from proctor.worlds.model import Contact
from proctor.worlds.prose.banks import texts
from proctor.worlds.prose.speak import Speech

WRAP = 76
PARENTS = {"mother": "Mum", "father": "Dad"}
FAMILY = ("mother", "father", "brother", "sister", "partner", "son", "daughter", "granddaughter")
_SHORT = (
    ("I am", "I'm"), ("I will", "I'll"), ("I would", "I'd"), ("do not", "don't"), ("does not", "doesn't"), ("cannot",
    "can't"), ("it is", "it's"),
    ("It is", "It's"), ("that is", "that's"), ("I have", "I've"), ("We are", "We're"), ("is not", "isn't"),
    ("did not", "didn't"), ("you are", "you're"),
)  # fmt: skip


def letter(who: Contact, to: Contact, matter: str, speech: Speech, draw: random.Random, *, first: bool = True) -> str:
    """Return the whole text of a letter as this person writes it."""
    habits = who.habits
    parts = [matter]
    if habits.length >= 2 and draw.random() < 0.45 and first:
        parts.insert(
            0,
            speech.any_of(
                texts("small", "opening", habits.register),
                {"weekpart": draw.choice(("weekend", "week", "morning", "evening"))},
                draw,
            ),
        )
    if habits.length >= 1 and draw.random() < 0.3 * habits.length and len(matter) > 110 and "?" not in matter[-3:]:
        parts.append(speech.any_of(texts("small", "closing", habits.register), {}, draw))
    body = " ".join(parts) if sum(map(len, parts)) < 240 and "\n" not in matter else "\n\n".join(parts)
    body = type_it(in_register(body, habits.register), who, to, draw)
    greeting = _greet(who, to) if habits.greeting and (first or draw.random() < 0.5) else ""
    farewell = _farewell(who, to) if first or draw.random() < 0.6 else ""
    return "\n\n".join(part for part in (greeting, body, farewell) if part)


def address(who: Contact, to: Contact) -> str:
    """Return how somebody is addressed."""
    if who.role == "owner" and to.role in PARENTS:
        return PARENTS[to.role]
    return to.name if who.habits.register == "formal" and to.role in ("client", "supplier") else to.first


def in_register(text: str, register: str) -> str:
    """Return a text as casual people write it, in short forms, or as it is."""
    if register != "casual":
        return text
    for long, short in _SHORT:
        text = re.sub(rf"\b{long}\b", short, text)
    return text


def type_it(text: str, who: Contact, to: Contact, draw: random.Random) -> str:
    """Return a text as it was typed: some begin small, some have slips; names and figures stay right."""
    if who.habits.lower:
        text = re.sub(r"(^|[.!?]\s+|\n)([A-Z])(?=[a-z' ])", lambda found: found[1] + found[2].lower(), text)
        text = re.sub(r"\bi(?=[ '])", "i", text)
    if not who.habits.typos:
        return text
    words = text.split(" ")
    return " ".join(
        _slip(word, draw)
        if word.isalpha() and word.islower() and len(word) > 4 and draw.random() < who.habits.typos
        else word
        for word in words
    )


def quote(text: str, said: str) -> str:
    """Return the letter that is answered, below the answer."""
    lines = [line for part in text.split("\n") for line in (textwrap.wrap(part, WRAP - 2) or [""])]
    return "\n".join([said, *(f"> {line}" if line else ">" for line in lines)])


def _slip(word: str, draw: random.Random) -> str:
    place = draw.randrange(1, len(word) - 2)
    if draw.random() < 0.5:
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return word[:place] + word[place + 1 :]


def _greet(who: Contact, to: Contact) -> str:
    *words, last = who.habits.greeting.split()
    if last in ("Dad", "Grandpa", "you"):
        return f"{who.habits.greeting},"
    if last == "all":
        return f"{' '.join(words)} {'all' if to.role == 'all' else to.first},"
    return f"{who.habits.greeting} {address(who, to)},"


def _farewell(who: Contact, to: Contact) -> str:
    farewell = who.habits.farewell
    if who.role == "owner" and to.role in FAMILY and who.habits.register != "casual":
        return f"Love\n{'Dad' if to.role in ('son', 'daughter') else who.first}"
    if (
        who.role in ("boss", "colleague", "client", "supplier", "chair", "bookkeeper")
        and who.habits.register == "formal"
    ):
        return f"{farewell}\n{who.name}\n\n-- \n{who.name}\n{who.phone}"
    if not farewell or who.first in farewell or len(farewell) < 3 or farewell.startswith("/"):
        return farewell
    return f"{farewell}\n{who.first}"
