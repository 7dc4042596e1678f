"""Nothing of a published set is lost: boxes that stick out, repeats, ids that are shared, lists in tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.main import cli
from proctor.offline.loaders.load import load
from proctor.offline.sample import CriticSample, Data, GroundSample, IdmSample
from tests.offline import sets


def box_of(data: Data, id: str) -> tuple[float, ...]:
    (found,) = (each for each in data.samples if each.id == id)
    assert isinstance(found, GroundSample)
    return found.target.corners


def odd_boxes(folder: Path) -> Path:
    """Write a set with boxes of every kind that annotators leave."""
    sets.picture(folder / "images/a.png")
    boxes = {
        "whole": [20, 20, 120, 60], "right": [350, 20, 460, 60], "above": [20, -30, 120, 10],
        "around": [-5, -5, 420, 310], "flat": [20, 20, 120, 20], "beyond": [500, 20, 600, 60],
    }  # fmt: skip
    rows = [
        {"id": name, "image": "images/a.png", "instruction": name, "bbox": box, "resolution": [400, 300]}
        for name, box in boxes.items()
    ]
    return sets.lines(folder / "metadata.jsonl", rows)


def test_boxes_that_stick_out_are_cut_off_where_all_is_kept(tmp_path: Path) -> None:
    path = odd_boxes(tmp_path)
    usual = load("ground", path)
    assert [each.id for each in usual.samples] == ["whole"] and (usual.records, len(usual.defects)) == (6, 5)
    every = load("ground", path, keep="all")
    assert (len(every.samples), every.records) == (6, 6)
    assert box_of(every, "right") == (350, 20, 400, 60)
    assert box_of(every, "above") == (20, 0, 120, 10)
    assert box_of(every, "around") == (0, 0, 400, 300)
    assert box_of(every, "beyond") == (500, 20, 600, 60)
    about = {each.id: each.groups.get("box") for each in every.samples}
    assert about["whole"] is None and about["right"] == "cut off: the box sticks out of the picture"
    assert about["flat"] == "cannot be hit: the box has no area"
    assert "5 of 6 boxes do not fit their pictures" in " ".join(every.remarks)


def test_figures_say_how_many_of_how_many(tmp_path: Path) -> None:
    path = odd_boxes(tmp_path / "set")

    def call(*more: str) -> tuple[dict[str, Any], str]:
        args = ["offline", "run", "ground", "--data", str(path), "--model", "baseline:centre"]
        out = str(tmp_path / f"out{len(more)}")
        found = CliRunner().invoke(cli, [*args, "--out", out, "--json", *more], catch_exceptions=False)
        shown = CliRunner().invoke(cli, ["offline", "report", out], catch_exceptions=False)
        return json.loads(found.stdout), " ".join(shown.stdout.split())

    usual, shown = call()
    assert (usual["answered"], usual["records"], usual["data"]["records"]) == (1, 6, 6)
    assert "5 of the 6 records of the set are left out" in shown and "--keep all" in shown
    every, shown = call("--keep", "all")
    assert (every["answered"], every["records"], every["config"]["keep"]) == (6, 6, "all")
    assert every["right"] == 1 and "left out" not in shown
    data = CliRunner().invoke(cli, ["offline", "data", str(path)], catch_exceptions=False)
    assert "1 samples of 6 records" in data.stdout


def test_records_that_share_an_id_are_all_asked_about(tmp_path: Path) -> None:
    path = sets.single(tmp_path, ["click", "type", "click", "click"])
    rows = [{**json.loads(line), "action_id": "same"} for line in path.read_text().splitlines()]
    rows[2]["instruction"] = "do something else"
    usual = load("idm", sets.lines(path, rows))
    # The last says what the first says.
    assert [each.id for each in usual.samples] == ["same", "same#2", "same#3"]
    assert [(each.id, each.reason) for each in usual.defects] == [("same", "it repeats a record before it")]
    every = load("idm", path, keep="all")
    assert [each.id for each in every.samples] == ["same", "same#2", "same#3", "same#4"] and not every.defects


def test_an_id_that_looks_like_one_of_ours_is_not_lost(tmp_path: Path) -> None:
    path = sets.single(tmp_path, ["click", "type", "scroll"])
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row, id in zip(rows, ["a", "a#2", "a"], strict=True):
        row["action_id"] = id
    assert [each.id for each in load("idm", sets.lines(path, rows)).samples] == ["a", "a#2", "a#3"]


def test_a_second_wording_stays_out_even_where_all_is_kept(tmp_path: Path) -> None:
    sets.picture(tmp_path / "benchmark/images/a.png")
    row = {"image_path": "a.png", "image_size": [400, 300], "box_type": "bbox", "box_coordinates": [20, 20, 100, 40]}
    for name, said in (("OSWorld-G", "keep it"), ("OSWorld-G_refined", "click the button Save")):
        written = [{**row, "id": str(number), "instruction": f"{said} {number}"} for number in range(3)]
        (tmp_path / f"benchmark/{name}.json").write_text(json.dumps(written))
    found = load("ground", tmp_path, keep="all")
    assert [each.instruction for each in found.samples] == ["keep it 0", "keep it 1", "keep it 2"]
    assert "two wordings" in found.remarks[0]


@pytest.fixture
def table() -> Any:
    return pytest.importorskip("pyarrow.parquet")


def columns(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Return records as `datasets` stores a Sequence of them: one list for each field, at any depth."""
    return {
        name: columns([each[name] for each in records])
        if isinstance(records[0][name], dict) and "bytes" not in records[0][name]
        else [each[name] for each in records]
        for name in records[0]
    }


