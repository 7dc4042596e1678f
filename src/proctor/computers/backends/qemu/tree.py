"""The accessibility tree of a guest's desktop."""

from __future__ import annotations

from collections.abc import Callable

from proctor.computers.backends.qemu.sockets import GuestSockets
from proctor.computers.channels.atspi.desktop import DesktopTree
from proctor.computers.channels.guest_agent.commands import AgentCommands
from proctor.computers.incidents import Incidents


class GuestTree(DesktopTree):
    """Elements of a guest's desktop, asked when somebody looks; a restored one is called again."""

    def __init__(
        self,
        commands: AgentCommands,
        lines: Callable[[], dict[str, str]],
        size: Callable[[], tuple[int, int]],
        incidents: Incidents,
    ) -> None:
        self._sockets = GuestSockets(commands, lines)
        super().__init__(self._sockets, size, incidents, display="", guess="")

    def close(self) -> None:
        super().close()
        self._sockets.close()
