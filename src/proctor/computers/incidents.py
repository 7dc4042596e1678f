"""What programs inside a computer did to the harness's own connections."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, overload

MAX_INCIDENTS = 200
"""How many are kept; of later ones only the number."""
MAX_CHARS = 300
"""Characters of one; part of it may come from inside."""

Channel = Literal["display", "session bus", "accessibility bus"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Incident:
    """Something that happened to a connection, which the harness bore."""

    at: float
    """Seconds since the epoch on the host's clock."""
    channel: Channel
    what: str
    """A plain sentence, such as `the display closed the connection; it was opened again`."""


class Incidents(Sequence[Incident]):
    """A bounded list of incidents, oldest first; any thread may add to it."""

    def __init__(self) -> None:
        self.left_out = 0
        """How many came after the list was full."""
        self._kept: list[Incident] = []
        self._turn = threading.Lock()

    def note(self, channel: Channel, what: str) -> None:
        """Add one that happened now."""
        incident = Incident(at=time.time(), channel=channel, what=what[:MAX_CHARS])
        with self._turn:
            if len(self._kept) < MAX_INCIDENTS:
                self._kept.append(incident)
            else:
                self.left_out += 1

    def to_json(self) -> list[dict[str, Any]]:
        """Return them as plain data for a record."""
        return [asdict(incident) for incident in self]

    @overload
    def __getitem__(self, index: int) -> Incident: ...
    @overload
    def __getitem__(self, index: slice) -> list[Incident]: ...
    def __getitem__(self, index: int | slice) -> Incident | list[Incident]:
        return self._kept[index]

    def __len__(self) -> int:
        return len(self._kept)
