"""ATIF: steps without gaps, pictures beside the JSON, calls in Harbor's words, and all else in `extra`."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions import action as act
from proctor.records import EpisodeKey, Hit, ModelCall, Output, Result, Step
from proctor.store.episode import EpisodeWriter
from proctor.store.export import Exported, export
from proctor.store.exports.atif.calls import COMPUTER, call_of
from proctor.store.run import RunRecord
from tests.store.making import header, key, record, seen, small_run

STEP_FIELDS = {
    "step_id", "timestamp", "source", "model_name", "reasoning_effort", "message", "reasoning_content", "tool_calls",
    "observation", "metrics", "is_copied_context", "llm_call_count", "extra",
}  # fmt: skip
AGENT_ONLY = {"model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"}


def check(path: Path) -> dict[str, Any]:
    """Hold a file to the rules of ATIF 1.8; Harbor's own models do the same in `tests/interop/test_harbor.py`."""
    found: dict[str, Any] = json.loads(path.read_text())
    allowed = {"schema_version", "session_id", "trajectory_id", "agent", "steps", "notes", "final_metrics", "extra"}
    assert set(found) <= allowed
    assert found["schema_version"] == "ATIF-v1.8"
    assert set(found["agent"]) <= {"name", "version", "model_name", "tool_definitions", "extra"}
    assert found["agent"]["name"] and found["agent"]["version"]
    assert [step["step_id"] for step in found["steps"]] == list(range(1, len(found["steps"]) + 1))
    for step in found["steps"]:
        assert set(step) <= STEP_FIELDS
        assert step["source"] in ("user", "agent") and "message" in step
        assert step["source"] == "agent" or not AGENT_ONLY & set(step)
        assert step.get("llm_call_count") != 0 or not {"metrics", "reasoning_content"} & set(step)
        if "timestamp" in step:
            assert datetime.fromisoformat(step["timestamp"])
        calls = [call["tool_call_id"] for call in step.get("tool_calls", ())]
        assert len(set(calls)) == len(calls)
        results = step.get("observation", {"results": []})["results"]
        assert {result["source_call_id"] for result in results if "source_call_id" in result} <= set(calls)
        for part in pictures(step):
            place = path.parent / part["source"]["path"]
            assert place.resolve().is_relative_to(path.parent.resolve()) and place.is_file()
    return found


def pictures(step: dict[str, Any]) -> list[dict[str, Any]]:
    contents = [step["message"], *(result["content"] for result in step.get("observation", {}).get("results", ()))]
    return [part for content in contents if isinstance(content, list) for part in content if part["type"] == "image"]


def written(run: Path, out: Path) -> list[dict[str, Any]]:
    export(run, "atif", out)
    return [check(path) for path in sorted(out.rglob("trajectory.json"))]


