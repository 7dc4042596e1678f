"""Options of a fake computer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proctor.computers.capabilities import Capability


@dataclass(frozen=True, kw_only=True)
class FakeOptions:
    """Options of a computer in memory."""

    size: tuple[int, int] = (1280, 720)
    """Width and height of the screen."""
    without: Sequence[Capability] = ()
    """Parts to leave out, to test what must work without them."""
    image: str = ""
    """Has no effect: accepted, like the following, so that any task can run on a fake computer."""
    look: str = ""
    """Has no effect."""
    locale: str = ""
    """Has no effect."""
    timezone: str = ""
    """Has no effect."""
    clock: str | None = None
    """Has no effect."""
    network: str = "off"
    """Has no effect."""
