"""Steps in short: enough to draw, bounded, whatever a record holds."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.records import Step, read
from proctor.web.replay.compact import MOST_POINTS, MOST_TEXT, compact, mark
from tests.web.recorded import BEGAN, STEPS

JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False) | some.text(max_size=20),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = some.sampled_from(["step", "turn", "at", "saw", "action", "element", "calls", "problem", "refused", "end", "x"])


@given(some.dictionaries(NAMES, JSON))
def test_whatever_a_line_holds_it_can_be_shortened(line: dict[str, object]) -> None:
    assert json.dumps(compact(read(Step, line), 3, 0.0)).startswith('{"n": 3')


def test_long_texts_stay_behind() -> None:
    line = {
        "step": 1,
        "reply": "r" * 50_000,
        "thought": "t" * 50_000,
        "action": {"type": "type", "text": "x" * 50_000, "given": {"text": "y" * 50_000}},
        "element": {"role": "text", "text": "z" * 50_000, "name": "n" * 50_000},
    }
    short = compact(read(Step, line), 0, 0.0)
    assert len(json.dumps(short)) < 1_000
    assert len(short["action"]["text"]) == MOST_TEXT + 1


def test_a_long_drag_keeps_its_ends() -> None:
    path = [[number, 2 * number] for number in range(10_000)]
    short = compact(Step(action={"type": "drag", "path": path}), 0, 0.0)["action"]["path"]
    assert len(short) == MOST_POINTS + 1
    assert (short[0], short[-1]) == (path[0], path[-1])


def test_what_stands_out() -> None:
    assert [mark(read(Step, step)) for step in STEPS] == [*[""] * 7, "problem", "refused", "signal", "signal"]
    assert mark(Step(end=True)) == "end"
    assert mark(Step(action={"type": "click"}, trouble="no process")) == "refused"
    assert mark(Step(action={"type": "click"}, broke="the display is gone")) == "refused"
    assert mark(Step(action={"type": "click"}, stale=0.02)) == "stale"
    assert mark(Step(action={"type": "click"}, stale=0.02, refused="no")) == "refused"


def test_a_graph_task_may_light_its_nodes() -> None:
    assert compact(Step(nodes=("save",)), 0, 0.0)["nodes"] == ["save"]


@pytest.mark.parametrize("later", [-0.04, -0.004, -3600.0])
def test_no_step_comes_before_the_first(later: float) -> None:
    at = compact(Step(at=BEGAN + later), 1, BEGAN)["at"]
    assert str(at) == "0.0"
