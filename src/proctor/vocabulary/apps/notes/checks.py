"""Checks on notes; blanks at the ends of lines and empty lines are ignored."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from proctor.tasks.compare import different_lines
from proctor.tasks.findings import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose, plain

Lines = Annotated[list[str], Field(min_length=1)]


@CHECKS.register
def note_exists(of: Seen, title: str) -> Finding:
    """There is exactly one note with this title, which in Zim is its path, like `Recipes:Soup`."""
    return unless(_one(of, title)[1])


@CHECKS.register
def note_missing(of: Seen, title: str) -> Finding:
    """There is no note with this title."""
    return unless([f"The note '{title}' is there."] if _all(of, title) else [])


@CHECKS.register
def notes_are(of: Seen, titles: list[str]) -> Finding:
    """There are notes with exactly these titles, whatever the case."""
    held, wanted = [loose(note["title"]) for note in of["notes"]], [loose(title) for title in titles]
    problems = [f"The note '{title}' is missing." for title in titles if loose(title) not in held]
    extra = [note["title"] for note in of["notes"] if loose(note["title"]) not in wanted]
    problems += [f"The note '{title}' should not be there." for title in extra]
    problems += [f"There are several notes '{title}'." for title in titles if held.count(loose(title)) > 1]
    return unless(problems)


@CHECKS.register
def note_is(of: Seen, title: str, text: str) -> Finding:
    """A note has exactly this text."""
    note, problems = _one(of, title)
    if note is None:
        return unless(problems)
    return unless(different_lines(f"The note '{title}'", _lines(note["text"]), _lines(text)))


@CHECKS.register
def note_has(of: Seen, title: str, lines: Lines) -> Finding:
    """A note has each of these lines once, whatever else it has or bullets precede them."""
    note, problems = _one(of, title)
    if note is not None:
        held = [_without_mark(line) for line in note["text"].split("\n")]
        counts = {line: held.count(_without_mark(line)) for line in lines}
        problems = [
            f"The note '{title}' says '{line}' {count} times, expected once."
            for line, count in counts.items()
            if count != 1
        ]
    return unless(problems)


@CHECKS.register
def note_lacks(of: Seen, title: str, phrases: Lines) -> Finding:
    """A note contains none of these, whatever the case."""
    note, problems = _one(of, title)
    if note is not None:
        text = note["text"].casefold()
        problems = [f"The note '{title}' says '{phrase}'." for phrase in phrases if phrase.casefold() in text]
    return unless(problems)


@CHECKS.register
def note_lines_are(of: Seen, title: str, lines: list[str], ordered: bool = False) -> Finding:
    """A note has exactly these lines, in any order unless specified, whatever bullets precede them."""
    note, problems = _one(of, title)
    if note is None:
        return unless(problems)
    held = [line for line in map(_without_mark, note["text"].split("\n")) if line]
    wanted = [_without_mark(line) for line in lines]
    problems = [f"The note '{title}' lacks the line '{line}'." for line in wanted if line not in held]
    problems += [f"The note '{title}' should not say '{line}'." for line in held if line not in wanted]
    problems += [f"The note '{title}' says '{line}' more than once." for line in set(held) if held.count(line) > 1]
    if ordered and not problems and held != wanted:
        problems = [f"The lines of the note '{title}' are in another order."]
    return unless(problems)


@CHECKS.register
def note_in_notebook(of: Seen, title: str, notebook: str) -> Finding:
    """A note is in this notebook; an empty name means none."""
    note, problems = _one(of, title)
    if note is not None and note["notebook"] != notebook:
        problems = [f"The note '{title}' is in {_notebook(note['notebook'])}, expected {_notebook(notebook)}."]
    return unless(problems)


def _all(of: Any, title: str) -> list[dict[str, Any]]:
    return [note for note in of["notes"] if note["title"].casefold() == title.casefold()]


def _one(of: Any, title: str) -> tuple[dict[str, Any] | None, list[str]]:
    found = _all(of, title)
    if len(found) == 1:
        return found[0], []
    if found:
        return None, [f"There are {len(found)} notes '{title}'."]
    titles = ", ".join(f"'{note['title']}'" for note in of["notes"][:20]) or "none"
    return None, [f"There is no note '{title}' in {of['path']}; its notes: {titles}."]


def _lines(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if line.strip())


def _without_mark(line: str) -> str:
    """Return a line without the mark of a list or a box that is not ticked."""
    bare = line.strip()
    for mark in ("[ ] ", "* ", "- ", "• "):
        bare = bare.removeprefix(mark).strip()
    return plain(bare)


def _notebook(name: str) -> str:
    return f"the notebook '{name}'" if name else "no notebook"
