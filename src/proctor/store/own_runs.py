"""Which runs this user began on this machine.

Their own are gone on with, what came from elsewhere is asked about.

A line for each is kept in `begun.jsonl`, in $XDG_STATE_HOME/proctor or else in the data folder: the hash of the run's
`run.json`, which names its agents, programs and tasks, and the folders where modules that its user named are found
again: the one it was begun in, and that of the run whose rules it took over.
"""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from pathlib import Path

from proctor.computers.images.folders import data_folder
from proctor.store.files import open_plain, open_to_change, write_fully

NAME = "begun.jsonl"
MAX_BYTES = 4 * 1024 * 1024
"""Some ten thousand runs; when there are more, the older half is forgotten."""


def remember(run: str, *folders: Path) -> None:
    """Keep that a run was begun here; where that cannot be kept, going on with it will ask."""
    line = json.dumps({"run": run, "folders": [str(folder) for folder in folders]}).encode() + b"\n"
    with suppress(OSError):
        _folder().mkdir(parents=True, exist_ok=True)
        fd = open_to_change(_folder() / NAME)
        try:
            os.fchmod(fd, 0o600)
            if os.fstat(fd).st_size > MAX_BYTES:
                kept = os.pread(fd, MAX_BYTES, os.fstat(fd).st_size - MAX_BYTES // 2).partition(b"\n")[2]
                os.truncate(fd, 0)
                line = kept + line
            os.lseek(fd, 0, os.SEEK_END)
            write_fully(fd, line)
        finally:
            os.close(fd)


def begun_in(run: str) -> tuple[Path, ...]:
    """Return the folders in which this user began the run whose `run.json` has this hash."""
    found: tuple[Path, ...] = ()
    for line in _text().splitlines():
        with suppress(ValueError, KeyError, TypeError):
            entry = json.loads(line)
            if entry["run"] == run:
                # Earlier versions kept one folder.
                found = tuple(map(Path, entry["folders"] if "folders" in entry else [entry["folder"]]))
    return found


def _folder() -> Path:
    base = os.environ.get("XDG_STATE_HOME")
    return Path(base).absolute() / "proctor" if base else data_folder()


def _text() -> bytes:
    """Return what was kept; nothing where others could have written it."""
    try:
        fd = open_plain(_folder() / NAME)
    except OSError:
        return b""
    with os.fdopen(fd, "rb") as file:
        status = os.fstat(fd)
        ours = status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        return file.read(2 * MAX_BYTES) if ours else b""
