"""Whose command Inspect has run: the agent's, or its own.

What is asked for inside a tool call or an agent is the agent's. Inspect's own commands there are known by their form:
they set the path of programs first, or start its support for tools, through which some of the agent's come as well.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence

from inspect_ai.event import SpanBeginEvent
from inspect_ai.log import transcript
from inspect_ai.util import current_span_id

AGENTS = ("tool", "agent")
"""Kinds of spans in which an agent is at work."""
PINNED = "inspect_image_path="
"""How a script begins that Inspect runs on its own behalf."""
SUPPORT = "/var/tmp/.da7be258e003d428"
"""Where Inspect puts its support for tools."""
REQUESTS = ("bash_session", "text_editor", "exec_remote_start")
"""Those of the requests to it that do what a model asked for."""
_SHELLS = ("sh", "bash")


def code_of_agent(command: Sequence[str], given: bytes) -> str:
    """Return what the agent wrote, where a command is the agent's; an empty text otherwise."""
    if not _is_at_work() or (command[0] == "/bin/sh" and any(word.startswith(PINNED) for word in command[1:3])):
        return ""
    if any(SUPPORT in word for word in command):
        return _request(given) if command[1:] == ["exec"] else ""
    shell = command[0].rpartition("/")[2] in _SHELLS and "-c" in command[:-1]
    words = command[command.index("-c") + 1] if shell else shlex.join(command)
    return "\n".join(filter(None, (words, given.decode(errors="replace"))))


def is_written_by_agent(path: str) -> bool:
    """Tell whether a file is written by the agent, and not by Inspect's support for tools."""
    return _is_at_work() and not path.startswith(SUPPORT)


def _is_at_work() -> bool:
    """Tell whether an agent is at work where this is asked."""
    history, at = transcript().history, current_span_id()
    while at is not None:
        span = history.find_last(lambda event, at=at: isinstance(event, SpanBeginEvent) and event.id == at)
        if not isinstance(span, SpanBeginEvent):
            return False
        if span.type in AGENTS:
            return True
        at = span.parent_id
    return False


def _request(given: bytes) -> str:
    try:
        asked = json.loads(given)
    except ValueError:
        return ""
    if not isinstance(asked, dict) or asked.get("method") not in REQUESTS:
        return ""
    return f"{asked['method']} {json.dumps(asked.get('params'), ensure_ascii=False)}"
