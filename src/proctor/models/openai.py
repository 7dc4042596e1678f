"""Models that speak OpenAI's format: its own, and those of vLLM, Ollama, LiteLLM and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import openai

from proctor.models.model import Message, Picture
from proctor.models.pictures import data_url
from proctor.models.provider_model import Read
from proctor.models.stainless import Stainless
from proctor.models.usage import Usage


class OpenAIModel(Stainless):
    """A model behind Chat Completions; `request` with a path reaches the Responses API too."""

    provider: ClassVar[str] = "openai"
    key_variables: ClassVar[tuple[str, ...]] = ("OPENAI_API_KEY",)
    url_variable: ClassVar[str] = "OPENAI_BASE_URL"
    _path = "/chat/completions"
    _sdk, _client_class, _usual_url = openai, openai.OpenAI, "https://api.openai.com/v1"

    def _body(self, payload: dict[str, object]) -> dict[str, object]:
        body = super()._body(payload)
        # Without being asked, a stream of Chat Completions does not say what was used.
        return {**body, "stream_options": {"include_usage": True}} if self._stream and "messages" in body else body

    def _payload(self, messages: Sequence[Message], max_tokens: int, temperature: float | None) -> dict[str, object]:
        # OpenAI's reasoning models refuse the old name of the limit, and other servers do not know the new one.
        limit = "max_tokens" if self.base_url else "max_completion_tokens"
        payload: dict[str, object] = {"messages": [_message(message) for message in messages], limit: max_tokens}
        if temperature is not None:
            payload["temperature"] = temperature
        return payload

    def _read(self, data: dict[str, Any]) -> Read:
        choice = data["choices"][0]
        message = choice["message"]
        thought = message.get("reasoning_content") or message.get("reasoning") or ""
        text = message.get("content") or ""
        if refusal := message.get("refusal"):
            return Read(refusal, thought, "refusal")
        return Read(text, thought, "length" if choice.get("finish_reason") == "length" else "stop")

    def _withheld(self, data: dict[str, Any]) -> str:
        reasons = [choice.get("finish_reason") for choice in data.get("choices") or ()]
        reasons.append((data.get("incomplete_details") or {}).get("reason"))
        return "content_filter" if "content_filter" in reasons else ""

    def _content(self, data: dict[str, object]) -> object:
        return (data["output"] or data.get("incomplete_details")) if "output" in data else data["choices"]

    def _usage(self, data: dict[str, Any]) -> Usage:
        usage = data.get("usage") or {}
        # Chat Completions and Responses use different words for the same.
        taken = usage.get("prompt_tokens_details") or usage.get("input_tokens_details") or {}
        given = usage.get("completion_tokens_details") or usage.get("output_tokens_details") or {}
        return Usage(
            input=usage.get("prompt_tokens") or usage.get("input_tokens") or 0,
            output=usage.get("completion_tokens") or usage.get("output_tokens") or 0,
            cached=taken.get("cached_tokens") or 0,
            cache_write=taken.get("cache_write_tokens") or 0,
            reasoning=given.get("reasoning_tokens") or 0,
        )


def _message(message: Message) -> dict[str, object]:
    if all(isinstance(part, str) for part in message.parts):
        # Plain text, because not every server takes parts.
        return {"role": message.role, "content": "\n".join(map(str, message.parts))}
    return {"role": message.role, "content": [_part(part) for part in message.parts]}


def _part(part: str | Picture) -> dict[str, object]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image_url", "image_url": {"url": data_url(part)}}
