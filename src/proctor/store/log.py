"""A file of JSON lines that is only ever appended to, and its sum."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import Any

from proctor.store.files import Sum, disk_trouble, plain_json, write_fully
from proctor.store.plain import MAX_LINE, clip

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW


class JsonLog:
    """One such file while it is written; texts beyond all measure are cut, and say so."""

    def __init__(self, folder: str, name: str) -> None:
        self.path = f"{folder}/{name}"
        self.bytes = 0
        self._fd = -1
        self._digest = hashlib.sha256()

    @property
    def is_open(self) -> bool:
        """Whether lines can be appended."""
        return self._fd >= 0

    @property
    def sum(self) -> Sum:
        """The sum of everything that was appended."""
        return Sum(self.bytes, self._digest.hexdigest())

    def open(self) -> None:
        """Make the file, which must not be there yet."""
        with disk_trouble(self.path):
            self._fd = os.open(self.path, _FLAGS, 0o644)

    def append(self, line: Mapping[str, Any]) -> None:
        """Append a line."""
        data = plain_json(line)
        if len(data) > MAX_LINE:
            data = plain_json({**clip(line), "clipped": True})
        data += b"\n"
        with disk_trouble(self.path):
            write_fully(self._fd, data)
        self._digest.update(data)
        self.bytes += len(data)

    def close(self) -> None:
        """Let go of the file; a second time has no effect."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
