"""Options of every computer that is seen and touched over RFB, and how they are checked."""

from __future__ import annotations

from typing import get_args

from proctor.computers.channels.rfb.keys import Guest
from proctor.errors import SpecError, UnknownName


def one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    """Refuse what is not among the known values of an option."""
    if value not in known:
        raise UnknownName(name, str(value), known)


def check_guest(guest: Guest, typing_ms: int | None) -> None:
    """Refuse a guest that is not known, and a pace at which nobody types."""
    one_of("guest", guest, get_args(Guest))
    if typing_ms is not None and (type(typing_ms) is not int or not 0 <= typing_ms <= 1000):
        raise SpecError(f"option typing_ms={typing_ms!r} is no pause", remedy="give milliseconds from 0 to 1000")
