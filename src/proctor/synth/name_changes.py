"""Puts into words what was changed in a text, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proctor.tasks.inside.merge import PartChange


@dataclass(frozen=True)
class NamedChange:
    """One difference, and how somebody would ask for it."""

    number: int
    """Its number in the merge of both states."""
    asked: str
    about: str


def name_changes(differences: Sequence[PartChange]) -> list[NamedChange]:
    """Return what to ask for; nothing where words would not tell exactly."""
    named = [_name_change(each) for each in differences]
    return [] if None in named else [each for each in named if each is not None]


def _name_change(change: PartChange) -> NamedChange | None:
    """Return one difference in words; None for what nobody sees or could repeat."""
    place = str(change.place[-1]) if change.place else ""
    before, after = (_line(value) for value in (change.before, change.after))
    if not place.startswith("line ") or '"' in f"{before}{after}":
        return None
    if change.kind == "added" and after:
        return NamedChange(change.number, f'insert "{after}" as a new line, so that it becomes {place}', after)
    if change.kind == "removed" and before:
        return NamedChange(change.number, f'delete {place}, "{before}"', before)
    if change.kind == "changed" and before and after:
        return NamedChange(change.number, f'replace "{before}" in {place} by "{after}"', after)
    return None


def _line(value: object) -> str:
    return value.rstrip("\n").strip() if isinstance(value, str) else ""
