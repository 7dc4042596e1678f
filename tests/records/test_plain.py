"""The one writer and the one reader: what is written is read back, and whatever is read does no harm."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from proctor.actions.action import Click
from proctor.records import (
    Brief,
    ChangedPath,
    EpisodeKey,
    Exchange,
    Header,
    Hit,
    ModelCall,
    NamedAgent,
    Output,
    RecordedVerdict,
    Saw,
    SawWindow,
    Seconds,
    SetTask,
    Step,
    Told,
    read,
    read_each,
    without_defaults,
)
from proctor.tasks.findings import Finding
from proctor.tasks.verdict import Verdict
from tests.records.samples import JSON

RECORDS = (Step, Saw, Hit, Output, Seconds, ModelCall, Header, Brief, EpisodeKey, RecordedVerdict, ChangedPath)
FULL = Step(
    step=0,
    turn=1,
    at=5.0,
    saw=Saw(
        at=4.5,
        screenshot="0000.png",
        windows=(SawWindow(title="Notes", box=(1, 2, 3, 4), active=True),),
        terminal="",
        degraded=("tree: slow",),
        told=(Told("reply", "the blue one"),),
    ),
    reply="I click.",
    calls=(ModelCall(model="x/y", input_tokens=5, cost_usd=0.0, sent=1),),
    action=Click(x=3, y=4).to_json(),
    element=Hit(role="push button", name="Save", box=(0, 0, 9, 9)),
    settled=False,
    verified=False,
    output=Output(text="4\n", error="", timed_out=True),
    stale=0.02,
    nodes=("a", "b"),
    seconds=Seconds(agent=0.0, act=0.1),
)


def test_a_step_is_read_back_as_it_was_written() -> None:
    line = without_defaults(FULL)
    assert read(Step, json.loads(json.dumps(line))) == FULL
    # What is nothing but false or nought was said; what is empty was not.
    assert (line["step"], line["settled"], line["seconds"]["agent"]) == (0, False, 0.0)
    assert not {"thought", "refused", "end", "clipped"} & line.keys()


def test_a_header_is_read_back_as_it_was_written() -> None:
    header = Header(
        key=EpisodeKey(task="core/a-v1", agent="idle", seed=2),
        task=SetTask(id="core/a-v1", instruction="Wave."),
        agent=NamedAgent(name="idle", options={"x": "1"}),
        brief=Brief(instruction="Wave!", actions=("click",), size=(64, 48), max_steps=3),
        trouble=({"whose": "agent", "broken": True},),
        sees=("tree",),
    )
    assert read(Header, json.loads(json.dumps(without_defaults(header)))) == header
    assert header.instruction == "Wave!"


@pytest.mark.parametrize("kind", RECORDS)
@settings(max_examples=25)
@given(data=some.data())
def test_whatever_is_read_is_a_record_of_its_kind(kind: Any, data: some.DataObject) -> None:
    names = some.sampled_from([field.name for field in dataclasses.fields(kind)] + ["later"])
    found = read(kind, data.draw(JSON | some.dictionaries(names, JSON, max_size=5)))
    assert isinstance(found, kind)
    assert read(kind, json.loads(json.dumps(without_defaults(found)))) == found


@pytest.mark.parametrize("wrong", [None, [], 7, "x", {"box": [1, 2]}, {"box": [1, 2, 3, "4"]}, {"role": 5}])
def test_what_is_not_of_its_kind_is_empty(wrong: Any) -> None:
    assert read(Hit, wrong) == Hit()
    assert read(Step, {"step": 1, "element": wrong, "turn": True, "at": "soon", "nodes": [1, "a"]}) == Step(
        step=1, element=Hit() if isinstance(wrong, dict) else None, nodes=("a",)
    )


def test_numbers_beyond_all_measure_are_left_out() -> None:
    assert read(Step, {"step": 10**400, "at": 1e300}) == Step()


def test_code_printed_a_plain_text_in_early_records() -> None:
    assert read(Step, {"output": "4\n"}).output == Output(text="4\n")
    assert read(Step, {"output": {"text": "4\n", "error": "", "timed_out": False}}).output == Output(text="4\n")


def test_what_a_model_was_sent_is_not_in_the_line() -> None:
    call = ModelCall(model="x/y", exchange=Exchange(request={"key": "secret"}))
    assert without_defaults(call) == {"model": "x/y"}
    assert read(ModelCall, {"model": "x/y", "exchange": {"request": 1}}).exchange is None


def test_lists_leave_out_what_is_no_record() -> None:
    assert read_each(ChangedPath, [{"path": "/a"}, None, 7]) == [ChangedPath(path="/a")]
    assert read_each(ChangedPath, {"path": "/a"}) == []


def test_a_verdict_is_read_as_the_judge_wrote_it() -> None:
    finding = Finding(0.0, ("No.",), known=False, check="all_of", parts=(Finding(1.0, check="file_exists"),))
    written = Verdict(0.0, ("No.",), finding, {"text": {"a": 1}}, {"coverage": 0.5}).to_json()
    found = read(RecordedVerdict, json.loads(json.dumps(written)))
    assert without_defaults(found) == written
