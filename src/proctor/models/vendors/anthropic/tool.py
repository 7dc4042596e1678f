"""Anthropic's computer tool and toolset: messages with tool_use and tool_result blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from proctor.models.model import Picture, RawModel
from proctor.models.pictures import image_block
from proctor.models.tool_dialect import ToolDialect
from proctor.models.vendor_tool import FAILED, LEFT_OUT, CallResult, Finish, Heard, ToolCall, VendorTool, join_turn
from proctor.models.vendors.anthropic.cache import mark_messages, mark_standing, pictures_in, stable
from proctor.models.vendors.anthropic.dialect import TOOLSET, AnthropicDialect
from proctor.records import Tool

PATH = "/v1/messages?beta=true"
PLAIN_PATH = "/v1/messages"
BETAS = {
    "computer_20241022": "computer-use-2024-10-22",
    "computer_20250124": "computer-use-2025-01-24",
    "computer_20251124": "computer-use-2025-11-24",
}
"""Versions of the tool, and the header that opens each; none opens the toolset."""

_MODEL = re.compile(r"claude-(?P<family>[a-z]+)-(?P<major>\d+)(?:[-.](?P<minor>\d{1,2})(?!\d))?")
_FINISHES: dict[str, Finish] = {
    "refusal": "refusal", "max_tokens": "length", "model_context_window_exceeded": "length", "pause_turn": "pause",
}  # fmt: skip
_THOUGHTS = frozenset({"thinking", "redacted_thinking"})
_NEW_FAMILIES = frozenset({"fable", "mythos"})
"""Families that were made for the toolset from their first model on."""


class AnthropicTool(VendorTool):
    """A conversation with one of Anthropic's models."""

    dialect: ClassVar[ToolDialect] = AnthropicDialect()
    fit: ClassVar[tuple[int, int] | None] = (1280, 800)
    """Anything larger than about 1.15 million pixels is scaled down there, and clicks then miss."""
    pictures: ClassVar[int] = 3

    def __init__(self, model: RawModel, *, version: str, history: int, max_tokens: int, cache: bool = True) -> None:
        super().__init__(model, version=version, history=history, max_tokens=max_tokens, cache=cache)
        self.zooms = version in ("computer_20251124", TOOLSET)
        self.stops_at_failure = version == TOOLSET
        self._system = ""
        self._messages: list[dict[str, Any]] = []
        self._kept: int | None = None
        """Up to which message the provider keeps what the last request said."""

    @classmethod
    def default_version(cls, model: str) -> str:
        if "claude-3-5-" in model:
            return "computer_20241022"
        if "claude-3-7-" in model:
            return "computer_20250124"
        named = _MODEL.search(model)
        if named is None:
            return "computer_20251124"
        number = int(named["major"]), int(named["minor"] or 0)
        if number >= (5, 5) or named["family"] in _NEW_FAMILIES:
            return TOOLSET
        since = (4, 5) if named["family"] == "opus" else (4, 6)
        return "computer_20251124" if number >= since else "computer_20250124"

    def begin(self, system: str) -> None:
        self._system, self._messages, self._kept = system, [], None

    def say(self, text: str, picture: Picture | None) -> None:
        self._add("user", [*([image_block(picture)] if picture else []), {"type": "text", "text": text}])

    def give(self, results: Sequence[CallResult], text: str) -> None:
        # Results come first, and one that tells of a failure may hold nothing but text: its picture goes behind them.
        apart = [block for result in results if result.wrong for block in _picture_blocks(result)]
        words = [{"type": "text", "text": text}] if text.strip() else []
        self._add("user", [*map(_tool_result, results), *apart, *words])

    def payload(self) -> dict[str, object]:
        tools = [self.tool, *map(_declare_outside, self.others)]
        before = None if self._trim() else self._kept
        if not self.cache:
            messages = [dict(message) for message in self._messages]
            return {"max_tokens": self.max_tokens, "system": self._system, "tools": tools, "messages": messages}
        self._kept = stable(self._messages, self.history)
        places = {place for place in (before, self._kept) if place is not None}
        messages = mark_messages(self._messages, places)
        return {"max_tokens": self.max_tokens, **mark_standing(self._system, *tools), "messages": messages}

    def send(self) -> dict[str, object]:
        if self.version not in BETAS:
            return self.model.request(self.payload(), path=PLAIN_PATH).data
        headers = {"anthropic-beta": BETAS[self.version]}
        return self.model.request(self.payload(), path=PATH, headers=headers).data

    def keep(self, data: dict[str, Any]) -> Heard:
        blocks = [block for block in data["content"] if isinstance(block, dict)]
        if repeated := _repeatable(blocks):
            self._add("assistant", repeated)
        stop = data.get("stop_reason")
        finish = _FINISHES.get(stop, "stop") if isinstance(stop, str) else "stop"
        return Heard(
            text=_join(blocks, "text", "text"),
            thought=_join(blocks, "thinking", "thinking"),
            calls=tuple(self._call(block) for block in blocks if block.get("type") == "tool_use"),
            finish=finish,
            half=finish == "length" and bool(blocks) and blocks[-1].get("type") == "tool_use",
        )

    def _call(self, block: dict[str, Any]) -> ToolCall:
        name = str(block.get("name", ""))
        outside = "toolset_name" not in block and self.is_outside(name)
        return ToolCall(
            id=str(block.get("id", "")), name=name, data=block, outside=outside, arguments=block.get("input")
        )

    def _add(self, role: str, blocks: list[dict[str, Any]]) -> None:
        join_turn(self._messages, role, "content", blocks)

    def _trim(self) -> bool:
        """Keep the newest pictures, at least those of the last message; tells whether one was left out."""
        most = max(self.history, pictures_in(self._messages[-1]["content"]))
        kept, changed = 0, False
        for holder in reversed(list(self._holders())):
            for place in reversed(range(len(holder))):
                if holder[place].get("type") == "image":
                    kept += 1
                    if kept > most:
                        holder[place] = {"type": "text", "text": LEFT_OUT}
                        changed = True
        return changed

    def _holders(self) -> Iterator[list[dict[str, Any]]]:
        """Yield the lists that may hold pictures, oldest first."""
        for message in self._messages:
            yield from (block["content"] for block in message["content"] if block.get("type") == "tool_result")
            yield message["content"]


def _declare_outside(tool: Tool) -> dict[str, object]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.schema}


def _tool_result(result: CallResult) -> dict[str, Any]:
    """Return the answer to a call; the name of the toolset is echoed to calls that have it."""
    words = result.text if result.text.strip() else FAILED if result.wrong else ""
    content = [{"type": "text", "text": words}] if words else []
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": result.call.id}
    if (toolset := result.call.data.get("toolset_name")) is not None:
        block["toolset_name"] = toolset
    if result.wrong:
        return {**block, "content": content, "is_error": True}
    return {**block, "content": [*content, *map(image_block, result.handed), *_picture_blocks(result)]}


def _picture_blocks(result: CallResult) -> list[dict[str, Any]]:
    label = [{"type": "text", "text": result.label}] if result.label else []
    return [*label, *([image_block(result.picture)] if result.picture else [])]


def _repeatable(blocks: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return the blocks of an answer that may be sent again: no blank text, no thought at the end."""
    kept = [block for block in blocks if block.get("type") != "text" or str(block.get("text", "")).strip()]
    while kept and kept[-1].get("type") in _THOUGHTS:
        kept.pop()
    return kept


def _join(blocks: list[dict[str, object]], kind: str, field: str) -> str:
    return "\n".join(str(block.get(field, "")) for block in blocks if block.get("type") == kind)
