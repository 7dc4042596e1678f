"""The time that a person works, without their pauses, by a clock that nobody sets."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass
class Stopwatch:
    """Stands until it is started."""

    pauses: list[float] = field(default_factory=list)
    """How long each pause took that is over."""
    _worked: float = 0.0
    _since: float | None = None
    _stood_since: float | None = None

    @property
    def seconds(self) -> float:
        """How long was worked so far."""
        return self._worked + (time.monotonic() - self._since if self._since is not None else 0.0)

    def start(self) -> None:
        """Let the time count; a pause is over by it."""
        if self._since is None:
            self._since = time.monotonic()
            if self._stood_since is not None:
                self.pauses.append(round(self._since - self._stood_since, 3))
                self._stood_since = None

    def stop(self) -> None:
        """Let it stand."""
        if self._since is not None:
            self._stood_since = time.monotonic()
            self._worked += self._stood_since - self._since
            self._since = None
