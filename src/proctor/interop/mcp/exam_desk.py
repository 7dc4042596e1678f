"""An MCP client as the examined agent: its calls are turns of an episode."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.space import Space
from proctor.actions.dialects.translation import complaint, raw_form
from proctor.agents.agent import Over, Turn
from proctor.agents.external.door import Door, Opened, TooLate
from proctor.computers.perform import NEEDS
from proctor.errors import AgentError
from proctor.interop.mcp.answers import FIT, Point, Size, ToolAnswer, answer, picture, space_of, want_for
from proctor.interop.mcp.arguments import Param
from proctor.interop.mcp.pieces import Ask
from proctor.interop.mcp.tool import Asked, DeskTool, call_words
from proctor.observations.observation import Observation
from proctor.records import Brief

END = "Call done when the task is done, or give_up when it cannot be done; then the computer is judged as it is."


class OneClient:
    """The connection that is examined: the first that calls."""

    def __init__(self) -> None:
        self._who: str | None = None

    def is_it(self, who: str) -> bool:
        """Tell whether a connection is the one that is examined."""
        return self._who == who

    def refusal(self, who: str) -> ToolAnswer | None:
        """Return what any other client is told."""
        self._who = who if self._who is None else self._who
        if self.is_it(who):
            return None
        return ToolAnswer(
            text="another connection is being examined here, and an examination is for one; start one of your own "
            "with `proctor serve exam`",
            wrong=True,
        )


class ExamDesk:
    """The granted tools of one examination, for one client, as far as computer and rules allow.

    Pictures are made to `fit`, and coordinates are pixels of them.
    """

    def __init__(
        self,
        door: Door,
        tools: Sequence[DeskTool],
        *,
        fit: Size = FIT,
        picture_after: bool = False,
        after: str = "One server holds one examination.",
    ) -> None:
        """Stand before a door; `after` is said of what can be done when it is over."""
        self._door, self._granted, self._fit, self._picture_after = door, tools, fit, picture_after
        self._after = after
        self._examined = OneClient()
        self._pointer: Point | None = None
        self._listed: Observation | None = None
        self.client = ""
        """What the client calls itself, once it has said so; kept with its first call."""

    async def tools(self) -> Sequence[DeskTool]:
        """Return the tools, once the computer is prepared; if it is not, those that end it."""
        try:
            opened = await self._wait_open()
        except Over:
            return WORDS
        offered = [tool for tool in self._granted if _is_allowed(tool, opened)]
        words = [tool for tool in WORDS if tool.name != "ask_user" or "ask_user" in opened.brief.actions]
        return [*words, *offered]

    async def call(self, tool: DeskTool, given_: Mapping[str, object], who: str) -> ToolAnswer:
        """Let a call in and return what came of it, or why it was not let in."""
        if refused := self._examined.refusal(who):
            return refused
        try:
            opened = await self._wait_open()
            space = space_of(opened.brief.size, self._fit)
            if tool.name == "task":
                return self._task(tool, given_, opened.brief, space)
            return await self._let_in(tool, given_, space)
        except TooLate as error:
            return ToolAnswer(text=f"{error} This call was not carried out.", wrong=True)
        except Over as error:
            return ToolAnswer(text=str(error))

    async def unknown(self, name: str, given_: Mapping[str, object], who: str) -> None:
        """Record a call of a tool that there is not."""
        if self._examined.refusal(who):
            return
        try:
            await self._wait_open()
            await self._submit(Turn(problem=f"there is no tool {name[:40]!r}", reply=self._call_text(name, given_)))
        except Over:
            return

    def is_examined(self, who: str) -> bool:
        """Tell whether a connection is the one that is examined."""
        return self._examined.is_it(who)

    async def brief(self) -> str:
        """Return the task and its limits, once the computer is prepared; raises Over where it is not."""
        opened = await self._wait_open()
        return task_words(opened.brief, space_of(opened.brief.size, self._fit))

    async def _wait_open(self) -> Opened:
        # Shielded: a call that is given up must not give up the opening for all others.
        return await asyncio.shield(asyncio.wrap_future(self._door.opened))

    async def _submit(self, turn: Turn) -> Observation:
        return await asyncio.wrap_future(self._door.submit(turn))

    def _task(self, tool: DeskTool, given_: Mapping[str, object], brief: Brief, space: Space) -> ToolAnswer:
        try:
            tool.read(given_, space)
        except AgentError as error:
            return ToolAnswer(text=complaint(error), wrong=True)
        if self._door.is_over:
            return ToolAnswer(text=f"{self._door.is_over} {self._after}".strip(), wrong=True)
        return ToolAnswer(text=task_words(brief, space))

    async def _let_in(self, tool: DeskTool, given_: Mapping[str, object], space: Space) -> ToolAnswer:
        reply = self._call_text(tool.name, given_)
        try:
            asked = tool.read(given_, space, self._listed)
        except AgentError as error:
            await self._submit(Turn(problem=complaint(error), reply=reply))
            return ToolAnswer(text=complaint(error), wrong=True)
        look = want_for(asked.shown) if asked.shown else None
        seen = await self._submit(Turn(actions=_actions(asked), look=look, reply=reply))
        if asked.shown == "tree":
            self._listed = seen
        for action in asked.actions:
            self._pointer = _place(action) or self._pointer
        return self._show(asked, seen, space)

    def _show(self, asked: Asked, seen: Observation, space: Space) -> ToolAnswer:
        refused = [each.text for each in seen.told if each.kind == "refused"]
        if refused:
            return ToolAnswer(text="\n".join(refused), wrong=True)
        if asked.shown is not None:
            return answer(asked, seen, space, self._pointer)
        said = "\n".join(filter(None, [asked.said, *(each.text for each in seen.told)]))
        return ToolAnswer(text=said or "Done.", pictures=picture(seen, space) if self._picture_after else ())

    def _call_text(self, name: str, given_: Mapping[str, object]) -> str:
        client, self.client = self.client, ""
        return f"{call_words(name, given_)}\nclient: {client}" if client else call_words(name, given_)


def task_words(brief: Brief, space: Space) -> str:
    """Return all that the examined agent is told of its task."""
    width, height = space.size
    limits = [f"You may take {brief.max_steps} actions"] + ([f"and {brief.seconds:g} s"] if brief.seconds else [])
    parts = [
        brief.instruction,
        brief.intent,
        brief.notes,
        f"The screenshot is {width:g} pixels wide and {height:g} high, and coordinates are its pixels. "
        f"{' '.join(limits)}; looking takes no action. {END}",
    ]
    return "\n\n".join(filter(None, parts))


def instructions(instruction: str) -> str:
    """Return what a client is told when it connects, before the computer is ready."""
    return (
        "You are being examined on a real computer, which the tools of this server let you see and operate. "
        f"This is your task:\n\n{instruction}\n\n{END} The tool `task` repeats it, with its limits."
    )


def _is_allowed(tool: DeskTool, opened: Opened) -> bool:
    """Tell whether the computer has the parts for a tool, and the rules allow its actions."""
    if tool.errand:
        return tool.is_code and "run_code" in opened.brief.actions
    if tool.group == "see":
        return opened.parts.issuperset(tool.needs)
    kinds = {kind for kind, part in NEEDS.items() if part in tool.needs} or {tool.name}
    return opened.parts.issuperset(tool.needs) and not kinds.isdisjoint(opened.brief.actions)


def _actions(asked: Asked) -> tuple[Action, ...]:
    if asked.errand is None:
        return asked.actions
    return (act.RunCode(code=asked.code, language="shell", timeout_sec=asked.code_sec, given=raw_form(asked.code)),)


def _place(action: Action) -> Point | None:
    """Return where an action leaves the pointer; None when it does not say."""
    if isinstance(action, act.Drag):
        return action.path[-1]
    x, y = getattr(action, "x", None), getattr(action, "y", None)
    return None if x is None or y is None else (x, y)


def _say(make: Callable[..., Action]) -> Ask:
    """Return what says something to the examiner, made of the arguments of a call."""
    return lambda arguments, _space: Asked(actions=(make(**arguments),))


def _finish(answer: str | None) -> Action:
    return act.Done() if answer is None else act.Answer(text=answer)


WORDS: tuple[DeskTool, ...] = (
    DeskTool(name="task", group="see", what="Get the task and its limits.", ask=lambda _a, _s: Asked()),
    DeskTool(
        name="done", group="input", ask=_say(_finish),
        what="Say that the task is done, with the answer if it asks for one. This ends the examination.",
        params=(Param("answer", "string", "The answer, if the task asks for one.", None),),
    ),
    DeskTool(
        name="give_up", group="input", ask=_say(act.Fail),
        what="Say that the task cannot be done, and why. This ends the examination.",
        params=(Param("reason", "string", "Why it cannot be done."),),
    ),
    DeskTool(
        name="ask_user", group="input", ask=_say(act.AskUser),
        what="Ask the user who gave you the task about something that you cannot find on the computer.",
        params=(Param("question", "string", "What to ask."),),
    ),
)  # fmt: skip
"""What an examined agent can say."""
