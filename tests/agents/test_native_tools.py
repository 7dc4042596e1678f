"""Native agents call tools outside of the computer beside their own, in each provider's wire format."""

from __future__ import annotations

import base64
import io
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from proctor.actions.action import CallTool, Click, WaitForChange
from proctor.agents.native.agent import Native
from proctor.records import Told, Tool
from tests.agents.test_native import (
    BRIEF,
    Start,
    anthropic_says,
    gemini_says,
    openai_says,
    pictures,
    script,
    seen,
    server,
    start,
)
from tests.agents.wire_rules import broken
from tests.models.provider import Provider

__all__ = ["server", "start"]

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}
TOOL = Tool(name="notes__add", description="Note a text.", schema=SCHEMA, server="notes 1")
MODELS = ("openai/gpt-5.4", "anthropic/claude-opus-4-6", "anthropic/claude-opus-5-5", "google/gemini-3.5-flash")


def calls(model: str, arguments: Any, name: str = "notes__add", *, and_click: bool = False) -> dict[str, Any]:
    """Return an answer of a provider that calls a tool, and after it clicks where that is asked for."""
    if model.startswith("openai"):
        said = openai_says("I note it.", *([{"type": "click", "x": 1, "y": 2, "button": "left"}] if and_click else []))
        call = {"type": "function_call", "id": "fc_1", "call_id": "call_t", "name": name, "arguments": arguments}
        said["output"].insert(1, call)
        return said
    if model.startswith("anthropic"):
        said = anthropic_says("I note it.")
        said["content"].append({"type": "tool_use", "id": "toolu_t", "name": name, "input": arguments})
        if and_click and "5-5" in model:
            said["content"].append({
                "type": "tool_use", "id": "toolu_c", "name": "left_click", "toolset_name": "computer",
                "input": {"coordinate": [1, 2]},
            })  # fmt: skip
        elif and_click:
            click = {"action": "left_click", "coordinate": [1, 2]}
            said["content"].append({"type": "tool_use", "id": "toolu_c", "name": "computer", "input": click})
        return said
    clicks = [{"name": "click", "args": {"x": 1, "y": 2}}] if and_click else []
    return gemini_says("I note it.", {"name": name, "args": arguments}, *clicks)


def declared(model: str, body: Any) -> dict[str, Any]:
    """Return how the tool was declared, in the words of Anthropic."""
    if model.startswith("google"):
        (one,) = body["tools"][1]["functionDeclarations"]
        return {"name": one["name"], "description": one["description"], "input_schema": one["parametersJsonSchema"]}
    one = body["tools"][1]
    if model.startswith("openai"):
        assert (one["type"], one["strict"]) == ("function", False)
        return {"name": one["name"], "description": one["description"], "input_schema": one["parameters"]}
    return {name: value for name, value in one.items() if name != "cache_control"}


def answered(model: str, body: Any) -> tuple[str, bool]:
    """Return what the model was told of its tool, and whether as an error."""
    if model.startswith("openai"):
        (one,) = [item for item in body["input"] if item["type"] == "function_call_output"]
        return one["output"][0]["text"], False
    if model.startswith("anthropic"):
        (one,) = [
            block
            for message in body["messages"]
            for block in message["content"]
            if block["type"] == "tool_result" and block["tool_use_id"] == "toolu_t"
        ]
        assert "toolset_name" not in one
        return one["content"][0]["text"], one.get("is_error", False)
    (one,) = [
        part["functionResponse"]
        for content in body["contents"]
        for part in content["parts"]
        if "functionResponse" in part and part["functionResponse"]["name"] != "click"
    ]
    said = one["response"]
    return said.get("output", said.get("error")), "error" in said


def equipped(start: Start, model: str) -> Native:
    agent = start(model)
    agent.start(replace(BRIEF, tools=(TOOL,)))
    return agent


