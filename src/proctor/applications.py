"""The applications that tasks use: a folder each, whose `app.toml` says what it is."""

from __future__ import annotations

import functools
import importlib.util
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

from proctor.errors import SpecError

PACKAGE = "proctor.vocabulary.apps"
GROUP = "proctor.apps"
"""Entry points of other distributions: each names a package that holds folders of applications."""
FACTS = "app.toml"
FIRST_RUN = "first_run.toml"
SETTINGS = "settings.toml"
FIRST_SETTINGS = "first_settings.json"


@dataclass(frozen=True, slots=True)
class Application:
    """An application that tasks use."""

    category: str
    """One of `taxonomy.CATEGORIES`."""
    image: str = "full"
    """The smallest of our own desktop images that has it."""
    programs: tuple[str, ...] = ()
    """Paths of what runs while its windows are open: a program of the image, or a script of it that is started by its
    name. A script that starts another program is none."""
    noise: tuple[str, ...] = ()
    """Patterns of what it writes whenever it runs, relative to the home folder; such changes are nobody's doing."""


@dataclass(frozen=True, slots=True)
class FirstRun:
    """The answers to what an application would ask at its first start."""

    program: str
    """A file that tells whether an image has the application."""
    files: Mapping[str, Path]
    """What is put where the application looks for them, by paths that are absolute or relative to the home folder."""


@dataclass(frozen=True, slots=True)
class SettingsStore:
    """A file in which an application keeps how it is set up."""

    path: str
    """Where it is; relative to the home folder. Its last part may hold `*`."""
    form: str
    """How it is written: `ini`, `prefs`, `json`, `xcu`, `xfconf`, `dconf` or `text`."""
    below: str = ""
    """Of a table of many programs, the part that is this one's."""
    first: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """What the application writes by itself at its first start, by files: what counts where nobody set anything."""
    noise: tuple[str, ...] = ()
    """Patterns of settings that it changes by merely running, such as the size of its window."""


class Applications(Mapping[str, Application]):
    """Every application by the name tasks give it, read from its folder when the first is asked for."""

    @cached_property
    def _by_name(self) -> dict[str, Application]:
        return {file.parent.name.replace("_", "-"): _application(file) for file in sorted(files(FACTS))}

    def __getitem__(self, name: str) -> Application:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)


def packages() -> list[str]:
    """Return the names of the packages that hold folders of applications, ours first."""
    return [PACKAGE, *sorted({point.value for point in metadata.entry_points(group=GROUP)})]


def brought_from() -> list[Path]:
    """Return where the packages of other distributions are, for another interpreter's path."""
    tops = {package.partition(".")[0] for package in packages()[1:]}
    found = [importlib.util.find_spec(top) for top in sorted(tops)]
    return [Path(place).parent for spec in found if spec for place in spec.submodule_search_locations or ()]


def first_runs() -> list[FirstRun]:
    """Return the answers that applications, and families of them, have for first starts."""
    found = []
    for file in sorted(files(FIRST_RUN)):
        facts = _facts(file)
        program, answers = facts.get("program"), facts.get("files")
        if not isinstance(program, str) or not isinstance(answers, dict) or not _are_texts(answers.values()):
            raise SpecError(
                f"{file} must say `program`, a path, and `files`, a table of paths and files", remedy="correct it"
            )
        found.append(FirstRun(program, {path: file.parent / name for path, name in answers.items()}))
    return found


@functools.cache
def settings_stores(app: str) -> tuple[SettingsStore, ...]:
    """Return where an application keeps its settings; nothing for one that says nothing of it."""
    every = _every_settings_store()
    return tuple(_of_all(store, every) if _is_shared(store) else store for store in every.get(app, ()))


@functools.cache
def is_set_up_by_hand_alone(app: str) -> bool:
    """Tell whether an application's settings change by nobody's doing but the user's, so that each change counts."""
    return bool(settings_stores(app)) and app not in _restless()


