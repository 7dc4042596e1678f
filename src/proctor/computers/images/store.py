"""The images on this host: listed, found, verified, published and removed."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from proctor.computers.images import folders, rootfs
from proctor.computers.images.image import Image, covered_files, digest_of, read
from proctor.computers.images.locks import ImageHold, exclusive, hold, lock_image
from proctor.computers.images.recipe import available, check_name
from proctor.computers.images.rootfs import Contents
from proctor.errors import ImageError, ImageMissing, ProctorError

__all__ = [
    "ImageHold", "Image", "find", "folder_of", "hold", "images", "in_use", "lock_image", "publish", "remove", "verify",
]  # fmt: skip

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


def folder_of(name: str) -> Path:
    """Return the folder an image of this name has or would have."""
    return folders.images_folder() / check_name(name)


def images() -> list[Image]:
    """Return every usable image, by name; damaged and incomplete ones are left out."""
    found = []
    for path in sorted(folders.images_folder().glob("*/image.json")):
        try:
            found.append(find(path.parent.name))
        except ProctorError:
            continue
    return found


def _no_image(name: str, *, remedy: str) -> ImageMissing:
    takes = f"; that takes {TAKES[name]}" if name in TAKES else ""
    found = ImageMissing(f"the image {name!r} is not built yet{takes}", remedy=remedy)
    found.name = name
    return found


TAKES = {"starter": "about 2 minutes and 0.8 GB", "full": "about 8 minutes and 4 GB"}
"""What building the images of our own recipes takes, as their users are told before."""


def find(name: str) -> Image:
    """Return an image by name; ImageError says whether it is missing, damaged or somebody else's."""
    path = folder_of(name)
    build = f"proctor images build {name}"
    if not path.is_dir():
        if name in available():
            raise _no_image(name, remedy=build)
        raise ImageError(f"there is no image {name!r} in {path.parent}", remedy=build)
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
            remedy=f"{build} --force, or let its owner run `proctor images export {name} FILE` and import the file",
        )
    return image


def verify(image: Image) -> None:
    """Compare the root filesystem with the digest; ImageError tells what differs."""
    contents = rootfs.inspect(image.rootfs, covered_files(image.recipe))
    if digest_of(image.recipe, contents.packages, contents.files) != image.digest:
        raise ImageError(
            f"image {image.name!r} is damaged: {_difference(image, contents)}",
            remedy=f"proctor images build {image.name} --force",
        )


def in_use(name: str) -> bool:
    """Tell whether somebody holds the image."""
    try:
        with exclusive(folder_of(name)):
            return False
    except ImageError:
        return True


def remove(name: str) -> None:
    """Delete an image, damaged ones too; refuses while it is in use."""
    path = folder_of(name)
    if not path.is_dir():
        raise ImageError(f"there is no image {name!r} in {path.parent}", remedy="see `proctor images list`")
    with lock_image(name):
        gone = path.with_name(f".removing-{name}-{os.getpid()}")
        with exclusive(path):
            path.rename(gone)
        rootfs.delete(gone)


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
        with exclusive(image.path):
            _exchange(work, image.path)
        rootfs.delete(work)
    else:
        work.rename(image.path)
    return image


def _difference(image: Image, contents: Contents) -> str:
    packages = sorted({item.name for item in set(image.packages) ^ set(contents.packages)})
    files = sorted({item.path for item in set(image.files) ^ set(contents.files)})
    named = [f"package {name}" for name in packages] + [f"file {path}" for path in files]
    return f"{len(named)} difference(s) from its manifest: {', '.join(named[:5])}"


def _exchange(first: Path, second: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(second))


def _flush(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        ctypes.CDLL(None).syncfs(fd)
    finally:
        os.close(fd)