@pytest.mark.parametrize("model", MODELS)
def test_a_tool_is_declared_called_and_answered(server: Provider, start: Start, model: str) -> None:
    arguments: Any = '{"text": "eggs"}' if model.startswith("openai") else {"text": "eggs"}
    script(server, calls(model, arguments), calls(model, arguments))
    agent = equipped(start, model)
    turn = agent.act(seen(agent))
    (action,) = turn.actions
    assert isinstance(action, CallTool)
    assert (action.tool, action.arguments) == ("notes__add", {"text": "eggs"})
    told = replace(seen(agent, Told("output", "noted eggs")), steps=1)
    agent.act(told)
    assert declared(model, server.asked[0].body) == {
        "name": "notes__add", "description": "Note a text.", "input_schema": SCHEMA,
    }  # fmt: skip
    text, wrong = answered(model, server.asked[1].body)
    assert text.startswith("noted eggs") and not wrong
    assert "Output:" not in str(server.asked[1].body), "it is said once"


@pytest.mark.parametrize("model", MODELS)
def test_waiting_for_a_change_is_a_function_beside_the_computer_tool(
    server: Provider, start: Start, model: str
) -> None:
    wished: Any = '{"seconds": 45}' if model.startswith("openai") else {"seconds": 45}
    script(server, calls(model, wished, "wait_for_change", and_click=True), calls(model, wished, "wait_for_change"))
    agent = start(model)
    agent.start(replace(BRIEF, actions=(*BRIEF.actions, "wait_for_change")))
    turn = agent.act(seen(agent))
    wait, click = turn.actions
    assert isinstance(wait, WaitForChange) and isinstance(click, Click)
    assert wait.seconds == 45
    agent.act(replace(seen(agent), steps=2))
    form = declared(model, server.asked[0].body)
    assert form["name"] == "wait_for_change" and form["input_schema"]["properties"]["seconds"]["maximum"] == 600
    assert broken(model, server.asked[1].body) == []


def test_a_tool_of_that_name_is_the_servers_own_and_without_the_action_there_is_none(
    server: Provider, start: Start
) -> None:
    model = MODELS[1]
    own = replace(TOOL, name="wait_for_change")
    script(server, calls(model, {"text": "x"}, "wait_for_change"), calls(model, {}, "wait_for_change"))
    agent = start(model)
    agent.start(replace(BRIEF, actions=(*BRIEF.actions, "wait_for_change"), tools=(own,)))
    (action,) = agent.act(seen(agent)).actions
    assert isinstance(action, CallTool) and action.arguments == {"text": "x"}
    agent.start(BRIEF)
    turn = agent.act(seen(agent))
    assert not turn.actions and "unknown action 'wait_for_change'" in turn.problem


@pytest.mark.parametrize("arguments", [{"seconds": "soon"}, {"seconds": 900}, ["seconds"]])
def test_a_wait_that_makes_no_sense_is_told(server: Provider, start: Start, arguments: Any) -> None:
    model = MODELS[1]
    script(server, calls(model, arguments, "wait_for_change"))
    agent = start(model)
    agent.start(replace(BRIEF, actions=(*BRIEF.actions, "wait_for_change")))
    turn = agent.act(seen(agent))
    assert not turn.actions and turn.problem


def drawn(colour: str, size: tuple[int, int] = (40, 30)) -> str:
    sink = io.BytesIO()
    Image.new("RGB", size, colour).save(sink, "PNG")
    return "data:image/png;base64," + base64.b64encode(sink.getvalue()).decode()


