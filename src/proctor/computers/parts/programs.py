"""What is running on a computer, holding all of it still, and asking it what only it can tell."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Literal, Protocol

from proctor.computers.values import Frozen, RunningProgram

Selection = Literal["clipboard", "primary"]


class Programs(Protocol):
    """The programs of the agent's user.

    What a live one tells comes with the program that told it, known by its executable, and not by what it says of
    itself.
    """

    def programs(self) -> list[RunningProgram]:
        """Return what is running, and what of it was running when the task began."""

    def freeze(self) -> Frozen:
        """Hold everything still, once those that keep settings have written them down."""

    def verify(self) -> Frozen:
        """Return what has moved since this was last asked, or held still, and was ended for it."""

    def thaw(self) -> None:
        """Let everything go on that nobody else had halted."""

    @property
    def frozen(self) -> bool:
        """Whether everything is held still."""

    def selection(self, name: Selection, most: int) -> tuple[bytes | None, RunningProgram | None]:
        """Return the text of a selection, None where there is none; and who holds it."""

    def page(self, port: int, path: str, most: int) -> tuple[bytes, Sequence[RunningProgram]]:
        """Return what is answered to a request on a loopback port; and who listens there."""

    def dial(self, port: int) -> socket.socket:
        """Return a connection with a loopback port; raises ComputerError where nobody listens."""

    def bus_values(
        self, name: str, path: str, interface: str, *members: str
    ) -> tuple[list[object], RunningProgram | None]:
        """Return properties of a service on the session bus, None for none; and who answers."""
