"""Native agents speak each provider's wire format to a server on loopback, over several turns."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PIL import Image

from proctor.actions.action import Answer, AskUser, Click, Done, Fail, Press, Scroll, Type, Wait
from proctor.actions.dialects.dialect import Frame
from proctor.agents.agent import Agent, Turn
from proctor.agents.native.agent import MAX_LOOKS, Native
from proctor.errors import SpecError, UnknownName
from proctor.models import open_model
from proctor.models.retry import CallFailed
from proctor.models.usage import Budget, BudgetSpent
from proctor.observations.observation import Observation
from proctor.records import Brief, Told
from tests.models.clock import Clock
from tests.models.provider import Provider, provider
from tests.models.wires import WIRES

DESKTOP = (1920, 1080)
BRIEF = Brief(
    instruction="Save the file.",
    actions=("click", "type", "press", "done", "fail", "answer", "ask_user"),
    size=DESKTOP,
    max_steps=20,
    notes="Your user is called Ada.",
)

Start = Callable[..., Native]


@pytest.fixture
def server() -> Iterator[Provider]:
    with provider() as running:
        yield running


@pytest.fixture
def start(server: Provider, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    for wire in WIRES:
        monkeypatch.setenv(wire.variable, "sk-test-0123456789abcdefghij")
    agents = []

    def begin(model: str, **options: Any) -> Native:
        opened = open_model(model, base_url=server.url, patience=Clock().patience())
        agents.append(Native(opened, **options))  # type: ignore[arg-type]
        agents[-1].start(BRIEF)
        return agents[-1]

    yield begin
    for agent in agents:
        agent.close()


def seen(agent: Native, *told: Told, colour: str = "white", blind: bool = False) -> Observation:
    size = agent.want.image_size(DESKTOP)
    image = None if blind else Image.new("RGB", size, colour)
    return Observation(at=0.0, desktop=DESKTOP, screenshot=image, told=told)


def image_of(data: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(data.partition(";base64,")[2] or data)))


def pictures(body: Any) -> list[Image.Image]:
    """Return every picture of a request, whatever its provider, in order."""
    found = []

    def search(node: Any) -> None:
        if isinstance(node, dict):
            for name, value in node.items():
                if name in ("image_url", "data") and isinstance(value, str):
                    found.append(image_of(value))
                else:
                    search(value)
        elif isinstance(node, list):
            for value in node:
                search(value)

    search(body)
    return found


STRANGE = {
    "output": [{"type": "message", "content": [3]}],
    "content": [{"type": "text"}, 3],
    "candidates": [{"content": {"parts": [{"functionCall": 3}]}}, 3],
}
"""A form that each provider's answer almost has."""


# How each provider calls its tool and says things


def openai_says(text: str = "", *actions: dict[str, Any], batch: bool = False, **call: Any) -> dict[str, Any]:
    output: list[dict[str, Any]] = [
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]}
    ]
    if text:
        output.append({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
    if actions:
        what = {"actions": list(actions)} if batch else {"action": actions[0]}
        output.append(
            {"type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed",
             "pending_safety_checks": [], **what, **call}
        )  # fmt: skip
    usage = {"input_tokens": 1000, "output_tokens": 50, "output_tokens_details": {"reasoning_tokens": 10}}
    return {"id": "resp_1", "status": "completed", "output": output, "usage": usage}


def anthropic_says(text: str = "", *inputs: dict[str, Any], stop: str = "tool_use") -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}]
    content += [{"type": "text", "text": text}] if text else []
    content += [
        {"type": "tool_use", "id": f"toolu_{place}", "name": "computer", "input": given}
        for place, given in enumerate(inputs)
    ]
    return {"content": content, "stop_reason": stop, "usage": {"input_tokens": 1000, "output_tokens": 50}}


def gemini_says(text: str = "", *calls: dict[str, Any], finish: str = "STOP") -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": "hm", "thought": True}]
    parts += [{"text": text}] if text else []
    parts += [{"functionCall": call, "thoughtSignature": "c2lnbmF0dXJl"} for call in calls]
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": finish}],
        "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 50},
    }


def script(server: Provider, *answers: dict[str, Any]) -> None:
    server.answers.clear()
    for answer in answers:
        server.will(answer)


# Loops of several turns