@pytest.mark.parametrize("model", MODELS)
def test_pictures_of_a_tool_are_shown_before_the_screen(server: Provider, start: Start, model: str) -> None:
    arguments: Any = "{}" if model.startswith("openai") else {}
    script(server, calls(model, arguments), calls(model, arguments))
    agent = equipped(start, model)
    agent.act(seen(agent, colour="white"))
    told = Told("output", "[picture 1]\n[picture 2]", (drawn("red"), drawn("lime", (4000, 100))))
    agent.act(replace(seen(agent, told, colour="blue"), steps=1))
    body = server.asked[1].body
    assert answered(model, body)[0].startswith("[picture 1]")
    colours = [image.convert("RGB").getpixel((0, 0)) for image in pictures(body)]
    assert colours[-3:] == [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    assert pictures(body)[-3].size == (40, 30)
    if agent._setup.sending.fit:
        assert pictures(body)[-2].width == agent._setup.sending.fit[0]
    assert broken(model, body) == []


@pytest.mark.parametrize("model", MODELS)
def test_every_picture_of_the_last_answer_is_shown_and_older_ones_make_room(
    server: Provider, start: Start, model: str
) -> None:
    arguments: Any = "{}" if model.startswith("openai") else {}
    script(server, calls(model, arguments))
    agent = equipped(start, model)
    agent.act(seen(agent, colour="white"))
    told = Told("output", "four", tuple(drawn(colour) for colour in ("red", "lime", "yellow", "cyan")))
    for step in (1, 2):
        agent.act(replace(seen(agent, told, colour="blue"), steps=step))
    shown = [image.convert("RGB").getpixel((0, 0)) for image in pictures(server.asked[-1].body)]
    assert shown[-5:] == [(255, 0, 0), (0, 255, 0), (255, 255, 0), (0, 255, 255), (0, 0, 255)]
    if not model.startswith("openai"):
        assert len(shown) == 5


@pytest.mark.parametrize("model", MODELS)
def test_a_tool_and_the_computer_in_one_answer(server: Provider, start: Start, model: str) -> None:
    arguments: Any = "{}" if model.startswith("openai") else {}
    script(server, calls(model, arguments, and_click=True), calls(model, arguments))
    agent = equipped(start, model)
    turn = agent.act(seen(agent))
    assert [type(action) for action in turn.actions] == [CallTool, Click]
    agent.act(replace(seen(agent, Told("output", "noted")), steps=2))
    assert answered(model, server.asked[1].body)[0].startswith("noted")
    assert pictures(server.asked[1].body)


@pytest.mark.parametrize("model", MODELS)
def test_a_function_that_nobody_has_is_a_problem_and_the_talk_goes_on(
    server: Provider, start: Start, model: str
) -> None:
    arguments: Any = "{}" if model.startswith("openai") else {}
    script(server, calls(model, arguments, "notes__remove"), calls(model, arguments))
    agent = equipped(start, model)
    turn = agent.act(seen(agent))
    assert turn.actions == () and turn.problem
    agent.act(seen(agent, Told("refused", turn.problem)))
    assert len(server.asked) == 2


def test_arguments_that_are_no_object(server: Provider, start: Start) -> None:
    agent = equipped(start, "openai/gpt-5.4")
    for arguments in ("{", "[1]", "3", '"x"'):
        script(server, calls("openai/gpt-5.4", arguments))
        assert agent.act(seen(agent)).problem
    for arguments in ("null", ""):
        script(server, calls("openai/gpt-5.4", arguments))
        assert agent.act(seen(agent)).actions


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_declared_where_there_are_no_tools(server: Provider, start: Start, model: str) -> None:
    agent = start(model)
    script(server, anthropic_says("DONE") | openai_says("DONE") | gemini_says("DONE"))
    agent.act(seen(agent))
    assert len(server.asked[0].body["tools"]) == 1


@pytest.mark.parametrize("model", ["anthropic/claude-opus-4-6", "anthropic/claude-opus-5-5"])
def test_without_a_cache_nothing_is_marked(server: Provider, start: Start, model: str) -> None:
    script(server, anthropic_says("", {"action": "screenshot"}), anthropic_says("DONE", stop="end_turn"))
    for options in ({}, {"cache": False}):
        agent = start(model, **options)
        agent.act(seen(agent))
    bodies = [str(asked.body) for asked in server.asked]
    assert "cache_control" in bodies[0]
    assert "cache_control" not in bodies[-1]


def test_a_paused_turn_is_gone_on_with(server: Provider, start: Start) -> None:
    pause = anthropic_says("Let me think about it.", stop="pause_turn")
    act = anthropic_says("", {"action": "left_click", "coordinate": [3, 4]})
    script(server, pause, act)
    agent = start("anthropic/claude-opus-4-6")
    turn = agent.act(seen(agent))
    assert [type(action) for action in turn.actions] == [Click]
    assert server.asked[1].body["messages"][-1]["role"] == "assistant"
    assert len(turn.calls) == 2
