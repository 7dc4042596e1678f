"""The network that a computer may reach."""

from __future__ import annotations

from typing import Literal, Protocol

NetworkKind = Literal["off", "loopback", "allow", "open"]
"""`off`: nothing; `loopback`: services inside; `allow`: these and a list of hosts; `open`: everything."""


class Network(Protocol):
    """What programs inside may connect to, decided from outside."""

    def kind(self) -> NetworkKind:
        """Return how much may be reached."""

    def targets(self) -> tuple[str, ...]:
        """Return each `host:port` outside that is let through by name."""
