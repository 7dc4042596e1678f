"""The applications that tasks use: a folder each, whose `app.toml` says what it is; its code is not imported here."""

from __future__ import annotations

import importlib.util
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

from proctor.errors import SpecError

GROUP = "proctor.apps"
"""Entry points of other distributions: each names a package that holds folders of applications."""
FACTS = "app.toml"


@dataclass(frozen=True, slots=True)
class Application:
    """An application that tasks use."""

    category: str
    """One of `taxonomy.CATEGORIES`."""
    image: str = "full"
    """The smallest of our own desktop images that has it."""
    noise: tuple[str, ...] = ()
    """Patterns of what it writes whenever it runs, relative to the home folder; such changes are nobody's doing."""


class Applications(Mapping[str, Application]):
    """Every application by the name tasks give it; the folders are read when the first one is asked for."""

    @cached_property
    def _known(self) -> dict[str, Application]:
        return {folder.name.replace("_", "-"): _read(folder / FACTS) for folder in sorted(folders())}

    def __getitem__(self, name: str) -> Application:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def packages() -> list[str]:
    """Return the names of the packages that hold folders of applications, ours first."""
    return [GROUP, *sorted({point.value for point in metadata.entry_points(group=GROUP)})]


def folders() -> Iterator[Path]:
    """Yield the folder of every application; raises SpecError for a package that is not there."""
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
            yield from (file.parent for file in Path(place).glob(f"*/{FACTS}"))


def _read(file: Path) -> Application:
    try:
        facts: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        noise = facts.pop("noise", [])
        if not isinstance(noise, list) or not all(isinstance(each, str) for each in noise):
            raise SpecError(f"{file}: noise must be a list of patterns of paths", remedy="correct it")
        return Application(**facts, noise=tuple(noise))
    except (TypeError, ValueError) as error:
        raise SpecError(
            f"{file} does not describe an application: {error}", remedy="see docs/applications.md for what it holds"
        ) from error
