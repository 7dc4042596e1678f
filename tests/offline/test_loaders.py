"""Public sets are read in their own forms; what is wrong with a record is named, and the rest is used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.main import cli
from proctor.errors import SpecError, UnknownName
from proctor.offline.loaders.load import FORMS, load
from proctor.offline.sample import CriticSample, Data, GroundSample, IdmSample
from tests.offline import sets


def targets(data: Data) -> list[tuple[float, ...]]:
    return [sample.target.corners for sample in data.samples if isinstance(sample, GroundSample)]


def reasons(data: Data) -> list[str]:
    return [defect.reason for defect in data.defects]


SAVE = tuple(map(float, sets.BUTTONS["Save"]))


def test_groundui(tmp_path: Path) -> None:
    data = load("ground", sets.groundui(tmp_path, 7))
    assert (data.form, data.boxes, len(data.samples), data.defects) == ("groundui", "xyxy", 7, ())
    assert targets(data)[0] == SAVE
    first = data.samples[0]
    assert isinstance(first, GroundSample)
    assert (first.size, first.raw_instruction, first.shot.size) == (sets.SIZE, "save", sets.SIZE)
    assert first.groups == {
        "platform": "web",
        "source": "drawn",
        "resolution": "400x300",
        "element size": "0.5 to 5 %",
    }
    assert len({sample.id for sample in data.samples}) == 7
    assert load("ground", tmp_path).samples[0].id == first.id


def screenspot(bbox: list[float], **more: Any) -> dict[str, Any]:
    return {"instruction": "save", "bbox": bbox, "data_type": "text", "data_source": "linux", **more}


@pytest.mark.parametrize(
    ("form", "row"),
    [
        ("screenspot", screenspot([0.05, 20 / 300, 0.3, 0.2], file_name="a.png")),
        ("screenspot-v2", screenspot([20, 20, 100, 40], img_filename="a.png")),
        ("screenspot-pro", screenspot([20, 20, 120, 60], img_filename="a.png", img_size=[400, 300], ui_type="text")),
    ],
)
def test_three_forms_of_screenspot_mean_the_same_box(tmp_path: Path, form: str, row: dict[str, Any]) -> None:
    sets.picture(tmp_path / "images/a.png")
    (tmp_path / "set.json").write_text(json.dumps([row]))
    data = load("ground", tmp_path / "set.json")
    assert data.form == form
    assert targets(data)[0] == pytest.approx(SAVE)
    assert data.samples[0].groups["type"] == "text"


def test_osworld_g(tmp_path: Path) -> None:
    sets.picture(tmp_path / "benchmark/images/a.png")
    common = {"image_path": "a.png", "image_size": [400, 300], "GUI_types": ["Button", "Icon"]}
    rows = [
        {"id": "1", "instruction": "save", "box_type": "bbox", "box_coordinates": [20, 20, 100, 40], **common},
        {"id": "2", "instruction": "L", "box_type": "polygon", "box_coordinates": [0, 0, 9, 0, 9, 9], **common},
        {"id": "3", "instruction": "none", "box_type": "refusal", "box_coordinates": [0, 0, 0, 0], **common},
        {"id": "4", "instruction": "?", "box_type": "circle", "box_coordinates": [1, 2, 3], **common},
        {"id": "5", "instruction": "?", "box_type": "polygon", "box_coordinates": [1, 2, 3, 4], **common},
    ]
    (tmp_path / "benchmark/OSWorld-G.json").write_text(json.dumps(rows))
    (tmp_path / "benchmark/buckets.json").write_text('{"a": ["1"]}')
    data = load("ground", tmp_path)
    assert targets(data) == [SAVE, (0, 0, 9, 0, 9, 9), ()]
    assert data.samples[0].groups["role"] == "Button"
    assert reasons(data) == [
        "its box_type is none of bbox, polygon, refusal",
        "the polygon has fewer than three corners",
    ]


def test_osworld_gs_records_belong_to_the_abilities_of_its_tables(tmp_path: Path) -> None:
    sets.picture(tmp_path / "a.png")
    kinds = {
        "label": ["Label", "Button", "Icon"],
        "margin": ["Slider"],
        "panel": ["Accordion/Collapsible Panel"],
        "second": ["Dropdown Menu", "Accordion/Collapsible Panel"],
        "none": ["Nothing known"],
    }
    common = {"image_path": "a.png", "image_size": [400, 300], "instruction": "go"}
    rows = [
        {"id": id, "box_type": "bbox", "box_coordinates": [20, 20, 100, 40], "GUI_types": types, **common}
        for id, types in kinds.items()
    ]
    rows.append({"id": "no", "box_type": "refusal", "box_coordinates": [0] * 4, "GUI_types": ["Label"], **common})
    (tmp_path / "g.json").write_text(json.dumps(rows))
    found = {each.id: each.groups["bucket"] for each in load("ground", tmp_path / "g.json").samples}
    assert found == {
        "label": ["text matching", "element recognition"],
        "margin": ["fine-grained manipulation"],
        "panel": ["layout understanding"],
        "second": ["layout understanding", "fine-grained manipulation"],
        "none": [],
        "no": ["refusal"],
    }
    out = str(tmp_path / "out")
    args = ["offline", "run", "ground", "--data", str(tmp_path / "g.json"), "--model", "baseline:centre"]
    done = CliRunner().invoke(cli, [*args, "--out", out, "--json"], catch_exceptions=False)
    counts = {name: each["answered"] for name, each in json.loads(done.stdout)["by"]["bucket"].items()}
    assert counts == {
        "text matching": 1, "element recognition": 1, "layout understanding": 2, "fine-grained manipulation": 2,
        "refusal": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("file", "row", "groups"),
    [
        ("screenspot_web_v2.json", {"data_source": "shop", "data_type": "icon"}, ("web", "web icon")),
        ("screenspot.json", {"data_source": "ios", "data_type": "text"}, ("mobile", "mobile text")),
        ("screenspot.json", {"data_source": "macos", "data_type": "icon"}, ("desktop", "desktop icon")),
        ("screenspot_mobile_v2.json", {"data_source": "unheard of", "data_type": "text"}, ("mobile", "mobile text")),
        ("other.json", {"data_source": "unheard of", "data_type": "text"}, (None, None)),
    ],
)
def test_screenspots_platform_by_type(tmp_path: Path, file: str, row: dict[str, Any], groups: tuple[Any, Any]) -> None:
    sets.picture(tmp_path / "a.png")
    record = {"img_filename": "a.png", "bbox": [20, 20, 100, 40], "instruction": "save", **row}
    (tmp_path / file).write_text(json.dumps([record]))
    (sample,) = load("ground", tmp_path / file).samples
    assert (sample.groups.get("platform"), sample.groups.get("platform and type")) == groups


def test_screenspot_pros_groups_by_type(tmp_path: Path) -> None:
    sets.picture(tmp_path / "a.png")
    record = {"img_filename": "a.png", "bbox": [20, 20, 100, 40], "img_size": [400, 300], "instruction": "save"}
    more = {"id": "x", "group": "CAD", "ui_type": "icon", "platform": "windows", "application": "autocad"}
    (tmp_path / "autocad_windows.json").write_text(json.dumps([{**record, **more}]))
    (sample,) = load("ground", tmp_path).samples
    assert sample.groups["group and type"] == "CAD icon" and sample.groups["platform"] == "windows"


def test_of_two_wordings_the_first_file_counts(tmp_path: Path) -> None:
    sets.picture(tmp_path / "benchmark/images/a.png")
    row = {"id": "1", "image_path": "a.png", "image_size": [400, 300], "box_type": "bbox"}
    for name, said in (("OSWorld-G", "keep it"), ("OSWorld-G_refined", "click the button Save")):
        written = [{**row, "instruction": said, "box_coordinates": [20, 20, 100, 40]}]
        (tmp_path / f"benchmark/{name}.json").write_text(json.dumps(written))
    data = load("ground", tmp_path)
    assert [sample.instruction for sample in data.samples] == ["keep it"]
    assert "two wordings" in data.remarks[0]
    refined = load("ground", tmp_path / "benchmark/OSWorld-G_refined.json")
    assert [sample.instruction for sample in refined.samples] == ["click the button Save"] and not refined.remarks


def test_agentnetbench(tmp_path: Path) -> None:
    sets.picture(tmp_path / "images/a.png")
    box = {"rel_bbox": [0.05, 20 / 300, 0.25, 40 / 300], "area": 1}
    named = {"rel_bbox": {"x": 0.05, "y": 20 / 300, "w": 0.25, "h": 40 / 300}}
    steps = [
        _step(0, "click", [box]),
        _step(1, "doubleClick", [named]),
        _step(2, "write", [box]),
        _step(3, "click", []),
    ]
    (tmp_path / "task.json").write_text(
        json.dumps({"task_id": "t", "high_level_task_description": "d", "steps": steps})
    )
    data = load("ground", tmp_path)
    assert [sample.id for sample in data.samples] == ["t/0", "t/1"]
    assert targets(data)[0] == pytest.approx(SAVE)
    assert targets(data)[1] == pytest.approx(SAVE)


def test_each_box_of_a_step_counts_and_a_step_without_picture_stands_alone(tmp_path: Path) -> None:
    sets.picture(tmp_path / "images/a.png")
    boxes = [
        {"rel_bbox": [0.05, 20 / 300, 0.25, 40 / 300]},
        {"rel_bbox": ["0.5", "0.0666667", "0.25", "0.1333333"]},
        {"rel_bbox": [0.9, 0.9, 0.5, 0.5]},
    ]
    steps = [_step(0, "click", boxes), _step(1, "click", boxes, image="gone.png"), _step(2, "click", boxes[1:])]
    (tmp_path / "task.json").write_text(json.dumps({"task_id": "t", "steps": steps}))
    data = load("ground", tmp_path)
    assert [sample.id for sample in data.samples] == ["t/0", "t/2"]
    assert [(defect.id, defect.reason) for defect in data.defects] == [("t/1", "a picture is missing")]
    first = data.samples[0]
    assert isinstance(first, GroundSample)
    assert first.target.contains((70, 40)) and first.target.contains((250, 40))
    # The third lies outside the picture, and no box is between the other two.
    assert not first.target.contains((390, 290)) and first.target.distance((160, 40)) == pytest.approx(40, abs=0.1)


def _step(number: int, kind: str, boxes: list[Any], *, image: str = "a.png") -> dict[str, Any]:
    return {
        "step_num": number,
        "image": image,
        "inner_monologue": {"low_level_instruction": "Click Save"},
        "ground_truth_actions": [{"type": kind, "params": {}, "metadata": {"bboxes": boxes}}],
    }


def test_parquet_keeps_its_pictures_until_they_are_looked_at(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    drawn = sets.picture(tmp_path / "a.png").read_bytes()
    rows = [
        screenspot([0.05, 20 / 300, 0.3, 0.2], file_name=f"{number}.png", image={"bytes": drawn, "path": "a.png"})
        for number in range(5)
    ]
    rows[3]["image"] = {"bytes": drawn[:200], "path": "a.png"}
    (tmp_path / "set/data").mkdir(parents=True)
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "set/data/test-00000.parquet", row_group_size=2)
    data = load("ground", tmp_path / "set")
    assert data.form == "screenspot"
    # The head of the cut picture is whole, so that its size is known.
    assert len(data.samples) == 5
    sample = data.samples[4]
    assert isinstance(sample, GroundSample)
    assert sample.shot.load().size == sets.SIZE
    assert targets(data)[4] == pytest.approx(SAVE)


def test_inverse_dynamics(tmp_path: Path) -> None:
    data = load("idm", sets.single(tmp_path, ["click", "CLICK", "type", "fly"]))
    answers = [sample.answer for sample in data.samples if isinstance(sample, IdmSample)]
    assert answers == [(0,), (0,), (1,)]
    assert reasons(data) == ["its operation is not in its action space"]


def test_sequences_lose_what_nobody_can_tell(tmp_path: Path) -> None:
    rows = [
        sets.episode(0, ["click", "type"], success=True),
        sets.episode(1, ["click", "type"], success=True, last=False),
        sets.episode(2, ["click"], success=True, last=False),
        sets.episode(3, ["scroll", *["click"] * 6], success=False),
    ]
    data = load("idm", sets.several(tmp_path, rows))
    assert [(sample.answer, len(sample.shots)) for sample in data.samples if isinstance(sample, IdmSample)] == [
        ((0, 1), 3),
        ((0,), 2),
        ((0,) * 5, 6),
    ]
    assert reasons(data) == ["no action is left whose outcome was kept"]
    assert len(load("idm", tmp_path, last=2).samples) == 3


def test_transitions_and_sequences_may_share_a_file(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in sets.single(tmp_path).read_text().splitlines()]
    path = sets.several(tmp_path / "both", [*rows, sets.episode(9, ["click", "type"], success=True)])
    found = load("idm", path)
    assert [sample.several for sample in found.samples if isinstance(sample, IdmSample)] == [False, False, False, True]


def test_critic(tmp_path: Path) -> None:
    rows = [sets.episode(0, ["click"], success=True), sets.episode(1, ["type"] * 9, success=False, last=False)]
    rows.append({**sets.episode(2, ["click"], success=True), "is_success": "yes"})
    data = load("critic", sets.several(tmp_path, rows, "critic.jsonl"))
    first, second = data.samples
    assert isinstance(first, CriticSample) and isinstance(second, CriticSample)
    assert (first.success, len(first.shots), first.actions) == (True, 2, ("[button] Save -> click",))
    assert (second.success, len(second.shots), len(second.actions)) == (False, 5, 5)
    assert reasons(data) == ["is_success is neither true nor false"]


def test_defects_are_named_and_the_rest_is_used(tmp_path: Path) -> None:
    path = sets.groundui(tmp_path, 40)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[1]["bbox"] = [20, 20, 120, 900]
    rows[2]["bbox"] = [20, 20, 20, 60]
    rows[3] |= {"image": "images/none.png"}
    rows[4]["bbox"] = ["a", 1, 2, 3]
    rows[5]["bbox"] = [0.1, 0.1, 0.4, 0.4]
    rows[6]["instruction"] = "  "
    rows[7] = dict(rows[8])
    rows[9] = {"image": "images/0.png", "text": "x", "bbox": [1, 2, 3, 4]}
    rows[10]["bbox"] = [float("nan")] * 4
    data = load("ground", sets.lines(path, rows))
    assert len(data.samples) == 40 - 9
    assert sorted(reasons(data)) == sorted(
        [
            "the box sticks out of the picture",
            "the box has no area",
            "a picture is missing",
            "the box is not 4 numbers",
            "the box is not 4 numbers",
            "the box seems to be in another space: as pixels it is a speck in the corner",
            "there is no instruction",
            "it repeats a record before it",
            "a column is missing: instruction (did you mean 'text'?)"
            if any("did you mean" in reason for reason in reasons(data))
            else "a column is missing: instruction",
        ]
    )
    assert data.plain()["defects"] == 9


def test_a_wrong_convention_is_doubted(tmp_path: Path) -> None:
    path = sets.groundui(tmp_path, 9)
    data = load("ground", path, boxes="xywh")
    assert "--boxes" in data.remarks[0]
    assert not load("ground", path).remarks


@pytest.mark.parametrize(("form", "written"), [("screenspot-v2", "xyxy"), ("screenspot-v2", "xyxy-unit")])
def test_the_convention_that_would_fit_is_named(tmp_path: Path, form: str, written: str) -> None:
    sets.picture(tmp_path / "a.png")
    box: list[float] = [200, 200, 300, 240]
    if written == "xyxy-unit":
        box = [0.5, 200 / 300, 0.75, 0.8]
    (tmp_path / "set.json").write_text(json.dumps([screenspot(box, img_filename="a.png")]))
    with pytest.raises(SpecError, match=rf"--boxes {written}\b"):
        load("ground", tmp_path / "set.json")
    assert targets(load("ground", tmp_path / "set.json", boxes=written))[0] == pytest.approx((200, 200, 300, 240))


def test_a_run_is_no_data_set(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(SpecError, match="offline make --run"):
        load("ground", tmp_path)


def test_wrong_columns_are_answered_with_the_nearest(tmp_path: Path) -> None:
    path = sets.lines(tmp_path / "a.jsonl", [{"image": "a.png", "instructions": "x", "box": [1, 2, 3, 4]}])
    with pytest.raises(SpecError) as caught:
        load("ground", path)
    assert "did you mean 'instructions'" in str(caught.value)
    assert "did you mean 'box'" in str(caught.value)


def test_columns_with_other_names_altogether_are_understood(tmp_path: Path) -> None:
    path = sets.lines(tmp_path / "a.jsonl", [{"screenshot": "a.png", "caption": "x", "rect": [1, 2, 3, 4]}])
    with pytest.raises(SpecError, match=r"nearest is groundui.*'screenshot'.*'rect'.*'caption'"):
        load("ground", path)


def test_pictures_are_found_in_a_folder_of_any_name(tmp_path: Path) -> None:
    sets.picture(tmp_path / "set/pixels/deep/own.png")
    for name in ("one", "two"):
        sets.picture(tmp_path / f"set/{name}/twice.png")
    rows = [{"image": name, "instruction": name, "bbox": [1, 2, 30, 40]} for name in ("own.png", "twice.png")]
    data = load("ground", sets.lines(tmp_path / "set/x.jsonl", rows))
    # Of two that have the name nobody knows which is meant.
    assert [sample.instruction for sample in data.samples] == ["own.png"]


def test_data_for_another_task_says_so(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="which is for idm"):
        load("ground", sets.single(tmp_path))


def test_names_that_are_not_known(tmp_path: Path) -> None:
    path = sets.groundui(tmp_path)
    with pytest.raises(UnknownName, match="did you mean 'xywh'"):
        load("ground", path, boxes="xyhw")
    with pytest.raises(UnknownName, match="did you mean 'groundui'"):
        load("ground", path, form="groundu")
    with pytest.raises(SpecError, match="is for idm"):
        load("ground", path, form="idm-single")


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"a": 1}\n{"a"', "[" * 100_000])
def test_what_is_no_data_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(SpecError):
        load("ground", tmp_path / "a.jsonl")


def test_a_record_names_pictures_of_its_own_set_only(tmp_path: Path) -> None:
    sets.picture(tmp_path / "secret.png")
    sets.picture(tmp_path / "set/deep/images/own.png")
    rows = [
        {"image": str(tmp_path / "secret.png"), "instruction": "a", "bbox": [1, 2, 30, 40]},
        {"image": "../../../secret.png", "instruction": "b", "bbox": [1, 2, 30, 40]},
        {"image": "images/own.png", "instruction": "c", "bbox": [1, 2, 30, 40]},
    ]
    data = load("ground", sets.lines(tmp_path / "set/deep/x.jsonl", rows))
    assert [sample.instruction for sample in data.samples] == ["c"]


def test_every_form_says_how_its_boxes_are_written() -> None:
    assert all(bool(form.boxes) == (form.task == "ground") for form in FORMS.values())