@pytest.mark.parametrize("version", ["computer_use_preview", "computer"])
def test_openai_over_several_turns(server: Provider, start: Start, version: str) -> None:
    batch = version == "computer"
    agent = start("openai/computer-use-preview" if not batch else "openai/gpt-5.4")
    check = {"id": "sc_1", "code": "malicious_instructions", "message": "be careful"}
    script(
        server,
        openai_says("I click.", {"type": "click", "button": "left", "x": 100, "y": 50}, batch=batch),
        openai_says("", {"type": "type", "text": "hi"}, batch=batch, pending_safety_checks=[check]),
        openai_says("All saved.\nDONE"),
    )
    first = agent.act(seen(agent))
    assert (first.actions[0].x, first.actions[0].y) == (100, 50)  # type: ignore[attr-defined]
    assert first.thought.startswith("hm\nI click.")
    assert first.calls[0].input_tokens == 1000
    assert first.calls[0].reasoning_tokens == 10
    second = agent.act(seen(agent, colour="red"))
    assert isinstance(second.actions[0], Type)
    assert "malicious_instructions be careful" in second.thought
    assert agent.act(seen(agent, colour="blue")).actions == (Done(),)

    one, two, three = (asked.body for asked in server.asked)
    assert {asked.path for asked in server.asked} == {"/responses"}
    expected = {"type": "computer"}
    if not batch:
        expected = {"type": version, "display_width": 1920, "display_height": 1080, "environment": "linux"}  # type: ignore[dict-item]
    assert one["tools"] == [expected]
    assert one["truncation"] == "auto"
    assert "IMPOSSIBLE" in one["instructions"]
    assert "Ada" in one["instructions"]
    assert one["input"][0]["content"][0] == {
        "type": "input_text",
        "text": "Save the file.\n\nThe screen at the start.",
    }
    assert "1920 wide and 1080 high" in one["instructions"]
    assert pictures(one["input"][0])[0].size == DESKTOP
    *_, call, output = two["input"]
    assert (call["type"], output["type"], output["call_id"]) == ("computer_call", "computer_call_output", "call_1")
    assert output["output"]["type"] == "computer_screenshot"
    assert image_of(output["output"]["image_url"]).getpixel((0, 0)) == (255, 0, 0)
    assert "acknowledged_safety_checks" not in output
    assert three["input"][-1]["acknowledged_safety_checks"] == [check]
    assert [item["type"] for item in two["input"]] == [
        "message", "reasoning", "message", "computer_call", "computer_call_output",
    ]  # fmt: skip


