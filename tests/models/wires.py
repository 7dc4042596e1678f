"""The three providers' wire formats, as far as the tests of all of them need: how each answers and where it looks."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

KEY = "sk-test-0123456789abcdefghij"
TINY = b"\x89PNG\r\n\x1a\n not really a picture \xff\xfe\xfd"


@dataclass(frozen=True)
class Wire:
    name: str
    variable: str
    path: str
    answer: Callable[[str], dict[str, Any]]
    """An answer that says this, with its usage: 100 in (20 kept), 30 out."""
    refusal: dict[str, Any]
    empty: dict[str, Any]
    cut: dict[str, Any]
    picture: Callable[[Any], tuple[str, bytes]]
    """The first picture of the last message of a request: its media type and its bytes."""
    error: Callable[[str], dict[str, Any]]

    @property
    def model(self) -> str:
        return self.name.partition("/")[2]


def _openai(text: str | None, finish: str = "stop", **more: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **more}}],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 30,
            "prompt_tokens_details": {"cached_tokens": 20},
            "completion_tokens_details": {"reasoning_tokens": 5},
        },
    }


def _anthropic(text: str, stop: str = "end_turn") -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": text}] if text else [],
        "stop_reason": stop,
        "usage": {
            "input_tokens": 80,
            "cache_read_input_tokens": 20,
            "output_tokens": 30,
            "output_tokens_details": {"thinking_tokens": 5},
        },
    }


def _google(text: str, finish: str = "STOP") -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text}]} if text else {"role": "model"}
    return {
        "candidates": [{"content": content, "finishReason": finish}],
        "usageMetadata": {
            "promptTokenCount": 100,
            "cachedContentTokenCount": 20,
            "candidatesTokenCount": 25,
            "thoughtsTokenCount": 5,
        },
    }


def _openai_picture(body: Any) -> tuple[str, bytes]:
    part = next(part for part in body["messages"][-1]["content"] if part["type"] == "image_url")
    head, _, data = part["image_url"]["url"].partition(";base64,")
    return head.removeprefix("data:"), base64.b64decode(data)


def _anthropic_picture(body: Any) -> tuple[str, bytes]:
    part = next(part for part in body["messages"][-1]["content"] if part["type"] == "image")
    assert part["source"]["type"] == "base64"
    return part["source"]["media_type"], base64.b64decode(part["source"]["data"])


def _google_picture(body: Any) -> tuple[str, bytes]:
    part = next(part["inlineData"] for part in body["contents"][-1]["parts"] if "inlineData" in part)
    return part["mimeType"], base64.b64decode(part["data"])


OPENAI = Wire(
    "openai/gpt-4o", "OPENAI_API_KEY", "/chat/completions", _openai,
    _openai(None, refusal="I will not."), _openai(""), _openai("half", "length"), _openai_picture,
    lambda text: {"error": {"message": text, "type": "some_error", "code": None}},
)  # fmt: skip
ANTHROPIC = Wire(
    "anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY", "/v1/messages", _anthropic,
    _anthropic("I will not.", "refusal"), _anthropic(""), _anthropic("half", "max_tokens"), _anthropic_picture,
    lambda text: {"type": "error", "error": {"type": "some_error", "message": text}},
)  # fmt: skip
GOOGLE = Wire(
    "google/gemini-2.5-pro", "GEMINI_API_KEY", ":generateContent", _google,
    {}, _google(""), _google("half", "MAX_TOKENS"), _google_picture,
    lambda text: {"error": {"code": 0, "message": text, "status": "SOME"}},
)  # fmt: skip
WIRES = (OPENAI, ANTHROPIC, GOOGLE)
