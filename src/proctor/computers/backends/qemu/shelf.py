"""The folder of a family of machines: layers, kept memories, sockets; it goes with the last."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proctor.computers.backends.qemu.host import program
from proctor.computers.images.folders import data_folder, make
from proctor.errors import ComputerError, HostError, ImageError

PREFIX = "qemu-"
IMG_SEC = 60.0


class DiskShelf:
    """A folder that lasts as long as somebody holds it; a machine and its forks hold one together."""

    def __init__(self) -> None:
        """Make the folder, and remove those of processes that were killed with all that kept them."""
        place = make(data_folder() / "machines")
        self.folder = place / f"{PREFIX}{secrets.token_hex(6)}"
        try:
            with _alone(place):
                sweep(place)
                self.folder.mkdir(mode=0o700)
                self.fd = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                # Keepers inherit it: whoever can have it alone knows that nobody uses the folder any more.
                fcntl.flock(self.fd, fcntl.LOCK_SH)
        except OSError as error:
            raise HostError(
                f"no folder for a virtual machine can be made in {place}: {error.strerror}",
                remedy="set PROCTOR_DATA to a folder with room that you may write to",
            ) from error
        self._holders = 1
        self._names = 0

    def hold(self) -> DiskShelf:
        """Be one more who needs it."""
        self._holders += 1
        return self

    def let_go(self) -> None:
        """Need it no longer; the last one removes it."""
        self._holders -= 1
        if self._holders == 0:
            shutil.rmtree(self.folder, ignore_errors=True)
            os.close(self.fd)

    @property
    def there(self) -> bool:
        """Whether somebody still holds it."""
        return self._holders > 0

    def name(self, kind: str) -> str:
        """Return a name that nothing here has yet."""
        self._names += 1
        return f"{kind}-{self._names}"

    def dialled(self, name: str) -> str:
        """Return a path to a socket here that is short enough for one, wherever the folder lies."""
        return f"/proc/self/fd/{self.fd}/{name}"

    def layer(self, below: str, form: str) -> str:
        """Make a disk of what differs from another one and return its path, or raise ImageError."""
        path = str(self.folder / self.name("disk"))
        argv = ["create", "-q", "-f", "qcow2", "-F", form, "-b", below, path]
        done = _img(argv)
        if done.returncode:
            raise _disk_error(below, done.stderr)
        return path


def describe(disk: str, form: str) -> dict[str, Any]:
    """Return a disk's format (given, or found out for `auto`) and size, or raise ImageError."""
    done = _img(["info", "--output=json", "-U", *([] if form == "auto" else ["-f", form]), "--", disk])
    if done.returncode:
        raise _disk_error(disk, done.stderr)
    try:
        told = json.loads(done.stdout)
        found = {"format": str(told["format"]), "virtual_bytes": int(told["virtual-size"])}
    except (ValueError, KeyError, TypeError) as error:
        raise ImageError(
            f"the disk {disk} cannot be described", remedy="see what `qemu-img info` says of it"
        ) from error
    if found["virtual_bytes"] == 0:
        raise ImageError(f"the disk {disk} is empty", remedy="name a disk image that is not empty")
    return found


@contextlib.contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Let nobody else make or sweep folders meanwhile."""
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def sweep(place: Path) -> None:
    """Remove the folders that nobody holds any more."""
    for folder in place.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # somebody else was faster
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(descriptor)


def _img(arguments: list[str]) -> subprocess.CompletedProcess[bytes]:
    argv = [program("qemu-img", "qemu-utils"), *arguments]
    try:
        return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=IMG_SEC, check=False)
    except subprocess.TimeoutExpired as error:
        raise ComputerError(
            f"qemu-img {arguments[0]} did not finish within {IMG_SEC:g} s", remedy="check the disk's storage"
        ) from error


def _disk_error(disk: str, stderr: bytes) -> ImageError:
    said = " ".join(stderr.decode(errors="replace").split()).removeprefix("qemu-img: ")[-300:]
    return ImageError(f"the disk {disk} cannot be used: {said}", remedy=f"see what `qemu-img check {disk}` says of it")
