"""What the dialects that are written as JSON objects have in common."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from proctor.actions.action import Action
from proctor.actions.dialects import loose_json
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.actions.dialects.loose_json import FoundObject
from proctor.actions.dialects.reply import special_lines
from proctor.actions.dialects.text_dialect import TextDialect
from proctor.actions.dialects.translation import (
    MAX_ACTIONS,
    PlaceFields,
    element_space,
    find_element,
    raw_form,
    too_many,
    whole,
)
from proctor.errors import AgentError

IDS = ("id", "mark")
"""Fields that name an element."""
THOUGHTS = ("thought", "thoughts", "reasoning", "observation", "plan", "explanation")
"""Fields of an object that accompany an action rather than describe it."""


class JsonDialect(TextDialect):
    """A dialect of JSON objects: one, a list of them, or `{"actions": [...]}`."""

    labels = frozenset({"json", "json5", "jsonc", "jsonl", "action", "actions"})

    @abstractmethod
    def _translate(self, entry: FoundObject, source: str, frame: Frame) -> Sequence[Action]:
        """Return the actions of one object, which was written as `source`; raises AgentError."""

    @abstractmethod
    def data(self, action: Action, frame: Frame) -> Mapping[str, object]:
        """Return an action as an object; raises AgentError where there is no word for it."""

    def _read_block(self, body: str, frame: Frame) -> Reading:
        return self._read_found(loose_json.find(body), body, frame)

    def _read_prose(self, prose: str, frame: Frame) -> Reading:
        found = loose_json.find(prose)
        reading = self._read_found(found, prose, frame)
        first = next(_flat(found.values), None)
        before = prose[: first.span[0]].rstrip("[ \n") if first else prose
        return Reading(actions=reading.actions, thought="\n".join(filter(None, (before, reading.thought))))

    def _read_found(self, found: loose_json.FoundObjects, body: str, frame: Frame) -> Reading:
        if found.broken:
            raise AgentError(found.broken, remedy="write valid JSON")
        actions: list[Action] = []
        thoughts: list[str] = []
        for entry in _entries(found.values, thoughts):
            actions += self._translate(entry, body[slice(*entry.span)], frame)
            if len(actions) > MAX_ACTIONS:
                raise too_many()
        return Reading(actions=(*actions, *special_lines(body[found.end :])), thought="\n".join(thoughts))

    def _render(self, action: Action, frame: Frame) -> str:
        return json.dumps(self.data(action, frame), ensure_ascii=False)

    def _assemble(self, pieces: Sequence[str]) -> str:
        listed = ",\n ".join(pieces)
        return f"```json\n{pieces[0] if len(pieces) == 1 else f'[{listed}]'}\n```"


def element_place(
    entry: Mapping[str, object], names: Sequence[str], frame: Frame
) -> tuple[int, tuple[float, float]] | None:
    """Return the id of the element that an object names, and its place; None where it names none."""
    name = next((name for name in names if entry.get(name) not in (None, "")), None)
    if name is None:
        return None
    number = whole(entry[name], name)
    return number, find_element(frame, number)


def element_fields(entry: Mapping[str, object], names: Sequence[str], source: str, frame: Frame) -> PlaceFields | None:
    """Return the fields of an action on the element that an object names; None where it names none."""
    if (found := element_place(entry, names, frame)) is None:
        return None
    number, (x, y) = found
    return {"x": x, "y": y, "given": raw_form(source, [(x, y)], element_space(number))}


def read_parameters(
    entry: Mapping[str, object], taken: Mapping[str, str], thoughts: Sequence[str] = THOUGHTS
) -> tuple[str, dict[str, object]]:
    """Return the type of an action, in any case, and what it is given; AgentError for any other.

    Args:
        entry: The object.
        taken: Of each type, the names of what it takes, with blanks between them.
        thoughts: Fields that say something else.
    """
    name = entry.get("action_type", entry.get("action", entry.get("type")))
    said = name.strip().lower() if isinstance(name, str) else ""
    kind = next((each for each in taken if each.lower() == said), None)
    if kind is None:
        raise AgentError(f"unknown action_type {str(name)[:40]!r}", remedy=f"choose one of: {', '.join(taken)}")
    around = {"action_type", "action", "type"}
    values = {
        key: value
        for key, value in entry.items()
        if key not in around and key.lower() not in thoughts and value is not None
    }
    if unknown := [key for key in values if key not in taken[kind].split()]:
        raise AgentError(f"{kind} takes no {unknown[0][:40]!r}", remedy=f"it takes: {taken[kind] or 'no parameters'}")
    return kind, values


def write_entry(kind: str, at: Mapping[str, float] | None = None, **values: object) -> dict[str, object]:
    """Return an action of a type as an object, without what is None."""
    return {"action_type": kind, **(at or {}), **{name: value for name, value in values.items() if value is not None}}


def _flat(values: Sequence[object]) -> Iterator[FoundObject]:
    for value in values:
        if isinstance(value, FoundObject):
            yield value
        elif isinstance(value, list):
            yield from _flat(value)


def _entries(values: Sequence[object], thoughts: list[str]) -> Iterator[FoundObject]:
    """Yield the objects that describe actions, and put aside the words around them."""
    for value in values:
        if isinstance(value, list):
            yield from _entries(value, thoughts)
        elif isinstance(value, FoundObject):
            thoughts += [held for name, held in value.items() if name.lower() in THOUGHTS and isinstance(held, str)]
            inner = value.get("actions", value.get("action"))
            if isinstance(inner, list | dict):
                yield from _entries(inner if isinstance(inner, list) else [inner], thoughts)
            else:
                yield value
        else:
            raise AgentError(f"an action cannot be {str(value)[:40]!r}", remedy="write it as a JSON object")
