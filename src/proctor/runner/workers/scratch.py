"""A folder for one episode on the machine that holds it, gone when the episode is over or its process has died."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "proctor-episode-"


@contextmanager
def scratch_folder(place: Path | None = None) -> Iterator[Path]:
    """Make a folder in the place for temporary files, and remove it afterwards.

    A process that is killed cannot do so; its folder is found and removed when the next one is made.
    """
    place = place or Path(tempfile.gettempdir())
    _sweep(place)
    # Locked before it has the name that others sweep by. The lock ends with this process, however that ends.
    new = Path(tempfile.mkdtemp(prefix=f".{PREFIX}", dir=place))
    lock = os.open(new, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = new.rename(place / new.name.removeprefix("."))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def _sweep(place: Path) -> None:
    for folder in place.glob(f"{PREFIX}*"):
        # Another's, another sweeper's, or in use: none of our business.
        with suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
