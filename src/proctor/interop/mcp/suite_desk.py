"""One MCP client examined on many tasks: it lists them, chooses one, or takes the next."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from proctor.actions.dialects.translation import complaint
from proctor.agents.agent import Over
from proctor.agents.external.door import Door
from proctor.agents.external.lobby import Lobby
from proctor.errors import AgentError
from proctor.interop.mcp.answers import ToolAnswer
from proctor.interop.mcp.arguments import Param, read
from proctor.interop.mcp.exam_desk import WORDS, ExamDesk, OneClient
from proctor.interop.mcp.tool import Asked, DeskTool

HOW = "Call next_task to begin the next one, or list_tasks and choose_task to do another first."

LIST, CHOOSE, NEXT = (
    DeskTool(
        name="list_tasks", group="see", ask=lambda _a, _s: Asked(),
        what="List the tasks of this examination and whether each is waiting, running or finished.",
    ),
    DeskTool(
        name="choose_task", group="input", ask=lambda _a, _s: Asked(),
        what="Begin one of the waiting tasks on a fresh computer; returns the task.",
        params=(Param("task", "string", "Its id, as list_tasks names it."),),
    ),
    DeskTool(
        name="next_task", group="input", ask=lambda _a, _s: Asked(),
        what="Begin the next waiting task on a fresh computer; returns the task.",
    ),
)  # fmt: skip


class SuiteDesk:
    """The granted tools of many examinations, one after another, for one client.

    `open_desk` returns the desk of the exam behind a door.
    """

    def __init__(self, lobby: Lobby, tools: Sequence[DeskTool], open_desk: Callable[[Door], ExamDesk]) -> None:
        self._lobby, self._granted, self._open_desk = lobby, tools, open_desk
        self._examined = OneClient()
        self._desk: ExamDesk | None = None
        self.client = ""
        """What the client calls itself, once it has said so; kept with the first call of each exam."""

    async def tools(self) -> Sequence[DeskTool]:
        """Return the tools: those of the exam that is going on, or else all that may come."""
        usable = [tool for tool in self._granted if not tool.errand or tool.is_code]
        return [LIST, CHOOSE, NEXT, *(await self._desk.tools() if self._desk else [*WORDS, *usable])]

    async def call(self, tool: DeskTool, given: Mapping[str, object], who: str) -> ToolAnswer:
        """Choose a task, or pass a call on to the exam that is going on."""
        if refused := self._examined.refusal(who):
            return refused
        if tool in (LIST, CHOOSE, NEXT):
            try:
                arguments = read(tool.params, given)
                return self._list() if tool is LIST else await self._begin(str(arguments.get("task", "")))
            except AgentError as error:
                return ToolAnswer(text=complaint(error), wrong=True)
        if self._desk is None:
            return ToolAnswer(text=f"no task has begun yet. {HOW}", wrong=True)
        return await self._desk.call(tool, given, who)

    async def unknown(self, name: str, given: Mapping[str, object], who: str) -> None:
        """Record a call of a tool that there is not, where an exam is going on."""
        if self._desk is not None and not self._examined.refusal(who):
            await self._desk.unknown(name, given, who)

    def is_examined(self, who: str) -> bool:
        """Tell whether a connection is the one that is examined."""
        return self._examined.is_it(who)

    def _list(self) -> ToolAnswer:
        return ToolAnswer(
            text=json.dumps([{"task": task, "state": state} for task, state in self._lobby.states.items()])
        )

    async def _begin(self, name: str) -> ToolAnswer:
        task, door = self._lobby.choose(name)
        self._desk = self._open_desk(door)
        self._desk.client = self.client
        try:
            return ToolAnswer(text=f"{task}\n\n{await self._desk.brief()}")
        except Over as error:
            return ToolAnswer(text=str(error), wrong=True)


def suite_instructions(count: int) -> str:
    """Return what a client is told when it connects to be examined on so many tasks."""
    return (
        f"You are being examined on {count} tasks, one after another, each on a real computer of its own, which the "
        f"tools of this server let you see and operate. {HOW} End each with done or give_up; whatever is on its "
        "computer then is judged. Go on until next_task says that no task is left."
    )
