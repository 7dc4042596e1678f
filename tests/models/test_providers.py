"""Every provider, in its own wire format, against a server on loopback."""

from __future__ import annotations

import logging
import socket
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from proctor.errors import SpecError
from proctor.models import open_model
from proctor.models.model import Message, Picture
from proctor.models.retry import CallFailed
from tests.models.clock import Clock
from tests.models.provider import Provider
from tests.models.wires import TINY, WIRES, Wire

Opened = Callable[..., Any]
HELLO = [Message("system", ("Be brief.",)), Message("user", ("Hello",))]


def failure(model: Any) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        model.ask(HELLO)
    return caught.value


def test_an_answer_with_its_usage(server: Provider, opened: Opened, wire: Wire) -> None:
    server.will(wire.answer("Good day."))
    reply = opened(wire.name).ask(HELLO, max_tokens=64, temperature=0.5)
    assert (reply.text, reply.finish) == ("Good day.", "stop")
    call = reply.call
    assert (call.model, call.retries, call.error) == (wire.name, 0, "")
    assert (call.input_tokens, call.output_tokens, call.cached_tokens, call.reasoning_tokens) == (100, 30, 20, 5)
    assert call.cost_usd is not None
    assert call.cost_usd > 0
    assert reply.raw == wire.answer("Good day.")


def test_the_request_is_in_the_providers_form(server: Provider, opened: Opened, wire: Wire) -> None:
    server.will(wire.answer("Yes."))
    talk = [*HELLO, Message("assistant", ("Hi.",)), Message("user", ("What is this?", Picture(TINY, "image/webp")))]
    opened(wire.name, extra={"user_note": "x"}).ask(talk, max_tokens=64, temperature=0.5)
    (asked,) = server.asked
    assert asked.path.endswith(wire.path)
    assert wire.picture(asked.body) == ("image/webp", TINY)
    assert asked.body["user_note"] == "x"
    if wire.name.startswith("openai"):
        roles = [message["role"] for message in asked.body["messages"]]
        assert roles == ["system", "user", "assistant", "user"]
        assert (asked.body["model"], asked.body["max_tokens"], asked.body["temperature"]) == ("gpt-4o", 64, 0.5)
    elif wire.name.startswith("anthropic"):
        assert asked.body["system"] == "Be brief."
        assert [message["role"] for message in asked.body["messages"]] == ["user", "assistant", "user"]
        assert (asked.body["model"], asked.body["max_tokens"]) == (wire.model, 64)
    else:
        assert wire.model in asked.path
        assert asked.body["systemInstruction"]["parts"] == [{"text": "Be brief."}]
        assert [content["role"] for content in asked.body["contents"]] == ["user", "model", "user"]
        assert asked.body["generationConfig"] == {"maxOutputTokens": 64, "temperature": 0.5}


def test_the_key_is_sent_and_only_as_a_header(server: Provider, opened: Opened, wire: Wire, keys: str) -> None:
    server.will(wire.answer("Yes."))
    opened(wire.name).ask(HELLO)
    (asked,) = server.asked
    assert any(keys in value for value in asked.headers.values())
    assert keys not in asked.path
    assert keys not in str(asked.body)


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_fails_at_once(server: Provider, opened: Opened, wire: Wire, clock: Clock, status: int) -> None:
    server.will(wire.error("invalid key"), status)
    failed = failure(opened(wire.name))
    assert (failed.kind, failed.status) == ("auth", status)
    assert "invalid key" in failed.message
    assert wire.name in failed.message
    assert len(server.asked) == 1
    assert clock.waits == []


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_bad_request_fails_at_once(server: Provider, opened: Opened, wire: Wire, status: int) -> None:
    server.will(wire.error("no such model"), status)
    assert failure(opened(wire.name)).kind == "bad_request"
    assert len(server.asked) == 1


def test_a_rate_limit_is_waited_for(server: Provider, opened: Opened, wire: Wire, clock: Clock) -> None:
    server.will(wire.error("slow down"), 429, headers={"Retry-After": "17"})
    server.will(wire.answer("Now."))
    reply = opened(wire.name).ask(HELLO)
    assert reply.text == "Now."
    assert reply.call.retries == 1
    assert clock.waits == [17.0]
    assert reply.call.seconds >= 17


def test_a_rate_limit_beyond_all_patience_is_an_error(
    server: Provider, opened: Opened, wire: Wire, clock: Clock
) -> None:
    server.will(wire.error("slow down"), 429, headers={"Retry-After": "4000"})
    failed = failure(opened(wire.name))
    assert (failed.kind, failed.retry_after) == ("rate", 4000.0)
    assert clock.waits == []


@pytest.mark.parametrize("status", [500, 502, 503, 504, 529])
def test_a_provider_in_trouble_is_tried_again(
    server: Provider, opened: Opened, wire: Wire, clock: Clock, status: int
) -> None:
    server.will(wire.error("oops"), status)
    failed = failure(opened(wire.name))
    assert failed.kind == "overloaded"
    assert len(server.asked) == 6
    assert clock.waits == sorted(clock.waits)
    assert failed.call is not None
    assert (failed.call.error, failed.call.retries) == ("overloaded", 5)


def test_a_server_that_never_answers(server: Provider, opened: Opened, wire: Wire) -> None:
    server.will(hang=True)
    failed = failure(opened(wire.name, timeout=0.05))
    assert failed.kind == "timeout"


def test_a_connection_that_breaks_is_tried_again(server: Provider, opened: Opened, wire: Wire) -> None:
    server.will(reset=True)
    server.will(wire.answer("Back."))
    assert opened(wire.name).ask(HELLO).text == "Back."


