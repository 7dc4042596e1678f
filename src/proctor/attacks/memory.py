"""How much memory the machine loses while something goes on."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Self

EVERY_SEC = 0.05
AVAILABLE = "/proc/meminfo", "MemAvailable"
"""What the machine could still give."""


def megabytes(file: str, name: str) -> float:
    """Return a figure of memory that the kernel tells in a file; 0 where it does not."""
    for line in Path(file).read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    return 0.0


class MemoryWatch:
    """Watches from its beginning to its end, in a thread of its own."""

    def __init__(self) -> None:
        self._before = megabytes(*AVAILABLE)
        self._least = self._before
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    @property
    def lost_mb(self) -> float:
        """The most that was gone at once."""
        return max(self._before - self._least, 0.0)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(EVERY_SEC):
            self._least = min(self._least, megabytes(*AVAILABLE))
