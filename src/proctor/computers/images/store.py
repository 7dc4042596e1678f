"""The images on this host: listed, found, held while in use, verified and removed."""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from proctor.computers.images import folders, rootfs
from proctor.computers.images.progress import Progress, Step, silent
from proctor.computers.images.recipe import Recipe, available, parse
from proctor.computers.images.rootfs import Contents, FileMark, Package
from proctor.errors import ImageError, ProctorError, SpecError

FORMAT = 1
MAX_JSON_BYTES = 32 * 1024 * 1024
ALWAYS_COVERED = ("/etc/passwd", "/etc/group", "/etc/os-release", "/etc/hosts")
"""Small files that the digest covers beside those of the recipe."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_WORK = re.compile(r"\.(?:building|importing|removing)-(?P<name>.+)-\d+")
_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


@dataclass(frozen=True, kw_only=True)
class Image:
    """A desktop image, complete and ready to be the lower layer of a computer."""

    name: str
    path: Path
    """Its folder."""
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


def folder_of(name: str) -> Path:
    """Return the folder an image of this name has or would have."""
    if not _NAME.fullmatch(name):
        raise SpecError(f"{name!r} is not the name of an image", remedy="use small letters, digits, '.', '_' and '-'")
    return folders.images_folder() / name


def images() -> list[Image]:
    """Return every usable image, by name; damaged and incomplete ones are left out."""
    found = []
    for path in sorted(folders.images_folder().glob("*/image.json")):
        try:
            found.append(find(path.parent.name))
        except ProctorError:
            continue
    return found


def find(name: str) -> Image:
    """Return an image by name; ImageError says whether it is missing, damaged or somebody else's."""
    path = folder_of(name)
    build = f"proctor image build {name}"
    if not path.is_dir():
        known = f" (it is one of the recipes: {', '.join(available())})" if name in available() else ""
        raise ImageError(f"there is no image {name!r} in {path.parent}{known}", remedy=build)
    if not (path / "image.json").exists():
        raise ImageError(f"image {name!r} is incomplete: {path} has no image.json", remedy=f"{build} --force")
    image = read(path, remedy=f"{build} --force")
    if image.name != name:
        raise ImageError(
            f"image {name!r} is damaged: its image.json is that of {image.name!r}", remedy=f"{build} --force"
        )
    if not image.rootfs.is_dir():
        raise ImageError(f"image {name!r} is damaged: {image.rootfs} is missing", remedy=f"{build} --force")
    owner = image.rootfs.stat().st_uid
    if owner != rootfs.expected_owner():
        raise ImageError(
            f"image {name!r} was built by another user: its root belongs to id {owner}, yours to "
            f"{rootfs.expected_owner()}",
            remedy=f"{build} --force, or let its owner run `proctor image export {name} FILE` and import the file",
        )
    return image


def read(path: Path, *, remedy: str) -> Image:
    """Return the image that a folder's `image.json` describes, trusting nothing in it."""
    try:
        data = json.loads(_bounded(path / "image.json"))
        return _image(path, data)
    except (OSError, ValueError, KeyError, TypeError, RecursionError, ProctorError) as error:
        raise ImageError(f"{path / 'image.json'} is damaged: {error}", remedy=remedy) from error


def verify(image: Image) -> None:
    """Compare the root filesystem with the digest; ImageError tells what differs."""
    contents = rootfs.inspect(image.rootfs, covered_files(image.recipe))
    if digest_of(image.recipe, contents.packages, contents.files) != image.digest:
        raise ImageError(
            f"image {image.name!r} is damaged: {_difference(image, contents)}",
            remedy=f"proctor image build {image.name} --force",
        )


class Hold:
    """Keeps an image from being removed or replaced, for as long as the descriptor (or a copy of it) is open."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.fd = _open_lock(image.path)
        try:
            fcntl.flock(self.fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
            # Between finding and locking, the folder may have been moved away.
            current = (image.path / "in-use.lock").stat().st_ino == os.fstat(self.fd).st_ino
        except OSError:
            current = False
        if not current:
            self.close()
            raise ImageError(f"image {image.name!r} is just being removed or replaced", remedy="try again")

    def close(self) -> None:
        """Let go; a second time has no effect."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def hold(image: Image) -> Hold:
    """Hold an image while a computer uses it."""
    return Hold(image)


