"""Requests and answers in providers' own wire formats, as plain messages that look alike.

A message is `{"role": ..., "parts": [...]}`, a part one of these:

    {"type": "text", "text": ...}
    {"type": "thought", "text": ...}                     reasoning, where the provider hands it out
    {"type": "picture", "picture": ..., "media": ...}    whatever stands in the picture's place: its base64, or a name
    {"type": "call", "id": ..., "name": ..., "data": {...}}
    {"type": "result", "id": ..., "text": ...}           of a call; its pictures follow it
    {"type": "other", "data": {...}}                     what none of the known formats has

A vendor with a format of its own says how its parts are read (`VendorTool.read_part`). What is read here may come from
anybody's record: nothing is taken for granted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Part = dict[str, Any]
Message = dict[str, Any]
ReadPart = Callable[[Mapping[str, object]], Iterable[Part] | None]
"""How a vendor's own parts are read; None for those that are known here."""

_ROLES = {"model": "assistant", "developer": "system"}


def plain_request(body: object, own: ReadPart | None = None) -> list[Message]:
    """Return the messages of a request, instructions and tools first; none for what is no request."""
    return _Reader(own).request(body) if isinstance(body, dict) else []


def plain_answer(data: object, own: ReadPart | None = None) -> Message:
    """Return what a model answered as a message of the assistant."""
    return _message("assistant", list(_Reader(own).answer(data)))


class _Reader:
    def __init__(self, own: ReadPart | None) -> None:
        self._own = own

    def request(self, body: dict[str, object]) -> list[Message]:
        system = body.get("system") or body.get("instructions") or _at(body, "systemInstruction", "parts")
        found = [_message("system", list(self._parts(system)))] if system else []
        if isinstance(body.get("tools"), list):
            found.append(_message("tools", [text_part(json.dumps(body["tools"], ensure_ascii=False))]))
        if isinstance(items := body.get("input"), list):
            return found + list(self._items(items))
        messages = body.get("messages") or body.get("contents")
        for message in messages if isinstance(messages, list) else ():
            if isinstance(message, dict):
                content = next((message[name] for name in ("content", "parts") if name in message), "")
                found.append(_message(str(message.get("role", "")), list(self._parts(content))))
        return found

    def answer(self, data: object) -> Iterator[Part]:
        """Yield the parts of an answer."""
        if not isinstance(data, dict):
            if isinstance(data, str):
                yield text_part(data)
        elif isinstance(output := data.get("output"), list):
            for message in self._items(output):
                yield from message["parts"]
        elif isinstance(choice := _first(data.get("choices")), dict):
            said = choice.get("message")
            message = said if isinstance(said, dict) else {}
            if thought := message.get("reasoning_content") or message.get("reasoning"):
                yield thought_part(thought)
            yield from self._parts(message.get("content") or message.get("refusal") or "")
        elif isinstance(candidate := _first(data.get("candidates")), dict):
            yield from self._parts(_at(candidate, "content", "parts"))
        elif "content" in data:
            yield from self._parts(data["content"])
        else:
            if data.get("thought"):
                yield thought_part(data["thought"])
            yield from self._parts(data.get("text", ""))

    def _parts(self, content: object) -> Iterator[Part]:
        if isinstance(content, str):
            if content:
                yield text_part(content)
        elif isinstance(content, dict):
            own = self._own(content) if self._own is not None else None
            yield from self._part(content) if own is None else own
        elif isinstance(content, list):
            for item in content:
                yield from self._parts(item) if isinstance(item, str | dict) else ()

    def _part(self, item: dict[str, object]) -> Iterator[Part]:
        match item:
            case {"picture": picture}:
                yield picture_part(picture, item.get("media"))
            case {"type": "image_url", "image_url": {"url": url}}:
                yield picture_part(url, None)
            case {"type": "input_image" | "computer_screenshot", "image_url": url}:
                yield picture_part(url, None)
            case {"type": "image", "source": {"data": data, **rest}}:
                yield picture_part(data, rest.get("media_type"))
            case {"inlineData": {"data": data, **rest}}:
                yield picture_part(data, rest.get("mimeType"))
            case {"type": "thinking", "thinking": thought} | {"thought": True, "text": thought}:
                yield thought_part(thought)
            case {"type": "tool_use"}:
                yield call_part(item.get("id"), item.get("name"), item.get("input"))
            case {"functionCall": dict(call)}:
                yield call_part(call.get("id"), call.get("name"), call.get("args"))
            case {"type": "tool_result"}:
                shown = list(self._parts(item.get("content")))
                yield from result_parts(item.get("tool_use_id"), shown, item.get("is_error"))
            case {"functionResponse": dict(given)}:
                said = json.dumps(given.get("response"), ensure_ascii=False)
                shown = [text_part(said), *self._parts(given.get("parts"))]
                yield from result_parts(given.get("id") or given.get("name"), shown)
            case {"text": str(text)} | {"refusal": str(text)}:
                yield text_part(text)
            case _:
                yield {"type": "other", "data": item}

    def _items(self, items: list[Any]) -> Iterator[Message]:
        """Yield the items of OpenAI's Responses API as messages."""
        for item in items:
            match item:
                case {"type": "computer_call"}:
                    data = {name: item[name] for name in ("action", "actions") if name in item}
                    yield _message("assistant", [call_part(item.get("call_id"), "computer", data)])
                case {"type": "function_call"}:
                    yield _message(
                        "assistant", [call_part(item.get("call_id"), item.get("name"), item.get("arguments"))]
                    )
                case {"type": "computer_call_output" | "function_call_output"}:
                    shown = list(self._parts(item.get("output")))
                    yield _message("user", list(result_parts(item.get("call_id"), shown)))
                case {"type": "reasoning"}:
                    summary = item.get("summary") if isinstance(item.get("summary"), list) else []
                    texts = [str(each.get("text", "")) for each in summary or () if isinstance(each, dict)]
                    yield _message("assistant", [thought_part("\n".join(texts))] if any(texts) else [])
                case {"content": content}:
                    yield _message(str(item.get("role") or "assistant"), list(self._parts(content)))
                case dict():
                    yield _message("assistant", [{"type": "other", "data": item}])


def result_parts(call: object, inside: list[Part], wrong: object = False) -> Iterator[Part]:
    """Yield what came of a call: its words, and then its pictures."""
    said = "\n".join(str(part["text"]) for part in inside if part["type"] == "text")
    yield {"type": "result", "id": str(call or ""), "text": said, **({"error": True} if wrong else {})}
    yield from (part for part in inside if part["type"] != "text")


def _message(role: str, parts: list[Part]) -> Message:
    return {"role": _ROLES.get(role, role), "parts": parts}


def text_part(text: object) -> Part:
    """Return words."""
    return {"type": "text", "text": str(text)}


def thought_part(text: object) -> Part:
    """Return reasoning."""
    return {"type": "thought", "text": str(text)}


def picture_part(picture: object, media: object) -> Part:
    """Return a picture, as its base64 or by a name."""
    return {"type": "picture", "picture": picture, "media": media if isinstance(media, str) else ""}


def call_part(call: object, name: object, data: object) -> Part:
    """Return a call of a tool."""
    return {"type": "call", "id": str(call or ""), "name": str(name or ""), "data": data}


def _first(items: object) -> object:
    return items[0] if isinstance(items, list) and items else None


def _at(data: object, *names: str) -> object:
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data
