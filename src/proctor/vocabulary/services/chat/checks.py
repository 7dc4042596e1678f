"""Checks on what happened in a chat.

Texts are compared whatever their case, blanks and the sign that ends them. A question mark is no such sign: it makes a
question of what was to be told. Where somebody asked for exactly this text, case and punctuation count.
"""

from __future__ import annotations

from typing import Any

from proctor.tasks.answers.assertions import Assertions
from proctor.tasks.answers.objections import objections
from proctor.tasks.answers.values import sought
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose, plain

COMING = ("join", "part", "quit", "kick")


@CHECKS.register
def chat_said(of: Seen, who: str, text: str, alone: bool = False, exactly: bool = False) -> Finding:
    """Someone said this, exactly once; other messages do not matter, unless it must be the only one."""
    said = [entry["text"] for entry in _entries(of, "message", who)]
    times = sum(_same(line, text, exactly) for line in said)
    if times == 1 and alone and len(said) > 1:
        others = "; ".join(f"'{line[:120]}'" for line in said if not _same(line, text, exactly))
        return wrong(f"{who} said more than '{text}' in {of['where']}: {others}.")
    if times == 1:
        return right()
    if times:
        return wrong(f"{who} said '{text}' {times} times in {of['where']}, expected once.")
    heard = "; ".join(f"'{line[:120]}'" for line in said[-5:]) or "nothing"
    return wrong(f"{who} did not say '{text}' in {of['where']}; said there: {heard}.")


@CHECKS.register
def chat_mentioned(of: Seen, who: str, words: list[str]) -> Finding:
    """One message of someone asserts all of these phrases, as whole words, without reservation."""
    said = [entry["text"] for entry in _entries(of, "message", who)]
    wanted = [sought(word) for word in words]
    for line in said:
        reading = Assertions(line)
        if not any(objections(reading, word, beside=wanted) for word in wanted):
            return right()
    heard = "; ".join(f"'{line[:120]}'" for line in said[-5:]) or "nothing"
    return wrong(f"No message of {who} in {of['where']} has {', '.join(words)} in it; said there: {heard}.")


@CHECKS.register
def chat_silent(of: Seen, who: str) -> Finding:
    """Someone said nothing at all."""
    said = [entry["text"] for entry in _entries(of, "message", who)]
    return unless(f"{who} said '{line[:120]}' in {of['where']}, expected nothing." for line in said)


@CHECKS.register
def chat_topic(of: Seen, topic: str, exactly: bool = False) -> Finding:
    """The topic was set, and is now this one."""
    topics = [entry["text"] for entry in of["entries"] if entry["kind"] == "topic"]
    if not topics:
        return wrong(f"The topic of {of['where']} was not changed.")
    same = _same(topics[-1], topic, exactly)
    return right() if same else wrong(f"The topic of {of['where']} is '{topics[-1]}', expected '{topic}'.")


@CHECKS.register
def joined_channel(of: Seen, who: str) -> Finding:
    """Someone is in the channel now."""
    return right() if _inside(of, who) else wrong(f"{who} is not in {of['where']}.")


@CHECKS.register
def left_channel(of: Seen, who: str) -> Finding:
    """Someone is not, or no longer, in the channel."""
    return wrong(f"{who} is in {of['where']}.") if _inside(of, who) else right()


def _entries(of: Any, kind: str, who: str) -> list[Any]:
    return [entry for entry in of["entries"] if entry["kind"] == kind and entry["who"].lower() == who.lower()]


def _inside(of: Any, who: str) -> bool:
    coming = [entry["kind"] for entry in of["entries"] if entry["kind"] in COMING and _mover(entry) == who.lower()]
    return bool(coming) and coming[-1] == "join"


def _mover(entry: Any) -> str:
    """Return who comes or goes; of two, whoever is thrown out."""
    name: str = entry["text"].partition(" ")[0] if entry["kind"] == "kick" else entry["who"]
    return name.lower()


def _same(found: str, wanted: str, exactly: bool) -> bool:
    return plain(found) == plain(wanted) if exactly else _plain(found) == _plain(wanted)


def _plain(text: str) -> str:
    return loose(text).rstrip(".! ")
