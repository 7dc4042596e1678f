"""Trouble with a computer that an agent has acted on: whose doing it is, and the evidence in the record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from proctor.computers.blame import TROUBLE, blame
from proctor.computers.computer import Computer
from proctor.computers.wellness import Wellness
from proctor.errors import ComputerLost, HostError
from proctor.exam.recorder import Recorder
from proctor.models.secrets import redact

MOST_SAID = 400
"""Characters of what a broken computer said that a line about it holds; the record has all of it."""
MOST_KEPT = 20
"""Cases of trouble that the record describes; a broken computer may fail at every probe."""


class Troubles:
    """Hears of every failure of one computer after the agent's first action.

    What the agent may have brought about is kept, and the episode goes on to a verdict; what the host did is raised.
    """

    def __init__(self, computer: Computer, wellness: Wellness, recorder: Recorder) -> None:
        self._computer, self._wellness, self._recorder = computer, wellness, recorder
        self.kept: list[dict[str, Any]] = []
        """Each case, as the record describes it."""
        self.broke = ""
        """What happened, once the computer is broken; the first of it."""
        self.defect = ""
        """The trace of a defect of ours that it showed."""

    def __call__(self, error: Exception, *, broken: bool = False) -> None:
        """Take in a failure; raises HostError when the host is to blame.

        Args:
            error: What the computer raised.
            broken: Whether it is broken by that; a lost one always is. Only then is the whole of it looked into.
        """
        broken = broken or isinstance(error, ComputerLost)
        if self.broke and not isinstance(error, HostError):
            return  # a broken computer fails everywhere, and has been looked into
        found = blame(error, self._computer, self._wellness)
        if broken or found.whose == "host" or len(self.kept) < MOST_KEPT:
            self.kept.append(_safe({"whose": found.whose, "why": found.why, "broken": broken, **found.evidence}))
            self._recorder.note(trouble=tuple(self.kept))
        if found.whose == "host":
            raise HostError(f"{found.why}: {error}", remedy="check this machine; the episode is tried again")
        self.defect = self.defect or found.defect
        if broken:
            self.broke = f"the computer broke: {found.why} ({str(getattr(error, 'message', error))[:MOST_SAID]})"

    @contextmanager
    def hear(self, *, broken: bool = False) -> Iterator[None]:
        """Take in whatever failure of the computer ends the block."""
        try:
            yield
        except TROUBLE as error:
            self(error, broken=broken)


def _safe(data: Any) -> Any:
    """Return plain data without secrets: last words may hold anything."""
    if isinstance(data, str):
        return redact(data)
    if isinstance(data, dict):
        return {name: _safe(value) for name, value in data.items()}
    return [_safe(value) for value in data] if isinstance(data, list) else data
