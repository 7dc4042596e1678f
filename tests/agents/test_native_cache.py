"""Prompt caching: what Anthropic is asked to keep, and what is counted and paid for with every provider."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from proctor.agents.native.agent import Native
from proctor.models import open_model
from proctor.models.usage import Price, Usage
from proctor.models.vendors.anthropic.cache import KEEP, mark_messages, mark_standing, stable
from proctor.observations.observation import Observation
from proctor.records import Brief, EpisodeKey, Result
from proctor.report.columns import gather
from proctor.report.tables import distributions
from tests.models.clock import Clock
from tests.models.provider import Provider, provider
from tests.models.wires import WIRES

DESKTOP = (1280, 720)
BRIEF = Brief(instruction="Save it.", actions=("click", "done"), size=DESKTOP, max_steps=20)
USED = {"input_tokens": 100, "cache_read_input_tokens": 2000, "cache_creation_input_tokens": 400, "output_tokens": 10}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    for wire in WIRES:
        monkeypatch.setenv(wire.variable, "sk-test-0123456789abcdefghij")
    with provider() as running:
        yield running


def open_agent(server: Provider, model: str, **options: Any) -> Native:
    agent = Native(open_model(model, base_url=server.url, patience=Clock().patience()), **options)  # type: ignore[arg-type]
    agent.start(BRIEF)
    return agent


def seen(shade: int) -> Observation:
    return Observation(at=0.0, desktop=DESKTOP, screenshot=Image.new("RGB", DESKTOP, (shade, 0, 0)))


def anthropic_click(model: str) -> dict[str, Any]:
    call: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "computer"}
    call["input"] = {"action": "left_click", "coordinate": [5, 5]}
    if "5-5" in model:
        call |= {"name": "left_click", "toolset_name": "computer", "input": {"coordinate": [5, 5]}}
    return {"content": [call], "stop_reason": "tool_use", "usage": USED}


def marks(body: dict[str, Any]) -> list[tuple[str, int]]:
    """Return where a request is marked."""
    found = [("system", place) for place, block in enumerate(body["system"]) if "cache_control" in block]
    found += [("tools", place) for place, tool in enumerate(body["tools"]) if "cache_control" in tool]
    for place, message in enumerate(body["messages"]):
        found += [("messages", place) for block in message["content"] if "cache_control" in block]
    return found


def without_marks(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: without_marks(value) for name, value in data.items() if name != "cache_control"}
    return [without_marks(value) for value in data] if isinstance(data, list) else data


@pytest.mark.parametrize("model", ["claude-sonnet-4-5", "claude-opus-5-5"])
def test_what_the_next_request_repeats_is_kept_and_nothing_else(server: Provider, model: str) -> None:
    server.will(anthropic_click(model))
    agent = open_agent(server, f"anthropic/{model}", history=2)
    for turn in range(6):
        agent.act(seen(turn * 20))
    agent.close()
    bodies = [asked.body for asked in server.asked]
    assert len(bodies) == 6
    # From the third request on a picture goes with every turn, and what comes after it changes.
    assert [marks(body) for body in bodies] == [
        [("system", 0), ("messages", 0)],
        [("system", 0), ("messages", 0)],
        [("system", 0), ("messages", 0)],
        [("system", 0), ("messages", 2)],
        [("system", 0), ("messages", 4)],
        [("system", 0), ("messages", 6)],
    ]
    assert all(block["cache_control"] == {"type": "ephemeral"} for body in bodies for block in body["system"])
    # The second request only takes what the first had kept.
    for body, after in zip(bodies[::2], bodies[1::2], strict=True):
        end = marks(body)[-1][1] + 1
        assert without_marks(body["messages"][:end]) == without_marks(after["messages"][:end])
        assert (body["system"], body["tools"]) == (after["system"], after["tools"])


def test_what_was_kept_is_counted_and_paid_for(server: Provider) -> None:
    server.will(anthropic_click("claude-sonnet-4-5"))
    agent = open_agent(server, "anthropic/claude-sonnet-4-5")
    (call,) = agent.act(seen(0)).calls
    agent.close()
    assert (call.input_tokens, call.cached_tokens, call.cache_write_tokens) == (2500, 2000, 400)
    assert call.cost_usd == pytest.approx((100 * 3 + 2000 * 0.3 + 400 * 3.75 + 10 * 15) / 1e6)


OPENAI = {
    "id": "resp_1", "status": "completed",
    "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "DONE"}]}],
    "usage": {"input_tokens": 1000, "output_tokens": 50,
              "input_tokens_details": {"cached_tokens": 600, "cache_write_tokens": 300}},
}  # fmt: skip
GEMINI = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": "DONE"}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 1000, "cachedContentTokenCount": 700, "candidatesTokenCount": 5},
}


@pytest.mark.parametrize(
    ("model", "answer", "counted"),
    [("openai/gpt-5.4", OPENAI, (1000, 600, 300)), ("google/gemini-2.5-pro", GEMINI, (1000, 700, 0))],
)
def test_other_providers_keep_by_themselves_and_say_how_much(
    server: Provider, model: str, answer: dict[str, Any], counted: tuple[int, ...]
) -> None:
    server.will(answer)
    agent = open_agent(server, model)
    (call,) = agent.act(seen(0)).calls
    agent.close()
    assert (call.input_tokens, call.cached_tokens, call.cache_write_tokens) == counted
    assert "cache_control" not in str(server.asked[0].body)


def test_keeping_costs_a_quarter_more_where_no_price_says_otherwise() -> None:
    usage = Usage(input=1_000_000, cached=200_000, cache_write=300_000, output=100_000)
    dear = Price(input=4.0, output=10.0, cached=0.4, cache_write=8.0)
    assert dear.cost(usage) == pytest.approx(0.5 * 4 + 0.2 * 0.4 + 0.3 * 8 + 0.1 * 10)
    assert Price(input=4.0, output=10.0).cost(usage) == pytest.approx(0.7 * 4 + 0.3 * 5 + 0.1 * 10)
    assert (usage + usage).cache_write == 600_000


def test_the_report_shows_it() -> None:
    result = Result(
        key=EpisodeKey(task="a/b-v1", agent="native"), score=1.0, calls=1, input_tokens=90, cached_tokens=60,
        cache_write_tokens=20, cost_usd=0.1, folder="x",
    )  # fmt: skip
    rows = {(row[0], row[3]) for row in distributions(gather([[result.to_json()]])).rows}
    assert {("cached input tokens", 60.0), ("input tokens written to a cache", 20.0)} <= rows


def test_a_tool_without_instructions_is_marked_itself() -> None:
    assert mark_standing("", {"type": "t"}) == {"system": "", "tools": [{"type": "t", "cache_control": KEEP}]}


def block(kind: str) -> dict[str, Any]:
    if kind == "result":
        return {"type": "tool_result", "content": [{"type": "image"}, {"type": "text", "text": "x"}]}
    return {"type": "text", "text": "" if kind == "empty" else "words"} if kind != "image" else {"type": "image"}


BLOCKS = st.lists(st.sampled_from(["text", "empty", "image", "result"]).map(block), max_size=3)


@given(st.lists(BLOCKS, max_size=8), st.integers(1, 4))
def test_never_more_than_one_mark_and_nothing_else_changes(contents: list[Any], history: int) -> None:
    messages = [{"role": ("user", "assistant")[place % 2], "content": blocks} for place, blocks in enumerate(contents)]
    before = str(messages)
    place = stable(messages, history)
    found = mark_messages(messages, set() if place is None else {place})
    assert without_marks(found) == messages and str(messages) == before
    blocks = [item for message in found for item in message["content"] if "cache_control" in item]
    assert len(blocks) <= 1
    assert all(item["type"] != "text" or item["text"] for item in blocks)
