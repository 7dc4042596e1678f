"""Answers that came as a stream of events, put together as if sent in one piece.

Requests ask for no stream; some servers and gateways send one all the same. A stream that ends before its end was said
is a connection that broke, never an answer: half of a reply would be read as what the model meant.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from proctor.errors import ModelError

Event = dict[str, Any]
MOST_PLACES = 1_000
"""Blocks of one answer; a number beyond comes from no provider."""


class StreamCut(ModelError):
    """The stream ended in the middle."""


def is_stream(text: str) -> bool:
    """Tell whether a body is a stream of events."""
    return text.lstrip("\ufeff\r\n").startswith(("event:", "data:", "id:", ":"))


def assemble(text: str) -> object:
    """Return the answer of a stream; raises StreamCut for a part of one, ValueError for none.

    An event that says what went wrong is returned as it is.
    """
    events = list(_events(text))
    for event in events:
        if event.get("type") == "error" or "error" in event:
            return event
    first = events[0] if events else {}
    kind = str(first.get("type", ""))
    if kind.startswith("response."):
        return _responses(events)
    if kind.startswith("message_") or kind == "ping":
        return _messages(events)
    if "choices" in first:
        return _chat(events)
    if "candidates" in first or "usageMetadata" in first or "promptFeedback" in first:
        return _candidates(events)
    if not events:
        raise StreamCut("it holds no event")
    raise ValueError("its events are of no known kind")


def _events(text: str) -> Iterator[Event]:
    for block in text.replace("\r\n", "\n").split("\n\n"):
        lines = [line.removeprefix("data:").lstrip(" ") for line in block.split("\n") if line.startswith("data:")]
        data = "\n".join(lines).strip()
        if not data or data == "[DONE]":
            continue
        try:
            event = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise StreamCut("an event is not whole") from error
        if isinstance(event, dict):
            yield event


def _responses(events: list[Event]) -> object:
    """OpenAI's Responses API: its last event holds all of it."""
    for event in reversed(events):
        if event.get("type") in ("response.completed", "response.incomplete", "response.failed"):
            return event["response"]
    raise StreamCut("no event says that it is complete")


def _messages(events: list[Event]) -> Any:
    """Anthropic: blocks that grow by deltas."""
    message: Event = {}
    blocks: dict[int, Event] = {}
    inputs: dict[int, str] = {}
    for event in events:
        place = event.get("index", 0)
        if not isinstance(place, int) or not 0 <= place < MOST_PLACES:
            raise ValueError("a block has no place")
        match event.get("type"):
            case "message_start":
                message = dict(event["message"])
            case "content_block_start":
                blocks[place] = dict(event["content_block"])
            case "content_block_delta":
                _grow(blocks[place], event["delta"], inputs, place)
            case "message_delta":
                message |= {name: value for name, value in event["delta"].items() if value is not None}
                message["usage"] = {**(message.get("usage") or {}), **(event.get("usage") or {})}
            case "message_stop":
                for at, text in inputs.items():
                    blocks[at]["input"] = _input(text, message.get("stop_reason"))
                return {**message, "content": [blocks[at] for at in sorted(blocks)]}
    raise StreamCut("no event says that it stops")


def _grow(block: Event, delta: Event, inputs: dict[int, str], place: int) -> None:
    match delta.get("type"):
        case "text_delta":
            block["text"] = block.get("text", "") + delta["text"]
        case "thinking_delta":
            block["thinking"] = block.get("thinking", "") + delta["thinking"]
        case "signature_delta":
            block["signature"] = delta["signature"]
        case "input_json_delta":
            inputs[place] = inputs.get(place, "") + delta["partial_json"]


def _input(text: str, stop: object) -> object:
    """Return what a call is made with: nothing in a reply ended in its middle that is cut in half."""
    try:
        return json.loads(text or "{}")
    except ValueError:
        if stop in ("max_tokens", "model_context_window_exceeded", "refusal"):
            return {}
        raise


def _chat(events: list[Event]) -> Any:
    """Chat Completions: one message that grows by deltas."""
    message: Event = {"role": "assistant", "content": None}
    finish, usage = None, None
    for event in events:
        usage = event.get("usage") or usage
        for choice in event.get("choices") or ():
            if choice.get("index", 0) == 0:
                for name, value in (choice.get("delta") or {}).items():
                    if isinstance(value, str) and name != "role":
                        message[name] = (message.get(name) or "") + value
                finish = choice.get("finish_reason") or finish
    if finish is None:
        raise StreamCut("no event says why it finished")
    return {
        "id": events[0].get("id"),
        "object": "chat.completion",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        **({"usage": usage} if usage else {}),
    }


def _candidates(events: list[Event]) -> Any:
    """Gemini: each event holds further parts of the first candidate."""
    answer: Event = {}
    parts: list[Any] = []
    finish = None
    for event in events:
        answer |= {name: value for name, value in event.items() if name != "candidates"}
        for candidate in (event.get("candidates") or ())[:1]:
            for part in (candidate.get("content") or {}).get("parts") or ():
                last = parts[-1] if parts else None
                joined = last is not None and set(part) == set(last) and set(part) <= {"text", "thought"}
                if joined and last is not None and part.get("thought") == last.get("thought"):
                    last["text"] += part["text"]
                else:
                    parts.append(dict(part))
            finish = candidate.get("finishReason") or finish
    if finish is None and not answer.get("promptFeedback"):
        raise StreamCut("no event says why it finished")
    if finish is None:
        return answer
    return {**answer, "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": finish}]}
