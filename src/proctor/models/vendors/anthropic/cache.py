"""What of a conversation Anthropic is asked to keep, so that it costs a tenth the next time.

A mark says: keep everything up to here, or take it from what was kept. One is behind the tool and the standing
instructions, which never change. One is behind the last message that the next request will repeat as it is: the newest
one as long as no picture has to make room for the next, and otherwise the last before the oldest picture, because
leaving that out changes everything behind it. Keeping costs a quarter more than sending, so what will change is not
kept. One is where the last request had its own, as long as nothing before it changed. Four marks are allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

KEEP = {"type": "ephemeral"}
"""For five minutes since it was last used, which is longer than a turn takes."""
Message = dict[str, Any]


def mark_standing(system: str, *tools: dict[str, object]) -> dict[str, object]:
    """Return the tools and the standing instructions, with a mark behind them."""
    if not system:
        *before, last = tools
        return {"system": system, "tools": [*before, {**last, "cache_control": KEEP}]}
    # The tools stand before the instructions, so that one mark is for both.
    return {"system": [{"type": "text", "text": system, "cache_control": KEEP}], "tools": list(tools)}


def stable(messages: Sequence[Message], history: int) -> int | None:
    """Return the place of the user's last message that the next request, of so many pictures, has."""
    holding = [place for place, message in enumerate(messages) for _ in range(pictures_in(message["content"]))]
    end = len(messages) if len(holding) < history else holding[0]
    return next((place for place in reversed(range(end)) if _can_be_marked(messages[place])), None)


def mark_messages(messages: Sequence[Message], places: Collection[int]) -> list[Message]:
    """Return messages with a mark behind some of them; they are not changed themselves."""
    marked = list(messages)
    for place in places:
        *before, last = marked[place]["content"]
        marked[place] = {**marked[place], "content": [*before, {**last, "cache_control": KEEP}]}
    return marked


def _can_be_marked(message: Message) -> bool:
    """Tell whether a message is the user's and ends with something to mark; an empty text is refused."""
    content = message["content"]
    return (
        message["role"] == "user" and bool(content) and (content[-1].get("type") != "text" or bool(content[-1]["text"]))
    )


def pictures_in(blocks: Sequence[dict[str, Any]]) -> int:
    """Return how many pictures some blocks hold."""
    inner = sum(pictures_in(block["content"]) for block in blocks if block.get("type") == "tool_result")
    return inner + sum(1 for block in blocks if block.get("type") == "image")
