"""What a step and the head of an episode say of themselves, in records of every age."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions import action as act
from proctor.actions.action import ACTIONS
from proctor.records import (
    Brief,
    Exchange,
    Header,
    ModelCall,
    NamedAgent,
    Saw,
    SetTask,
    Step,
    Told,
    read,
    without_defaults,
)
from tests.records.samples import JSON

numbers = some.integers(-5000, 5000) | some.floats(-5000, 5000)


@given(numbers, numbers)
def test_a_step_tells_where_it_points(x: float, y: float) -> None:
    for action in (act.Click(x=x, y=y), act.Move(x=x, y=y), act.Scroll(x=x, y=y, dy=1), act.Tap(x=x, y=y)):
        assert Step(action=action.to_json()).place == (x, y)


@pytest.mark.parametrize(
    "action", [None, {}, {"type": "click"}, {"type": "click", "x": 3}, {"x": "3", "y": 4}, {"x": None, "y": 4}]
)
def test_a_step_without_a_place_has_none(action: dict[str, Any] | None) -> None:
    assert Step(action=action).place is None


@pytest.mark.parametrize("kind", sorted(ACTIONS))
def test_a_step_tells_its_kind(kind: str) -> None:
    assert Step(action={"type": kind}).kind == kind


@given(JSON.filter(lambda value: not isinstance(value, str)))
def test_a_step_of_no_kind_says_nothing(kind: Any) -> None:
    assert Step(action={"type": kind}).kind == ""
    assert Step(action={}).kind == Step().kind == ""


@given(JSON)
def test_whatever_an_action_is_its_step_can_be_asked(data: Any) -> None:
    step = read(Step, {"action": data})
    assert isinstance(step.kind, str)
    assert step.place is None or len(step.place) == 2


@pytest.mark.parametrize(
    ("agent", "options", "shown"),
    [
        ("prompted", {}, ("screenshot",)),
        ("prompted", {"observe": "tree"}, ("tree",)),
        ("prompted", {"observe": "marks"}, ("marks",)),
        ("prompted", {"observe": "screenshot+tree"}, ("screenshot", "tree")),
        ("prompted", {"observe": "something else"}, ("screenshot",)),
        ("coder", {}, ()),
        ("coder", {"observe": "tree"}, ("tree",)),
        ("coder", {"observe": "nothing"}, ()),
    ],
)
def test_what_an_early_agent_was_shown_follows_from_its_options(
    agent: str, options: dict[str, str], shown: tuple[str, ...]
) -> None:
    assert Header(agent=NamedAgent(name=agent, options=options)).view == shown


def test_what_an_agent_was_shown_is_read_where_it_was_written() -> None:
    told = Header(agent=NamedAgent(name="coder"), sees=("screenshot", "clip"))
    assert told.view == ("screenshot", "clip")
    assert Header(agent=NamedAgent(name="prompted"), sees=()).view == ()
    assert Header().view == ()


@pytest.mark.parametrize(
    ("brief", "task", "said"),
    [
        ("Wave!", "Wave.", "Wave!"),
        ("", "Wave.", "Wave."),
        (None, "Wave.", "Wave."),
        ("Wave!", None, "Wave!"),
        (None, None, ""),
    ],
)
def test_the_instruction_is_what_the_agent_was_told(brief: str | None, task: str | None, said: str) -> None:
    header = Header(
        brief=None if brief is None else Brief(instruction=brief, actions=(), size=(1, 1), max_steps=1),
        task=None if task is None else SetTask(instruction=task),
    )
    assert header.instruction == said


def test_a_head_of_an_early_record_is_read() -> None:
    early = {"key": {"task": "core/a-v1", "agent": "idle"}, "agent": {"name": "idle"}, "format": 1, "host": "gone"}
    header = read(Header, early)
    assert header.key is not None and header.key.task == "core/a-v1"
    assert (header.sees, header.canaries, header.origin, header.refined) == (None, (), None, None)


@given(JSON)
def test_troubles_keep_whatever_shows_them(detail: Any) -> None:
    header = Header(trouble=({"whose": "host", "detail": detail},))
    assert read(Header, json.loads(json.dumps(without_defaults(header)))) == header


def test_words_that_were_told_keep_their_order_and_pictures() -> None:
    saw = Saw(told=(Told("reply", "blue"), Told("output", "4", ("a.png",)), Told("refused", "no")))
    line = without_defaults(saw)
    assert [told["kind"] for told in line["told"]] == ["reply", "output", "refused"]
    assert "pictures" not in line["told"][0]
    assert read(Saw, json.loads(json.dumps(line))) == saw


def test_a_call_without_what_was_said_is_the_same_call() -> None:
    said = Exchange(request={"messages": []}, answer={"text": "x"}, headers={"a": "b"}, hide=str.upper)
    call = ModelCall(model="x/y", input_tokens=3, exchange=said)
    assert call.bare() == call == ModelCall(model="x/y", input_tokens=3)
    assert (call.bare().exchange, call.exchange) == (None, said)
    assert "messages" not in repr(call)


def test_a_brief_knows_its_tools_and_can_be_hashed_without_their_schema() -> None:
    data = {"instruction": "Go.", "actions": ["click"], "size": [64, 48], "max_steps": 3,
            "tools": [{"name": "notes__add", "schema": {"type": "object"}}, {"name": 7}]}  # fmt: skip
    brief = read(Brief, data)
    assert [tool.name for tool in brief.tools] == ["notes__add", ""]
    assert brief.tools[0].schema == {"type": "object"}
    assert len({brief.tools[0], brief.tools[1]}) == 2


def test_an_empty_brief_is_read_as_one() -> None:
    assert read(Brief, {}) == Brief(instruction="", actions=(), size=(0, 0), max_steps=0)
