"""Whatever a model answers, the next request keeps the rules of its provider; and what was cut off is not done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from proctor.actions.action import Click
from proctor.agents.agent import Turn
from proctor.agents.native.agent import CUT_OFF, Native
from proctor.models.model import RawAnswer
from proctor.models.retry import CallFailed
from proctor.observations.observation import Observation
from proctor.records import Brief, ModelCall, Told, Tool
from tests.agents.test_native import Start, script, seen, server, start
from tests.agents.wire_rules import broken
from tests.models.provider import Provider

__all__ = ["server", "start"]

SIZE = (640, 400)
TOOL = Tool(name="notes__add", description="Note a text.", schema={"type": "object"}, server="notes 1")
BRIEF = Brief(
    instruction="Save it.",
    actions=("click", "type", "press", "wait", "done", "fail", "answer"),
    size=SIZE,
    max_steps=50,
    tools=(TOOL,),
)
ANTHROPIC, LEGACY = "anthropic/claude-opus-5-5", "anthropic/claude-opus-4-6"
OPENAI, GOOGLE = "openai/gpt-5.4", "google/gemini-3.5-flash"

Answer = dict[str, Any]
texts = st.sampled_from(["", " \n", "hm", "I go on."])
kinds = st.lists(st.sampled_from(["click", "wrong", "unknown", "look", "outside"]), max_size=4)
"""What the calls of an answer are."""


class Recited:
    """A model that recites answers and checks every request."""

    def __init__(self, name: str, answers: list[Answer]) -> None:
        self.name, self.price, self.answers = name, None, answers
        self.bodies: list[dict[str, Any]] = []

    def request(self, payload: Mapping[str, Any], *, path: str = "", headers: Any = None) -> RawAnswer:
        self.bodies.append(dict(payload))
        assert broken(self.name, dict(payload)) == []
        return RawAnswer(self.answers.pop(0) if self.answers else _over(self.name), ModelCall(model=self.name))


def _over(model: str) -> Answer:
    return {ANTHROPIC: anthropic, LEGACY: anthropic, OPENAI: openai, GOOGLE: google}[model](model, "DONE", [], "", "")


def anthropic(model: str, text: str, calls: list[str], thought: str, finish: str) -> Answer:
    blocks: list[Any] = [{"type": "thinking", "thinking": thought, "signature": "c2ln"}] if thought else []
    blocks.append({"type": "text", "text": text})
    inputs = {"click": {"coordinate": [3, 4]}, "wrong": {"coordinate": [1]}, "look": {}}
    names = {"click": "left_click", "wrong": "left_click", "look": "screenshot", "outside": TOOL.name}
    for place, kind in enumerate(calls):
        name, given = names.get(kind, "teleport"), inputs.get(kind, {})
        call: Answer = {"type": "tool_use", "id": f"toolu_{place}", "name": name, "input": given}
        if kind in inputs and model == LEGACY:
            call |= {"name": "computer", "input": {"action": name, **given}}
        elif kind in inputs:
            call["toolset_name"] = "computer"
        blocks.append(call)
    return {"content": blocks, "stop_reason": finish or "end_turn"}


def openai(model: str, text: str, calls: list[str], thought: str, finish: str) -> Answer:
    items: list[Any] = [{"type": "reasoning", "id": "rs_1", "summary": []}] if thought else []
    if text:
        items.append({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
    actions = {
        "click": {"type": "click", "x": 3, "y": 4},
        "wrong": {"type": "click", "x": "?"},
        "look": {"type": "screenshot"},
    }
    for place, kind in enumerate(calls):
        if kind in actions:
            item: Answer = {"type": "computer_call", "actions": [actions[kind]]}
            if kind == "click":
                item["pending_safety_checks"] = [{"id": f"sc_{place}", "code": "careful", "message": "careful"}]
        else:
            item = {"type": "function_call", "name": TOOL.name if kind == "outside" else "teleport", "arguments": "{}"}
        items.append({**item, "call_id": f"call_{place}"})
    cut = {"max_tokens": "max_output_tokens", "refusal": "content_filter"}.get(finish)
    return {"output": items, "incomplete_details": {"reason": cut} if cut else None}


def google(model: str, text: str, calls: list[str], thought: str, finish: str) -> Answer:
    parts: list[Any] = [{"text": thought, "thought": True}] if thought else []
    parts.append({"text": text})
    names = {"click": "click", "wrong": "click", "look": "take_screenshot", "outside": TOOL.name}
    for place, kind in enumerate(calls):
        arguments = {"click": {"x": 3, "y": 4}, "wrong": {"x": "?"}}.get(kind)
        parts.append({"functionCall": {"name": names.get(kind, "teleport"), "args": arguments, "id": f"c{place}"}})
    ends = {"max_tokens": "MAX_TOKENS", "refusal": "SAFETY", "tool_use": "MALFORMED_FUNCTION_CALL"}
    return {"candidates": [{"content": {"parts": parts}, "finishReason": ends.get(finish, "STOP")}]}


def played(agent: Native, turns: int, refused: int) -> None:
    """Let an agent take turns, one of which the computer does not carry out to its end."""
    agent.start(BRIEF)
    steps, told = 0, ()
    for number in range(turns):
        image = Image.new("RGB", agent.want.image_size(SIZE), (number * 9, 0, 0))
        turn = agent.act(Observation(at=0.0, desktop=SIZE, screenshot=image, told=told, steps=steps))
        if any(action.kind in ("done", "fail", "answer") for action in turn.actions):
            return
        done = max(len(turn.actions) - (number == refused), 0)
        outputs = [Told("output", " \n") for action in turn.actions[:done] if action.kind == "call_tool"]
        wrong = (
            [Told("refused", turn.problem or "it is outside of the screen")]
            if done < len(turn.actions) or turn.problem
            else []
        )
        steps, told = steps + done, (*outputs, *wrong)


@pytest.mark.parametrize(
    ("model", "speak"), [(ANTHROPIC, anthropic), (LEGACY, anthropic), (OPENAI, openai), (GOOGLE, google)]
)
@settings(deadline=None, max_examples=60)
@given(
    said=st.lists(
        st.tuples(texts, kinds, st.sampled_from(["", "so"]), st.sampled_from(["", "tool_use", "max_tokens"])),
        max_size=7,
    ),
    refused=st.integers(0, 6),
)
def test_every_request_keeps_the_rules(
    model: str, speak: Callable[..., Answer], said: list[tuple[str, list[str], str, str]], refused: int
) -> None:
    recited = Recited(model, [speak(model, *each) for each in said])
    played(Native(recited), len(said) + 1, refused)  # type: ignore[arg-type]
    assert recited.bodies


@pytest.mark.parametrize(
    ("model", "speak"), [(ANTHROPIC, anthropic), (LEGACY, anthropic), (OPENAI, openai), (GOOGLE, google)]
)
class TestEnds:
    def turn(self, server: Provider, start: Start, model: str, *answers: Answer) -> Turn:
        script(server, *answers)
        agent = start(model)
        agent.start(replace(BRIEF, size=(1920, 1080)))
        return agent.act(seen(agent))

    def test_a_call_that_was_cut_off_is_not_carried_out(
        self, server: Provider, start: Start, model: str, speak: Callable[..., Answer]
    ) -> None:
        turn = self.turn(server, start, model, speak(model, "I click.", ["click", "click"], "", "max_tokens"))
        assert [type(action) for action in turn.actions] == [Click]
        assert turn.problem == CUT_OFF

    def test_a_refusal_is_one_even_with_a_call_inside(
        self, server: Provider, start: Start, model: str, speak: Callable[..., Answer]
    ) -> None:
        declined = speak(model, "I would rather not.", ["click"], "", "refusal")
        if model.startswith("anthropic"):
            turn = self.turn(server, start, model, declined)
            assert (turn.actions, turn.finish, turn.reply) == ((), "refusal", "I would rather not.")
        else:
            # With the others, such an end is that of the provider's filter.
            with pytest.raises(CallFailed, match="withheld"):
                self.turn(server, start, model, declined)

    def test_an_empty_answer_that_was_cut_off_is_not_asked_for_again(
        self, server: Provider, start: Start, model: str, speak: Callable[..., Answer]
    ) -> None:
        empty = speak(model, "", [], "", "max_tokens")
        if model.startswith("anthropic"):
            empty["content"] = []
        if model.startswith("google"):
            empty["candidates"][0]["content"] = {"role": "model"}
        turn = self.turn(server, start, model, empty)
        assert (turn.actions, turn.problem) == ((), CUT_OFF)
        assert len(server.asked) == 1


def test_a_model_of_anthropic_that_says_nothing_is_told_so(server: Provider, start: Start) -> None:
    script(server, {"content": [], "stop_reason": "end_turn", "usage": {"input_tokens": 9, "output_tokens": 2}})
    agent = start(ANTHROPIC)
    turn = agent.act(seen(agent))
    assert "neither called the tool nor said anything" in turn.problem
    assert len(server.asked) == 1


def test_a_malformed_call_of_gemini_is_told(server: Provider, start: Start) -> None:
    script(server, {"candidates": [{"content": {}, "finishReason": "MALFORMED_FUNCTION_CALL"}]})
    agent = start(GOOGLE)
    turn = agent.act(seen(agent))
    assert "could not be read" in turn.problem
    assert len(server.asked) == 1
