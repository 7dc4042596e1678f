"""The watch over a composed task: what is completed when, what is kept of it, and judging again from that."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import CheckError, SpecError
from proctor.tasks.judge import judge, regrade
from proctor.tasks.load import task_from_json
from proctor.tasks.perform import perform
from proctor.tasks.prepare import conclude
from proctor.tasks.probe_context import Ending
from proctor.tasks.shelves import expect, see
from proctor.tasks.task import Task
from proctor.tasks.task_graph import TaskGraph
from proctor.tasks.verdict import Verdict
from proctor.tasks.watch import Watch
from tests.graphs.composed import SIZE, composed, diamond
from tests.tasks.prepare import prepare


def played(task: Task, moves: int | None = None) -> tuple[Watch, Verdict]:
    """Make the first moves of the solution and judge."""
    assert task.graph
    watch = Watch(task.graph)
    with FakeComputer(size=SIZE) as computer:
        prepare(task, computer)
        ending = perform(task, task.solution[:moves], computer, lambda _made: note(watch, computer))
        conclude(task, computer)
        return watch, judge(task, computer, ending, watch)


def note(watch: Watch, computer: FakeComputer) -> None:
    watch.look(computer)


def test_the_solution_covers_everything_in_its_order() -> None:
    task = diamond()
    assert task.graph
    watch, verdict = played(task)
    assert (verdict.score, verdict.feedback) == (1.0, ())
    assert watch.completed == task.graph.order
    assert verdict.metrics["coverage"] == verdict.metrics["completion"] == verdict.metrics["result"] == 1.0
    assert verdict.metrics["consistency"] == 1.0  # one application only
    assert verdict.metrics["unfinished_path"] == 0.0


@pytest.mark.parametrize("done", [0, 1, 2, 3])
def test_stopping_early_scores_what_the_depths_say(done: int) -> None:
    task = diamond()
    assert task.graph
    first = task.graph.order[:done]
    _, verdict = played(task, sum(task.graph.node(id).moves for id in first))
    depths = task.graph.dag.depths
    assert verdict.score == sum(depths[id] for id in first) / sum(depths.values())
    assert verdict.metrics["completion"] == done / 4
    assert verdict.metrics["result"] == 0.0
    assert len(verdict.feedback) == 4 - done
    assert not verdict.passed


def test_what_waits_says_what_must_come_first() -> None:
    _, verdict = played(diamond(), 0)
    assert "not done" in verdict.feedback[0]
    assert "not looked at, as a must come first." in verdict.feedback[1]


def test_judging_twice_gives_the_same_and_leaves_the_watch_alone() -> None:
    task = diamond()
    assert task.graph
    watch = Watch(task.graph)
    with FakeComputer(size=SIZE) as computer:
        prepare(task, computer)
        perform(task, task.solution[:5], computer, lambda _made: note(watch, computer))
        before = json.dumps(watch.to_json())
        first, second = (judge(task, computer, Ending(), watch) for _ in range(2))
        assert first == second
        assert json.dumps(watch.to_json()) == before


def test_what_was_completed_stays_so_when_it_is_undone_later() -> None:
    task = composed(["write-text"])
    assert task.graph
    watch = Watch(task.graph)
    path = task.expected[0]
    with FakeComputer(size=SIZE) as computer:
        prepare(task, computer)
        perform(task, task.solution, computer, lambda _made: note(watch, computer))
        computer.write_file(path, b"spoilt")
        verdict = judge(task, computer, Ending(), watch)
        assert (verdict.score, verdict.metrics["result"]) == (1.0, 0.0)
        assert judge(task, computer, Ending()).score == 0.0  # nobody looked on


def test_a_later_subtask_done_too_early_counts_once_the_earlier_one_is_done() -> None:
    task = composed(["write-text", "copy-text"], [(0, "text", 1, "source")])
    assert task.graph
    assert task.graph.order == ("a", "b")
    split = task.graph.node("a").moves
    watch = Watch(task.graph)
    with FakeComputer(size=SIZE) as computer:
        prepare(task, computer)
        later, earlier = task.solution[split:], task.solution[:split]
        perform(task, later, computer, lambda _made: note(watch, computer))
        assert watch.completed == ()
        perform(task, earlier, computer, lambda _made: note(watch, computer))
        assert watch.completed == ("a", "b")
        assert watch.progress.ties == (("a", "b"),)


def test_only_what_was_done_since_its_turn_counts_for_a_subtask() -> None:
    task = composed(["write-text", "copy-text"], [(0, "text", 1, "source")])
    assert task.graph
    pressed = expect.pressed(see.history(), "ctrl+s")
    nodes = [node.model_copy(update={"check": pressed}) if node.id == "b" else node for node in task.graph.nodes]
    graph = TaskGraph(nodes=tuple(nodes), edges=task.graph.edges, order=task.graph.order)
    split = graph.node("a").moves
    watch = Watch(graph)
    with FakeComputer(size=SIZE) as computer:
        prepare(task, computer)
        perform(task, task.solution[:split], computer, lambda _made: note(watch, computer))
        assert watch.completed == ("a",)  # which also pressed the keys that b asks for
        perform(task, task.solution[split:], computer, lambda _made: note(watch, computer))
        assert watch.completed == ("a", "b")


def test_after_too_many_steps_without_a_completion_nothing_counts_any_more() -> None:
    task = composed(["write-text"])
    assert task.graph
    watch = Watch(task.graph.model_copy(update={"patience": 2}))
    with FakeComputer(size=SIZE) as computer:
        prepare(task, computer)
        watch.look(computer)
        watch.look(computer)
        assert watch.progress.failed
        perform(task, task.solution, computer, lambda _made: note(watch, computer))
        assert watch.coverage == 0.0


def test_judging_again_from_the_evidence_gives_the_same() -> None:
    task = diamond()
    for moves in (None, 7, 0):
        _, verdict = played(task, moves)
        evidence = json.loads(json.dumps(verdict.evidence))
        again = regrade(task, evidence)
        assert (again.score, again.metrics) == (verdict.score, verdict.metrics)
        assert again.feedback == verdict.feedback


def test_judging_again_by_other_checks_takes_back_what_follows_too() -> None:
    task = diamond()
    assert task.graph
    _, verdict = played(task)
    nodes = tuple(
        node.model_copy(update={"check": expect.text_is(node.check.arguments["of"], "else")})
        if node.id == "b"
        else node
        for node in task.graph.nodes
    )
    changed = task.model_copy(update={"graph": task.graph.model_copy(update={"nodes": nodes})})
    again = regrade(changed, verdict.evidence)
    assert again.metrics["completion"] == 0.5
    assert again.score == 0.375


def test_evidence_without_a_graph_cannot_be_judged_again() -> None:
    task = diamond()
    _, verdict = played(task, 0)
    evidence: dict[str, Any] = copy.deepcopy(dict(verdict.evidence))
    del evidence["graph"]
    with pytest.raises(CheckError, match="nothing of the graph"):
        regrade(task, evidence)


def test_giving_up_scores_nothing_whatever_is_done() -> None:
    task = diamond()
    assert task.graph
    from proctor.actions.action import Fail

    with FakeComputer(size=SIZE) as computer:
        prepare(task, computer)
        perform(task, task.solution, computer)
        assert judge(task, computer, Ending(Fail(reason="no"))).score == 0.0


def test_faults_of_a_graph_are_all_named() -> None:
    task = diamond()
    assert task.graph
    data = task.to_json()
    data["graph"]["order"] = ["d", "c", "b", "a"]
    data["graph"]["nodes"][0]["app"] = "mousepat"
    data["graph"]["nodes"][1]["moves"] = 99
    with pytest.raises(SpecError) as caught:
        task_from_json(data)
    assert "did you mean" in str(caught.value).lower() or "mousepad" in str(caught.value)
    assert "not an order of all nodes" in str(caught.value)
    assert "do not add up" in str(caught.value)
