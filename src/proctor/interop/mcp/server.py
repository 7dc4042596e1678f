"""The MCP server of a desk: lists tools, passes calls on, answers with texts and pictures."""

from __future__ import annotations

import base64
import difflib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from proctor.errors import MissingExtra
from proctor.interop.mcp.answers import ToolAnswer
from proctor.interop.mcp.tool import DeskTool
from proctor.version import VERSION

try:
    import mcp_types as types
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.lowlevel.server import Server
    from mcp.shared.exceptions import MCPError
except ModuleNotFoundError as error:
    raise MissingExtra("the MCP server", "mcp") from error

Context = ServerRequestContext[Any, Any]

SESSION = "mcp-session-id"
"""The header by which clients of the earlier revisions say which connection they are."""
TASK_PROMPT = "task"


class ToolDesk(Protocol):
    """Where calls are carried out."""

    async def tools(self) -> Sequence[DeskTool]:
        """Return the tools that there are."""

    async def call(self, tool: DeskTool, given: Mapping[str, object], who: str) -> ToolAnswer:
        """Carry out a call of a client and return its answer."""

    async def unknown(self, name: str, given: Mapping[str, object], who: str) -> None:
        """Hear of a call of a tool that there is not."""


def build(
    desk: ToolDesk,
    *,
    instructions: str,
    prompt: str = "",
    heard: Callable[[str, str], None] | None = None,
) -> Server[Any]:
    """Return a server that passes calls to a desk, with the prompt `task` where that says something.

    `heard` is told who sent a message, when it comes and when it is answered, and what that client calls itself.
    """

    async def list_tools(_context: Context, _params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_describe(tool) for tool in await desk.tools()])

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        given, who = params.arguments or {}, _who(context)
        known = {tool.name: tool for tool in await desk.tools()}
        tool = known.get(params.name)
        if tool is None:
            await desk.unknown(params.name, given, who)
            raise _no_such_tool(params.name, known)
        return _result(await desk.call(tool, given, who))

    async def hear(ctx: Context, call_next: CallNext) -> HandlerResult:
        if heard is None:
            return await call_next(ctx)
        heard(_who(ctx), _name(ctx))
        try:
            return await call_next(ctx)
        finally:
            heard(_who(ctx), _name(ctx))

    server: Server[Any] = Server(
        "proctor",
        version=VERSION,
        title="Proctor",
        instructions=instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=_list_prompts if prompt else None,
        on_get_prompt=partial(_get_prompt, prompt) if prompt else None,
    )
    server.middleware.append(hear)
    return server


async def _list_prompts(_context: Context, _params: object) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[types.Prompt(name=TASK_PROMPT, description="The task to be done.")])


async def _get_prompt(text: str, _context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    if params.name != TASK_PROMPT:
        raise MCPError(types.INVALID_PARAMS, f"there is no prompt {params.name[:40]!r}; the only one is 'task'")
    said = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(messages=[said])


def _describe(tool: DeskTool) -> types.Tool:
    # Whether something is destroyed is a question only where something is changed.
    destroys = tool.group == "shell" if tool.changes else None
    hints = types.ToolAnnotations(read_only_hint=not tool.changes, destructive_hint=destroys, open_world_hint=False)
    return types.Tool(name=tool.name, description=tool.what, input_schema=tool.schema(), annotations=hints)


def _result(answer: ToolAnswer) -> types.CallToolResult:
    content: list[Any] = [types.TextContent(type="text", text=answer.text)] if answer.text else []
    content += [
        types.ImageContent(type="image", data=base64.b64encode(picture).decode("ascii"), mime_type="image/png")
        for picture in answer.pictures
    ]
    return types.CallToolResult(content=content, is_error=answer.wrong)


def _no_such_tool(name: str, known: Mapping[str, DeskTool]) -> MCPError:
    near = difflib.get_close_matches(name[:40], known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
    return MCPError(types.INVALID_PARAMS, f"Unknown tool {name[:40]!r}; {hint}")


def _who(context: Context) -> str:
    """Return which connection a message came by; empty where there is but one, or clients have none."""
    headers = getattr(context.request, "headers", None)
    return str(headers.get(SESSION, "")) if headers is not None else ""


def _name(context: Context) -> str:
    """Return what a client calls itself, where it has said so."""
    params = context.session.client_params
    return f"{params.client_info.name} {params.client_info.version}".strip() if params else ""
