"""Changes to what probes saw that is no file: a letter left out, a setting taken back."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Literal

from proctor.prove.transforms.words import next_number, other_datum, other_number, other_word
from proctor.tasks.findings import Fault
from proctor.tasks.inside.merge import DERIVED

ELSEWHERE = frozenset({
    "answer", "changes", "controls", "cursor", "digest", "file", "folder", "history", "processes", "questions",
    "screen_text", "shown", "terminal",
})  # fmt: skip
"""Probes whose evidence is tried by changing files and words, or which see more than any task is about."""
LOGS = frozenset({"site_log", "visited_pages", "windows", "web_cookies", "web_tabs"})
"""Probes that see a trail, much of which says nothing about the task; it is only taken back as a whole."""
INCIDENTAL = frozenset({
    "account", "all_day", "bcc", "created", "date", "forms", "from", "id", "in_reply_to", "kind", "marks", "modified",
    "number", "path", "references", "sender", "size", "type", "uid", "where", "who",
})  # fmt: skip
"""Fields that come with an entry by themselves, or that say what sort of entry it is."""
FREE = frozenset({"body", "description", "message", "own", "subject", "text"})
"""Fields in a person's own words, of which most may be others."""
COMINGS = frozenset({"join", "nick", "part", "quit"})
"""Entries of a chat that say who came and went, which nobody is asked about."""
BY_READING = frozenset({"answered", "forwarded", "read"})
"""Marks that letters get by themselves while somebody works with them."""
TREES = frozenset({"bookmarks", "folders"})
"""Fields of an entry that hold entries of their own."""
NAMES = ("address", "id", "name", "path", "subject", "summary", "text", "title", "uid")
"""Fields that tell entries apart."""
LASTING = ("id", "uid", "address", "name")
"""Those of them that stay what they are when what an entry holds is changed."""
MOST_OLD = 2
"""Entries that were there before, of which each is left out once."""
MOST_NEW = 6

ChangedPart = Literal["asked", "besides", "all"]
"""What is changed: what the solution did, what it left alone, or both. Where one probe shows a part of what another
one shows, neither can show by itself what somebody else would have left."""
Entry = dict[str, Any]
Changed = tuple[str, dict[str, Any]]
"""What was changed, in words, and the evidence with the change."""


def evidence_mutants(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    draw: Random,
    is_file: Callable[[str], bool],
    part: ChangedPart = "all",
) -> Iterator[Changed]:
    """Yield the evidence after a solution with one piece of it taken back, left out or changed."""
    for key, seen in after.items():
        call = _call(key)
        name = call.get("probe", "")
        if not name or name in ELSEWHERE or name.endswith("before") or Fault.from_json(seen) is not None:
            continue
        if isinstance(call.get("path"), str) and is_file(call["path"]):
            continue
        what = ", ".join([str(value) for field, value in call.items() if field != "probe"])
        label = f"{name}({what})"
        for words, value in _changes(before.get(key), seen, draw, whole=name in LOGS, part=part):
            yield f"{label}: {words}", {**after, key: value}


def _call(key: str) -> dict[str, Any]:
    try:
        read = json.loads(key)
    except ValueError:
        return {}  # how the agent ended, which is no probe
    return read if isinstance(read, dict) else {}


def _changes(before: Any, after: Any, draw: Random, *, whole: bool, part: ChangedPart) -> Iterator[tuple[str, Any]]:
    if part != "besides" and before is not None and _settle(before) != _settle(after):
        yield "taken back", before
    if whole or not isinstance(after, dict):
        return
    for field, value in after.items():
        if field in DERIVED:
            continue  # without the rest, it would be a state nobody can make
        old = before.get(field) if isinstance(before, dict) else None
        if isinstance(value, list):
            for words, changed in _list_changes(old if isinstance(old, list) else [], value, draw, part):
                yield f"{field}: {words}", {**after, field: changed}
        elif isinstance(value, dict) and part != "besides":
            earlier = old if isinstance(old, dict) else {}
            for name in sorted(name for name in value if name in earlier and earlier[name] != value[name]):
                yield f"{field}: {name} taken back", {**after, field: {**value, name: earlier[name]}}


def _list_changes(
    before: list[Any], after: list[Any], draw: Random, part: ChangedPart = "all"
) -> Iterator[tuple[str, list[Any]]]:
    known = [_settle(item) for item in before]
    told = [at for at, item in enumerate(after) if not _is_coming(item)]
    new = [at for at in told if _settle(after[at]) not in known]
    old = [at for at in told if _settle(after[at]) in known]
    for at in new[:MOST_NEW] if part != "besides" else ():
        yield f"{_name_of(after[at], at)} left out", after[:at] + after[at + 1 :]
        if isinstance(after[at], dict):
            below = _changes_below(before, after[at], draw, sorted(TREES & after[at].keys()))
            for words, item in (*_entry_changes(after[at], draw), *below):
                yield f"{_name_of(after[at], at)}: {words}", [*after[:at], item, *after[at + 1 :]]
    if part == "asked":
        return
    for at in sorted(draw.sample(old, min(len(old), MOST_OLD))):
        yield f"{_name_of(after[at], at)}, there before, left out", after[:at] + after[at + 1 :]
        for words, item in _remarks(after[at]):
            yield f"{_name_of(after[at], at)}, there before: {words}", [*after[:at], item, *after[at + 1 :]]
    if told and isinstance(more := after[told[-1]], dict) and (another := _another(more)) != more:
        yield "an entry more", [*after, another]
    elif told and isinstance(more, str):
        yield "an entry more", [*after, f"{more}-left-over"]
    # One that holds others: that in which something was done, if there is one.
    for at in (new or old)[:1] if part == "besides" else ():
        held = [name for name in after[at] if isinstance(after[at][name], list)] if isinstance(after[at], dict) else []
        for words, item in _changes_below(before, after[at], draw, held, part):
            yield f"{_name_of(after[at], at)}: {words}", [*after[:at], item, *after[at + 1 :]]


