"""Calls of functions beside the computer tool: tools outside, and waiting for a change."""

from __future__ import annotations

import json
from typing import Any

from proctor.actions.action import CallTool, InputAction, WaitForChange, schemas
from proctor.actions.dialects.dialect import Reading
from proctor.actions.dialects.translation import complaint, number, raw_form
from proctor.errors import AgentError, UnknownName
from proctor.models.vendor_tool import ToolCall
from proctor.records import Brief, Tool

CHANGE = WaitForChange.kind


def beside_the_computer(brief: Brief) -> tuple[Tool, ...]:
    """Return the functions offered beside the provider's computer tool, which takes no other actions."""
    if CHANGE not in brief.actions or any(tool.name == CHANGE for tool in brief.tools):
        return brief.tools
    form = schemas()[CHANGE]
    seconds = {name: value for name, value in form["properties"].items() if name == "seconds"}
    asked = {"type": "object", "properties": seconds, "additionalProperties": False}
    return (*brief.tools, Tool(name=CHANGE, description=form["description"], schema=asked))


def read_outside(call: ToolCall, brief: Brief) -> Reading:
    """Return the action of a call, or why it makes no sense."""
    try:
        names = [tool.name for tool in beside_the_computer(brief)]
        if call.name not in names:
            unknown = UnknownName("function", call.name[:100], names)
            raise AgentError(unknown.message, remedy=unknown.remedy)
        return Reading(actions=(_action(call, brief),))
    except AgentError as error:
        return Reading(problem=complaint(error))


def _action(call: ToolCall, brief: Brief) -> InputAction | CallTool:
    given, arguments = raw_form(call.text), _arguments(call)
    if any(tool.name == call.name for tool in brief.tools):
        return CallTool(tool=call.name, arguments=arguments, given=given)
    if not isinstance(arguments, dict | None):
        raise AgentError(f"the arguments of {call.name} are no object", remedy='write {"seconds": 30}')
    seconds = (arguments or {}).get("seconds")
    return (
        WaitForChange(given=given)
        if seconds is None
        else WaitForChange(seconds=number(seconds, "seconds"), given=given)
    )


def _arguments(call: ToolCall) -> Any:
    if not isinstance(call.arguments, str):
        return call.arguments
    try:
        return json.loads(call.arguments or "{}")
    except (ValueError, RecursionError) as error:
        raise AgentError(f"the arguments are not JSON ({error})", remedy="write one JSON object") from error
