"""Checks on password safes."""

from __future__ import annotations

from typing import Any

from proctor.tasks.findings import Finding, unless
from proctor.tasks.model import PlainModel
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS

EXACT = frozenset({"password", "username"})
"""What one signs in with, letter by letter."""


class Kept(PlainModel):
    """An entry as it should be in the safe; what is None does not matter."""

    title: str
    username: str | None = None
    password: str | None = None
    url: str | None = None
    group: str | None = None


@CHECKS.register
def entry_exists(of: Seen, entry: Kept) -> Finding:
    """The safe has exactly one entry with this title, as given, user and password exact."""
    found = [held for held in of["entries"] if held["title"].strip().casefold() == entry.title.casefold()]
    if len(found) != 1:
        return unless([f"{of['path']} has {len(found)} entries '{entry.title}', expected one."])
    return unless(_differences(found[0], entry))


@CHECKS.register
def entry_missing(of: Seen, title: str) -> Finding:
    """The safe has no entry with this title, apart from its recycle bin."""
    found = any(held["title"].strip().casefold() == title.casefold() for held in of["entries"])
    return unless([f"{of['path']} has an entry '{title}'."] if found else [])


@CHECKS.register
def entries_are(of: Seen, entries: list[Kept]) -> Finding:
    """The safe has exactly these entries, in any order."""
    left = list(of["entries"])
    problems = []
    for entry in entries:
        found = next((held for held in left if not _differences(held, entry)), None)
        if found is None:
            problems.append(f"{of['path']} lacks the entry '{entry.title}' as it should be.")
        else:
            left.remove(found)
    problems += [f"{of['path']} should not have the entry '{held['title']}' as it is." for held in left]
    return unless(problems)


def _differences(held: dict[str, Any], wanted: Kept) -> list[str]:
    problems = []
    for name, value in wanted.model_dump(exclude_none=True).items():
        found = held[name]
        same = found == value if name in EXACT else found.strip().casefold() == value.casefold()
        if not same:
            shown = "" if name == "password" else f" '{found}', expected '{value}'"
            problems.append(
                f"The {name} of the entry '{held['title']}' is {'another one' if not shown else shown.strip()}."
            )
    return problems