def _changes_below(
    before: list[Any], entry: Entry, draw: Random, fields: Sequence[str], part: ChangedPart = "all"
) -> Iterator[tuple[str, Entry]]:
    """Yield an entry with the entries changed that it holds in some fields."""
    name = next((each for each in LASTING if each in entry), "name")
    same = (each for each in before if isinstance(each, dict) and each.get(name) == entry.get(name))
    earlier = next(same, {})
    for field in fields:
        if isinstance(entry[field], list) and any(isinstance(each, dict) for each in entry[field]):
            held = earlier.get(field)
            for words, changed in _list_changes(held if isinstance(held, list) else [], entry[field], draw, part):
                yield f"{field}: {words}", {**entry, field: changed}


def _remarks(entry: object) -> Iterator[tuple[str, Entry]]:
    """Yield an entry with another value or with a remark added; letters stay as they came."""
    if not isinstance(entry, dict) or "own" in entry:
        return
    if isinstance(value := entry.get("value"), str | int | float):
        yield "value: changed", {**entry, "value": other_datum(value)}
    for field in sorted(FREE & entry.keys()):
        if isinstance(entry[field], str):
            yield f"{field}: a remark added", _replace(entry, field, entry[field], f"{entry[field]} left over".lstrip())


def _another(entry: Entry) -> Entry:
    """Return an entry like another one, of another name."""
    named = {name: f"{entry[name]} left over" for name in NAMES if isinstance(entry.get(name), str) and entry[name]}
    return {**entry, **named}


def _settle(seen: Any) -> Any:
    """Return what was seen without the marks, and the comings and goings, that come by themselves."""
    if isinstance(seen, list):
        return [_settle(item) for item in seen if not _is_coming(item)]
    if not isinstance(seen, dict):
        return seen
    marks = seen.get("marks")
    kept = (
        {"marks": [mark for mark in marks if not (isinstance(mark, str) and mark in BY_READING)]}
        if isinstance(marks, list)
        else {}
    )
    return {**{field: _settle(value) for field, value in seen.items()}, **kept}


def _is_coming(entry: Any) -> bool:
    kind = entry.get("kind") if isinstance(entry, dict) else None
    return isinstance(kind, str) and kind in COMINGS


def _name_of(item: Any, at: int) -> str:
    names = ("summary", "subject", "title", "name", "kind") if isinstance(item, dict) else ()
    said = next((item[name] for name in names if isinstance(item.get(name), str) and item[name]), None)
    return f"{said!r:.60}" if said else (f"{item!r:.60}" if isinstance(item, str) else f"entry {at + 1}")


def _entry_changes(entry: Entry, draw: Random) -> Iterator[tuple[str, Entry]]:
    # Whom a letter in a folder went to is not up to who puts it there.
    covered = {"to", "cc"} if {"recipients", "marks"} & entry.keys() else set()
    for field, value in entry.items():
        if field in INCIDENTAL | TREES | set(DERIVED) or field in covered or (field == "text" and "own" in entry):
            continue
        if isinstance(value, str) and value:
            for words, other in _text_changes(value, draw, free=field in FREE, first=field == "title"):
                yield f"{field}: {words}", _replace(entry, field, value, other)
        elif isinstance(value, list) and value:
            yield f"{field}: one left out", {**entry, field: value[:-1]}
        elif isinstance(value, dict):
            for name, inner in value.items():
                if isinstance(inner, str) and inner:
                    other = other_number(inner, draw) or other_word(inner, draw) or inner + "q"
                    yield f"{field}: {name} changed", {**entry, field: {**value, name: other}}
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{field}: changed", {**entry, field: value + 7}


def _text_changes(value: str, draw: Random, *, free: bool, first: bool) -> Iterator[tuple[str, str]]:
    """Yield a text with its first word changed: what follows may be no part of it, as in page titles."""
    if not free:
        yield "changed", other_number(value, draw) or other_word(value, draw, first=first) or value + "q"
        return
    number = other_number(value, draw)
    if number is not None:
        yield "a number changed", number
    yield "emptied", ""


def _replace(entry: Entry, field: str, value: str, other: str) -> Entry:
    """Return an entry with a field changed; a letter's own words are part of its text."""
    changed = {**copy.copy(entry), field: other}
    if field == "own" and isinstance(entry.get("text"), str):
        changed["text"] = entry["text"].replace(value, other) if value in entry["text"] else other
    return changed


def other_answers(text: str) -> Iterator[tuple[str, str]]:
    """Yield answers that say something else, with what is different about them."""
    yield "nothing that answers", "I could not find out."
    for match in list(_numbers(text))[:3]:
        yield f"another number than {match[2]}", text[: match[0]] + next_number(match[2]) + text[match[1] :]
    words = [word for word in text.replace(",", " ").split() if word[:1].isupper() and word.isalpha() and len(word) > 2]
    for word in dict.fromkeys(words[:2]):
        yield f"without {word}", " ".join(text.replace(word, "").split()) or "nothing"


def same_answers(text: str) -> Iterator[tuple[str, str]]:
    """Yield answers that say the same in another way."""
    yield "with a sentence before it", f"I had a look, and here is what you asked for: {text}"
    yield "with a sentence after it", f"{text.rstrip('.')}. Is there anything else that I can do for you?"
    yield "with an end of a line after it", f"{text}\n"


def _numbers(text: str) -> Iterator[tuple[int, int, str]]:
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and text[end].isascii() and text[end].isdigit():
            end += 1
        if end > at:
            yield at, end, text[at:end]
        at = end + 1
