"""Answers from outside: anything at all becomes a turn, never an exception."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions.action import ACTIONS, Done, Press
from proctor.agents.sample import sample_observation
from proctor.agents.wire import as_turn, observe_message, read_answer, read_reply
from proctor.errors import AgentError
from proctor.observations.observation import Want
from proctor.records import Told

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["type", "actions", "x", "y"]), inner),
    max_leaves=10,
)


@given(st.binary())
def test_bytes_of_any_kind_become_a_turn(data: bytes) -> None:
    turn = read_reply(data)
    assert turn.problem or not turn.actions


@given(JSON, st.sampled_from([*ACTIONS, "", "nothing"]))
def test_json_of_any_kind_becomes_a_turn(value: Any, kind: str) -> None:
    for answer in (value, {"type": kind, "x": value}, {"actions": [{"type": kind}, value], "text": value}):
        turn = read_reply(json.dumps(answer).encode())
        json.dumps([action.to_json() for action in turn.actions])
        turn.reply.encode()
        turn.thought.encode()


def test_half_of_a_surrogate_pair_can_be_recorded() -> None:
    turn = read_reply(rb'{"actions": [{"type": "done"}], "text": "\ud800"}')
    assert turn.thought.encode() == b"?"
    assert turn.actions == (Done(),)


def test_an_empty_list_of_actions_is_an_answer_that_does_nothing() -> None:
    turn = read_reply(b'{"actions": [], "text": "let me think"}')
    assert (turn.actions, turn.problem) == ((), "")


def test_marks_and_words_are_sent() -> None:
    seen = sample_observation(Want(screenshot=False, marks=True), told=(Told("reply", "Tuesday"),))
    message = json.loads(json.dumps(observe_message(seen)))
    assert [mark["name"] for mark in message["marks"]] == ["Print", "Save", ""]
    assert message["told"] == [{"kind": "reply", "text": "Tuesday"}]
    assert "tree" not in message
    assert message["screenshot"]


# Agents in Python may answer in the same form.


@given(JSON)
def test_a_dict_from_act_is_read_as_json_is(value: Any) -> None:
    answer = value if isinstance(value, dict) else {"actions": value}
    turn = as_turn(answer)
    assert (turn.actions, turn.problem) == (read_answer(answer).actions, read_answer(answer).problem)


def test_dicts_and_lists_of_them() -> None:
    assert as_turn({"type": "done"}).actions == (Done(),)
    turn = as_turn({"actions": [{"type": "done"}], "text": "finished"})
    assert (turn.actions, turn.thought) == ((Done(),), "finished")
    assert as_turn([{"type": "done"}]).actions == (Done(),)
    assert "clik" in as_turn({"type": "clik"}).problem


SAVE, SAVED = Press(keys="ctrl+s"), {"type": "press", "keys": "ctrl+s"}


@pytest.mark.parametrize(
    "answer",
    [
        [SAVE, {"type": "done"}],
        [SAVED, Done()],
        (SAVED, json.dumps({"type": "done"})),
        {"actions": [SAVE, {"type": "done"}]},
        {"actions": (SAVE, Done())},
        json.dumps([SAVED, {"type": "done"}]),
        json.dumps({"actions": [SAVED, {"type": "done"}]}).encode(),
        f"```json\n{json.dumps([SAVED, {'type': 'done'}])}\n```",
    ],
)
def test_what_is_clear_is_accepted_however_it_is_written(answer: object) -> None:
    turn = as_turn(answer)
    assert (turn.actions, turn.problem) == ((SAVE, Done()), "")


@pytest.mark.parametrize(("answer", "said"), [("done", "not JSON"), (["done"], "action"), ([Done(), 3], "action")])
def test_what_is_not_clear_is_told_back(answer: object, said: str) -> None:
    turn = as_turn(answer)
    assert turn.actions == ()
    assert said in turn.problem


@pytest.mark.parametrize("answer", [None, 3, 0.5, {1}, object()])
def test_other_answers_are_refused(answer: object) -> None:
    with pytest.raises(AgentError, match="not a turn"):
        as_turn(answer)
