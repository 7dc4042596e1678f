"""Sets are read however their files, pictures, boxes and truths are written; what cannot be read is said."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from proctor.errors import SpecError
from proctor.offline.loaders.load import load
from proctor.offline.parquet import PictureCell
from proctor.offline.sample import CriticSample, GroundSample
from tests.offline import sets

SAVE = list(sets.BUTTONS["Save"])


def record(**more: Any) -> dict[str, Any]:
    return {"image": "a.png", "instruction": "save", "bbox": SAVE, "resolution": [400, 300], **more}


def written(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in records).encode()


TWO = [record(), record(instruction="again")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("set.jsonl", written(TWO)),
        ("SET.JSONL", written(TWO)),
        ("set.ndjson", written(TWO)),
        ("set.json", written(TWO)),
        ("set.jsonl", json.dumps(TWO, indent=1).encode()),
        ("set.jsonl.gz", gzip.compress(written(TWO))),
        ("set.json.gz", gzip.compress(json.dumps(TWO).encode())),
        ("set.json", json.dumps({"info": {}, "annotations": TWO}).encode()),
        ("set.json", b"\xef\xbb\xbf" + json.dumps(TWO).encode()),
        ("set.jsonl", b"\n\n" + written(TWO).replace(b"\n", b"\r\n")),
    ],
)
def test_what_a_file_holds_tells_how_it_is_read(tmp_path: Path, name: str, content: bytes) -> None:
    sets.picture(tmp_path / "images/a.png")
    (tmp_path / name).write_bytes(content)
    assert len(load("ground", tmp_path / name).samples) == 2
    assert len(load("ground", tmp_path).samples) == 2


@pytest.mark.parametrize("name", ["metadata", "records.txt"])
def test_a_file_that_is_named_needs_no_ending(tmp_path: Path, name: str) -> None:
    sets.picture(tmp_path / "a.png")
    (tmp_path / name).write_bytes(written(TWO))
    assert len(load("ground", tmp_path / name).samples) == 2


@pytest.mark.parametrize("content", [gzip.compress(written(TWO * 50))[:-20], b"\x1f\x8bnothing", b'{"a": 1}\n{"b'])
def test_what_is_cut_off_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "set.jsonl.gz").write_bytes(content)
    with pytest.raises(SpecError):
        load("ground", tmp_path / "set.jsonl.gz")


def test_a_folder_is_searched_until_something_fits(tmp_path: Path) -> None:
    sets.picture(tmp_path / "benchmark/images/a.png")
    (tmp_path / "buckets.json").write_text("{}")
    row = {"id": "a-0", "image_path": "a.png", "instruction": "save", "box_type": "bbox", "box_coordinates": SAVE}
    (tmp_path / "benchmark/OSWorld-G.json").write_text(json.dumps([row]))
    (tmp_path / "benchmark/classification_result.json").write_text(json.dumps({"text": ["a-0"]}))
    assert load("ground", tmp_path).form == "osworld-g"


def test_a_part_that_cannot_be_read_is_not_passed_over(tmp_path: Path) -> None:
    sets.picture(tmp_path / "images/a.png")
    (tmp_path / "a.json").write_text(json.dumps(TWO))
    (tmp_path / "b.json").write_text(json.dumps(TWO)[:-5])
    with pytest.raises(SpecError, match=r"b\.json is not JSON"):
        load("ground", tmp_path)


def test_a_set_lies_where_the_hub_keeps_it(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    image = {"bytes": sets.picture(tmp_path / "x.png").read_bytes(), "path": "x.png"}
    path = tmp_path / "datasets--a/snapshots/0f/data/test-00000-of-00001.PARQUET"
    path.parent.mkdir(parents=True)
    row = {"id": "o", "image": image, "instruction": "save", "box_type": "bbox", "box_coordinates": [20, 20, 100, 40]}
    parquet.write_table(pyarrow.Table.from_pylist([row]), path)
    data = load("ground", tmp_path / "datasets--a")
    (sample,) = data.samples
    assert isinstance(sample, GroundSample)
    assert (data.form, sample.target.corners, sample.groups["split"]) == ("osworld-g", tuple(map(float, SAVE)), "test")
    assert PictureCell.of_name(sample.shot.name) == sample.shot.source


@pytest.mark.parametrize(
    ("named", "there"),
    [
        ("images\\a.png", "images/a.png"),
        ("A.PNG", "images/a.png"),
        ("a.png", "images/A.PNG"),
        ("a", "images/a.png"),
        ("shots/a", "shots/a.JPG"),
    ],
)
def test_pictures_are_found_by_about_their_name(tmp_path: Path, named: str, there: str) -> None:
    sets.picture(tmp_path / "x.png")
    (tmp_path / there).parent.mkdir()
    (tmp_path / "x.png").rename(tmp_path / there)
    data = load("ground", sets.lines(tmp_path / "set.jsonl", [record(image=named)]))
    assert data.samples


@pytest.mark.parametrize("named", ["a", "b.png", "x" * 300, "data:image/png;base64," + "iVBOR" * 1_000, "a/" * 3_000])
def test_what_names_no_picture_or_two_is_a_defect(tmp_path: Path, named: str) -> None:
    sets.picture(tmp_path / "one/a.png")
    sets.picture(tmp_path / "two/a.png").rename(tmp_path / "two/a.jpg")
    sets.picture(tmp_path / "good.png")
    data = load("ground", sets.lines(tmp_path / "set.jsonl", [record(image="good.png"), record(image=named)]))
    assert [defect.reason for defect in data.defects] == ["a picture is missing"]


SIDES = {"x": 20, "y": 20, "width": 100, "height": 40}


@pytest.mark.parametrize(
    "bbox",
    [
        ["20", "20", "120", "60"],
        "[20, 20, 120, 60]",
        "20, 20, 120, 60",
        "20 20 120 60",
        [[20, 20], [120, 60]],
        [[20, 20, 120, 60]],
        {"left": 20, "top": 20, "right": 120, "bottom": 60},
        {"X1": 20, "Y1": 20, "X2": 120, "Y2": 60},
        SIDES,
        {"x": 20, "y": 20, "w": 100, "h": 40},
    ],
)
def test_a_box_is_the_same_however_it_is_written(tmp_path: Path, bbox: Any) -> None:
    sets.picture(tmp_path / "a.png")
    (sample,) = load("ground", sets.lines(tmp_path / "set.jsonl", [record(bbox=bbox)])).samples
    assert isinstance(sample, GroundSample) and sample.target.corners == tuple(map(float, SAVE))


@pytest.mark.parametrize("size", ["400x300", "400 x 300", ["400", "300"], {"width": 400, "height": 300}, None])
def test_a_size_is_the_same_however_it_is_written(tmp_path: Path, size: Any) -> None:
    sets.picture(tmp_path / "a.png")
    (sample,) = load("ground", sets.lines(tmp_path / "set.jsonl", [record(resolution=size)])).samples
    assert isinstance(sample, GroundSample) and sample.size == (400, 300)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"bbox": ["20", "b", "120", "60"]}, "the box is not 4 numbers"),
        ({"bbox": [20, 20, True, 60]}, "the box is not 4 numbers"),
        ({"bbox": {"x": 20, "y": 20}}, "the box is not 4 numbers"),
        ({"bbox": "nan, 1, 2, 3"}, "the box is not 4 numbers"),
        ({"resolution": "large"}, "the size of the picture is not 2 numbers"),
        ({"resolution": [400]}, "the size of the picture is not 2 numbers"),
    ],
)
def test_what_is_no_box_or_size_is_named_and_the_convention_not_doubted(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    sets.picture(tmp_path / "a.png")
    data = load("ground", sets.lines(tmp_path / "set.jsonl", [record(), record(**change)]))
    assert [defect.reason for defect in data.defects] == [reason]
    assert data.remarks == ()


def test_polygons_may_be_lists_of_pairs(tmp_path: Path) -> None:
    sets.picture(tmp_path / "a.png")
    row = {"id": "p", "image_path": "a.png", "instruction": "it", "box_type": "Polygon"}
    corners = [[20, 20], [120, 20], [70, 60]]
    (tmp_path / "set.json").write_text(json.dumps([{**row, "box_coordinates": corners}]))
    (sample,) = load("ground", tmp_path / "set.json").samples
    assert isinstance(sample, GroundSample) and sample.target.kind == "polygon"
    assert sample.target.contains((70, 30)) and not sample.target.contains((25, 55))


@pytest.mark.parametrize(("said", "success"), [(1, True), (0, False), ("True", True), ("false", False), ("0", False)])
def test_a_verdict_is_the_same_however_it_is_written(tmp_path: Path, said: Any, success: bool) -> None:
    row = {**sets.episode(0, ["click"], success=True), "is_success": said}
    (sample,) = load("critic", sets.several(tmp_path, [row])).samples
    assert isinstance(sample, CriticSample) and sample.success is success


@pytest.mark.parametrize("said", ["maybe", 2, [True]])
def test_what_is_no_verdict_is_a_defect(tmp_path: Path, said: Any) -> None:
    rows = [sets.episode(0, ["click"], success=True), {**sets.episode(1, ["click"], success=True), "is_success": said}]
    data = load("critic", sets.several(tmp_path, rows))
    assert [defect.reason for defect in data.defects] == ["is_success is neither true nor false"]


def test_sequences_without_ids_have_those_of_their_content(tmp_path: Path) -> None:
    rows = [sets.episode(number, ["click"] * (1 + number % 2), success=True) for number in range(2)]
    for row in rows:
        del row["annotation_id"]
    data = load("idm", sets.several(tmp_path, [*rows, rows[0]]))
    assert len(data.samples) == 2 and [defect.reason for defect in data.defects] == ["it repeats a record before it"]
    assert [each.id for each in load("idm", tmp_path).samples] == [each.id for each in data.samples]


def test_options_may_be_a_text_and_operations_padded(tmp_path: Path) -> None:
    path = sets.single(tmp_path, ["click"])
    row = json.loads(path.read_text())
    sets.lines(path, [{**row, "operation": " CLICK ", "action_space": json.dumps(sets.OPTIONS)}])
    assert len(load("idm", path).samples) == 1


def test_sets_for_several_tasks_in_one_folder_are_told_apart_by_name(tmp_path: Path) -> None:
    sets.several(tmp_path, [sets.episode(0, ["click"], success=True)])
    sets.several(tmp_path, [sets.episode(1, ["click"], success=False)], "metadata_success_detection.jsonl")
    assert [sample.id for sample in load("idm", tmp_path).samples] == ["episode-0"]
    assert [sample.id for sample in load("critic", tmp_path).samples] == ["episode-1"]
    assert len(load("idm", tmp_path / "metadata_success_detection.jsonl").samples) == 1


def test_a_trajectory_whose_verdict_has_another_name_is_no_sequence(tmp_path: Path) -> None:
    row = sets.episode(0, ["click"], success=True)
    row["success"] = row.pop("is_success")
    with pytest.raises(SpecError, match="did you mean 'success'"):
        load("critic", sets.several(tmp_path, [row]))
    with pytest.raises(SpecError, match="is a record of idm-single"):
        load("critic", sets.single(tmp_path / "other"))
