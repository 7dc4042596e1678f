"""What a question is about, however it is put: words by their stems, with those of their topic."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from proctor.tasks.words import loose

_ENDINGS = (
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ied",
    "ies",
    "ers",
    "er",
    "ed",
    "es",
    "s",
    "ly",
    "e",
    "y",
)
LEAST_STEM = 3
"""Letters that must be left of a word when an ending is taken off."""
LEAST_CANCELLED = 5
"""Letters beyond which a double l at the end is one that an ending doubled."""

WHOLE = frozenset({"newer", "older"})
"""Words whose ending makes a difference: the newer file is no new file."""
IRREGULAR = {
    form: word
    for word, forms in {
        "begin": "began begun", "break": "broke broken", "bring": "brought", "buy": "bought", "choose": "chose chosen",
        "come": "came", "find": "found", "forget": "forgot forgotten", "give": "gave given", "go": "went gone",
        "have": "has had", "hide": "hid hidden", "hold": "held", "keep": "kept", "leave": "left", "lend": "lent",
        "lose": "lost", "make": "made", "meet": "met", "overwrite": "overwrote overwritten", "pay": "paid",
        "sell": "sold", "send": "sent", "spend": "spent", "take": "took taken", "tell": "told",
        "throw": "threw thrown", "withdraw": "withdrew withdrawn", "write": "wrote written",
    }.items()
    for form in forms.split()
}  # fmt: skip
"""Verbs whose forms share no beginning with them, by those forms."""

TOPICS: dict[str, str] = {
    "room": "accommodation bed bunk dorm dormitory double lodging private shared single sleep stay twin bedroom",
    "guests": "attend attendance attendee come count crowd guest headcount invitee join many number party people "
    "person participant size turnout visitor folks everyone",
    "vegetarian": "diet dietary eat food meal meat meatless vegan vegetable veggie plant menu dish",
    "passphrase": "code credential decrypt key login master open passcode password phrase pin secret unlock lock "
    "locked access safe vault",
    "which": "ambiguous both cancel choose clarify correct delete duplicate either first intended mean meant off one "
    "other pick prefer remove right second several two unclear unsure",
    "day": "date monday tuesday wednesday thursday friday saturday sunday morning afternoon time when week weekday",
    "appointment": "booking call entry event meeting session talk",
    "protected": "chmod edit editable locked override overwrite permission permitted protect protection readonly "
    "unprotect unlock writable write writeprotected modify lift bypass replace",
    "permission": "allow allowed approve approval confirm consent go happy mind okay ok permit proceed continue shall "
    "should may want authorise authorize",
    "price": "amount cost euro fee figure money pay sum total",
    "colour": "color shade tone hue",
    "name": "called surname title",
    "address": "email mail street town zip city postcode",
    "size": "big large small tall wide width height long length",
}
"""Words that people use when they ask about something, by one word that stands for it."""

_NAMELY = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")


def is_about(question: str, words: Iterable[str]) -> bool:
    """Tell whether a question is about something told by a few words, in these or related ones.

    A phrase of several words must be there in this order; a single word stands for its whole topic, where it has one.
    """
    asked = _stems(question)
    held = set(asked)
    return any(_phrase(each, asked) if " " in each.strip() else bool(held & _topic(each)) for each in words)


def is_named(question: str, phrases: Iterable[str]) -> bool:
    """Tell whether a question has one of these phrases in it, in any inflected form."""
    asked = _stems(question)
    return any(_phrase(each, asked) for each in phrases)


def stem(word: str) -> str:
    """Return what is left of a word without its ending, so that booked, booking and books are one."""
    if word in WHOLE:
        return word
    bare = word.removesuffix("'s").replace("'", "")
    bare = IRREGULAR.get(bare, bare)
    for ending in _ENDINGS:
        if bare.endswith(ending) and len(bare) - len(ending) >= LEAST_STEM:
            bare = bare.removesuffix(ending)
            break
    if ending in {"ed", "ing", "s"} and len(bare) - 2 >= LEAST_STEM:
        bare = bare.removesuffix("er")  # delivered, as deliver
    # What doubled before its ending, as in planning, or in cancelled but not in selling.
    kept = "s" if len(bare) > LEAST_CANCELLED else "ls"
    return bare[:-1] if len(bare) > LEAST_STEM and bare[-1] == bare[-2] and bare[-1] not in kept else bare


def _stems(text: str) -> list[str]:
    return [stem(word) for word in _NAMELY.findall(loose(text).replace("-", ""))]


def _phrase(phrase: str, asked: list[str]) -> bool:
    sought = _stems(phrase)
    return any(asked[at : at + len(sought)] == sought for at in range(len(asked) - len(sought) + 1))


@functools.lru_cache(maxsize=512)
def _topic(word: str) -> frozenset[str]:
    """Return the stems of a word and of what is related to it."""
    own = set(_stems(word))
    for name, related in TOPICS.items():
        if stem(name) in own:
            own |= set(_stems(related))
    return frozenset(own)