@pytest.mark.parametrize(
    "body", [b"<html>Welcome</html>", b"{", b"[]", b'{"choices": 3, "content": 3}', b"\xff\xfe", b""]
)
def test_an_answer_of_unknown_form(server: Provider, opened: Opened, wire: Wire, body: bytes) -> None:
    server.will(body)
    failed = failure(opened(wire.name))
    assert failed.kind == "malformed"
    assert "base URL" in failed.remedy


def test_an_endless_answer_is_not_read(server: Provider, opened: Opened, wire: Wire) -> None:
    server.will(wire.answer("x" * 17 * 2**20))
    assert failure(opened(wire.name, patience=Clock().patience(0))).kind == "malformed"


def test_an_empty_answer_is_asked_for_again_and_paid(server: Provider, opened: Opened, wire: Wire) -> None:
    server.will(wire.empty)
    server.will(wire.answer("At last."))
    reply = opened(wire.name).ask(HELLO)
    assert reply.text == "At last."
    assert (reply.call.retries, reply.call.input_tokens) == (1, 200)


def test_nothing_but_empty_answers_is_an_empty_answer(server: Provider, opened: Opened, wire: Wire) -> None:
    server.will(wire.empty)
    reply = opened(wire.name).ask(HELLO)
    assert (reply.text, reply.finish, reply.call.error) == ("", "stop", "")
    assert len(server.asked) == 2


def test_a_refusal_is_an_answer(server: Provider, opened: Opened, wire: Wire) -> None:
    if not wire.refusal:
        return  # its models decline in prose
    server.will(wire.refusal)
    reply = opened(wire.name).ask(HELLO)
    assert reply.finish == "refusal"
    assert reply.text


def test_a_filter_of_the_provider_is_a_failure_of_its_own(server: Provider, opened: Opened) -> None:
    for name, body in (
        ("google/m", {"promptFeedback": {"blockReason": "SAFETY"}}),
        ("google/m", {"candidates": [{"content": {"parts": []}, "finishReason": "PROHIBITED_CONTENT"}]}),
        ("openai/m", {"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}),
    ):
        server.will(body)
        failed = failure(opened(name))
        assert failed.kind == "filtered"
        assert "withheld" in failed.message


def test_an_answer_that_was_cut_off(server: Provider, opened: Opened, wire: Wire) -> None:
    server.will(wire.cut)
    reply = opened(wire.name).ask(HELLO)
    assert (reply.text, reply.finish) == ("half", "length")


def test_reasoning_is_told_apart(server: Provider, opened: Opened) -> None:
    for name, body in (
        ("openai/m", {"choices": [{"message": {"content": "4", "reasoning_content": "2+2"}}]}),
        ("anthropic/m", {"content": [{"type": "thinking", "thinking": "2+2"}, {"type": "text", "text": "4"}]}),
        ("google/m", {"candidates": [{"content": {"parts": [{"text": "2+2", "thought": True}, {"text": "4"}]}}]}),
    ):
        server.answers.clear()
        server.will(body)
        reply = opened(name).ask(HELLO)
        assert (reply.text, reply.thought) == ("4", "2+2")


def test_an_account_without_money_is_not_waited_for(server: Provider, opened: Opened) -> None:
    server.will({"error": {"message": "no quota", "code": "insufficient_quota"}}, 429)
    assert failure(opened("openai/gpt-4o")).kind == "rate"
    assert len(server.asked) == 1


def test_gemini_says_in_the_body_how_long_to_wait(server: Provider, opened: Opened, clock: Clock) -> None:
    detail = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "13s"}
    server.will({"error": {"code": 429, "message": "quota", "details": [{"x": 1}, detail]}}, 429)
    server.will(WIRES[2].answer("Now."))
    opened("google/gemini-2.5-pro").ask(HELLO)
    assert clock.waits == [13.0]


def test_nobody_at_the_base_url(wire: Wire, clock: Clock, keys: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    model: Any = open_model(wire.name, base_url=url, patience=clock.patience())
    failed = failure(model)
    model.close()
    assert failed.kind == "connection"
    assert url in failed.message
    assert "base URL" in failed.remedy
    assert clock.now < 60


# Keys


def test_a_key_never_reaches_an_error_a_log_or_the_raw_answer(
    server: Provider, opened: Opened, wire: Wire, keys: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    model = opened(wire.name)
    server.will(wire.error(f"Incorrect API key provided: {keys}. Others: sk-proj-abcdefgh12345678"), 401)
    failed = failure(model)
    server.answers.clear()
    server.will(wire.answer(f"your key is {keys}"))
    reply = model.ask(HELLO)
    shown = "".join(traceback.format_exception(failed))
    for text in (str(failed), repr(failed), shown, repr(model), str(vars(model)), repr(reply), caplog.text):
        assert keys not in text
        assert "sk-proj-abcdefgh12345678" not in text
    assert failed.__context__ is None
    assert failed.__cause__ is None
    assert reply.text == "your key is [hidden]"


def test_a_missing_key_is_named_when_the_model_is_opened(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(SpecError, match=wire.variable):
        open_model(wire.name)


def test_a_server_of_ones_own_needs_no_key(
    server: Provider, wire: Wire, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    server.will(wire.answer("Free."))
    model: Any = open_model(wire.name, base_url=server.url)
    assert model.ask(HELLO).text == "Free."
    model.close()


def test_the_key_may_lie_in_another_variable(
    server: Provider, opened: Opened, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_PROVIDER", "a-key-of-no-known-shape")
    server.will(wire.error("bad key a-key-of-no-known-shape"), 401)
    assert "no-known-shape" not in str(failure(opened(wire.name, key_variable="MY_PROVIDER")))
    assert "a-key-of-no-known-shape" in str(server.asked[0].headers)
    with pytest.raises(SpecError, match="NOT_THERE"):
        opened(wire.name, key_variable="NOT_THERE")
