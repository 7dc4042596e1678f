"""Results: read as they were written, refused where they are damaged, and what follows from them."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from proctor.records import Cause, EpisodeKey, Mode, Result, Stop, check_result
from proctor.records.plain import LARGEST
from tests.records.samples import JSON, records

KEY = EpisodeKey(task="core/a-v1", agent="idle")
quick = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
results = records(Result).map(
    lambda result: dataclasses.replace(
        result, retry=abs(result.retry), score=None if result.score is None else abs(result.score) % 1
    )
)
ENOUGH: dict[str, Any] = {"task": "core/a-v1", "agent": "idle", "score": 1.0}


def result(**fields: Any) -> Result:
    return Result(**{"key": KEY, "score": 1.0, **fields})


@quick
@given(results)
def test_a_result_is_read_back_as_it_was_written(made: Result) -> None:
    assert Result.from_json(json.loads(json.dumps(made.to_json()))) == made


@quick
@given(results)
def test_the_key_stands_in_the_line_itself(made: Result) -> None:
    line = made.to_json()
    assert "key" not in line
    assert (line["task"], line["agent"]) == (made.key.task, made.key.agent)
    assert line.get("seed", 0) == made.key.seed
    assert line.get("paraphrase", 0) == made.key.paraphrase


@quick
@given(made=results, later=some.dictionaries(some.text(min_size=1).map(lambda name: f"later_{name}"), JSON, max_size=3))
def test_fields_of_a_later_version_are_left_out(made: Result, later: dict[str, Any]) -> None:
    assert Result.from_json({**later, **made.to_json()}) == made


@quick
@given(data=some.dictionaries(some.sampled_from([field.name for field in dataclasses.fields(Result)]), JSON))
def test_whatever_a_line_holds_it_is_a_result_or_refused(data: dict[str, Any]) -> None:
    try:
        found = Result.from_json({**ENOUGH, **data})
    except (TypeError, ValueError):
        return
    assert Result.from_json(json.loads(json.dumps(found.to_json()))) == found
    assert found.void or 0 <= (found.score or 0) <= 1


@pytest.mark.parametrize(
    "field", ["apps", "categories", "modes", "collateral", "flags", "metrics", "labels", "settings"]
)
@pytest.mark.parametrize("wrong", [7, "text", True, [7], [None], {"a": []}, {"a": None}], ids=repr)
def test_lists_and_objects_hold_what_they_are_for(field: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=field):
        check_result({field: wrong})


@pytest.mark.parametrize("field", ["steps", "turns", "retry", "seed", "level", "calls", "input_tokens"])
@pytest.mark.parametrize("wrong", ["1", 1.5, True, None, LARGEST + 1, 10**400], ids=repr)
def test_counts_are_whole_and_within_measure(field: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=field):
        check_result({field: wrong})
    check_result({field: 3})


@pytest.mark.parametrize("field", ["score", "seconds", "cost_usd", "started", "agent_seconds"])
@pytest.mark.parametrize("wrong", ["1", True, [1], 1e300, float("inf")], ids=repr)
def test_amounts_are_numbers_within_measure(field: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=field):
        check_result({field: wrong})
    check_result({field: 1})
    check_result({field: 0.5})


@pytest.mark.parametrize("field", ["feasible", "acted", "unproven"])
@pytest.mark.parametrize("wrong", [0, 1, "true", None], ids=repr)
def test_truths_are_true_or_false(field: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=field):
        check_result({field: wrong})
    check_result({field: False})


@pytest.mark.parametrize("field", ["score", "cost_usd", "cause", "stale"])
def test_what_may_be_open_may_be_written_so(field: str) -> None:
    check_result({field: None})


@pytest.mark.parametrize("score", [-0.01, 1.01, 7, -3, 2**50])
def test_a_score_lies_between_nought_and_one(score: float) -> None:
    with pytest.raises(ValueError, match="score"):
        check_result({"score": score})


def test_a_retry_is_not_negative() -> None:
    with pytest.raises(ValueError, match="retry"):
        check_result({"retry": -1})
    check_result({"retry": 0})


def test_a_line_without_its_key_is_no_result() -> None:
    for missing in ("task", "agent"):
        with pytest.raises(TypeError, match=missing):
            Result.from_json({name: value for name, value in ENOUGH.items() if name != missing})


def test_lists_of_a_line_become_tuples_and_objects_stay() -> None:
    found = Result.from_json({**ENOUGH, "apps": ["a", "b"], "modes": ["gave_up"], "collateral": {"minor": 2}})
    assert (found.apps, found.modes, found.collateral) == (("a", "b"), ("gave_up",), {"minor": 2})
    assert {type(found.apps), type(found.modes)} == {tuple}


@pytest.mark.parametrize(
    ("fields", "void", "passed", "clean"),
    [
        ({"score": None, "stop": "void"}, True, False, False),
        ({"score": 0.0}, False, False, False),
        ({"score": 0.99}, False, False, False),
        ({"score": 1.0}, False, True, True),
        ({"score": 1.0, "collateral": {"minor": 0}}, False, True, True),
        ({"score": 1.0, "collateral": {"minor": 0, "severe": 1}}, False, True, False),
        ({"score": 0.0, "collateral": {"severe": 1}}, False, False, False),
    ],
)
def test_what_a_score_says(fields: dict[str, Any], void: bool, passed: bool, clean: bool) -> None:
    made = result(**fields)
    assert (made.void, made.passed, made.clean) == (void, passed, clean)


@pytest.mark.parametrize(
    ("fields", "retries", "again"),
    [
        ({"score": 1.0}, 3, False),
        ({"cause": "host"}, 0, False),
        ({"cause": "host"}, 1, True),
        ({"cause": "host", "retry": 1}, 1, False),
        ({"cause": "host", "retry": 2}, 3, True),
        ({"cause": "spec"}, 3, False),
        ({"cause": "spec", "acted": True}, 3, False),
        ({"cause": "defect"}, 3, True),
        ({"cause": "defect", "acted": True}, 3, False),
        ({"cause": "worker", "acted": True}, 3, False),
        ({"cause": "worker", "retry": 1}, 3, True),
        ({"cause": "model", "acted": True, "retry": 2}, 3, True),
        ({"cause": "computer"}, 1, True),
    ],
)
def test_what_may_be_repeated(fields: dict[str, Any], retries: int, again: bool) -> None:
    made = result(**{"score": None, "stop": "void", **fields})
    assert made.may_be_repeated(retries) is again


@given(cause=some.sampled_from(get_args(Cause)), retry=some.integers(0, 5), acted=some.booleans())
def test_nothing_is_repeated_for_ever(cause: Any, retry: int, acted: bool) -> None:
    made = result(score=None, stop="void", cause=cause, retry=retry, acted=acted)
    assert not made.may_be_repeated(retry)
    assert not dataclasses.replace(made, score=0.5).may_be_repeated(retry + 1)


def test_the_words_of_a_result_are_those_that_records_hold() -> None:
    assert {"done", "void", "step_limit"} <= set(get_args(Stop))
    # Early records have these two, which nobody writes any more.
    assert {"check", "setup"} <= set(get_args(Cause))
    assert set(get_args(Mode)) >= {"gave_up", "wrongly_gave_up", "collateral"}