def in_use(name: str) -> bool:
    """Tell whether somebody holds the image."""
    try:
        with _exclusive(folder_of(name)):
            return False
    except ImageError:
        return True


def remove(name: str) -> None:
    """Delete an image, damaged ones too; refuses while it is in use."""
    path = folder_of(name)
    if not path.is_dir():
        raise ImageError(f"there is no image {name!r} in {path.parent}", remedy="see `proctor image list`")
    with locked(name):
        gone = path.with_name(f".removing-{name}-{os.getpid()}")
        with _exclusive(path):
            path.rename(gone)
        rootfs.delete(gone)


@contextmanager
def locked(name: str, progress: Progress = silent) -> Iterator[None]:
    """Be the only one that builds, imports or removes an image of this name, and sweep what a killed one left."""
    parent = folders.make(folders.images_folder())
    with (parent / f".{name}.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            progress(Step("waiting", detail=f"process {file.read(20).strip() or '?'} is working on image {name!r}"))
            fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        for path in parent.iterdir():
            match = _WORK.fullmatch(path.name)
            if match and match["name"] == name:
                rootfs.delete(path)
        yield


def publish(work: Path, image: Image) -> Image:
    """Write `image.json` into a work folder and put it in the image's place in one step."""
    lock = os.open(work / "in-use.lock", os.O_CREAT | os.O_RDONLY | os.O_CLOEXEC, 0o644)
    os.close(lock)
    _flush(work)
    draft = work / "image.json.new"
    draft.write_text(image.to_json(), encoding="utf-8")
    draft.rename(work / "image.json")
    _flush(work)
    if image.path.exists():
        with _exclusive(image.path):
            _exchange(work, image.path)
        rootfs.delete(work)
    else:
        work.rename(image.path)
    return image


def _image(path: Path, data: dict[str, Any]) -> Image:
    if data["format"] != FORMAT:
        raise ValueError(f"format {data['format']!r} is not {FORMAT}")
    recipe = parse(data["recipe"], where="its recipe")
    if data["recipe_hash"] != recipe.hash:
        raise ValueError("recipe and recipe_hash disagree")
    texts = {key: data[key] for key in ("name", "digest", "built_at", "proctor_version")}
    numbers = {key: data[key] for key in ("disk_bytes", "entries")}
    if not all(isinstance(value, str) for value in [*texts.values(), *data["sources"]]):
        raise TypeError("a text was expected")
    if not all(isinstance(value, int) for value in numbers.values()) or not _NAME.fullmatch(texts["name"]):
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


def _difference(image: Image, contents: Contents) -> str:
    packages = sorted({item.name for item in set(image.packages) ^ set(contents.packages)})
    files = sorted({item.path for item in set(image.files) ^ set(contents.files)})
    named = [f"package {name}" for name in packages] + [f"file {path}" for path in files]
    return f"{len(named)} difference(s) from its manifest: {', '.join(named[:5])}"


def _bounded(path: Path) -> bytes:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise ValueError("it is not a file")
        content = file.read(MAX_JSON_BYTES + 1)
    if len(content) > MAX_JSON_BYTES:
        raise ValueError(f"it is larger than {MAX_JSON_BYTES} bytes")
    return content


def _open_lock(folder: Path) -> int:
    try:
        return os.open(folder / "in-use.lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise ImageError(f"image {folder.name!r} is damaged: {error}", remedy="build it again with --force") from error


@contextmanager
def _exclusive(folder: Path) -> Iterator[None]:
    """Hold an image against all users; one without a lock file has none."""
    if not (folder / "in-use.lock").exists():
        yield
        return
    fd = _open_lock(folder)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise ImageError(
            f"image {folder.name!r} is in use by a running computer", remedy="close the computers that use it first"
        ) from None
    finally:
        os.close(fd)


def _exchange(first: Path, second: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(second))


def _flush(folder: Path) -> None:
    """Wait until all that was written is on the disk."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        ctypes.CDLL(None).syncfs(fd)
    finally:
        os.close(fd)