def test_a_sequence_of_records_as_datasets_writes_it(tmp_path: Path, table: Any) -> None:
    arrow = pytest.importorskip("pyarrow")
    shot = sets.picture(tmp_path / "a.png").read_bytes()
    rows = [sets.episode(number, ["click", "type", "scroll"], success=number == 0) for number in range(2)]
    for row in rows:
        for action in row["actions"]:
            action |= {name: {"bytes": shot, "path": action[name]} for name in ("obs_before", "obs_after")}
        row["actions"] = columns(row["actions"])
        row["metadata"] = None
    assert isinstance(rows[0]["actions"]["metadata"], dict)
    path = tmp_path / "data/test-00000-of-00001.parquet"
    path.parent.mkdir()
    table.write_table(arrow.Table.from_pylist(rows), path)
    first, second = load("critic", tmp_path).samples
    assert isinstance(first, CriticSample) and isinstance(second, CriticSample)
    assert (first.success, second.success) == (True, False)
    assert first.actions == tuple(f"[button] Save -> {each}" for each in ("click", "type", "scroll"))
    assert [each.load().size for each in first.shots] == [sets.SIZE] * 4
    (sequence, _) = load("idm", tmp_path).samples
    assert isinstance(sequence, IdmSample) and sequence.answer == (0, 1, 2)


def test_repeats_in_a_table_are_told_by_their_pictures(tmp_path: Path, table: Any) -> None:
    arrow = pytest.importorskip("pyarrow")
    shots = [
        sets.picture(tmp_path / "a.png").read_bytes(),
        sets.picture(tmp_path / "b.png", buttons=["Save"]).read_bytes(),
    ]
    row = {"action_id": "x", "operation": "click", "action_space": sets.OPTIONS}
    rows = [{**row, "obs_before": {"bytes": shots[each]}, "obs_after": {"bytes": shots[1]}} for each in (0, 0, 1)]
    table.write_table(arrow.Table.from_pylist(rows), tmp_path / "idm.parquet")
    found = load("idm", tmp_path / "idm.parquet")
    assert [each.id for each in found.samples] == ["x", "x#2"] and len(found.defects) == 1
