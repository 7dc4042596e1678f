"""Annotation sets: made, handed out, labelled, and written in forms that `proctor offline` reads again."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from proctor.cli.main import cli
from proctor.errors import SpecError
from proctor.offline.loaders.load import load
from proctor.offline.sample import CriticSample, GroundSample, IdmSample
from proctor.studio.annotate.export import export
from proctor.studio.annotate.items import AnnotationItem, item_from
from proctor.studio.annotate.labels import Unusable, checked_label
from proctor.studio.annotate.make_sets import from_data, from_pictures
from proctor.studio.annotate.queue import Queue, progress
from proctor.studio.annotate.sets import AnnotationSet, Sets, set_folder
from tests.studio.sets import box, drawn, imported, label, pictures, place, recorded

ITEM = AnnotationItem(id="0" * 16, pictures=("0" * 64 + ".png",), size=(400, 300))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(["id", "box", "role", "done"]), inner),
    max_leaves=12,
)


@given(
    st.sampled_from(["ground", "idm", "critic"]),
    st.dictionaries(st.sampled_from(["boxes", "operation", "success", "done", "note"]), JSON),
)
def test_whatever_a_page_sends_is_a_label_or_refused(kind: Any, data: dict[str, Any]) -> None:
    try:
        kept = checked_label(kind, ITEM, ("click", "type"), data)
    except Unusable:
        return
    assert checked_label(kind, ITEM, ("click", "type"), json.loads(json.dumps(kept))) == kept
    for each in kept.get("boxes", ()):
        left, top, right, bottom = each["box"]
        assert 0 <= left < right <= 400
        assert 0 <= top < bottom <= 300
        assert all(map(math.isfinite, each["box"]))


@pytest.mark.parametrize(
    "boxes",
    [
        [box(10, 10, 500, 20)],
        [box(10, 10, 10, 20)],
        [box(20, 10, 10, 20)],
        [box(0, 0, 5, 5), box(0, 0, 9, 9)],
        [box(0, 0, 5, 5, id="../x")],
        [box(0, 0, float("nan"), 5)],
        [box(0, 0, 5, 5, instruction="x" * 3000)],
        [box(0, 0, 5, 5, id=f"b{number}") for number in range(600)],
    ],
)
def test_boxes_that_make_no_sense_are_refused(boxes: list[dict[str, Any]]) -> None:
    with pytest.raises(Unusable):
        checked_label("ground", ITEM, (), {"boxes": boxes})


def test_what_is_done_has_an_answer() -> None:
    with pytest.raises(Unusable):
        checked_label("idm", ITEM, ("click",), {"done": True})
    with pytest.raises(Unusable):
        checked_label("critic", ITEM, (), {"done": True})
    assert checked_label("ground", ITEM, (), {"boxes": [], "done": True})["done"] is True


def test_pictures_of_a_folder_become_items_each_content_once(tmp_path: Path) -> None:
    source = pictures(tmp_path / "source", 3)
    (source / "again").mkdir()
    (source / "again/copy.png").write_bytes((source / "0000.png").read_bytes())
    (source / "broken.png").write_bytes(b"no picture")
    (source / "link.png").symlink_to("/etc/passwd")
    filled = from_pictures(place(tmp_path, "s"), source)
    assert (filled.items, dict(filled.left_out)) == (3, {"not a picture that can be read": 1})
    assert [item.name for item in AnnotationSet(place(tmp_path, "s")).items()] == ["0000.png", "0001.png", "0002.png"]


def test_a_set_that_cannot_be_filled_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SpecError, match="nothing to annotate"):
        from_pictures(place(tmp_path, "s"), tmp_path / "empty")
    assert list(place(tmp_path, "s").parent.iterdir()) == []
    drawn(tmp_path, 1)
    with pytest.raises(SpecError, match="there already"):
        from_pictures(place(tmp_path, "screens"), pictures(tmp_path / "more", 1))


@pytest.mark.parametrize("name", ["../up", ".hidden", "", "a" * 70, "a\nb", "a\0b", "-x"])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises((SpecError, ValueError)):
        from_pictures(set_folder(tmp_path, name), pictures(tmp_path / "p", 1))
    assert Sets(tmp_path).find(name) is None


def test_a_run_gives_screens_with_their_elements(tmp_path: Path) -> None:
    opened = recorded(tmp_path, "ground")
    items = opened.items()
    assert len(items) == 12
    assert [bool(item.elements) for item in items] == [True] + [False] * 11
    assert all(opened.picture(item.pictures[0]).is_file() for item in items)


def test_a_run_gives_transitions_that_hide_what_was_done(tmp_path: Path) -> None:
    opened = recorded(tmp_path, "idm")
    assert {item.recorded for item in opened.items()} >= {"click", "double click", "drag", "type"}
    assert all(len(item.pictures) == 2 for item in opened.items())
    assert "right click" in opened.about.options


def test_items_go_to_as_many_people_as_are_wanted(tmp_path: Path) -> None:
    opened = drawn(tmp_path, 2, annotators=2)
    queue = Queue(opened)
    first, second = opened.items()
    assert [queue.next(who) for who in ("ann", "ben", "cyd")] == [first, first, second]
    label(opened, "ann", first.id, {"boxes": []}, done=False)
    assert queue.next("ann") == first
    label(opened, "ann", first.id, {"boxes": []})
    assert queue.next("ann", after=first.id) == second
    label(opened, "ann", second.id, {"boxes": []})
    assert queue.next("ann") is None


def test_an_item_that_somebody_opened_and_left_goes_to_another(tmp_path: Path) -> None:
    opened = drawn(tmp_path, 1, annotators=1)
    now = 0.0
    queue = Queue(opened, clock=lambda: now)
    (only,) = opened.items()
    assert queue.next("ann") == only
    assert queue.next("ben") is None
    now = 4000.0
    assert queue.next("ben") == only


def test_progress_tells_what_differs_and_what_was_decided(tmp_path: Path) -> None:
    opened = drawn(tmp_path, 4, annotators=2)
    a, b, c, _ = opened.items()
    for who, corners in (("ann", (0, 0, 40, 40)), ("ben", (0, 0, 41, 40))):
        label(opened, who, a.id, {"boxes": [box(*corners)]})
    for who, corners in (("ann", (0, 0, 40, 40)), ("ben", (100, 100, 140, 140))):
        label(opened, who, b.id, {"boxes": [box(*corners)]})
    label(opened, "ann", c.id, {"boxes": []})
    found = progress(opened)
    assert found["states"] == {"done": 1, "differs": 1, "some": 1, "open": 1}
    assert (found["people"], found["labels"], found["wanted"]) == ({"ann": 3, "ben": 2}, 5, 8)
    opened.decisions.save(b.id, 0, {"boxes": [], "done": True}, by="cyd")
    assert progress(opened)["states"]["decided"] == 1


@pytest.mark.parametrize(
    ("form", "boxes"), [("groundui", "xyxy"), ("screenspot", "xywh"), ("proctor", "xyxy"), ("parquet", "xyxy")]
)
def test_what_is_exported_is_read_again(tmp_path: Path, form: str, boxes: str) -> None:
    opened = drawn(tmp_path, 2, annotators=1)
    one, two = opened.items()
    label(
        opened,
        "ann",
        one.id,
        {"boxes": [box(10, 20, 110.5, 60), box(200, 20, 300, 60, id="b2", instruction="Öffne <b>")]},
    )
    label(opened, "ann", two.id, {"boxes": [box(0, 0, 400, 300, instruction="Everything", ambiguous=True)]})
    out = tmp_path / "out"
    done = export(opened, form, out)
    assert (done.samples, dict(done.left_out)) == (2, {"boxes that are ambiguous": 1})
    data = load("ground", out)
    assert (data.boxes, data.defects) == (boxes, ())
    assert {sample.instruction: sample.target.box for sample in data.samples if isinstance(sample, GroundSample)} == {
        "Click Save": (10, 20, 110.5, 60),
        "Öffne <b>": (200, 20, 300, 60),
    }
    if form == "parquet":
        again = load("ground", out / "parquet")
        assert len(again.samples) == 2
        assert all(sample.shot.size == (400, 300) for sample in again.samples if isinstance(sample, GroundSample))


@pytest.mark.parametrize("form", ["groundui", "screenspot", "proctor"])
def test_import_and_export_give_back_what_came(tmp_path: Path, form: str) -> None:
    opened = imported(tmp_path)
    export(opened, form, tmp_path / "out")
    filled = from_data(place(tmp_path, "again"), tmp_path / "out")
    assert filled.labels == 5
    assert boxes_in(opened) == boxes_in(AnnotationSet(place(tmp_path, "again")))


def test_pictures_keep_their_names_and_boxes_their_kind(tmp_path: Path) -> None:
    opened = drawn(tmp_path, 1, annotators=1)
    (item,) = opened.items()
    boxes = [
        box(0, 0, 9, 9, id=role, instruction=role) | {"role": role} for role in ("push button", "icon", "Check Box")
    ]
    label(opened, "ann", item.id, {"boxes": boxes})
    for form, name in (("groundui", "metadata.jsonl"), ("proctor", "ground.jsonl")):
        export(opened, form, tmp_path / form)
        rows = [json.loads(line) for line in (tmp_path / form / name).read_text().splitlines()]
        assert {row["picture"] for row in rows} == {"0000.png"}
    export(opened, "screenspot", tmp_path / "screenspot")
    (file,) = (tmp_path / "screenspot").glob("*.json")
    rows = json.loads(file.read_text())
    assert {row["instruction"]: row["data_type"] for row in rows} == {
        "push button": "text", "icon": "icon", "Check Box": "icon",
    }  # fmt: skip
    assert {row["picture"] for row in rows} == {"0000.png"}


def boxes_in(opened: AnnotationSet) -> list[tuple[str, str]]:
    labels = [found["imported"].data for found in opened.labels().values()]
    return sorted((str(each["box"]), each["instruction"]) for label in labels for each in label["boxes"])


def test_only_what_is_settled_is_written(tmp_path: Path) -> None:
    opened = drawn(tmp_path, 3, annotators=2)
    a, b, _ = opened.items()
    for who, x in (("ann", 0), ("ben", 200)):
        label(opened, who, a.id, {"boxes": [box(x, 0, x + 40, 40, instruction=f"by {who}")]})
        label(opened, who, b.id, {"boxes": [box(x, 0, x + 40, 40, instruction=f"by {who}")]})
    opened.decisions.save(b.id, 0, {"boxes": [box(5, 5, 50, 50, instruction="decided")], "done": True}, by="cyd")
    done = export(opened, "proctor", tmp_path / "out")
    (row,) = map(json.loads, (tmp_path / "out/ground.jsonl").read_text().splitlines())
    assert (row["instruction"], row["decided"], row["annotators"]) == ("decided", True, 2)
    assert done.left_out == {"items that annotators differ on and nobody decided": 1, "items that nobody has done": 1}
    export(opened, "proctor", tmp_path / "anns", annotator="ann")
    assert "by ben" not in (tmp_path / "anns/ground.jsonl").read_text()


def test_labels_of_transitions_and_attempts_are_read_again(tmp_path: Path) -> None:
    steps = recorded(tmp_path, "idm", name="steps", annotators=1)
    for item in steps.items():
        label(steps, "ann", item.id, {"operation": item.recorded})
    export(steps, "proctor", tmp_path / "idm")
    found = load("idm", tmp_path / "idm").samples
    assert len(found) == len(steps.items())
    assert all(isinstance(each, IdmSample) for each in found)
    attempts = recorded(tmp_path, "critic", name="attempts", annotators=1)
    (item,) = attempts.items()
    label(attempts, "ann", item.id, {"success": True})
    export(attempts, "parquet", tmp_path / "critic")
    (sample,) = load("critic", tmp_path / "critic", last=100).samples
    assert isinstance(sample, CriticSample)
    assert sample.success
    assert len(sample.shots) == len(sample.actions) + 1 == 12
    with pytest.raises(SpecError, match="boxes only"):
        export(attempts, "groundui", tmp_path / "no")


def test_no_picture_is_in_two_splits(tmp_path: Path) -> None:
    opened = drawn(tmp_path, 40, annotators=1)
    for item in opened.items():
        label(opened, "ann", item.id, {"boxes": [box(0, 0, 9, 9), box(20, 20, 39, 39, id="b2", instruction="two")]})
    export(opened, "proctor", tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out/ground.jsonl").read_text().splitlines()]
    assert {row["split"] for row in rows} == {"train", "test"}
    splits = {row["image"]: row["split"] for row in rows}
    assert all(splits[row["image"]] == row["split"] for row in rows)


@given(st.dictionaries(st.sampled_from(["id", "pictures", "size", "elements", "actions", "name"]), JSON))
def test_a_line_that_is_no_item_is_none(data: dict[str, Any]) -> None:
    found = item_from(data)
    assert found is None or all("/" not in name for name in found.pictures)


def run(*args: str) -> Any:
    done = CliRunner().invoke(cli, ["studio", *args, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_by_the_command_line_from_pictures_to_a_score(tmp_path: Path) -> None:
    pictures(tmp_path / "shots", 2)
    work = ("--in", str(tmp_path / "work"))
    assert run("new", "screens", "--pictures", str(tmp_path / "shots"), *work)["items"] == 2
    opened = AnnotationSet(place(tmp_path / "work", "screens"))
    for item in opened.items():
        label(opened, "ann", item.id, {"boxes": [box(150, 100, 250, 200)]})
    assert run("status", "screens", *work)["labels"] == 2
    for form in ("groundui", "screenspot", "proctor", "parquet"):
        out = str(tmp_path / form)
        assert run("export", "screens", "--format", form, "--out", out, *work)["samples"] == 2
        asked = [
            "offline",
            "run",
            "ground",
            "--data",
            out,
            "--model",
            "baseline:centre",
            "--out",
            f"{out}-run",
            "--json",
        ]
        done = CliRunner().invoke(cli, asked)
        assert done.exit_code == 0, done.output
    assert run("import", "again", "--data", str(tmp_path / "screenspot"), *work)["labels"] == 2


def test_the_command_line_says_what_is_wrong(tmp_path: Path) -> None:
    for args in (
        ["export", "none", "--format", "proctor", "--out", "x"],
        ["new", "x"],
        ["new", "x", "--pictures", "/nowhere"],
    ):
        done = CliRunner().invoke(cli, ["studio", *args, "--in", str(tmp_path)])
        assert done.exit_code != 0
    assert "--port" in CliRunner().invoke(cli, ["studio", "--help"]).output
