"""What an image is: its description in `image.json`, its manifest and its digest."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from proctor.computers.images.recipe import NAME, Recipe, parse
from proctor.computers.images.rootfs import FileMark, Package
from proctor.errors import ImageError, ProctorError

FORMAT = 1
MAX_JSON_BYTES = 32 * 1024 * 1024
ALWAYS_COVERED = ("/etc/passwd", "/etc/group", "/etc/os-release", "/etc/hosts")
"""Small files that the digest covers beside those of the recipe."""


@dataclass(frozen=True, kw_only=True)
class Image:
    """A desktop image, complete and ready to be the lower layer of a computer."""

    name: str
    path: Path
    digest: str
    """`sha256:...` over recipe, package manifest and small files; equal digests mean equal content."""
    recipe: Recipe
    packages: tuple[Package, ...]
    """The package manifest, by name."""
    files: tuple[FileMark, ...]
    disk_bytes: int
    entries: int
    sources: tuple[str, ...]
    built_at: str
    """When, in UTC, as ISO 8601."""
    proctor_version: str

    @property
    def rootfs(self) -> Path:
        """Return the root filesystem; nobody writes into it."""
        return self.path / "rootfs"

    def to_json(self) -> str:
        """Return the content of `image.json`."""
        content = {
            "format": FORMAT,
            "name": self.name,
            "digest": self.digest,
            "recipe": self.recipe.to_dict(),
            "recipe_hash": self.recipe.hash,
            "suite": self.recipe.suite,
            "sources": list(self.sources),
            "built_at": self.built_at,
            "proctor_version": self.proctor_version,
            "disk_bytes": self.disk_bytes,
            "entries": self.entries,
            "packages": [asdict(item) for item in self.packages],
            "files": [asdict(item) for item in self.files],
        }
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def digest_of(recipe: Recipe, packages: Iterable[Package], files: Iterable[FileMark]) -> str:
    """Return the digest: a sha256 over the recipe's hash, the package manifest and the small files' hashes.

    It does not cover what packages generate while they are installed (caches, which carry times), so it is the same
    on every host that installs the same versions.
    """
    content = {
        "format": FORMAT,
        "recipe": recipe.hash,
        "packages": [[item.name, item.version, item.architecture] for item in sorted(packages)],
        "files": [[item.path, item.mode, item.sha256] for item in sorted(files)],
    }
    return "sha256:" + hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def covered_files(recipe: Recipe) -> list[str]:
    """Return the paths that an image's digest covers."""
    return sorted({*ALWAYS_COVERED, *(item.path for item in recipe.files)})


def read(path: Path, *, remedy: str) -> Image:
    """Return the image that a folder's `image.json` describes, trusting nothing in it."""
    try:
        found = (path / "image.json").stat(follow_symlinks=False)
        # Every computer that is opened asks for its image, and thousands of packages take a while to read.
        return _read(path, (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, ProctorError) as error:
        raise ImageError(f"{path / 'image.json'} is damaged: {error}", remedy=remedy) from error


@lru_cache(maxsize=16)
def _read(path: Path, _as_it_is: tuple[int, ...]) -> Image:
    return _image(path, json.loads(_read_bounded(path / "image.json")))


def _image(path: Path, data: dict[str, Any]) -> Image:
    if data["format"] != FORMAT:
        raise ValueError(f"format {data['format']!r} is not {FORMAT}")
    recipe = parse(data["recipe"], where="its recipe")
    if data["recipe_hash"] != recipe.hash:
        raise ValueError("recipe and recipe_hash disagree")
    texts = {key: data[key] for key in ("name", "digest", "built_at", "proctor_version")}
    numbers = {key: data[key] for key in ("disk_bytes", "entries")}
    if not all(isinstance(value, str) for value in [*texts.values(), *data["sources"]]):
        raise TypeError("text was expected")
    if not all(isinstance(value, int) for value in numbers.values()) or not NAME.fullmatch(texts["name"]):
        raise TypeError("a number or a name is malformed")
    image = Image(
        path=path,
        recipe=recipe,
        packages=tuple(Package(str(i["name"]), str(i["version"]), str(i["architecture"])) for i in data["packages"]),
        files=tuple(FileMark(str(i["path"]), str(i["mode"]), str(i["sha256"])) for i in data["files"]),
        sources=tuple(data["sources"]),
        **texts,
        **numbers,
    )
    if digest_of(recipe, image.packages, image.files) != image.digest:
        raise ValueError("the digest does not match the manifest")
    return image


def _read_bounded(path: Path) -> bytes:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise ValueError("it is not a file")
        content = file.read(MAX_JSON_BYTES + 1)
    if len(content) > MAX_JSON_BYTES:
        raise ValueError(f"it is larger than {MAX_JSON_BYTES} bytes")
    return content
