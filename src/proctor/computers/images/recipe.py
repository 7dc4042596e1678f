"""Recipes: what an image is made of, as data, validated whole."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from proctor.computers.images import folders
from proctor.errors import SpecError, UnknownName

BUNDLED = Path(__file__).parent / "recipes"
DEFAULT_SUITE = "bookworm"

_KEYS = (
    "name", "description", "suite", "extends", "packages", "without", "exclude", "keep", "files", "file", "commands",
)  # fmt: skip
_FILE_KEYS = ("path", "mode", "content")
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_SUITE = re.compile(r"[a-z][a-z0-9-]{1,40}")
_PACKAGE = re.compile(r"[a-z0-9][a-z0-9+.-]+(=[A-Za-z0-9.+:~-]+)?")
_MODE = re.compile(r"0?[0-7]{3}|[0-7]{4}")


@dataclass(frozen=True, kw_only=True, slots=True)
class RecipeFile:
    """A small file that the recipe puts into the image."""

    path: str
    content: str
    mode: str = "0644"
    """Four octal digits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """What an image is made of; `extends` is already resolved."""

    name: str
    description: str = ""
    suite: str = DEFAULT_SUITE
    packages: tuple[str, ...] = ()
    """Installed without what they merely recommend; `name` or `name=version`."""
    without: tuple[str, ...] = ()
    """Packages left out although others depend on them; one that a recipe lists in `packages` too is installed."""
    exclude: tuple[str, ...] = ()
    """Path patterns that are left out of every package, such as documentation."""
    keep: tuple[str, ...] = ()
    """Path patterns kept although excluded."""
    files: tuple[RecipeFile, ...] = ()
    """Written after the packages are installed."""
    commands: tuple[str, ...] = ()
    """Shell commands run last, as root inside the image, without network."""

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe in the shape of its file."""
        data = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}
        return {"file" if key == "files" else key: value for key, value in data.items()}

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return what is really left out."""
        named = {item.partition("=")[0] for item in self.packages}
        return tuple(item for item in self.without if item not in named)

    @property
    def hash(self) -> str:
        """Return a sha256 over all that decides the content; what is empty is left out, for old images."""
        content = {key: value for key, value in self.to_dict().items() if value and key not in ("name", "description")}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def check_name(name: str) -> str:
    """Return the name of an image; SpecError where it cannot be one."""
    if not NAME.fullmatch(name):
        raise SpecError(f"{name!r} is not the name of an image", remedy="use small letters, digits, '.', '_' and '-'")
    return name


def bundled_recipes() -> dict[str, Path]:
    """Return the recipes that come with Proctor."""
    return {path.stem: path for path in sorted(BUNDLED.glob("*.toml"))}


def available() -> dict[str, Path]:
    """Return every recipe that can be named; the user's own win over the bundled ones."""
    return bundled_recipes() | {path.stem: path for path in sorted(folders.recipes_folder().glob("*.toml"))}


def load(name_or_path: str | Path) -> Recipe:
    """Return a recipe by name or by the path of its `.toml` file, with what it extends merged in."""
    return _load(name_or_path, ())


def parse(data: Mapping[str, Any], *, where: str = "recipe") -> Recipe:
    """Return the recipe that a parsed file describes; SpecError lists every fault at once."""
    return _parse(data, where, ())


def _load(name_or_path: str | Path, chain: tuple[Path, ...]) -> Recipe:
    path = _locate(name_or_path)
    if path in chain:
        raise SpecError(
            f"recipe {path} extends itself through {' -> '.join(item.stem for item in (*chain, path))}",
            remedy="remove one `extends`",
        )
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SpecError(f"cannot read recipe {path}: {error}", remedy="correct the file") from error
    return _parse(data, str(path), (*chain, path))


def _locate(name_or_path: str | Path) -> Path:
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or text.endswith(".toml") or "/" in text:
        path = Path(name_or_path).expanduser().resolve()
        if not path.is_file():
            raise SpecError(f"no recipe file at {path}", remedy="give the path of a .toml file, or a recipe's name")
        return path
    known = available()
    if text not in known:
        raise UnknownName("recipe", text, known)
    return known[text].resolve()


def _parse(data: Mapping[str, Any], where: str, chain: tuple[Path, ...]) -> Recipe:
    reader = _Reader(data)
    own = reader.recipe()
    parent_name = reader.text("extends")
    if reader.faults:
        lines = "".join(f"\n  - {fault}" for fault in reader.faults)
        raise SpecError(f"{where} has {len(reader.faults)} fault(s):{lines}", remedy="correct the recipe")
    return _merge(_load(parent_name, chain), own, has_suite="suite" in data) if parent_name else own


