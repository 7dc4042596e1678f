"""The keyboard."""

from __future__ import annotations

from typing import Protocol


class Keys(Protocol):
    """Plain device events, in order, without waiting for what they lead to."""

    def key(self, key: str, down: bool) -> None:
        """Press or release a key, by its one name in `proctor.actions.keys`."""

    def type(self, text: str) -> None:
        """Type a text exactly, whatever its characters; those that no key types were refused before."""
