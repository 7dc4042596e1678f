"""Names of heavy classes, looked up lazily: our own table first, then `module:Class`, then installed plug-ins."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from importlib import metadata
from typing import Generic, TypeVar, cast

from proctor.errors import MissingExtra, SpecError, UnknownName, place_of

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Registration:
    """Where a registered thing lives."""

    target: str
    """`module:attribute`, imported on first use."""
    extra: str = ""
    """The optional dependency group that its module needs."""


class Registry(Generic[Thing]):
    """A table of names for one kind of thing, open to other distributions through an entry-point group."""

    def __init__(self, kind: str, table: Mapping[str, Registration], *, group: str) -> None:
        self.kind = kind
        self.group = group
        self._table = dict(table)

    def names(self) -> list[str]:
        """Return every name that `get` knows, plug-ins included; nothing is imported."""
        return sorted({*self._table, *metadata.entry_points(group=self.group).names})

    def knows(self, name: str) -> bool:
        """Tell whether a name is registered; ours are found without asking what is installed."""
        return name in self._table or name in self.names()

    def get(self, name: str) -> Thing:
        """Return what a name stands for.

        Raises UnknownName with a suggestion, MissingExtra with the command to run, SpecError for a broken target.
        """
        entry = self._table.get(name)
        if entry is None:
            entry = Registration(name) if ":" in name else self._plugin(name)
        return cast(Thing, self._load(name, entry))

    def _plugin(self, name: str) -> Registration:
        found = metadata.entry_points(group=self.group, name=name)
        if not found:
            raise UnknownName(self.kind, name, self.names())
        return Registration(next(iter(found)).value)

    def _load(self, name: str, entry: Registration) -> object:
        module_name, _, attribute = entry.target.partition(":")
        try:
            module = importlib.import_module(module_name)
            return cast(object, reduce(getattr, attribute.split("."), module))
        except ModuleNotFoundError as error:
            # A module of our own that is absent is a defect of ours; naming an extra would hide it.
            if entry.extra and (error.name or "").partition(".")[0] != "proctor":
                raise MissingExtra(f"{self.kind} {name!r}", entry.extra) from error
            raise self._broken(name, error, f"install the distribution that provides {error.name!r}") from error
        except (AttributeError, ImportError, TypeError, ValueError) as error:
            raise self._broken(name, error, f"write a {self.kind} of your own as module:Class") from error
        except Exception as error:
            if module_name.partition(".")[0] == "proctor":
                raise
            raise self._broken(name, error, "correct the module that is named") from error

    def _broken(self, name: str, error: Exception, remedy: str) -> SpecError:
        said = f"{type(error).__name__}: {error}{place_of(error)}" if place_of(error) else str(error)
        return SpecError(f"{self.kind} {name!r} cannot be loaded: {said}", remedy=remedy)