def _merge(parent: Recipe, own: Recipe, *, has_suite: bool) -> Recipe:
    replaced = {item.path for item in own.files}
    return Recipe(
        name=own.name,
        description=own.description,
        suite=own.suite if has_suite else parent.suite,
        packages=_unique(parent.packages + own.packages),
        without=_unique(parent.without + own.without),
        exclude=_unique(parent.exclude + own.exclude),
        keep=_unique(parent.keep + own.keep),
        files=tuple(item for item in parent.files if item.path not in replaced) + own.files,
        commands=parent.commands + own.commands,
    )


def _unique(items: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))


@dataclass
class _Reader:
    """Reads one recipe and collects its faults instead of stopping at the first."""

    data: Mapping[str, Any]
    faults: list[str] = field(default_factory=list)

    def recipe(self) -> Recipe:
        self.unknown(self.data, _KEYS, "key")
        name = self.text("name", required=True)
        if name and not NAME.fullmatch(name):
            self.faults.append(f"name {name!r}: use small letters, digits, '.', '_' and '-' (at most 63)")
        suite = self.text("suite") or DEFAULT_SUITE
        if not _SUITE.fullmatch(suite):
            self.faults.append(f"suite {suite!r} is not the name of a Debian release")
        return Recipe(
            name=name,
            description=self.text("description"),
            suite=suite,
            packages=self.packages("packages"),
            without=self.packages("without"),
            exclude=self.patterns("exclude"),
            keep=self.patterns("keep"),
            files=self.files(),
            commands=self.commands(),
        )

    def unknown(self, table: Mapping[str, Any], known: tuple[str, ...], kind: str) -> None:
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
                self.faults.append(f"unknown {kind} {key!r}; {hint}")

    def text(self, key: str, *, required: bool = False) -> str:
        value: object = self.data.get(key, "")
        if not isinstance(value, str):
            self.faults.append(f"{key} must be a text, not {type(value).__name__}")
            return ""
        if required and not value:
            self.faults.append(f"{key} is missing")
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        value = self.data.get(key, [])
        if not isinstance(value, list):
            self.faults.append(f"{key} must be a list of texts")
            return ()
        for item in value:
            if not isinstance(item, str) or not item.strip():
                self.faults.append(f"{key}: {item!r} is not a text")
        return tuple(item for item in value if isinstance(item, str) and item.strip())

    def packages(self, key: str) -> tuple[str, ...]:
        items = self.strings(key)
        seen: set[str] = set()
        for item in items:
            if not _PACKAGE.fullmatch(item):
                self.faults.append(f"{key}: {item!r} is not a package name (or name=version)")
            bare = item.partition("=")[0]
            if bare in seen:
                self.faults.append(f"{key}: {bare!r} is named twice")
            seen.add(bare)
        return items

    def patterns(self, key: str) -> tuple[str, ...]:
        items = self.strings(key)
        for item in items:
            if not item.startswith("/") or any(
                character.isspace() or not character.isprintable() for character in item
            ):
                self.faults.append(f"{key}: {item!r} must be an absolute path pattern without spaces")
        return items

    def commands(self) -> tuple[str, ...]:
        items = self.strings("commands")
        self.faults.extend(f"commands: {item!r} contains a null character" for item in items if "\0" in item)
        return items

    def files(self) -> tuple[RecipeFile, ...]:
        entries: list[RecipeFile] = []
        table = self.data.get("files", {})
        if isinstance(table, dict):
            entries += [self.file(path, content, "0644") for path, content in table.items()]
        else:
            self.faults.append("files must be a table of path = content")
        listed = self.data.get("file", [])
        if isinstance(listed, list) and all(isinstance(item, dict) for item in listed):
            for item in listed:
                self.unknown(item, _FILE_KEYS, "key of a [[file]]")
                entries.append(self.file(item.get("path"), item.get("content"), item.get("mode", "0644")))
        else:
            self.faults.append("file must be a list of tables: [[file]]")
        seen: set[str] = set()
        for entry in entries:
            if entry.path in seen:
                self.faults.append(f"file {entry.path!r} is given twice")
            seen.add(entry.path)
        return tuple(entries)

    def file(self, path: Any, content: Any, mode: Any) -> RecipeFile:
        if not isinstance(path, str) or not _is_plain_absolute(path):
            self.faults.append(f"file {path!r}: the path must be absolute, without '.', '..' or '//'")
        if not isinstance(content, str):
            self.faults.append(f"file {path!r}: content must be a text")
        if not isinstance(mode, str) or not _MODE.fullmatch(mode):
            self.faults.append(f"file {path!r}: mode {mode!r} must be a text of octal digits such as '0755'")
        return RecipeFile(path=str(path), content=str(content), mode=str(mode).rjust(4, "0"))


def _is_plain_absolute(path: str) -> bool:
    if not path.startswith("/") or path.startswith("//") or path.endswith("/") or "\0" in path:
        return False
    return ".." not in path.split("/") and str(PurePosixPath(path)) == path
