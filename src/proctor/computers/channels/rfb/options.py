"""Options of every computer that is seen and touched over RFB, and how they are checked."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.computers.channels.rfb.keys import Guest
from proctor.errors import SpecError


@dataclass(frozen=True, kw_only=True)
class GuestOptions:
    """Options of computers whose keys go to another system than ours."""

    guest: Guest = "linux"
    """The guest's operating system; decides what Alt, Command and AltGr are."""
    typing_ms: int | None = None
    """Pause after each character; by default none for X servers and 20 ms for others, which lose faster input."""


def check_typing(typing_ms: int | None) -> None:
    """Refuse a pace at which nobody types."""
    if typing_ms is not None and (type(typing_ms) is not int or not 0 <= typing_ms <= 1000):
        raise SpecError(f"option typing_ms={typing_ms!r} is not a pause", remedy="give milliseconds from 0 to 1000")
