"""Episodes on composed tasks: what their steps complete, their figures, and when they end without progress."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proctor.actions.action import Click, Press, Type
from proctor.computers.computer import Performed
from proctor.exam.match_key import action_match
from proctor.exam.rules import Rules
from proctor.exam.watchers import graph
from proctor.observations.box import Box
from proctor.observations.tree import Node
from proctor.records import Result
from proctor.runner.run_episode import run_episode
from proctor.tasks.shelves import hand
from tests.graphs.composed import diamond
from tests.prove.machines import BACKEND
from tests.runner.jobs import job

RULES = Rules(backend=BACKEND)


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]


def test_the_oracle_completes_node_after_node_and_the_record_says_when(tmp_path: Path) -> None:
    task = diamond()
    assert task.graph
    one = job(tmp_path, task=task, rules=RULES)
    result = run_episode(one)
    assert result.score == 1.0, result
    completed = [node for line in lines(one.folder) for node in line.get("nodes", ())]
    assert tuple(completed) == task.graph.order
    assert result.metrics["coverage"] == result.metrics["action_match"] == 1.0
    assert result.metrics["completion_per_action"] == 1 / result.steps
    assert (result.metrics["instruction"], result.metrics["dependency"]) == (4.0, 4.0)
    assert result.labels["capability"] == "dependency-identification"
    assert Result.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_doing_nothing_covers_nothing(tmp_path: Path) -> None:
    result = run_episode(job(tmp_path, "idle", task=diamond(), rules=RULES))
    assert (result.score, result.metrics["coverage"], result.metrics["completion"]) == (0.0, 0.0, 0.0)
    assert "completion_per_action" not in result.metrics


def test_an_episode_without_progress_ends(tmp_path: Path) -> None:
    task = diamond()
    assert task.graph
    impatient = task.model_copy(update={"graph": task.graph.model_copy(update={"patience": 2})})
    result = run_episode(job(tmp_path, task=impatient, rules=RULES))
    assert (result.stop, result.score, result.steps) == ("no_progress", 0.0, 2)
    assert "no_progress" in result.modes


def test_looks_that_take_long_come_to_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "QUICK_SEC", -30.0)  # so that every look takes half of what there is
    one = job(tmp_path, task=diamond(), rules=RULES)
    result = run_episode(one)
    assert result.metrics["unwatched_steps"] == result.steps - 2
    assert [line["step"] for line in lines(one.folder) if line.get("nodes")] in ([], [0], [1], [0, 1])
    assert result.score == 1.0  # what is done is seen at the end, on ground that stands still


def _button(name: str) -> Node:
    return Node(index=0, parent=None, depth=0, role="push button", name=name, box=Box(0, 0, 9, 9))


def clicked(name: str) -> Performed:
    return Performed(action=Click(x=1, y=1), element=_button(name))


KEY = (hand.click("Save"), hand.type("a text\n"), hand.press("ctrl+s"), hand.await_window("x"))


@pytest.mark.parametrize(
    ("history", "share"),
    [
        ([], 0.0),
        ([clicked("Save As"), Performed(action=Type(text="a text")), Performed(action=Press(keys="ctrl+s"))], 1.0),
        ([Performed(action=Press(keys="ctrl+s")), clicked("save")], 1 / 3),
        ([clicked("Cancel"), Performed(action=Type(text="another"))], 0.0),
    ],
)
def test_the_action_match_counts_what_was_done_in_the_order_of_the_key(history: list[Performed], share: float) -> None:
    assert action_match(KEY, history) == pytest.approx(share)


def test_a_key_may_name_elements_by_a_pattern() -> None:
    assert action_match([hand.click("/^Sav.$/")], [clicked("Save")]) == 1.0
    assert action_match([hand.click("/^Sav$/")], [clicked("Save")]) == 0.0
    assert action_match([hand.await_window("x")], []) == 1.0
