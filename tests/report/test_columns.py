"""Results as columns: nothing is lost or counted twice on the way."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.records import EpisodeKey, Result
from proctor.report.columns import Columns
from proctor.report.summary import summarise
from proctor.report.words import headline, overview
from tests.report.records import columns, outcomes, result

RESULTS = st.builds(
    Result,
    key=st.builds(
        EpisodeKey,
        task=st.sampled_from(["core/a-v1", "core/b-v1", "tour/c-v1"]),
        agent=st.sampled_from(["one", "two"]),
        seed=st.integers(0, 2),
        sample=st.integers(0, 2),
    ),
    score=st.sampled_from([None, 0.0, 0.5, 1.0]),
    retry=st.integers(0, 2),
    apps=st.sampled_from([(), ("vlc",), ("vlc", "gimp")]),
    level=st.integers(0, 5),
)


@given(st.lists(RESULTS, max_size=30))
def test_every_episode_counts_once(results: list[Result]) -> None:
    last: dict[EpisodeKey, Result] = {}
    for item in results:
        if item.key not in last or item.retry >= last[item.key].retry:
            last[item.key] = item
    found = columns(results)
    assert len(found) == len(last)
    assert int(found.passes.sum()) == sum(item.passed for item in last.values())
    assert int(found.void.sum()) == sum(item.void for item in last.values())
    assert int(found.retried.sum()) == len(results) - len(last)
    passed, scored = found.by_task()
    for item in last.values():
        place = found.agents.index(item.key.agent), found.tasks.index(item.key.task)
        alike = [o for o in last.values() if (o.key.agent, o.key.task) == (item.key.agent, item.key.task)]
        assert scored[place] == sum(not other.void for other in alike)
        assert passed[place] == sum(other.passed for other in alike)


@given(st.lists(RESULTS, max_size=20, unique_by=lambda item: item.key))
def test_labels_are_those_of_the_results(results: list[Result]) -> None:
    found = columns(results)
    counts = found.count("app")
    for place, app in enumerate(found.labels["app"].names):
        assert counts[:, place].sum() == sum(app in item.apps for item in results)
    passed, scored = found.split("level")
    for place, level in enumerate(found.labels["level"].names):
        alike = [item for item in results if f"L{item.level}" == level]
        assert passed[:, place].sum() == sum(item.passed for item in alike)
        assert scored[:, place].sum() == sum(not item.void for item in alike)


def test_a_later_try_takes_the_place_of_a_void_one() -> None:
    found = columns([result("a", "t", None, retry=0), result("a", "t", 1.0, retry=1)])
    assert (len(found), found.score.tolist(), found.retried.tolist()) == (1, [1.0], [1])


def test_the_order_of_tries_does_not_matter() -> None:
    found = columns([result("a", "t", 1.0, retry=1), result("a", "t", None, retry=0)])
    assert found.score.tolist() == [1.0]


def test_the_same_episode_in_two_runs_is_two_attempts() -> None:
    found = columns([result("a", "t", 1.0)], [result("a", "t", 0.0)])
    passed, scored = found.by_case(0)
    assert (passed.tolist(), scored.tolist()) == ([1], [2])


def test_raw_counts_void_episodes_as_not_passed() -> None:
    found = columns(outcomes("a", {"t": [1.0, None, 0.5]}))
    assert [part.tolist() for part in found.by_task()] == [[[1]], [[2]]]
    assert [part.tolist() for part in found.by_task("raw")] == [[[1]], [[3]]]


def test_seeds_and_wordings_are_different_cases() -> None:
    found = columns([result("a", "t", 1.0, seed=seed, paraphrase=words) for seed in (0, 1) for words in (0, 1)])
    assert found.by_case(0)[1].tolist() == [1, 1, 1, 1]


def test_cost_is_unknown_only_where_a_model_was_asked() -> None:
    found = columns(
        [result("a", "t", 1.0), result("a", "u", 1.0, calls=2), result("a", "v", 1.0, calls=1, cost_usd=0.5)]
    )
    cost = dict(zip((found.tasks[task] for task in found.task), found.figures["cost_usd"], strict=True))
    assert cost["core/t-v1"] == 0
    assert math.isnan(cost["core/u-v1"])
    assert cost["core/v-v1"] == 0.5


@pytest.mark.parametrize(
    "row", [{}, {"task": "a/b-v1"}, {"task": "a/b-v1", "agent": "x", "score": "high"}, {"task": 3, "agent": "x"}]
)
def test_what_is_no_result_is_refused(row: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        Columns().add(0, row)


def test_what_was_not_to_be_judged_counts_for_nobody() -> None:
    shown = result("human", "show", None, unjudged=True, stop="done")
    lost = result("human", "lost", None, unjudged=True)
    report = summarise(columns([shown, lost, *outcomes("human", {"t": [1.0]})]))
    (human,) = report.agents
    assert (human.episodes, human.void, report.unjudged) == (2, 1, 1)
    assert (human.success.value, human.raw.value) == (1.0, 0.5)
    assert report.grid.cells["core/show-v1", "human"].text == "not judged"
    assert report.grid.cells["core/lost-v1", "human"].text == "void"
    assert headline(report) == "2 episodes, 1 of them void (50 %); 1 more not to be judged"


def test_a_report_of_nothing_that_was_to_be_judged() -> None:
    report = summarise(columns([result("human", "show", None, unjudged=True, stop="done")]))
    assert (report.agents, report.unjudged, report.grid.agents) == ((), 1, ("human",))


def test_episodes_in_which_a_person_acted_are_marked_and_the_persons_time_is_apart() -> None:
    helped = {"human_acted": 2.0, "human_seconds": 30.0}
    asked = {"human_asked": 4.0, "human_seconds": 5.0}
    report = summarise(
        columns([
            result("a", "t", 1.0, seconds=50.0, metrics=helped),
            result("a", "u", 0.5, seconds=25.0, metrics=asked),
            result("b", "t", 1.0, seconds=20.0),
        ])
    )  # fmt: skip
    assert [(each.agent, each.assisted, each.seconds) for each in report.agents] == [("a", 1, 20.0), ("b", 0, 20.0)]
    assert report.grid.cells["core/t-v1", "a"].text == "pass, assisted"
    assert report.grid.cells["core/u-v1", "a"].text == "fail 0.5"
    assert "assisted" in overview(report).head
