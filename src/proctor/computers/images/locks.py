"""Locks on images: one builder at a time, and nobody removes what somebody uses."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from proctor.computers.images import folders, rootfs
from proctor.computers.images.image import Image
from proctor.computers.images.progress import BuildStep, Progress, silent
from proctor.errors import ImageError

_WORK = re.compile(r"\.(?:building|importing|removing)-(?P<name>.+)-\d+")


class ImageHold:
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
            raise ImageError(f"image {image.name!r} is being removed or replaced right now", remedy="try again")

    def close(self) -> None:
        """Let go; a second time has no effect."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ended: object) -> None:
        self.close()


hold = ImageHold


@contextmanager
def lock_image(name: str, progress: Progress = silent) -> Iterator[None]:
    """Be the only one that builds, imports or removes an image of this name, and sweep what a killed one left."""
    parent = folders.make(folders.images_folder())
    with (parent / f".{name}.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            progress(
                BuildStep("waiting", detail=f"process {file.read(20).strip() or '?'} is working on image {name!r}")
            )
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


def _open_lock(folder: Path) -> int:
    try:
        return os.open(folder / "in-use.lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise ImageError(f"image {folder.name!r} is damaged: {error}", remedy="build it again with --force") from error


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
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
