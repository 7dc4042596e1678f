"""The client of an examination, as far as it shows."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass, field

from proctor.agents.external.lobby import Lobby
from proctor.interop.mcp.exam_desk import ExamDesk
from proctor.interop.mcp.suite_desk import SuiteDesk

WATCH_SEC = 1.0
"""How often it is looked whether a client is still there."""


@dataclass
class ClientVisit:
    """When a client came, when it was last heard, and whether it has left."""

    lobby: Lobby
    desk: ExamDesk | SuiteDesk
    patience: float
    came: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)
    heard: float = 0.0
    named: str = ""

    def hear(self, _who: str, name: str) -> None:
        """Take note of a message."""
        self.heard = time.monotonic()
        if name and not self.named:
            self.desk.client = self.named = name
        self.came.set()

    def leave(self, why: str) -> None:
        """Take note that the client has left."""
        self.left.set()
        self.lobby.leave(why)

    def ended_session(self, who: str) -> None:
        """Take note that a connection was ended."""
        if self.desk.is_examined(who):
            self.leave("the client ended its connection without a last word")

    async def watch(self) -> None:
        """Look now and then whether the client is still there."""
        while not self.left.is_set():
            await asyncio.sleep(WATCH_SEC)
            if self.came.is_set() and time.monotonic() - self.heard > self.patience:
                self.leave(f"the client sent nothing for {self.patience:g} s")
