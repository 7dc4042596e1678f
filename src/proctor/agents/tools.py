"""Tools outside of the computer, for agents that write text: how they are told and called."""

from __future__ import annotations

import json
from collections.abc import Sequence

from proctor.actions.action import CallTool
from proctor.actions.dialects.dialect import Reading
from proctor.actions.dialects.reply import MAX_REPLY, take_apart
from proctor.actions.dialects.translation import MAX_ACTIONS, complaint, raw_form, too_many
from proctor.errors import AgentError
from proctor.records import Tool

LABEL = "tool"
"""What a fence begins with that holds a call."""
MOST_SCHEMA = 4_000
"""Characters of a schema in a prompt."""

TOOLS = """\
There are also tools outside the computer. To call one, write a code fence labelled tool, and no action in the
same turn: a reply with such a fence is read as calls only. You get the result at the next turn.
```tool
{{"tool": "{name}", "arguments": {{}}}}
```
The tools, each with the JSON Schema of its arguments:
{listed}"""


def describe_tools(tools: Sequence[Tool]) -> str:
    """Return what a model is told of its tools; nothing where there are none."""
    if not tools:
        return ""
    listed = "\n".join(f"- {tool.name}: {' '.join(tool.description.split())}\n  {_schema(tool)}" for tool in tools)
    return TOOLS.format(name=tools[0].name, listed=listed)


def read_tools(reply: str, tools: Sequence[Tool]) -> Reading | None:
    """Return the calls of a reply, or why they make no sense; None for a reply without any."""
    if not tools or len(reply) > MAX_REPLY:
        return None
    parts = take_apart(reply)
    fences = [fence.body for fence in parts.fences if fence.label == LABEL]
    if not fences:
        return None
    thought = "\n".join(filter(None, [parts.thinking, parts.prose]))
    try:
        calls = tuple(_call(item, body) for body in fences for item in _items(body))
        if len(calls) > MAX_ACTIONS:
            raise too_many()
    except AgentError as error:
        return Reading(problem=complaint(error), thought=thought)
    return Reading(actions=calls, thought=thought)


def _items(body: str) -> list[object]:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise AgentError(
            f"the call of a tool is not JSON ({error})", remedy='write {"tool": "...", "arguments": {...}}'
        ) from error
    return data if isinstance(data, list) else [data]


def _call(item: object, body: str) -> CallTool:
    name = item.get("tool", item.get("name")) if isinstance(item, dict) else None
    if not isinstance(item, dict) or not isinstance(name, str):
        raise AgentError("the call names no tool", remedy='write {"tool": "...", "arguments": {...}}')
    return CallTool(tool=name, arguments=item.get("arguments"), given=raw_form(body))


def _schema(tool: Tool) -> str:
    text = json.dumps(tool.schema, ensure_ascii=False)
    return text if len(text) <= MOST_SCHEMA else f"{text[:MOST_SCHEMA]}... (cut)"
