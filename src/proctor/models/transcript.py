"""A request in a provider's own wire format, and the answer to it, as plain messages that look alike everywhere.

A message is `{"role": ..., "parts": [...]}`, a part one of these:

    {"type": "text", "text": ...}
    {"type": "thought", "text": ...}                     reasoning, where the provider hands it out
    {"type": "picture", "picture": ..., "media": ...}    whatever stands in the picture's place: its base64, or a name
    {"type": "call", "id": ..., "name": ..., "data": {...}}
    {"type": "result", "id": ..., "text": ...}           of a call; its pictures follow it
    {"type": "other", "data": {...}}                     what none of the known formats has

What is read here may come from anybody's record: nothing is taken for granted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Part = dict[str, Any]
Message = dict[str, Any]

_ROLES = {"model": "assistant", "developer": "system"}


def plain_request(body: Any) -> list[Message]:
    """Return the messages of a request, standing instructions and tools first; empty for what is not a request."""
    if not isinstance(body, dict):
        return []
    system = body.get("system") or body.get("instructions") or _at(body, "systemInstruction", "parts")
    found = [_message("system", list(_parts(system)))] if system else []
    if isinstance(body.get("tools"), list):
        tools = json.dumps(body["tools"], ensure_ascii=False)
        found.append(_message("tools", [_text(tools)]))
    if isinstance(body.get("input"), list):
        return found + list(_items(body["input"]))
    for message in body.get("messages") or body.get("contents") or ():
        if isinstance(message, dict):
            content = next((message[name] for name in ("content", "parts") if name in message), "")
            found.append(_message(str(message.get("role", "")), list(_parts(content))))
    return found


def plain_answer(data: Any) -> Message:
    """Return what a model answered as a message of the assistant."""
    if not isinstance(data, dict):
        return _message("assistant", [_text(data)] if isinstance(data, str) else [])
    if isinstance(data.get("output"), list):
        parts = [part for message in _items(data["output"]) for part in message["parts"]]
        return _message("assistant", parts)
    if isinstance(choice := _first(data.get("choices")), dict):
        message = choice.get("message") if isinstance(choice.get("message"), dict) else {}
        assert isinstance(message, dict)
        thought = message.get("reasoning_content") or message.get("reasoning")
        said = message.get("content") or message.get("refusal") or ""
        return _message("assistant", [*([_thought(thought)] if thought else []), *_parts(said)])
    if isinstance(candidate := _first(data.get("candidates")), dict):
        return _message("assistant", list(_parts(_at(candidate, "content", "parts"))))
    if "content" in data:
        return _message("assistant", list(_parts(data["content"])))
    thought = [_thought(data["thought"])] if data.get("thought") else []
    return _message("assistant", [*thought, *_parts(data.get("text", ""))])


def _parts(content: Any) -> Iterator[Part]:
    if isinstance(content, str):
        if content:
            yield _text(content)
    elif isinstance(content, dict):
        yield from _part(content)
    elif isinstance(content, list):
        for item in content:
            yield from _parts(item) if isinstance(item, str) else _part(item) if isinstance(item, dict) else ()


def _part(item: dict[str, Any]) -> Iterator[Part]:
    match item:
        case {"picture": picture}:
            yield _picture(picture, item.get("media"))
        case {"type": "image_url", "image_url": {"url": url}}:
            yield _picture(url, None)
        case {"type": "input_image" | "computer_screenshot", "image_url": url}:
            yield _picture(url, None)
        case {"type": "image", "source": {"data": data, **rest}}:
            yield _picture(data, rest.get("media_type"))
        case {"inlineData": {"data": data, **rest}}:
            yield _picture(data, rest.get("mimeType"))
        case {"type": "thinking", "thinking": thought} | {"thought": True, "text": thought}:
            yield _thought(thought)
        case {"type": "tool_use"}:
            yield _call(item.get("id"), item.get("name"), item.get("input"))
        case {"functionCall": dict(call)}:
            yield _call(call.get("id"), call.get("name"), call.get("args"))
        case {"type": "tool_result"}:
            yield from _result(item.get("tool_use_id"), list(_parts(item.get("content"))), item.get("is_error"))
        case {"functionResponse": dict(given)}:
            said = json.dumps(given.get("response"), ensure_ascii=False)
            yield from _result(given.get("id") or given.get("name"), [_text(said), *_parts(given.get("parts"))])
        case {"text": str(text)} | {"refusal": str(text)}:
            yield _text(text)
        case _:
            yield {"type": "other", "data": item}


def _items(items: list[Any]) -> Iterator[Message]:
    """Yield the items of OpenAI's Responses API as messages."""
    for item in items:
        match item:
            case {"type": "computer_call"}:
                data = {name: item[name] for name in ("action", "actions") if name in item}
                yield _message("assistant", [_call(item.get("call_id"), "computer", data)])
            case {"type": "function_call"}:
                yield _message("assistant", [_call(item.get("call_id"), item.get("name"), item.get("arguments"))])
            case {"type": "computer_call_output" | "function_call_output"}:
                shown = list(_parts(item.get("output")))
                yield _message("user", list(_result(item.get("call_id"), shown)))
            case {"type": "reasoning"}:
                summary = item.get("summary") if isinstance(item.get("summary"), list) else []
                texts = [str(each.get("text", "")) for each in summary or () if isinstance(each, dict)]
                yield _message("assistant", [_thought("\n".join(texts))] if any(texts) else [])
            case {"content": content}:
                yield _message(str(item.get("role") or "assistant"), list(_parts(content)))
            case dict():
                yield _message("assistant", [{"type": "other", "data": item}])


def _result(call: Any, inside: list[Part], wrong: Any = False) -> Iterator[Part]:
    said = "\n".join(str(part["text"]) for part in inside if part["type"] == "text")
    yield {"type": "result", "id": str(call or ""), "text": said, **({"error": True} if wrong else {})}
    yield from (part for part in inside if part["type"] != "text")


def _message(role: str, parts: list[Part]) -> Message:
    return {"role": _ROLES.get(role, role), "parts": parts}


def _text(text: Any) -> Part:
    return {"type": "text", "text": str(text)}


def _thought(text: Any) -> Part:
    return {"type": "thought", "text": str(text)}


def _picture(picture: Any, media: Any) -> Part:
    return {"type": "picture", "picture": picture, "media": media if isinstance(media, str) else ""}


def _call(call: Any, name: Any, data: Any) -> Part:
    return {"type": "call", "id": str(call or ""), "name": str(name or ""), "data": data}


def _first(items: Any) -> Any:
    return items[0] if isinstance(items, list) and items else None


def _at(data: Any, *names: str) -> Any:
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data
