"""How a vendor's computer tool is declared, and its calls, as a whole or not at all, are read."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from proctor.actions import fields
from proctor.actions.dialects.dialect import Frame, Look, Reading, SafetyCheck
from proctor.actions.dialects.space import open_space
from proctor.actions.dialects.translation import MAX_ACTIONS, check_keys, complaint, too_many
from proctor.errors import AgentError, UnknownName


class ToolDialect(ABC):
    """A provider's computer tool."""

    name: ClassVar[str]
    versions: ClassVar[tuple[str, ...]]
    space: ClassVar[str] = "image"
    """What its coordinates mean."""
    names: ClassVar[Mapping[str, tuple[str, ...]]]
    """What the tool itself calls each kind of action."""

    def tool(self, version: str, size: tuple[int, int], kinds: Sequence[str] | None = None) -> dict[str, object]:
        """Return the tool's declaration for a picture of this size; raises UnknownName for a version."""
        if version not in self.versions:
            raise UnknownName(f"version of the {self.name} computer tool", version, self.versions)
        return self.declare(version, size, self._not_allowed(kinds, version) if kinds is not None else ())

    def describe(self, kinds: Sequence[str], frame: Frame, version: str = "") -> str:
        """Return what places mean, and which of the tool's own actions are not allowed here."""
        refused = self._not_allowed(kinds, version)
        denied = f"These actions of the tool are not allowed in this task: {', '.join(refused)}." if refused else ""
        return " ".join(filter(None, [open_space(self.space, frame).describe(), denied]))

    def names_in(self, version: str) -> Mapping[str, tuple[str, ...]]:
        """Return what a version of the tool calls each kind of action."""
        return self.names

    def _not_allowed(self, kinds: Sequence[str], version: str) -> tuple[str, ...]:
        return tuple(name for kind, names in self.names_in(version).items() if kind not in kinds for name in names)

    def read_call(self, data: object, frame: Frame) -> Reading:
        """Return the actions of one call, or its problem; safety checks are kept either way."""
        checks = self._checks(data) if isinstance(data, dict) else ()
        try:
            found = self.read(record(data, "the call"), frame)
            if len(found.actions) > MAX_ACTIONS:
                raise too_many()
            actions = tuple(check_keys(action) for action in found.actions)
        except AgentError as error:
            return Reading(problem=complaint(error), checks=checks)
        except RecursionError:
            return Reading(problem="the call is nested too deeply", checks=checks)
        return Reading(actions=actions, looks=found.looks, checks=checks)

    @abstractmethod
    def declare(self, version: str, size: tuple[int, int], denied: Sequence[str]) -> dict[str, object]:
        """Return the declaration of a known version, without what is denied where that can be said."""

    @abstractmethod
    def read(self, data: Mapping[str, object], frame: Frame) -> Reading:
        """Return the actions and looks of a call; raises AgentError."""

    def _checks(self, data: Mapping[str, object]) -> tuple[SafetyCheck, ...]:
        return ()


def record(value: object, what: str) -> dict[str, object]:
    """Return a value that must be an object."""
    if not isinstance(value, dict):
        raise AgentError(f"{what} is {fields.show(value)}", remedy="it must be an object")
    return value


def call_text(data: Mapping[str, object]) -> str:
    """Return a call as text for the record."""
    try:
        return json.dumps(data, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return fields.show(data)


def only_look(look: Look) -> Reading:
    """Return the reading of a call that asks to be shown something."""
    return Reading(looks=(look,))


def required_field(data: Mapping[str, object], name: str) -> object:
    """Return a field that a call cannot do without."""
    if data.get(name) is None:
        raise AgentError(f"{fields.show(dict(data))} lacks {name!r}", remedy=f"give {name!r}")
    return data[name]


def label(value: object) -> str:
    """Return a field of a safety check as text."""
    return value[:1000] if isinstance(value, str) else ""
