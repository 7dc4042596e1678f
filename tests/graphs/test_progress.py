"""Progress through a graph: what is examined when, what stays completed, and when it is over."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.errors import RecordError, SpecError, UnknownName
from proctor.graphs.judge.consistency import consistency
from proctor.graphs.judge.progress import PATIENCE, Progress, State
from proctor.graphs.mathematics.dag import Dag
from tests.graphs.graphs import apart, chain, dags


def play(progress: Progress, steps: Sequence[str]) -> list[tuple[str, ...]]:
    """Advance once for each text, which names the nodes that hold then."""
    return [progress.advance(lambda node, held=held: node in held) for held in steps]  # type: ignore[misc]


def states(progress: Progress) -> dict[str, str]:
    return {node: str(progress.state(node)) for node in progress.dag.nodes}


def test_at_the_start_the_sources_are_examined() -> None:
    progress = Progress(Dag.from_edges([("a", "b")], nodes="abc"))
    assert states(progress) == {"a": "evaluating", "b": "waiting", "c": "evaluating"}
    assert progress.open_nodes == ("a", "c")
    assert (progress.since("a"), progress.coverage, progress.reward, progress.over) == (0, 0, 0, False)
    with pytest.raises(SpecError, match="'b' still waits"):
        progress.since("b")


def test_a_node_completed_makes_those_after_it_examined() -> None:
    progress = Progress(chain(3))
    assert play(progress, ["", "a"]) == [(), ("a",)]
    assert states(progress) == {"a": "completed", "b": "evaluating", "c": "waiting"}
    assert progress.since("b") == 2


def test_a_node_that_waits_is_not_asked_about() -> None:
    progress = Progress(chain(2))
    assert play(progress, ["b", "b"]) == [(), ()]


def test_completed_stays_completed() -> None:
    progress = Progress(chain(2))
    play(progress, ["a", "", ""])
    assert progress.state("a") is State.COMPLETED
    asked: list[str] = []
    progress.advance(lambda node: bool(asked.append(node)))
    assert asked == ["b"]


def test_one_step_may_complete_a_whole_chain_whatever_the_order_of_its_nodes() -> None:
    backwards = Dag(("c", "b", "a"), chain(3).edges)
    for dag in (chain(3), backwards):
        progress = Progress(dag)
        assert play(progress, ["abc"]) == [("a", "b", "c")]
        assert progress.finished
        assert progress.ties == (("a", "b", "c"),)


def test_what_was_done_before_a_nodes_own_time_does_not_count() -> None:
    """A check of history looks at actions after `since` only: none yet for a node whose time has just come."""
    progress = Progress(chain(2))
    actions: list[str] = []

    def pressed(node: str) -> bool:
        return f"press {node}" in actions[progress.since(node) :]

    completed = []
    for action in ["press b", "press a", "wait", "press b"]:
        actions.append(action)
        completed.append(progress.advance(pressed))
    assert completed == [(), ("a",), (), ("b",)]


def test_failure_after_steps_without_completion() -> None:
    progress = Progress(chain(3), patience=3)
    assert play(progress, ["", "", "a", "", ""]) == [(), (), ("a",), (), ()]
    assert not progress.over
    play(progress, [""])
    assert progress.failed
    assert progress.over
    assert play(progress, ["b"]) == [()]
    assert (progress.failed, progress.finished, progress.reward) == (True, False, 0)


def test_the_last_step_within_patience_counts() -> None:
    progress = Progress(chain(2), patience=2)
    play(progress, ["", "a", "", "b"])
    assert (progress.finished, progress.failed) == (True, False)


def test_no_patience_means_no_limit() -> None:
    progress = Progress(chain(1), patience=None)
    play(progress, [""] * (PATIENCE + 5))
    assert not progress.over
    assert Progress(chain(1)).patience == PATIENCE


def test_a_finished_episode_asks_nothing_and_pays_nothing() -> None:
    progress = Progress(apart(1))
    play(progress, ["a"])
    assert progress.reward == 1
    asked: list[str] = []
    assert progress.advance(lambda node: bool(asked.append(node))) == ()
    assert (asked, progress.reward, progress.coverage) == ([], 0, 1)


def test_bad_beginnings_are_refused() -> None:
    with pytest.raises(SpecError, match="without nodes"):
        Progress(Dag(()))
    with pytest.raises(SpecError, match="patience of 0 steps"):
        Progress(chain(1), patience=0)
    with pytest.raises(UnknownName):
        Progress(chain(1)).state("z")


@st.composite
def episodes(draw: st.DrawFn) -> tuple[Dag, list[set[str]]]:
    dag = draw(dags(6))
    return dag, draw(st.lists(st.sets(st.sampled_from(dag.nodes)), max_size=8))


@given(episodes())
def test_what_always_holds(episode: tuple[Dag, list[set[str]]]) -> None:
    dag, steps = episode
    progress = Progress(dag, patience=None)
    paid = 0.0
    for held in steps:
        before = set(progress.completed)
        now = progress.advance(held.__contains__)
        paid += progress.reward
        assert before.isdisjoint(now)
        assert set(progress.completed) == before | set(now)
        assert dag.is_ideal(progress.completed)
        assert not any(node in held for node in progress.open_nodes)
        assert progress.coverage == pytest.approx(paid)
    assert [node for tie in progress.ties for node in tie] == list(progress.completed)
    for node in progress.completed:
        assert progress.since(node) <= progress.completed[node]
    assert consistency(dag, dict.fromkeys(dag.nodes, "x"), progress.ties).achieved == max(
        0, len(progress.completed) - 1
    )


@given(episodes(), st.randoms(use_true_random=False))
def test_the_order_in_which_nodes_are_listed_makes_no_difference(
    episode: tuple[Dag, list[set[str]]], random: object
) -> None:
    dag, steps = episode
    nodes = list(dag.nodes)
    random.shuffle(nodes)  # type: ignore[attr-defined]
    other = Progress(Dag(tuple(nodes), dag.edges))
    one = Progress(dag)
    for held in steps:
        assert set(one.advance(held.__contains__)) == set(other.advance(held.__contains__))
    assert one.completed == other.completed


@given(episodes(), st.integers(0, 8))
def test_a_snapshot_takes_up_where_it_left_off(episode: tuple[Dag, list[set[str]]], cut: int) -> None:
    dag, steps = episode
    whole, part = Progress(dag, patience=3), Progress(dag, patience=3)
    for held in steps[:cut]:
        whole.advance(held.__contains__)
        part.advance(held.__contains__)
    part = Progress.from_json(dag, json.loads(json.dumps(part.to_json())))
    for held in steps[cut:]:
        assert whole.advance(held.__contains__) == part.advance(held.__contains__)
    assert (whole.to_json(), whole.ties, whole.over) == (part.to_json(), part.ties, part.over)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"step": "1", "patience": 20, "completed": {}},
        {"step": 1, "patience": "20", "completed": {}},
        {"step": 1, "patience": 20, "completed": ["a"]},
        {"step": 1, "patience": 20, "completed": {"a": 2}},
        {"step": 1, "patience": 20, "completed": {"a": 0}},
        {"step": 1, "patience": 20, "completed": {"z": 1}},
        {"step": 2, "patience": 20, "completed": {"b": 1}},
        {"step": 2, "patience": 20, "completed": {"a": 2, "b": 1}},
    ],
)
def test_damaged_snapshots_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(RecordError, match="does not fit its graph"):
        Progress.from_json(chain(2), data)
