"""Google's Gemini models, through the Gemini API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import httpx2
from google import genai
from google.genai import errors, types

from proctor.models.model import Message, Picture
from proctor.models.pictures import inline_data
from proctor.models.provider_model import Hosted, Read
from proctor.models.retry import CallFailed, kind_of_status, retry_after
from proctor.models.usage import Usage

_FILTERS = frozenset(
    {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY", "MODEL_ARMOR"}
)
_IN_VAIN = frozenset({None, "STOP", "OTHER", "FINISH_REASON_UNSPECIFIED"})
"""Ends of an empty answer that say nothing about why it is empty: another try may bring one."""
_PLACEHOLDER = "-"
"""The SDK insists on contents of its own types; those of the request go over them."""


class GoogleModel(Hosted):
    """A model behind the Gemini API."""

    provider: ClassVar[str] = "google"
    key_variables: ClassVar[tuple[str, ...]] = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    url_variable: ClassVar[str] = "GOOGLE_GEMINI_BASE_URL"
    _path = ":generateContent"

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()
        self._http.close()

    def _connect(self, key: str, timeout: float) -> None:
        # A client of our own, so that it is known which library's errors to expect and what there is to close.
        self._http = httpx2.Client(timeout=timeout)
        self._timeout = timeout
        self._client = genai.Client(
            api_key=key,
            vertexai=False,
            http_options=types.HttpOptions(
                base_url=self.base_url,
                timeout=round(timeout * 1000),
                retry_options=types.HttpRetryOptions(attempts=1),
                httpx_client=self._http,
            ),
        )

    def _send(self, payload: dict[str, object], path: str, headers: dict[str, str]) -> object:
        config = types.GenerateContentConfig(
            should_return_http_response=not self._stream,
            http_options=types.HttpOptions(extra_body=payload, headers=headers, timeout=round(self._timeout * 1000)),
        )
        try:
            text = self._as_stream(config) if self._stream else self._at_once(config)
        except errors.APIError as error:
            failure = self._refusal(error)
        except httpx2.TimeoutException:
            failure = self._failure("timeout", "it did not answer in time")
        except httpx2.HTTPError as error:
            failure = self._failure("connection", f"no connection: {error}")
        except (errors.UnknownApiResponseError, UnicodeDecodeError) as error:
            failure = self._failure("malformed", f"its answer cannot be read: {error}")
        else:
            return self._whole(text)
        # Raised out here, the failure does not carry the SDK's error along, whose text may hold a key.
        raise failure

    def _at_once(self, config: types.GenerateContentConfig) -> str:
        # The bare text, not the SDK's own types, so that fields it does not know are neither lost nor refused.
        response = self._client.models.generate_content(model=self._model, contents=_PLACEHOLDER, config=config)
        http = response.sdk_http_response
        return (http and http.body) or ""

    def _as_stream(self, config: types.GenerateContentConfig) -> str:
        # The SDK hands out no bare text of a stream; what it read is written as the events that they were.
        pieces = self._client.models.generate_content_stream(model=self._model, contents=_PLACEHOLDER, config=config)
        read = (
            piece.model_dump_json(by_alias=True, exclude_none=True, exclude={"sdk_http_response"}) for piece in pieces
        )
        return "".join(f"data: {event}\n\n" for event in read) or "data:"

    def _refusal(self, error: errors.APIError) -> CallFailed:
        asked = retry_after(getattr(error.response, "headers", None) or {})
        return self._failure(
            kind_of_status(error.code),
            f"HTTP {error.code}: {error.message or error.details}",
            status=error.code,
            retry_after=_delay_in_body(error.details) if asked is None else asked,
        )

    def _payload(self, messages: Sequence[Message], max_tokens: int, temperature: float | None) -> dict[str, object]:
        settings: dict[str, object] = {"maxOutputTokens": max_tokens}
        if temperature is not None:
            settings["temperature"] = temperature
        payload: dict[str, object] = {
            "contents": [
                {"role": "model" if message.role == "assistant" else "user", "parts": [_part(p) for p in message.parts]}
                for message in messages
                if message.role != "system"
            ],
            "generationConfig": settings,
        }
        if system := [_part(part) for message in messages if message.role == "system" for part in message.parts]:
            payload["systemInstruction"] = {"parts": system}
        return payload

    def _read(self, data: dict[str, Any]) -> Read:
        candidate = data["candidates"][0]
        parts = (candidate.get("content") or {}).get("parts") or []
        text = "".join(part["text"] for part in parts if "text" in part and not part.get("thought"))
        thought = "".join(part["text"] for part in parts if "text" in part and part.get("thought"))
        return Read(text, thought, "length" if candidate.get("finishReason") == "MAX_TOKENS" else "stop")

    def _withheld(self, data: dict[str, Any]) -> str:
        if not data.get("candidates"):
            return str(_block_reason(data) or "")
        finish = data["candidates"][0].get("finishReason")
        return finish if finish in _FILTERS else ""

    def _content(self, data: dict[str, Any]) -> object:
        candidate = data["candidates"][0]
        return (candidate.get("content") or {}).get("parts") or candidate.get("finishReason") not in _IN_VAIN

    def _usage(self, data: dict[str, Any]) -> Usage:
        usage = data.get("usageMetadata") or {}
        reasoning = usage.get("thoughtsTokenCount") or 0
        return Usage(
            input=(usage.get("promptTokenCount") or 0) + (usage.get("toolUsePromptTokenCount") or 0),
            output=(usage.get("candidatesTokenCount") or 0) + reasoning,
            cached=usage.get("cachedContentTokenCount") or 0,
            reasoning=reasoning,
        )


def _part(part: str | Picture) -> dict[str, object]:
    return {"text": part} if isinstance(part, str) else inline_data(part)


def _block_reason(data: dict[str, Any]) -> str:
    return str((data.get("promptFeedback") or {}).get("blockReason") or "")


def _delay_in_body(details: object) -> float | None:
    """Return how long the provider asks to wait; Gemini says it in the body: `{"retryDelay": "13s"}`."""
    inner = details.get("error", details) if isinstance(details, dict) else None
    listed = inner.get("details") if isinstance(inner, dict) else None
    for entry in listed if isinstance(listed, list) else ():
        given = entry.get("retryDelay") if isinstance(entry, dict) else None
        if isinstance(given, str) and (seconds := given.removesuffix("s")).replace(".", "", 1).isdecimal():
            return float(seconds)
    return None
