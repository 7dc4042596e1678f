"""Answers and signals of D-Bus as data."""

from __future__ import annotations

from typing import Any, NamedTuple

from proctor.errors import ComputerError

NO_REPLY = "org.freedesktop.DBus.Error.NoReply"
TIMED_OUT = (NO_REPLY, "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut")


class DBusError(ComputerError):
    """A D-Bus call was answered with an error, or not at all; `name` is the error's D-Bus name."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message[:500]}")
        self.name = name

    @property
    def silent(self) -> bool:
        """Whether no answer came, as opposed to a refusal."""
        return self.name in TIMED_OUT


class Signal(NamedTuple):
    """One signal as it arrived."""

    sender: str
    path: str
    interface: str
    member: str
    body: tuple[Any, ...]


class MethodReply(NamedTuple):
    """The values of a reply: tuples, lists, dicts, and `dbus_fast.Variant` for variants."""

    signature: str
    values: tuple[Any, ...]


Reply = MethodReply | DBusError


def value_of(reply: Reply, signature: str) -> Any:
    """Return the only value of a reply, None for an error or another type than `signature`."""
    return reply.values[0] if isinstance(reply, MethodReply) and reply.signature == signature else None


def variant_of(reply: Reply, signature: str) -> Any:
    """Return what is in the variant that is the only value of a reply, or None when it is not of this type."""
    variant = value_of(reply, "v")
    return variant.value if variant is not None and variant.signature == signature else None
