"""Names of heavy things, looked up lazily: our own, then `module:name`, then plug-ins."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache, reduce
from importlib import metadata
from typing import Generic, TypeVar, cast

from proctor.errors import MissingExtra, SpecError, UnknownName, place_of

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Registration:
    """Where a registered thing lives."""

    target: str
    """`module:attribute`, or a module as a whole; imported on first use."""
    extra: str = ""
    """The optional dependency group that its module needs."""


def shelf(package: str, folders: Iterable[str], attribute: str = "") -> dict[str, Registration]:
    """Return the modules and folders of a package by their names, nothing imported.

    `folders` is its `__path__`; `attribute` says what in each module is meant, the module itself when empty.
    """
    names = sorted(found.name for found in pkgutil.iter_modules(folders))
    return {name: Registration(f"{package}.{name}{attribute and f':{attribute}'}") for name in names}


class Registry(Generic[Thing]):
    """A table of names for one kind of thing, open to others through an entry-point group."""

    def __init__(self, kind: str, table: Mapping[str, Registration], *, group: str, listing: str = "") -> None:
        """Begin with our own, such as `shelf` returns; `group` names the entry points of others."""
        self.kind = kind
        self.group = group
        self._listing = listing
        self._table = dict(table)

    def names(self) -> list[str]:
        """Return every name that `get` knows, plug-ins included; nothing is imported."""
        return sorted({*self._table, *_plugins(self.group, tuple(sys.path))})

    def knows(self, name: str) -> bool:
        """Tell whether a name is registered; ours are found without asking what is installed."""
        return name in self._table or name in self.names()

    def get(self, name: str) -> Thing:
        """Return what a name stands for; raises UnknownName, MissingExtra, or SpecError for a broken one."""
        entry = self._table.get(name)
        if entry is None:
            entry = Registration(name) if ":" in name else self._plugin(name)
        return cast(Thing, self._load(name, entry))

    def _plugin(self, name: str) -> Registration:
        found = _plugins(self.group, tuple(sys.path)).get(name)
        if found is None:
            raise UnknownName(self.kind, name, self.names(), listing=self._listing)
        return Registration(found)

    def _load(self, name: str, entry: Registration) -> object:
        module_name, colon, attribute = entry.target.partition(":")
        try:
            module = importlib.import_module(module_name)
            return cast(object, reduce(getattr, attribute.split("."), module)) if colon else module
        except ModuleNotFoundError as error:
            # A module of our own that is absent is a defect of ours; naming an extra would hide it.
            if entry.extra and (error.name or "").partition(".")[0] != "proctor":
                raise MissingExtra(f"{self.kind} {name!r}", entry.extra) from error
            missing = (error.name or "").partition(".")[0]
            remedy = f"there is no module {missing!r}: correct its name, change to its folder, or install it"
            raise self._load_error(name, error, remedy) from error
        except AttributeError as error:
            near = get_close_matches(attribute, vars(sys.modules.get(module_name, sys)), n=1)
            remedy = f"did you mean '{module_name}:{near[0]}'?" if near else self._own
            raise self._load_error(name, error, remedy) from error
        except (ImportError, TypeError, ValueError) as error:
            raise self._load_error(name, error, self._own) from error
        except Exception as error:
            if module_name.partition(".")[0] == "proctor":
                raise
            raise self._load_error(name, error, "correct the module that is named") from error

    @property
    def _own(self) -> str:
        return f"write {'an' if self.kind[0] in 'aeiou' else 'a'} {self.kind} of your own as module:Class"

    def _load_error(self, name: str, error: Exception, remedy: str) -> SpecError:
        said = f"{type(error).__name__}: {error}{place_of(error)}" if place_of(error) else str(error)
        return SpecError(f"{self.kind} {name!r} cannot be loaded: {said}", remedy=remedy)


@lru_cache(maxsize=64)
def _plugins(group: str, path: tuple[str, ...]) -> Mapping[str, str]:
    """Return what other distributions on a path name in a group; asked for often, and slow to find."""
    return {point.name: point.value for point in reversed(metadata.entry_points(group=group))}
