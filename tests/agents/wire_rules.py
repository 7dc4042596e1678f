"""What each provider refuses in a request, as far as it is known: about calls, their results and what is repeated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Body = dict[str, Any]


def broken(model: str, body: Body) -> list[str]:
    """Return every rule that a request of a native agent breaks."""
    rules = {"anthropic": _anthropic, "openai": _openai, "google": _google}
    return list(rules[model.partition("/")[0]](body))


def _anthropic(body: Body) -> Iterator[str]:
    messages = body["messages"]
    if json.dumps(body).count('"cache_control"') > 4:
        yield "more than four marks"
    for place, message in enumerate(messages):
        content = message["content"]
        if message["role"] != ("assistant" if place % 2 else "user"):
            yield f"message {place} is out of turn"
        yield from _blank(content, f"message {place}")
        calls = {block["id"]: block for block in content if block["type"] == "tool_use"}
        if message["role"] == "assistant" and content and content[-1]["type"] in ("thinking", "redacted_thinking"):
            yield f"message {place} ends with a thought"
        if message["role"] == "user":
            continue
        following = messages[place + 1]["content"] if place + 1 < len(messages) else []
        yield from _anthropic_results(calls, following)


def _anthropic_results(calls: dict[str, Any], following: list[Any]) -> Iterator[str]:
    results = [block for block in following if block["type"] == "tool_result"]
    if following[: len(results)] != results:
        yield "something stands before a result"
    if sorted(result["tool_use_id"] for result in results) != sorted(calls):
        yield "calls and results do not go together"
        return
    for result in results:
        if result.get("toolset_name") != calls[result["tool_use_id"]].get("toolset_name"):
            yield "the name of the toolset is not echoed"
        if result.get("is_error") and {block["type"] for block in result["content"]} != {"text"}:
            yield "a failure holds something else than text, or nothing"
        if result["content"]:
            yield from _blank(result["content"], "a result")


def _blank(content: list[Any], where: str) -> Iterator[str]:
    if not content:
        yield f"{where} is empty"
    if any(block["type"] == "text" and not block["text"].strip() for block in content):
        yield f"{where} holds a blank text"


def _openai(body: Body) -> Iterator[str]:
    items = body["input"]
    waiting: dict[str, Any] = {}
    for item, after in zip(items, [*items[1:], {}], strict=True):
        match item["type"]:
            case "reasoning":
                if not after or after.get("role") == "user" or after["type"].endswith("_output"):
                    yield "a thought that nothing came of"
            case "computer_call" | "function_call":
                waiting[item["call_id"]] = item
            case "computer_call_output" | "function_call_output" as kind:
                call = waiting.pop(item["call_id"], None)
                if call is None or f"{call['type']}_output" != kind:
                    yield "a result without its call"
                elif (call.get("pending_safety_checks") or []) != item.get("acknowledged_safety_checks", []):
                    yield "a check is not acknowledged"
            case "message":
                if not item["content"]:
                    yield "an empty message"
    if waiting:
        yield f"calls without a result: {list(waiting)}"


def _google(body: Body) -> Iterator[str]:
    contents = body["contents"]
    for place, content in enumerate(contents):
        if content["role"] != ("model" if place % 2 else "user"):
            yield f"content {place} is out of turn"
        if not content["parts"]:
            yield f"content {place} is empty"
        if content["role"] == "user":
            continue
        calls = [part["functionCall"] for part in content["parts"] if "functionCall" in part]
        following = contents[place + 1]["parts"] if place + 1 < len(contents) else []
        results = [part["functionResponse"] for part in following if "functionResponse" in part]
        if [(call["name"], call.get("id")) for call in calls] != [(each["name"], each.get("id")) for each in results]:
            yield "calls and responses do not go together"
