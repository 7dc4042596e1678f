"""The client of an examination, as far as it shows."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from proctor.agents.external.lobby import Lobby
from proctor.interop.mcp.answers import Size
from proctor.interop.mcp.exam_desk import ExamDesk, instructions
from proctor.interop.mcp.suite_desk import SuiteDesk, suite_instructions
from proctor.interop.mcp.tool import DeskTool
from proctor.tasks.task import Task

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
            self.leave("the client closed the connection without done or give_up")

    async def watch(self) -> None:
        """Look now and then whether the client is still there."""
        while not self.left.is_set():
            await asyncio.sleep(WATCH_SEC)
            if self.came.is_set() and time.monotonic() - self.heard > self.patience:
                self.leave(f"the client sent nothing for {self.patience:g} s")


def open_visit(
    lobby: Lobby, tools: Sequence[DeskTool], *, patience: float, fit: Size, picture_after: bool
) -> ClientVisit:
    """Return the visit of a client that is set an only task at once, and chooses among many."""
    open_desk = partial(ExamDesk, tools=tools, fit=fit, picture_after=picture_after)
    if len(lobby.states) > 1:
        return ClientVisit(lobby, SuiteDesk(lobby, tools, partial(open_desk, after="")), patience)
    return ClientVisit(lobby, open_desk(lobby.choose()[1]), patience)


def greet(tasks: Sequence[Task]) -> dict[str, str]:
    """Return what a client is told when it connects: instructions, and the prompt of an only task."""
    if len(tasks) > 1:
        return {"instructions": suite_instructions(len(tasks))}
    return {"instructions": instructions(tasks[0].instruction), "prompt": tasks[0].instruction}