def test_every_episode_is_a_trajectory(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run", seal=False)
    with RunRecord.resume(folder) as again:
        record(again, 3, score=None)
    assert export(folder, "atif", tmp_path / "out") == Exported(4, 0)
    found = [check(path) for path in sorted((tmp_path / "out").rglob("trajectory.json"))]
    assert len(found) == 4
    assert [one["extra"]["proctor"]["score"] for one in found] == [1.0, 1.0, 0.0, None]
    assert "503" in found[3]["notes"]
    assert all("notes" not in one for one in found[:3])
    assert len({one["trajectory_id"] for one in found}) == 4
    assert len({one["session_id"] for one in found}) == 1


def test_what_was_seen_after_an_action_is_its_result(tmp_path: Path) -> None:
    (found, *_) = written(small_run(tmp_path / "run"), tmp_path / "out")
    user, first, second, last = found["steps"]
    assert (user["source"], user["message"][0]) == ("user", {"type": "text", "text": "Wave at everyone."})
    assert [part["source"]["path"] for part in pictures(user)] == ["images/0000.png"]
    assert first["message"] == "I click 0"
    assert first["tool_calls"][0]["arguments"] == {"type": "click", "x": 0, "y": 2}
    (result,) = first["observation"]["results"]
    assert result["source_call_id"] == first["tool_calls"][0]["tool_call_id"]
    assert result["content"][0] == {"type": "text", "text": "feedback: not yet"}
    assert result["content"][1]["source"] == {"media_type": "image/png", "path": "images/0001.png"}
    assert second["tool_calls"][0]["extra"]["action"]["given"] == {"text": "pyautogui.click(1, 2)"}
    assert last["tool_calls"][0]["arguments"] == {"type": "done"}
    assert found["final_metrics"]["total_steps"] == 4


def test_figures_of_models_and_several_actions_of_a_turn(tmp_path: Path) -> None:
    calls = (ModelCall(model="open/small", input_tokens=90, cached_tokens=60, output_tokens=5, cost_usd=0.25),) * 2
    with RunRecord.create(tmp_path / "run", {"proctor": "9.9"}) as run:
        which = EpisodeKey(task="core/wave-v1", agent="mine")
        writer = EpisodeWriter.begin(run.paths.episode(which), header(which))
        click = {"type": "click", "x": 1.4, "y": 2.6, "button": "right"}
        one = Step(step=0, turn=1, at=5.0, thought="hm", reply="both", calls=calls, saw=writer.see(seen(0), 0))
        writer.step(Step(**{**fields(one), "action": click, "element": Hit(role="button", name="Save \ud800")}))
        code = {"type": "run_code", "code": "ls", "language": "shell"}
        ran = Output(text="a.txt", error="exit 1")
        writer.step(Step(step=1, turn=1, action=code, output=ran, saw=writer.see(seen(1), 1)))
        writer.step(Step(step=2, end=True, saw=writer.see(seen(2), 2)))
        run.add(writer.finish(Result(key=which, score=1.0), None, []))
    (found,) = written(tmp_path / "run", tmp_path / "out")
    step = found["steps"][1]
    assert found["agent"]["version"] == "9.9"
    assert step["reasoning_content"] == "hm"
    assert step["llm_call_count"] == 2
    assert step["metrics"] == {
        "prompt_tokens": 180, "completion_tokens": 10, "cached_tokens": 120, "cost_usd": 0.5,
        "extra": step["metrics"]["extra"],
    }  # fmt: skip
    assert found["final_metrics"]["total_cached_tokens"] == 120
    assert [call["arguments"] for call in step["tool_calls"]] == [
        {"type": "right_click", "x": 1, "y": 3},
        {"type": "bash", "command": "ls", "timeout_sec": 30.0},
    ]
    assert step["tool_calls"][0]["extra"]["element"]["name"] == "Save ?"
    first, second = step["observation"]["results"]
    assert [part.get("text") for part in second["content"]] == ["a.txt", "exit 1", None]
    assert first["content"][0]["source"]["path"] == "images/0001.png"


def fields(step: Step) -> dict[str, Any]:
    return {name: getattr(step, name) for name in Step.__dataclass_fields__}


def test_an_episode_that_never_began_is_a_trajectory_of_one_step(tmp_path: Path) -> None:
    with RunRecord.create(tmp_path / "run", {}) as run:
        writer = EpisodeWriter.begin(run.paths.episode(key()), header(key()))
        run.add(writer.finish(Result(key=key(), stop="void", cause="host", error="no room"), None, []))
    (found,) = written(tmp_path / "run", tmp_path / "out")
    assert [step["source"] for step in found["steps"]] == ["user"]


@pytest.mark.parametrize(
    ("action", "arguments"),
    [
        (act.Move(x=3, y=4), {"type": "mouse_move", "x": 3, "y": 4}),
        (act.Click(), {"type": "click"}),
        (act.Click(x=1, y=2, count=2), {"type": "double_click", "x": 1, "y": 2}),
        (act.Click(x=1, y=2, count=3), {"type": "triple_click", "x": 1, "y": 2}),
        (act.Click(x=1, y=2, button="middle"), {"type": "middle_click", "x": 1, "y": 2}),
        (act.Click(x=1, y=2, button="back"), {"type": "click", "x": 1, "y": 2, "button": "back"}),
        (act.Click(x=1, y=2, modifiers=("ctrl", "shift")), {"type": "click", "x": 1, "y": 2, "modifier": "ctrl+shift"}),
        (act.Drag(path=((1, 2), (3, 4))), {"type": "drag", "x": 1, "y": 2, "end_x": 3, "end_y": 4}),
        (act.Drag(path=((3, 4),)), {"type": "drag", "end_x": 3, "end_y": 4}),
        (act.Scroll(dy=-2, x=1, y=2), {"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": -200}),
        (act.Type(text="a b"), {"type": "type", "text": "a b"}),
        (act.Press(keys="ctrl+a Delete"), {"type": "keypress", "keys": ["ctrl+a", "Delete"]}),
        (act.KeyDown(key="shift"), {"type": "key_down", "keys": ["shift"]}),
        (act.Wait(seconds=2), {"type": "wait", "duration": 2}),
        (act.Answer(text="42"), {"type": "answer", "result": "42"}),
        (act.Fail(reason="no"), {"type": "terminate", "result": "no"}),
    ],
)
def test_actions_in_the_words_of_harbor(action: act.Action, arguments: dict[str, Any]) -> None:
    assert call_of(action.to_json()) == (COMPUTER, arguments)


def test_what_harbor_has_no_word_for_is_a_call_of_its_own() -> None:
    assert call_of(act.AskUser(question="why?").to_json()) == ("ask_user", {"question": "why?"})
    assert call_of(act.RunCode(code="1").to_json()) == ("run_code", {"code": "1"})
    assert call_of({"type": "tap", "x": 1, "y": 2}) == ("tap", {"x": 1, "y": 2})


@given(st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(max_size=8), max_size=4))
def test_a_record_may_hold_anything_as_an_action(done: dict[str, Any]) -> None:
    function, arguments = call_of(done)
    assert function and json.dumps(arguments)
