"""Anthropic's models, through the Messages API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import anthropic

from proctor.models.model import Message, Picture
from proctor.models.pictures import image_block
from proctor.models.provider_model import Read
from proctor.models.stainless import Stainless
from proctor.models.usage import Usage


class AnthropicModel(Stainless):
    """A model behind the Messages API."""

    provider: ClassVar[str] = "anthropic"
    key_variables: ClassVar[tuple[str, ...]] = ("ANTHROPIC_API_KEY",)
    url_variable: ClassVar[str] = "ANTHROPIC_BASE_URL"
    _path = "/v1/messages"
    _sdk, _client_class, _usual_url = anthropic, anthropic.Anthropic, "https://api.anthropic.com"

    def _payload(self, messages: Sequence[Message], max_tokens: int, temperature: float | None) -> dict[str, object]:
        system = [
            part for message in messages if message.role == "system" for part in message.parts if isinstance(part, str)
        ]
        payload: dict[str, object] = {
            "max_tokens": max_tokens,
            "messages": [
                {"role": message.role, "content": [_block(part) for part in message.parts if part != ""]}
                for message in messages
                if message.role != "system"
            ],
        }
        if system:
            payload["system"] = "\n\n".join(system)
        if temperature is not None:
            payload["temperature"] = temperature
        return payload

    def _read(self, data: dict[str, Any]) -> Read:
        blocks = data["content"]
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        thought = "".join(block["thinking"] for block in blocks if block["type"] == "thinking")
        match data.get("stop_reason"):
            case "refusal":
                return Read(text, thought, "refusal")
            case "max_tokens" | "model_context_window_exceeded":
                return Read(text, thought, "length")
        return Read(text, thought)

    def _content(self, data: dict[str, object]) -> object:
        # An answer of nothing that says why it ended is one: asked the same again, the model says the same.
        return data["content"] or isinstance(data.get("stop_reason"), str)

    def _usage(self, data: dict[str, Any]) -> Usage:
        usage = data.get("usage") or {}
        cached = usage.get("cache_read_input_tokens") or 0
        write = usage.get("cache_creation_input_tokens") or 0
        return Usage(
            input=(usage.get("input_tokens") or 0) + cached + write,
            output=usage.get("output_tokens") or 0,
            cached=cached,
            cache_write=write,
            reasoning=(usage.get("output_tokens_details") or {}).get("thinking_tokens") or 0,
        )


def _block(part: str | Picture) -> dict[str, object]:
    return {"type": "text", "text": part} if isinstance(part, str) else image_block(part)
