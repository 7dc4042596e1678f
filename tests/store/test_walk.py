"""A run walked from Python: typed steps, and pictures that are read when they are looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

import proctor
from proctor.errors import RecordError
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree, Value
from proctor.records import Header
from proctor.store.episode import EpisodeWriter
from proctor.store.plain import tree_data, tree_from
from proctor.store.run import RunRecord
from proctor.store.walk import RecordedStep, open_run
from tests.store.making import SIZE, begin, finish, small_run, tree
from tests.store.test_older_records import OLD


def test_the_last_try_at_each_episode_or_every_one(tmp_path: Path) -> None:
    run = proctor.open_run(str(small_run(tmp_path / "run")))
    assert (run.sealed, run.config["proctor"]) == (True, "0.0.0")
    assert [episode.result.score for episode in run.episodes()] == [1.0, 1.0, 0.0]
    assert [episode.result.void for episode in run.episodes(every_try=True)] == [False, True, False, False]
    assert [result.retry for result in run.results()] == [0, 1, 0]


def test_steps_have_their_pictures_when_they_are_looked_at(tmp_path: Path) -> None:
    (first, *_) = open_run(small_run(tmp_path / "run")).episodes()
    steps = list(first.steps())
    assert [step.kind for step in steps] == ["click", "click", "done", ""]
    assert isinstance(steps[1], RecordedStep)
    assert steps[1].action == {"type": "click", "x": 1, "y": 2, "given": {"text": "pyautogui.click(1, 2)"}}
    picture = steps[1].screenshot
    assert picture is not None
    assert (picture.size, picture.convert("RGB").getpixel((0, 0))) == (SIZE, (1, 100, 200))
    assert (steps[0].marks, steps[0].tree, steps[0].clip) == (None, None, None)
    (first.folder / "0001.png").unlink()
    again = list(first.steps())  # nothing is read before somebody looks
    with pytest.raises(RecordError, match=r"0001\.png"):
        again[1].screenshot  # noqa: B018
    (first.folder / "0001.png").write_bytes(b"no picture at all")
    with pytest.raises(RecordError, match="not a picture"):
        again[1].screenshot  # noqa: B018


def test_turns_hold_steps_with_pictures_too(tmp_path: Path) -> None:
    (first, *_) = open_run(small_run(tmp_path / "run")).episodes()
    (turn, *_) = first.turns()
    assert isinstance(turn.steps[0], RecordedStep)


def test_a_record_of_an_earlier_version() -> None:
    (prompted,) = (one for one in open_run(OLD).episodes() if one.result.key.agent.startswith("prompted"))
    step = next(iter(prompted.steps()))
    assert isinstance(step.marks, Image.Image)
    assert step.tree is not None
    assert (len(step.tree.nodes), step.tree.nodes[1].app) == (5, "mousepad")
    assert step.tree.nodes[1].box == Box(250, 100, 80, 24)


def test_a_run_that_goes_on_can_be_walked(tmp_path: Path) -> None:
    record = RunRecord.create(tmp_path / "run", {})
    record.add(finish(begin(record)))
    EpisodeWriter.begin(record.paths.episode(next(record.results()).key, 1), Header()).close()
    record.commit()
    assert len(list(open_run(tmp_path / "run").episodes())) == 1
    record.close()


def test_what_is_no_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="contains no run"):
        open_run(tmp_path)


def test_a_tree_is_read_back_as_it_was_written() -> None:
    slider = Node(
        index=0, parent=None, depth=0, role="slider", value=Value(current=2.0, minimum=0.0, maximum=9.0, step=0.5),
        box=Box(1, 2, 3, 4), states=frozenset({"showing"}), actions=("press",), attributes={"id": "a"}, text="2",
    )  # fmt: skip
    for one in (tree(), Tree((slider,), ("slow",))):
        assert tree_from(json.loads(json.dumps(tree_data(one)))) == one


@pytest.mark.parametrize(
    "data",
    [None, [], {}, {"nodes": 7}, {"nodes": [7]}, {"nodes": [{"parent": 0, "depth": 0}]}]
    + [{"nodes": [{"parent": None, "depth": 0, name: 7}]} for name in ("box", "value", "states", "attributes")],
)
def test_what_is_no_tree_is_said(data: object) -> None:
    with pytest.raises(RecordError, match="tree"):
        tree_from(data)
