"""A computer for any MCP client, whose calls are carried out on one thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from proctor.actions.action import Wait, WaitForChange
from proctor.actions.dialects.space import Space
from proctor.actions.dialects.translation import complaint
from proctor.computers.computer import Computer
from proctor.computers.observer import observe
from proctor.computers.wait import ChangeWatch
from proctor.errors import AgentError, ProctorError
from proctor.interop.mcp.answers import FIT, Size, ToolAnswer, answer, picture, space_of, want_for
from proctor.interop.mcp.tool import Asked, DeskTool
from proctor.observations.observation import Observation, Want
from proctor.observations.outline_ids import Ids

SLICE_SEC = 0.25
"""So much of a wait goes by at once; other calls come between."""


@dataclass(frozen=True)
class LeftOver:
    """What is left of a call that lets others go before."""

    work: Callable[[], ToolAnswer | LeftOver]


class LiveDesk:
    """One computer and the tools that are granted on it.

    It is opened by `with`, used and closed on a thread of its own. A call that is given up before its turn is not
    carried out; one that is being carried out is finished, but for the rest of a wait. Pictures are made to `fit`;
    coordinates are pixels of them.
    """

    def __init__(
        self,
        open_one: Callable[[], Computer],
        tools: Sequence[DeskTool],
        *,
        fit: Size = FIT,
        picture_after: bool = False,
    ) -> None:
        self._open_one, self._granted, self._fit, self._picture_after = open_one, tools, fit, picture_after
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="computer")
        self._computer: Computer | None = None
        self._space: Space | None = None
        self._closing = False
        self._ids = Ids()
        self._listed: Observation | None = None
        self.offered: list[DeskTool] = []
        """Those that the computer has the parts for, once it is open."""

    def __enter__(self) -> Self:
        self._thread.submit(self._start).result()
        return self

    def __exit__(self, *_ended: object) -> None:
        self._closing = True
        self._thread.submit(self._stop).result()
        self._thread.shutdown(cancel_futures=True)

    async def tools(self) -> Sequence[DeskTool]:
        """Return the tools that the computer has the parts for."""
        return self.offered

    async def call(self, tool: DeskTool, given: Mapping[str, object], _who: str) -> ToolAnswer:
        """Carry out a call and return its answer; what fails is said in it."""
        return await self._in_turn(partial(self._answer, tool, given))

    async def _in_turn(self, work: Callable[[], ToolAnswer | LeftOver]) -> ToolAnswer:
        """Do something on the thread, and what is left of it after the calls that came meanwhile."""
        done: ToolAnswer | LeftOver = LeftOver(work)
        while isinstance(done, LeftOver):
            done = await asyncio.wrap_future(self._thread.submit(self._guard, done.work))
        return done

    async def unknown(self, name: str, given: Mapping[str, object], who: str) -> None:
        """Take no notice of a call of a tool that there is not."""

    def _start(self) -> None:
        computer = self._open_one()
        self._computer = computer.start()
        self._space = space_of(computer.size, self._fit)
        self.offered = [tool for tool in self._granted if computer.capabilities.issuperset(tool.needs)]

    def _stop(self) -> None:
        if self._computer is not None:
            self._computer.close()

    def _guard(self, work: Callable[[], ToolAnswer | LeftOver]) -> ToolAnswer | LeftOver:
        if self._closing:  # calls that wait do not keep the computer
            return ToolAnswer(text="the server is being ended", wrong=True)
        try:
            return work()
        except AgentError as error:
            return ToolAnswer(text=complaint(error), wrong=True)
        except ProctorError as error:
            return ToolAnswer(text=str(error), wrong=True)
        except OSError as error:
            return ToolAnswer(text=f"{type(error).__name__}: {error.strerror or error}", wrong=True)

    def _answer(self, tool: DeskTool, given: Mapping[str, object]) -> ToolAnswer | LeftOver:
        computer, space = self._computer, self._space
        assert computer is not None and space is not None, "a desk is opened before it is called"
        asked = tool.read(given, space, self._listed)
        if asked.errand is not None:
            return ToolAnswer(text=asked.errand(computer))
        if asked.shown is not None:
            pointer = computer.pointer_position() if "pointer" in computer.capabilities else None
            seen = observe(computer, want_for(asked.shown), ids=self._ids)
            self._listed = seen if asked.shown == "tree" else self._listed
            return answer(asked, seen, space, pointer)
        match asked.actions:
            case (Wait(seconds=seconds),):
                return self._wait(asked, computer, space, computer.clock() + seconds)
            case (WaitForChange(seconds=seconds),):
                return self._wait(asked, computer, space, computer.clock() + seconds, ChangeWatch(computer))
        return self._perform(asked, computer, space)

    def _wait(
        self, asked: Asked, computer: Computer, space: Space, until: float, watch: ChangeWatch | None = None
    ) -> ToolAnswer | LeftOver:
        """Let a little of a wait go by; others may use the computer before the rest of it."""
        left = max(until - computer.clock(), 0.0)
        if watch is not None and watch.sees_change(min(left, SLICE_SEC)):
            left = 0.0
        elif left > SLICE_SEC:
            if watch is None:
                computer.pass_time(SLICE_SEC)
            return LeftOver(partial(self._wait, asked, computer, space, until, watch))
        rest = replace(asked.actions[0], seconds=left if watch is None else 0.0)  # type: ignore[call-arg]
        return self._perform(replace(asked, actions=(rest,)), computer, space)

    def _perform(self, asked: Asked, computer: Computer, space: Space) -> ToolAnswer:
        for action in asked.actions:
            computer.perform(action)
        shown = picture(observe(computer, Want()), space) if self._picture_after else ()
        return ToolAnswer(text=asked.said, pictures=shown)
