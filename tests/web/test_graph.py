"""The graph of a composed task in the replay: laid out, served, and never more than can be drawn."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from proctor.web.replay.graph import MOST_NODES, MOST_TEXT, GraphShape, graph_of, lay_out
from tests.web.composed import write_composed
from tests.web.recorded import write_run
from tests.web.site import Site
from tests.web.test_compact import JSON


def task(*edges: str, last: tuple[str, ...] = (), nodes: str = "") -> dict[str, Any]:
    """Return a task file with a graph, edges written as `ab`."""
    named = dict.fromkeys(nodes + "".join(edges))
    return {
        "graph": {
            "nodes": [{"id": id, "app": "gimp", "ask": f"do {id}", "subtask": "x"} for id in named],
            "edges": [list(edge) for edge in edges],
            "last": [list(edge) for edge in last],
        }
    }


def drawn(data: Any) -> dict[str, Any]:
    shape = GraphShape.read(data)
    assert shape is not None
    found = lay_out(shape)
    assert found is not None
    return found


def at(graph: dict[str, Any]) -> dict[str, tuple[float, float]]:
    return {node["id"]: node["at"] for node in graph["nodes"]}


# Layout.


def test_subtasks_lie_in_layers_by_depth() -> None:
    found = drawn(task("ab", "ac", "bd", "cd"))
    assert at(found) == {"a": (0.0, 0.0), "b": (-0.5, 1.0), "c": (0.5, 1.0), "d": (0.0, 2.0)}
    assert [node["depth"] for node in found["nodes"]] == [1, 2, 2, 3]
    assert all(edge["past"] == [] for edge in found["edges"])


def test_an_edge_goes_past_what_lies_between() -> None:
    found = drawn(task("ab", "bc", "ac"))
    (long,) = [edge for edge in found["edges"] if (edge["from"], edge["to"]) == ("a", "c")]
    ((x, y),) = long["past"]
    assert y == 1.0
    assert abs(x - at(found)["b"][0]) > 0.5


def test_edges_cross_no_more_than_they_must() -> None:
    found = drawn(task("ad", "bc", nodes="abcd"))
    places = at(found)
    assert (places["a"][0] < places["b"][0]) == (places["d"][0] < places["c"][0])


def test_what_only_comes_later_is_no_depth() -> None:
    found = drawn(task("ab", last=("ca",), nodes="abc"))
    assert {node["id"]: node["depth"] for node in found["nodes"]} == {"a": 1, "b": 2, "c": 1}
    assert found["edges"][-1] == {"from": "c", "to": "a", "past": [], "last": True}


@given(some.lists(some.tuples(some.integers(0, 9), some.integers(0, 9)).filter(lambda edge: edge[0] < edge[1])))
@example([(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (1, 2)])
def test_every_graph_is_laid_out_downwards_and_nothing_overlaps(edges: list[tuple[int, int]]) -> None:
    letters = "abcdefghij"
    found = drawn(task(*(letters[one] + letters[other] for one, other in edges), nodes=letters))
    places = at(found)
    assert len(set(places.values())) == len(letters)
    for edge in found["edges"]:
        way = [places[edge["from"]], *edge["past"], places[edge["to"]]]
        assert all(later[1] == first[1] + 1 for first, later in pairwise(way))
    for row in {y for _, y in places.values()}:
        across = sorted(x for x, y in places.values() if y == row)
        assert all(right - left > 1 - 1e-6 for left, right in pairwise(across))


# What a task file may hold.


@pytest.mark.parametrize(
    "data",
    [
        None, [], {}, {"graph": None}, {"graph": {"nodes": []}}, {"graph": {"nodes": [{"app": "x"}]}},
        task("ab", "ba"), task("aa"), {"graph": {**task("ab")["graph"], "edges": [["a", "z"]]}},
        {"graph": {**task("ab")["graph"], "edges": [["a", {}]]}}, {"graph": {**task("ab")["graph"], "edges": "ab"}},
        {"graph": {"nodes": task("ab")["graph"]["nodes"] * 2}},
        {"graph": {"nodes": [{"id": str(number)} for number in range(MOST_NODES + 1)]}},
    ],
)  # fmt: skip
def test_what_is_no_graph_is_not_drawn(data: Any) -> None:
    shape = GraphShape.read(data)
    assert shape is None or lay_out(shape) is None


@given(some.fixed_dictionaries({"graph": some.dictionaries(some.sampled_from(["nodes", "edges", "last"]), JSON)}))
def test_whatever_a_task_file_holds_it_can_be_read(data: dict[str, Any]) -> None:
    shape = GraphShape.read(data)
    assert shape is None or json.dumps(lay_out(shape))


def test_long_texts_are_cut() -> None:
    (node,) = drawn({"graph": {"nodes": [{"id": "a", "ask": "x" * 5_000, "app": 7}]}})["nodes"]
    assert (len(node["ask"]), node["app"]) == (MOST_TEXT + 1, "")


@pytest.mark.parametrize("digest", ["", "7", "../../etc/passwd", "a" * 63, "é" * 64, "A" * 64])
def test_only_a_digest_names_a_task(tmp_path: Path, digest: str) -> None:
    assert graph_of(tmp_path / "episodes/a/t/0-0-0/0", digest) is None


# Over HTTP.


def test_an_episode_of_a_composed_task_comes_with_its_graph(site: Site, place: Path) -> None:
    episode = write_composed(place)
    about = site.record(episode).data
    assert [(node["id"], node["app"], node["depth"]) for node in about["graph"]["nodes"]] == [
        ("a", "mousepad", 1), ("b", "mousepad", 2), ("c", "mousepad", 2), ("d", "mousepad", 3),
    ]  # fmt: skip
    assert about["problems"] == []
    lit = [node for step in about["steps"] for node in step.get("nodes", [])]
    assert sorted(lit) == sorted(about["graph"]["completed"]) == ["a", "b", "c", "d"]
    # What was asked may be known, how it is done and judged stays in the file.
    assert set(about["graph"]["nodes"][0]) == {"id", "app", "ask", "subtask", "depth", "at"}


def test_an_idle_agent_completes_nothing(site: Site, place: Path) -> None:
    about = site.record(write_composed(place, "idle")).data
    assert about["graph"]["completed"] == []
    assert not any("nodes" in step for step in about["steps"])


def test_other_episodes_have_no_graph(site: Site, place: Path) -> None:
    assert site.record(write_run(place)).data["graph"] is None


def test_a_task_that_is_gone_or_a_link_has_no_graph(site: Site, place: Path, tmp_path: Path) -> None:
    episode = write_composed(place)
    (file,) = (place / "tasks").iterdir()
    moved = file.rename(tmp_path / "task.json")
    assert site.record(episode).data["graph"] is None
    file.symlink_to(moved)
    assert site.record(episode).data["graph"] is None
