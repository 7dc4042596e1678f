"""Calls of tools outside of the computer, as providers hand them on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from proctor.actions.action import CallTool
from proctor.actions.dialects.dialect import Reading
from proctor.actions.dialects.translation import complaint, raw_form
from proctor.errors import AgentError, UnknownName
from proctor.models.vendor_tool import ToolCall
from proctor.records import Tool


def read_outside(call: ToolCall, tools: Sequence[Tool]) -> Reading:
    """Return the action of a call, or why it makes no sense."""
    try:
        names = [tool.name for tool in tools]
        if call.name not in names:
            unknown = UnknownName("function", call.name[:100], names)
            raise AgentError(unknown.message, remedy=unknown.remedy)
        return Reading(actions=(CallTool(tool=call.name, arguments=_arguments(call), given=raw_form(call.text)),))
    except AgentError as error:
        return Reading(problem=complaint(error))


def _arguments(call: ToolCall) -> Any:
    if not isinstance(call.arguments, str):
        return call.arguments
    try:
        return json.loads(call.arguments or "{}")
    except (ValueError, RecursionError) as error:
        raise AgentError(f"the arguments are not JSON ({error})", remedy="write one JSON object") from error