def test_openai_performs_a_batch(server: Provider, start: Start) -> None:
    agent = start("openai/gpt-5.4")
    click = {"type": "click", "button": "left", "x": 1, "y": 2}
    script(server, openai_says("", click, {"type": "screenshot"}, {"type": "wait"}, batch=True))
    assert [type(action) for action in agent.act(seen(agent)).actions] == [Click, Wait]
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("version", "beta", "model"),
    [
        ("computer_20241022", "computer-use-2024-10-22", "claude-3-5-sonnet-20241022"),
        ("computer_20250124", "computer-use-2025-01-24", "claude-sonnet-4-5"),
        ("computer_20251124", "computer-use-2025-11-24", "claude-opus-4-6"),
    ],
)
def test_anthropic_over_several_turns(server: Provider, start: Start, version: str, beta: str, model: str) -> None:
    agent = start(f"anthropic/{model}")
    script(
        server,
        anthropic_says("I click.", {"action": "left_click", "coordinate": [640, 360]}),
        anthropic_says("", {"action": "key", "text": "ctrl+s"}, {"action": "type", "text": "x"}),
        anthropic_says("IMPOSSIBLE: there is no such file", stop="end_turn"),
    )
    first = agent.act(seen(agent))
    (click,) = first.actions
    assert isinstance(click, Click)
    assert (click.x, click.y) == (960, 540)
    assert click.given is not None
    assert click.given.space == "image 1280x720"
    assert (first.thought, first.calls[0].output_tokens) == ("hm\nI click.", 50)
    assert json.loads(first.reply.splitlines()[-1])["input"]["coordinate"] == [640, 360]
    assert [type(action) for action in agent.act(seen(agent)).actions] == [Press, Type]
    assert agent.act(seen(agent)).actions == (Fail(reason="there is no such file"),)

    one, two, three = server.asked
    assert {asked.headers["anthropic-beta"] for asked in server.asked} == {beta}
    assert {asked.path for asked in server.asked} == {"/v1/messages?beta=true"}
    (tool,) = one.body["tools"]
    assert (tool["type"], tool["name"]) == (version, "computer")
    assert (tool["display_width_px"], tool["display_height_px"]) == (1280, 720)
    assert tool.get("enable_zoom", False) == (version == "computer_20251124")
    assert [picture.size for picture in pictures(one.body["messages"])] == [(1280, 720)]
    assert [message["role"] for message in three.body["messages"]] == ["user", "assistant", "user", "assistant", "user"]
    assert two.body["messages"][1]["content"][0] == {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    (result,) = two.body["messages"][2]["content"]
    assert (result["type"], result["tool_use_id"]) == ("tool_result", "toolu_0")
    assert [block["type"] for block in result["content"]] == ["text", "image"]
    assert result["content"][0]["text"] == "The screen after step 1."
    assert "1280 wide and 720 high" in one.body["system"]
    assert "1920" not in str(one.body["system"])
    results = three.body["messages"][4]["content"]
    assert [block["tool_use_id"] for block in results] == ["toolu_0", "toolu_1"]
    assert [len(pictures(block)) for block in results] == [0, 1]


def test_gemini_over_several_turns(server: Provider, start: Start) -> None:
    agent = start("gemini/gemini-2.5-computer-use-preview-10-2025")
    decision = {"decision": "require_confirmation", "explanation": "it buys something"}
    script(
        server,
        gemini_says("I click.", {"name": "click_at", "args": {"x": 500, "y": 500}}),
        gemini_says(
            "", {"name": "key_combination", "id": "f1", "args": {"keys": "control+s", "safety_decision": decision}}
        ),
        gemini_says("Ready.\n**ANSWER: 42**"),
    )
    first = agent.act(seen(agent))
    (click,) = first.actions
    assert isinstance(click, Click)
    assert (click.x, click.y) == (960, 540)
    assert (first.calls[0].model, first.calls[0].output_tokens) == (
        "google/gemini-2.5-computer-use-preview-10-2025",
        50,
    )
    second = agent.act(seen(agent, Told("feedback", "the file is not saved")))
    assert "it buys something" in second.thought
    assert agent.act(seen(agent)).actions == (Answer(text="42"),)

    one, two, three = (asked.body for asked in server.asked)
    assert "computer_use" in one["tools"][0]
    assert pictures(one["contents"])[0].size == (1440, 810)
    model_turn, reply = two["contents"][1:]
    assert model_turn["parts"][-1]["thoughtSignature"] == "c2lnbmF0dXJl"
    response = reply["parts"][0]["functionResponse"]
    assert (response["name"], "id" in response) == ("click_at", False)
    assert len(pictures(response["parts"])) == 1
    assert "safety_acknowledgement" not in response["response"]
    assert reply["parts"][1] == {"text": "A check of your work found: the file is not saved"}
    response = three["contents"][-1]["parts"][0]["functionResponse"]
    assert (response["id"], response["response"]["safety_acknowledgement"]) == ("f1", "true")


# Requests that are not actions


def test_a_screenshot_and_the_pointer_are_given_without_a_step(server: Provider, start: Start) -> None:
    agent = start("anthropic/claude-sonnet-4-5")
    script(
        server,
        anthropic_says("", {"action": "screenshot"}),
        anthropic_says("", {"action": "cursor_position"}),
        anthropic_says("", {"action": "mouse_move", "coordinate": [64, 32]}),
        anthropic_says("", {"action": "cursor_position"}),
        anthropic_says("DONE", stop="end_turn"),
    )
    turn = agent.act(seen(agent))
    assert [action.kind for action in turn.actions] == ["move"]
    assert len(turn.calls) == 3
    assert agent.act(seen(agent)).actions == (Done(),)
    results = [asked.body["messages"][-1]["content"][0] for asked in server.asked[1:]]
    assert len(pictures(results[0])) == 1
    assert "not been moved" in results[1]["content"][0]["text"]
    assert results[3]["content"][0] == {"type": "text", "text": "X=64,Y=32"}


def test_a_zoom_shows_a_part_in_full_detail(server: Provider, start: Start) -> None:
    agent = start("anthropic/claude-opus-4-6")
    assert agent.want.fit is None
    script(
        server,
        anthropic_says("", {"action": "zoom", "region": [0, 0, 128, 72]}),
        anthropic_says("DONE", stop="end_turn"),
    )
    observation = seen(agent)
    assert observation.screenshot is not None
    observation.screenshot.paste("red", (0, 0, 192, 108))
    assert agent.act(observation).actions == (Done(),)
    whole, part = pictures(server.asked[1].body["messages"])
    assert whole.size == part.size == (1280, 720)
    assert {part.getpixel(place) for place in [(5, 5), (640, 360), (1270, 710)]} == {(255, 0, 0)}


def test_openai_looks_first(server: Provider, start: Start) -> None:
    agent = start("openai/gpt-5.4")
    script(server, openai_says("", {"type": "screenshot"}, batch=True), openai_says("Fine.\nDONE"))
    turn = agent.act(seen(agent))
    assert turn.actions == (Done(),)
    assert len(turn.calls) == 2
    assert server.asked[1].body["input"][-1]["type"] == "computer_call_output"


def test_a_model_that_only_looks_is_told_to_act(server: Provider, start: Start) -> None:
    agent = start("anthropic/claude-sonnet-4-5")
    script(server, anthropic_says("", {"action": "screenshot"}))
    turn = agent.act(seen(agent))
    assert (turn.actions, len(turn.calls)) == ((), MAX_LOOKS)
    assert "take an action" in turn.problem
    script(server, anthropic_says("DONE", stop="end_turn"))
    assert agent.act(seen(agent, Told("refused", turn.problem))).actions == (Done(),)
    assert "take an action" in str(server.asked[-1].body["messages"][-1])


# What goes wrong


@pytest.mark.parametrize(
    ("model", "answer"),
    [
        ("openai/gpt-5.4", openai_says("", {"type": "clikc", "x": 1}, batch=True)),
        ("anthropic/claude-sonnet-4-5", anthropic_says("", {"action": "left_click", "coordinate": "here"})),
        ("google/gemini-x", gemini_says("", {"name": "click_at", "args": {"x": "left"}})),
    ],
)
def test_a_call_that_makes_no_sense_is_a_problem_and_the_talk_goes_on(
    server: Provider, start: Start, model: str, answer: dict[str, Any]
) -> None:
    agent = start(model)
    script(server, answer)
    turn = agent.act(seen(agent))
    assert turn.actions == ()
    assert turn.problem
    agent.act(seen(agent, Told("refused", turn.problem)))
    sent = json.dumps(server.asked[1].body, ensure_ascii=False)
    assert json.dumps(turn.problem, ensure_ascii=False)[1:-1] in sent
    if model.startswith("anthropic"):
        assert server.asked[1].body["messages"][-1]["content"][0]["is_error"] is True
    if model.startswith("google"):
        assert "error" in server.asked[1].body["contents"][-1]["parts"][0]["functionResponse"]["response"]


@pytest.mark.parametrize(
    ("model", "refusal"),
    [
        ("openai/gpt-5.4", {"output": [{"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}]}),
        ("anthropic/claude-opus-4-6", anthropic_says("No.", stop="refusal")),
        ("google/gemini-x", gemini_says("No.", finish="SAFETY")),
        ("google/gemini-x", {"promptFeedback": {"blockReason": "SAFETY"}}),
    ],
)
def test_a_refusal_is_the_models_answer(server: Provider, start: Start, model: str, refusal: dict[str, Any]) -> None:
    agent = start(model)
    script(server, refusal)
    (given_up,) = agent.act(seen(agent)).actions
    assert isinstance(given_up, Fail)
    assert given_up.reason


@pytest.mark.parametrize(
    ("model", "cut"),
    [
        ("openai/gpt-5.4", {**openai_says("I thi"), "incomplete_details": {"reason": "max_output_tokens"}}),
        ("anthropic/claude-opus-4-6", anthropic_says("I thi", stop="max_tokens")),
        ("google/gemini-x", gemini_says("I thi", finish="MAX_TOKENS")),
    ],
)
def test_a_reply_that_was_cut_off_is_a_problem(server: Provider, start: Start, model: str, cut: dict[str, Any]) -> None:
    agent = start(model)
    script(server, cut)
    turn = agent.act(seen(agent))
    assert turn.actions == ()
    assert "cut off" in turn.problem


@pytest.mark.parametrize("model", ["openai/gpt-5.4", "anthropic/claude-opus-4-6", "google/gemini-x"])
@pytest.mark.parametrize("body", [{}, {"output": [], "content": [], "candidates": []}, {"output": 3, "content": None}])
def test_an_answer_of_unknown_form_is_the_providers_fault(
    server: Provider, start: Start, model: str, body: dict[str, Any]
) -> None:
    agent = start(model)
    script(server, body)
    with pytest.raises(CallFailed) as caught:
        agent.act(seen(agent))
    assert caught.value.kind in ("empty", "malformed")


@pytest.mark.parametrize("model", ["openai/gpt-5.4", "anthropic/claude-opus-4-6", "google/gemini-x"])
def test_an_answer_of_almost_the_right_form_does_no_harm(server: Provider, start: Start, model: str) -> None:
    agent = start(model)
    script(server, STRANGE)
    try:
        turn = agent.act(seen(agent))
    except CallFailed as failed:
        assert failed.kind == "malformed"
    else:
        assert turn.actions == ()
        assert turn.problem


def test_a_screen_that_could_not_be_seen(server: Provider, start: Start) -> None:
    agent = start("openai/gpt-5.4")
    script(server, openai_says("", {"type": "wait"}, batch=True))
    agent.act(seen(agent))
    agent.act(seen(agent, blind=True))
    assert "could not be seen" in str(server.asked[1].body["input"][-1])
    assert pictures(server.asked[1].body["input"][-2])[0].size == DESKTOP


def test_a_question_and_its_answer(server: Provider, start: Start) -> None:
    agent = start("anthropic/claude-sonnet-4-5")
    script(server, anthropic_says("QUESTION: Which file?", stop="end_turn"), anthropic_says("DONE", stop="end_turn"))
    assert agent.act(seen(agent)).actions == (AskUser(question="Which file?"),)
    assert agent.act(seen(agent, Told("reply", "notes.txt"))).actions == (Done(),)
    assert "The user answered: notes.txt" in str(server.asked[1].body["messages"][-1])


# History


@pytest.mark.parametrize(
    ("model", "answer"),
    [
        ("openai/gpt-5.4", openai_says("", {"type": "wait"}, batch=True)),
        ("anthropic/claude-sonnet-4-5", anthropic_says("", {"action": "wait", "duration": 1})),
        ("google/gemini-x", gemini_says("", {"name": "wait_5_seconds", "args": {}})),
    ],
)
@pytest.mark.parametrize("history", [1, 3])
def test_only_the_newest_pictures_are_sent(
    server: Provider, start: Start, model: str, answer: dict[str, Any], history: int
) -> None:
    agent = start(model, history=history)
    script(server, answer)
    for shade in range(8):
        agent.act(seen(agent, colour=f"rgb({shade},0,0)"))
    for turn, asked in enumerate(server.asked):
        shades = [picture.getpixel((0, 0))[0] for picture in pictures(asked.body)]  # type: ignore[index]
        assert shades == list(range(turn + 1))[-history:]
        assert "Save the file." in str(asked.body)
    if model.startswith("openai"):
        items = server.asked[-1].body["input"]
        assert sum(item["type"] == "computer_call" for item in items) == history
        past = items[0]["content"][-1]["text"].splitlines()[1:]
        assert past == [f'{step}. {{"type": "wait"}}: carried out' for step in range(1, 8 - history)]


def test_an_episode_knows_nothing_of_the_one_before(server: Provider, start: Start) -> None:
    agent = start("anthropic/claude-sonnet-4-5")
    script(server, anthropic_says("", {"action": "left_click", "coordinate": [5, 5]}))
    agent.act(seen(agent))
    agent.start(BRIEF)
    agent.act(seen(agent))
    assert len(server.asked[1].body["messages"]) == 1
    assert "tool_result" not in str(server.asked[1].body)


# Opening


def test_it_is_an_agent_and_counts_its_budget(server: Provider, start: Start) -> None:
    agent = start("anthropic/claude-sonnet-4-5", budget=Budget(tokens=1500))
    assert isinstance(agent, Agent)
    script(server, anthropic_says("", {"action": "wait", "duration": 1}))
    agent.act(seen(agent))
    agent.act(seen(agent))
    with pytest.raises(BudgetSpent):
        agent.act(seen(agent))


def test_what_cannot_be_opened_is_named(start: Start) -> None:
    with pytest.raises(UnknownName, match="provider with a computer tool"):
        Native("scripted/x")
    with pytest.raises(UnknownName, match="computer_20241022"):
        start("anthropic/claude-sonnet-4-5", version="computer_20241023")
    with pytest.raises(SpecError, match="history"):
        Native("openai/gpt-5.4", history=0)


def test_a_missing_key_is_named_when_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(SpecError, match="ANTHROPIC_API_KEY"):
        Native("anthropic/claude-sonnet-4-5")


def test_scrolling_goes_through(server: Provider, start: Start) -> None:
    agent = start("openai/gpt-5.4")
    script(server, openai_says("", {"type": "scroll", "x": 10, "y": 20, "scroll_x": 0, "scroll_y": 300}, batch=True))
    turn = agent.act(seen(agent))
    assert isinstance(turn, Turn)
    assert isinstance(turn.actions[0], Scroll)
    assert Frame(desktop=DESKTOP, image=DESKTOP).pointer is None
