"""The words of tasks: every setup step, probe, check and move with its arguments and an example."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from inspect import Parameter
from typing import Any

from pydantic import TypeAdapter

from proctor.suites import load_suite
from proctor.tasks.call import Call, Kind, walk
from proctor.tasks.findings import Finding
from proctor.tasks.shelf import Seen, ShelfTool
from proctor.tasks.shelves import names, tool
from proctor.tasks.shelves.stubs import type_in_tasks

Schema = dict[str, Any]
"""JSON Schema, or what fits it, as plain data."""
TITLES: dict[Kind, str] = {"setup": "setup steps", "probe": "probes", "check": "checks", "move": "moves"}
"""What each kind is called where all of them are listed."""
_CHECK = {"check": "file_exists", "of": {"probe": "file", "path": "notes.txt"}}
_TEXTS = {
    "address": "ann@example.org",
    "app": "mousepad",
    "channels": "#news",
    "colour": "#ff0000",
    "colours": "#ff0000",
    "name": "Save",
    "path": "notes.txt",
    "role": "push button",
    "sha256": "0" * 64,
    "time": "09:30",
    "url": "http://127.0.0.1:8000/",
}
"""What an argument may be, by its name, where its type allows any text."""


@dataclass(frozen=True, kw_only=True)
class Argument:
    """One argument of a word."""

    name: str
    type: str
    """As a task file writes it."""
    default: str | None
    """None where it must be given."""


@dataclass(frozen=True, kw_only=True)
class TaskWord:
    """One function that a task file can name."""

    kind: Kind
    name: str
    summary: str
    arguments: tuple[Argument, ...]
    example: Schema
    origin: str
    """The module that has it."""

    @property
    def usage(self) -> str:
        """How it is written, such as `file_is(of, text)`."""
        return tool(Call(self.kind, self.name)).usage


def words(kind: Kind) -> list[TaskWord]:
    """Return every word of a kind, those of installed distributions too."""
    return [_describe(tool(Call(kind, name))) for name in names(kind)]


def _describe(found: ShelfTool) -> TaskWord:
    return TaskWord(
        kind=found.kind,
        name=found.name,
        summary=found.summary,
        arguments=tuple(
            Argument(
                name=name,
                type="probe"
                if found.hints[name] == Seen
                else type_in_tasks(found.hints[name]).replace("Call", "check"),
                default=None if parameter.default is Parameter.empty else repr(parameter.default),
            )
            for name, parameter in found.parameters.items()
        ),
        origin=found.function.__module__,
        example=_used().get((found.kind, found.name)) or _made_up(found),
    )


@cache
def _used() -> dict[tuple[Kind, str], Schema]:
    """Return the shortest call of each word in the tasks that come with Proctor."""
    shortest: dict[tuple[Kind, str], str] = {}
    for call in _calls():
        key, text = (call.kind, call.name), json.dumps(call.to_json(), ensure_ascii=False)
        if key not in shortest or (len(text), text) < (len(shortest[key]), shortest[key]):
            shortest[key] = text
    return {key: json.loads(text) for key, text in shortest.items()}


def _calls() -> Iterator[Call]:
    for suite in ("tour", "core"):
        for task in load_suite(suite).tasks():
            ways = [*task.other_ways, *task.cheats]
            keys = [task.solution, *(way.moves for way in ways), *(miss.moves for miss in task.near_misses)]
            for _, call in walk([task.setup, task.check, *keys]):
                yield call


def _made_up(found: ShelfTool) -> Schema:
    """Return a call of a word that no task of ours uses, with what its signature allows."""
    given = {
        name: _value(found, name)
        for name, parameter in found.parameters.items()
        if parameter.default is Parameter.empty
    }
    return {found.kind: found.name, **given}


def _value(found: ShelfTool, name: str) -> object:
    hint: Any = found.hints[name]
    if hint == Seen:
        return _probe_beside(found)
    if hint is Finding:
        return _CHECK
    if hint == list[Finding]:
        return [_CHECK]
    return _sample(TypeAdapter(hint).json_schema(), name, {})


def _probe_beside(check: ShelfTool) -> Schema:
    """Return a probe of the application or format that a check is about."""
    home = check.function.__module__.partition(".checks")[0]
    for name in names("probe"):
        probe = tool(Call("probe", name))
        if probe.function.__module__.partition(".probes")[0] == home:
            return _used().get(("probe", name)) or _made_up(probe)
    return {"probe": "text", "path": "notes.txt"}


def _sample(schema: Schema, name: str, known: Schema) -> object:
    known = schema.get("$defs", known)
    if "$ref" in schema:
        return _sample(known[schema["$ref"].rpartition("/")[2]], name, known)
    if schema.get("examples"):
        return schema["examples"][0]
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return _sample(schema[choice][0], name, known)
    if "examples" in schema:
        return schema["examples"][0]
    for exact in ("const", "default"):
        if exact in schema:
            return schema[exact]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        needed = schema.get("required", [])
        return {key: _sample(schema["properties"][key], key, known) for key in needed} or _entry(schema, name, known)
    if kind == "array":
        return _items(schema, name, known)
    if kind in ("integer", "number"):
        return schema.get("minimum", 1)
    if kind == "boolean":
        return True
    return {"date": "2026-03-12", "time": "09:30:00", "date-time": "2026-03-12T09:30:00"}.get(
        schema.get("format", ""), _TEXTS.get(name, "text")
    )


def _entry(schema: Schema, name: str, known: Schema) -> Schema:
    inner = schema.get("additionalProperties")
    key = schema.get("propertyNames", {}).get("enum", [name])[0]
    return {key: _sample(inner, name, known)} if isinstance(inner, dict) else {}


def _items(schema: Schema, name: str, known: Schema) -> list[object]:
    if "prefixItems" in schema:
        return [_sample(each, name, known) for each in schema["prefixItems"]]
    return [_sample(schema.get("items", {}), name, known)] * max(1, schema.get("minItems", 1))