@functools.cache
def _restless() -> frozenset[str]:
    """Return the applications that write down what was last chosen in their dialogs."""
    restless = (file for file in files(SETTINGS) if _facts(file).get("restless"))
    return frozenset(app for file in restless for app in _apps_of(file))


def _apps_of(file: Path) -> list[str]:
    return list(_facts(file).get("apps", [file.parent.name.replace("_", "-")]))


def _is_shared(store: SettingsStore) -> bool:
    """Tell whether many programs keep their settings there."""
    return (store.form == "dconf" and not store.below) or "*" in store.path


def _of_all(shared: SettingsStore, stores: Mapping[str, list[SettingsStore]]) -> SettingsStore:
    """Return a shared store with the noise of all its programs, and what each writes by itself."""
    listed = [each for some in stores.values() for each in some if each.form == shared.form]
    first = {path: held for each in listed for path, held in each.first.items() if fnmatchcase(path, shared.path)}
    noise = dict.fromkeys(noise for each in (shared, *listed) for noise in each.noise)
    return replace(shared, first={**first, **shared.first}, noise=tuple(noise))


@functools.cache
def _every_settings_store() -> dict[str, list[SettingsStore]]:
    found: dict[str, list[SettingsStore]] = {}
    for file in sorted(files(SETTINGS)):
        facts = _facts(file)
        for app in _apps_of(file):
            found[app] = [_settings_store(file, dict(each)) for each in facts.get("stores", [])]
    return found


def _settings_store(file: Path, facts: dict[str, str | list[str]]) -> SettingsStore:
    noise = facts.pop("noise", [])
    texts = {name: value for name, value in facts.items() if isinstance(value, str)}
    known = {"path", "form"} <= texts.keys() <= {"path", "form", "below"} and len(texts) == len(facts)
    if not known or not isinstance(noise, list) or not _are_texts(noise):
        raise SpecError(
            f"{file} does not describe where settings are kept",
            remedy="write `path` and `form` in each of `[[stores]]` and, where needed, `below` (texts) and `noise` (a "
            "list of patterns)",
        )
    return SettingsStore(**texts, first=_first_settings(file.parent), noise=tuple(noise))


def _first_settings(folder: Path) -> dict[str, dict[str, object]]:
    """Return what an application writes by itself, by the paths of its files."""
    file = folder / FIRST_SETTINGS
    try:
        held = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except ValueError as error:
        raise SpecError(f"{file} is not JSON: {error}", remedy="correct it") from error
    if not isinstance(held, dict) or not all(isinstance(each, dict) for each in held.values()):
        raise SpecError(f"{file} must hold settings by name, by the paths of their files", remedy="correct it")
    return held


def files(name: str) -> Iterator[Path]:
    """Yield the file of this name in every folder that has one; raises SpecError without a package."""
    for package in packages():
        try:
            spec = importlib.util.find_spec(package)
        except ModuleNotFoundError:
            spec = None
        if spec is None or spec.submodule_search_locations is None:
            raise SpecError(
                f"there is no package {package!r}, which an installed distribution names in the group {GROUP!r}",
                remedy="correct its entry point, or uninstall it",
            )
        for place in spec.submodule_search_locations:
            yield from Path(place).glob(f"*/{name}")


def _application(file: Path) -> Application:
    facts = _facts(file)
    noise, programs = facts.pop("noise", []), facts.pop("programs", [])
    known = "category" in facts and facts.keys() <= {"category", "image"}
    lists = isinstance(noise, list) and isinstance(programs, list)
    if not known or not lists or not _are_texts((*facts.values(), *noise, *programs)):
        raise SpecError(
            f"{file} does not describe an application",
            remedy="write `category` and, where needed, `image` (both texts), `programs` (a list of paths) and `noise` "
            "(a list of patterns of paths)",
        )
    return Application(**facts, programs=tuple(programs), noise=tuple(noise))


def _are_texts(values: Iterable[Any]) -> bool:
    return all(isinstance(each, str) for each in values)


def _facts(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SpecError(f"{file} is not TOML: {error}", remedy="correct it") from error
