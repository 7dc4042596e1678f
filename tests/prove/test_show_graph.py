"""`proctor tasks show` of a composed task: its graph in layers, how complex it is, within 80 columns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from proctor.cli.tasks import tasks
from proctor.tasks.task import Task
from tests.graphs.composed import composed, diamond


def shown(folder: Path, task: Task) -> list[str]:
    file = folder / "task.json"
    file.write_text(json.dumps(task.to_json()))
    done = CliRunner().invoke(tasks, ["show", str(file)], catch_exceptions=False)
    assert done.exit_code == 0
    lines = [line.rstrip() for line in done.output.splitlines()]
    return lines[lines.index("Graph") : lines.index("Intent")]


def test_subtasks_are_shown_in_layers_with_what_they_depend_on(tmp_path: Path) -> None:
    lines = shown(tmp_path, diamond())
    wanted = ["  depth 1", "    a  mousepad", "  depth 2", "    b  mousepad  after a", "    c  mousepad  after a",
              "  depth 3", "    d  mousepad  after b, c"]  # fmt: skip
    assert [line for line in lines if line in wanted] == wanted
    task = diamond()
    assert task.graph
    text = " ".join(" ".join(lines).split())
    assert all(node.ask in text for node in task.graph.nodes)


def test_complexities_and_the_capability_are_shown(tmp_path: Path) -> None:
    lines = [" ".join(line.split()) for line in shown(tmp_path, diamond())]
    for line in ("dependency 4 edges hard", "instruction 4 nodes medium", "knowledge 1 categories easy",
                 "hierarchy 3 depth medium", "branch 2 width easy", "tests dependency identification"):  # fmt: skip
        assert line in lines
    assert "  tests none of the ten capabilities" in shown(tmp_path, composed(["write-text"]))


@pytest.mark.parametrize("count", [1, 12, 24])
def test_it_keeps_to_80_columns(tmp_path: Path, count: int) -> None:
    assert max(map(len, shown(tmp_path, composed(["write-text"] * count)))) <= 80


def test_what_only_comes_later_is_in_brackets(tmp_path: Path) -> None:
    task = composed(["write-text", "write-text"])
    assert task.graph
    graph = task.graph.model_copy(update={"last": (("a", "b"),), "order": ("a", "b")})
    later = task.model_copy(update={"graph": graph})
    assert "    b  mousepad  after (a)" in shown(tmp_path, later)


def test_markup_and_control_characters_are_only_shown(tmp_path: Path) -> None:
    task = composed(["write-text"])
    assert task.graph
    node = task.graph.nodes[0].model_copy(update={"ask": "write [red]x[/red] \x1b[31mred"})
    lines = shown(tmp_path, task.model_copy(update={"graph": task.graph.model_copy(update={"nodes": (node,)})}))
    assert "       write [red]x[/red] \ufffd[31mred" in lines


def test_a_plain_task_has_no_graph() -> None:
    output = CliRunner().invoke(tasks, ["show", "sign-the-letter"]).output
    assert "Graph" not in output
    assert "Complexity" not in output
