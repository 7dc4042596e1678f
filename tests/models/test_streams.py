"""Answers that come as streams, and errors in the words of each vendor, read through the official SDKs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.models.model import Message
from proctor.models.retry import CallFailed
from proctor.models.streams import StreamCut, assemble, is_stream
from tests.models.provider import Provider
from tests.models.wires import Wire

Opened = Callable[..., Any]
HELLO = [Message("user", ("Hello",))]
EVENTS = {"Content-Type": "text/event-stream"}


def stream(events: list[dict[str, Any]], *, named: bool = False, done: bool = False) -> bytes:
    lines = [(f"event: {event.get('type')}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events]
    return "".join([*lines, *(["data: [DONE]\n\n"] if done else [])]).encode()


def chat() -> bytes:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {
            "id": "c1", "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }  # fmt: skip

    usage = {"id": "c1", "choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 30}}
    return stream(
        [chunk({"role": "assistant", "content": ""}), chunk({"content": "Good "}), chunk({"content": "day."}),
         chunk({}, "stop"), usage], done=True,
    )  # fmt: skip


def messages() -> bytes:
    start = {"id": "m", "role": "assistant", "content": [], "stop_reason": None, "usage": {"input_tokens": 100}}
    return stream([
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "ping"},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Good "}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "day."}},
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 30}},
        {"type": "message_stop"},
    ], named=True)  # fmt: skip


def candidates() -> bytes:
    def piece(text: str, **more: Any) -> dict[str, Any]:
        return {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, **more}]}

    usage = {"usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 30}}
    return stream([piece("Good "), {**piece("day.", finishReason="STOP"), **usage}])


STREAMS = {"openai": chat, "anthropic": messages, "google": candidates}


def of(wire: Wire) -> bytes:
    return STREAMS[wire.name.partition("/")[0]]()


def test_a_stream_is_an_answer(server: Provider, opened: Opened, wire: Wire) -> None:
    server.will(of(wire), headers=EVENTS)
    reply = opened(wire.name).ask(HELLO)
    assert (reply.text, reply.finish) == ("Good day.", "stop")
    assert (reply.call.input_tokens, reply.call.output_tokens) == (100, 30)


def test_a_stream_is_asked_for_where_that_is_wanted(server: Provider, opened: Opened, wire: Wire) -> None:
    provider = wire.name.partition("/")[0]
    server.will(of(wire), headers=EVENTS)
    reply = opened(wire.name, stream=True).ask(HELLO)
    assert (reply.text, reply.call.input_tokens, reply.call.output_tokens) == ("Good day.", 100, 30)
    (asked,) = server.asked
    assert asked.body.get("stream", "streamGenerateContent" in asked.path) is True
    assert asked.body.get("stream_options") == ({"include_usage": True} if provider == "openai" else None)


def test_a_stream_that_was_asked_for_and_is_cut(server: Provider, opened: Opened, wire: Wire) -> None:
    whole = of(wire)
    server.will(whole[: len(whole) // 2], headers=EVENTS)
    server.will(whole, headers=EVENTS)
    reply = opened(wire.name, stream=True).ask(HELLO)
    assert (reply.text, reply.call.retries) == ("Good day.", 1)


@pytest.mark.parametrize("status", [429, 503])
def test_errors_are_the_same_for_who_asks_for_a_stream(
    server: Provider, opened: Opened, wire: Wire, status: int
) -> None:
    server.will(wire.error("slow down"), status)
    server.will(of(wire), headers=EVENTS)
    assert opened(wire.name, stream=True).ask(HELLO).call.retries == 1


def test_a_stream_that_is_cut_is_asked_for_again(server: Provider, opened: Opened, wire: Wire) -> None:
    whole, model = of(wire), opened(wire.name)
    for share in (0.3, 0.6, 0.8):
        server.answers.clear()
        server.will(whole[: int(len(whole) * share)], headers=EVENTS)
        server.will(wire.answer("Good day."))
        reply = model.ask(HELLO)
        assert (reply.text, reply.call.retries) == ("Good day.", 1)


def test_a_stream_that_is_always_cut_is_a_connection_that_broke(server: Provider, opened: Opened, wire: Wire) -> None:
    server.will(of(wire)[:60], headers=EVENTS)
    with pytest.raises(CallFailed) as caught:
        opened(wire.name).ask(HELLO)
    assert caught.value.kind in ("connection", "malformed")


def test_calls_of_tools_are_put_together() -> None:
    events = [
        {"type": "message_start", "message": {"role": "assistant", "usage": {"input_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "name": "a", "input": {}}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"x"'}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": ": 1}"}},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]
    answer = assemble(stream(events).decode())
    assert answer["content"] == [{"type": "tool_use", "name": "a", "input": {"x": 1}}]
    assert (answer["stop_reason"], answer["usage"]) == ("tool_use", {"input_tokens": 1, "output_tokens": 2})


def test_the_responses_api_sends_all_of_it_last() -> None:
    events = [{"type": "response.created", "response": {}}, {"type": "response.output_text.delta", "delta": "x"}]
    with pytest.raises(StreamCut):
        assemble(stream(events).decode())
    events.append({"type": "response.completed", "response": {"output": [1]}})
    assert assemble(stream(events, named=True).decode()) == {"output": [1]}


@given(some.text(max_size=200), some.integers(0, 400))
def test_whatever_comes_it_is_an_answer_or_one_of_two_errors(text: str, cut: int) -> None:
    for body in (text, f"data: {text}\n\n", messages().decode()[:cut], chat().decode()[cut:]):
        if is_stream(body):
            try:
                assemble(body)
            except (StreamCut, AttributeError, IndexError, KeyError, TypeError, ValueError):
                continue


# Errors as each vendor documents them

ERRORS = [
    (400, "invalid_request_error", "bad_request"), (401, "authentication_error", "auth"),
    (403, "permission_error", "auth"), (404, "not_found_error", "bad_request"), (408, "timeout_error", "timeout"),
    (413, "request_too_large", "too_large"), (429, "rate_limit_error", "rate"), (500, "api_error", "overloaded"),
    (529, "overloaded_error", "overloaded"),
]  # fmt: skip


def failed(model: Any) -> CallFailed:
    with pytest.raises(CallFailed, match="it was this") as caught:
        model.ask(HELLO)
    return caught.value


def test_errors_by_class_with_a_remedy(server: Provider, opened: Opened, wire: Wire) -> None:
    model = opened(wire.name)
    for status, word, kind in ERRORS:
        body = wire.error("it was this")
        body["error"]["type"] = word
        server.answers.clear()
        server.will(body, status=status)
        error = failed(model)
        assert (error.kind, error.status) == (kind, status)
        assert error.remedy


def test_an_error_that_comes_as_a_success(server: Provider, opened: Opened, wire: Wire) -> None:
    words = {"overloaded_error": "overloaded", "rate_limit_error": "rate", "invalid_request_error": "bad_request"}
    model = opened(wire.name)
    for word, kind in words.items():
        body = {"type": "error", "error": {"type": word, "message": "it was this"}}
        for answer, headers in ((body, {}), (stream([body], named=True), EVENTS)):
            server.answers.clear()
            server.will(answer, headers=headers)
            assert failed(model).kind == kind


@pytest.mark.parametrize(
    "said", ["prompt is too long: 250000 tokens > 200000 maximum", "This model's maximum context length is 128000"]
)
def test_a_request_beyond_the_window_says_what_to_leave_out(server: Provider, opened: Opened, said: str) -> None:
    server.will({"error": {"message": said, "type": "invalid_request_error"}}, status=400)
    with pytest.raises(CallFailed) as caught:
        opened("anthropic/claude-sonnet-4-5").ask(HELLO)
    assert caught.value.kind == "too_large" and "pictures" in caught.value.remedy
