"""The pages of annotation over HTTP: several people, two tabs, hostile names, bounded uploads, many pictures."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from proctor.store.files import packed_json
from proctor.studio.app import make_app
from proctor.studio.entrance import Entrance
from proctor.studio.studio import Studio
from tests.studio.sets import box, drawn, imported, label, place, recorded
from tests.studio.visiting import Visitor

EVIL = "</script><script>window.owned=1</script><img src=x onerror=window.owned=1>"


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    (tmp_path / "runs").mkdir()
    return Studio(folder=tmp_path, runs=(tmp_path / "runs",))


def visitor(studio: Studio, name: str = "ann") -> Visitor:
    found = Visitor(studio)
    found.tell("/studio/person", {"name": name})
    return found


def visitors(studio: Studio, *names: str) -> list[Visitor]:
    """Several people in one studio."""
    entrance = Entrance()
    app = make_app(studio, entrance)
    found = [Visitor(studio, entrance, app=app) for _ in names]
    for each, name in zip(found, names, strict=True):
        each.tell("/studio/person", {"name": name})
    return found


def png(size: tuple[int, int] = (60, 40), colour: str = "red") -> bytes:
    data = io.BytesIO()
    Image.new("RGB", size, colour).save(data, "PNG")
    return data.getvalue()


def label_of(*boxes: dict[str, Any], done: bool = True) -> dict[str, Any]:
    return {"boxes": list(boxes), "note": "", "done": done}


def test_the_pages_run_only_their_own_scripts(studio: Studio) -> None:
    drawn(studio.folder)
    ann = visitor(studio)
    for path in ("/annotate", "/annotate/screens", "/annotate/screens/items/0"):
        answer = ann.get(path)
        assert answer.status_code == 200
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "onclick" not in answer.text
        assert "style=" not in answer.text
    for name in ("item.js", "boxes.js", "annotate.css", "history.js"):
        assert ann.get(f"/annotate-files/{name}").status_code == 200


def test_nobody_enters_without_an_invitation(studio: Studio) -> None:
    opened = drawn(studio.folder)
    stranger = Visitor(studio, enter=False)
    item = opened.items()[0]
    for path in ("/annotate-data", f"/annotate-data/screens/pictures/{item.pictures[0]}", "/review-data"):
        assert stranger.get(path).status_code in (401, 403)


def test_an_item_is_annotated_and_saved_as_it_goes(studio: Studio) -> None:
    opened = drawn(studio.folder)
    ann = visitor(studio)
    id = ann.get("/annotate-data/screens/next").json()["item"]
    found = ann.get(f"/annotate-data/screens/items/{id}").json()
    assert (found["version"], found["label"], found["item"]["size"], found["person"]) == (0, None, [400, 300], "ann")
    assert (
        ann.get(f"/annotate-data/screens/pictures/{found['item']['pictures'][0]}").headers["content-type"]
        == "image/png"
    )
    address = f"/annotate-data/screens/items/{id}"
    assert ann.tell(address, {"version": 0, "save": "a", "label": label_of(box(1, 1, 50, 50), done=False)}) == {
        "version": 1
    }
    assert ann.tell(address, {"version": 1, "save": "b", "label": label_of(box(2, 2, 50, 50))}) == {"version": 2}
    assert opened.labels()[id]["ann"].data["boxes"][0]["box"] == [2, 2, 50, 50]
    # Everything that was saved is there, the earlier version too.
    assert len((opened.folder / "labels/ann.jsonl").read_bytes().splitlines()) == 2


def test_two_tabs_do_not_destroy_each_other(studio: Studio) -> None:
    opened = drawn(studio.folder, 1)
    one, two = visitors(studio, "ann", "ann")
    address = f"/annotate-data/screens/items/{opened.items()[0].id}"
    one.tell(address, {"version": 0, "save": "a", "label": label_of(box(1, 1, 50, 50))})
    refused = two.post(address, json={"version": 0, "save": "b", "label": label_of(box(9, 9, 20, 20))})
    assert refused.status_code == 409
    assert refused.json()["label"]["boxes"][0]["box"] == [1, 1, 50, 50]
    version = refused.json()["version"]
    assert two.tell(address, {"version": version, "save": "c", "label": label_of(box(9, 9, 20, 20))}) == {"version": 2}
    # An answer that was lost: the same save again is no conflict.
    assert two.tell(address, {"version": version, "save": "c", "label": label_of(box(9, 9, 20, 20))}) == {"version": 2}


def test_two_annotators_and_an_adjudication(studio: Studio) -> None:
    opened = drawn(studio.folder, 2, annotators=2)
    ann, ben, cyd = visitors(studio, "ann", "ben", "cyd")
    same, other = (item.id for item in opened.items())
    for who, x in ((ann, 0), (ben, 100)):
        who.tell(f"/annotate-data/screens/items/{same}", {"version": 0, "label": label_of(box(5, 5, 60, 60))})
        who.tell(f"/annotate-data/screens/items/{other}", {"version": 0, "label": label_of(box(x, 5, x + 60, 60))})
    # Annotators do not see each other's work; whoever decides sees all of it.
    assert "others" not in ann.get(f"/annotate-data/screens/items/{other}").json()
    agreed = cyd.get("/annotate-data/screens/agreement").json()
    assert (agreed["items"], agreed["differ"], agreed["f1"]) == (2, 1, 0.5)
    assert cyd.get("/annotate-data/screens/next?decide").json() == {"item": other}
    shown = cyd.get(f"/annotate-data/screens/items/{other}?decide").json()
    assert [each["by"] for each in shown["others"]] == ["ann", "ben"]
    decision = {"version": 0, "label": shown["others"][1]["label"]}
    cyd.tell(f"/annotate-data/screens/items/{other}?decide", decision)
    assert ann.post(f"/annotate-data/screens/items/{other}?decide", json=decision).status_code == 409
    listed = cyd.get("/annotate-data/screens").json()
    assert listed["states"] == {"done": 1, "decided": 1}
    assert cyd.get("/annotate-data/screens/next?decide").json() == {"item": None}


def test_a_transition_is_labelled_without_being_told_the_answer(studio: Studio) -> None:
    opened = recorded(studio.folder, "idm", name="steps")
    ann = visitor(studio)
    item = opened.items()[0]
    address = f"/annotate-data/steps/items/{item.id}"
    answer = ann.get(address)
    assert "recorded" not in answer.json()["item"]
    assert ann.post(address, json={"version": 0, "label": {"operation": "fly", "done": True}}).status_code == 400
    assert ann.tell(address, {"version": 0, "label": {"operation": "click", "done": True}}) == {"version": 1}


def test_an_attempt_is_labelled(studio: Studio) -> None:
    opened = recorded(studio.folder, "critic", name="attempts")
    ann = visitor(studio)
    (item,) = opened.items()
    found = ann.get(f"/annotate-data/attempts/items/{item.id}").json()["item"]
    assert len(found["pictures"]) == len(found["actions"]) + 1
    ann.tell(f"/annotate-data/attempts/items/{item.id}", {"version": 0, "label": {"success": False, "done": True}})


def test_proposals_come_from_the_tree(studio: Studio) -> None:
    opened = recorded(studio.folder, "ground")
    ann = visitor(studio)
    first, second, *_ = opened.items()
    found = ann.get(f"/annotate-data/recorded/items/{first.id}/proposals").json()["proposals"]
    assert {"box": [610, 100, 690, 124], "role": "push button", "name": "Save", "by": "tree"} in found
    assert ann.get(f"/annotate-data/recorded/items/{second.id}/proposals").json() == {"proposals": []}


def test_elements_that_are_nonsense_propose_nothing(studio: Studio) -> None:
    opened = recorded(studio.folder, "ground")
    ann = visitor(studio)
    item = opened.items()[0]
    junk = [
        5,
        {"box": "x"},
        {"box": [0, 0, "a", 1]},
        {"box": [-9, -9, 5, 5]},
        {"box": [1e308, 0, 5, 5]},
        {"box": [9, 9, 40, 40], "name": 7},
    ]
    (opened.folder / "elements" / item.elements).write_bytes(packed_json(junk))
    found = ann.get(f"/annotate-data/recorded/items/{item.id}/proposals").json()["proposals"]
    assert [each["box"] for each in found] == [[9, 9, 49, 49]]
    (opened.folder / "elements" / item.elements).write_bytes(b"no gzip")
    assert ann.get(f"/annotate-data/recorded/items/{item.id}/proposals").json() == {"proposals": []}


def test_text_on_pictures_is_proposed_and_read_once(studio: Studio) -> None:
    pytest.importorskip("rapidocr_onnxruntime")
    opened = imported(studio.folder)
    ann = visitor(studio)
    address = f"/annotate-data/imported/items/{opened.items()[0].id}/proposals?by=ocr"
    found = ann.get(address).json()["proposals"]
    assert {each["name"] for each in found} >= {"Save", "Open", "Quit"}
    assert len((opened.folder / "texts.jsonl").read_bytes().splitlines()) == 1
    assert visitor(studio).get(address).json()["proposals"] == found
    assert len((opened.folder / "texts.jsonl").read_bytes().splitlines()) == 1


def test_a_thousand_pictures_are_listed_by_the_page(studio: Studio) -> None:
    opened = drawn(studio.folder, 1000)
    label(opened, "ann", opened.items()[3].id, {"boxes": [box(1, 1, 9, 9)]})
    ann = visitor(studio)
    first = ann.get("/annotate-data/screens")
    assert (first.json()["total"], len(first.json()["listed"])) == (1000, 200)
    assert len(first.content) < 100_000
    assert [each["mine"] for each in first.json()["listed"][2:5]] == ["", "done", ""]
    last = ann.get("/annotate-data/screens?from=800").json()["listed"]
    assert len(last) == 200
    assert ann.get("/annotate-data/screens?state=some").json()["total"] == 1
    assert not (opened.folder / "thumbs").exists()
    assert ann.get(f"/annotate-data/screens/thumbs/{last[0]['thumb']}").headers["content-type"] == "image/jpeg"


@pytest.mark.parametrize(
    "path",
    [
        "/annotate-data/..%2f..%2fetc",
        "/annotate-data/screens/pictures/..%2fset.json",
        "/annotate-data/screens/pictures/set.json",
        "/annotate-data/screens/thumbs/..%2f..%2f..%2fetc%2fpasswd",
        "/annotate-data/screens/items/..%2f0",
        "/annotate-data/screens/items/nothing",
        "/annotate-data/.new-x",
        "/annotate-data/screens/pictures/" + "0" * 64 + ".png",
    ],
)
def test_names_lead_nowhere_else(studio: Studio, path: str) -> None:
    drawn(studio.folder)
    assert visitor(studio).get(path).status_code == 404


def test_a_link_among_the_pictures_is_not_followed(studio: Studio) -> None:
    opened = drawn(studio.folder)
    name = "f" * 64 + ".png"
    opened.picture(name).symlink_to("/etc/passwd")
    assert visitor(studio).get(f"/annotate-data/screens/pictures/{name}").status_code == 404
    assert visitor(studio).get(f"/annotate-data/screens/thumbs/{name}").status_code == 404


@pytest.mark.parametrize("name", ["../../escape", "", "/etc", "a/b", ".x", "x" * 100, "a\nb", None, 5])
def test_a_set_has_a_plain_name(studio: Studio, name: Any) -> None:
    ann = visitor(studio)
    assert ann.post("/annotate-data", json={"name": name}).status_code == 400
    assert not place(studio.folder, "x").parent.exists() or list(place(studio.folder, "x").parent.iterdir()) == []


def test_a_set_is_made_in_the_page_and_filled(studio: Studio) -> None:
    recorded(studio.folder, "ground")
    ann = visitor(studio)
    (run,) = ann.get("/annotate-data").json()["runs"]
    made = ann.tell("/annotate-data", {"name": "from a run", "run": run["id"], "kind": "idm", "annotators": 2})
    assert made == {"name": "from a run", "items": 6}
    assert ann.post("/annotate-data", json={"name": "from a run"}).status_code == 400
    ann.tell("/annotate-data", {"name": "mine"})
    for data, new in ((png(), True), (png(), False), (png(colour="blue"), True)):
        headers = {"Content-Type": "image/png"}
        answer = ann.post("/annotate-data/mine/pictures?name=..%2F..%2Fa<b>.png", content=data, headers=headers)
        assert answer.json() == {"new": new}
    assert [each["name"] for each in ann.get("/annotate-data/mine").json()["listed"]] == ["a<b>.png"] * 2


def test_uploads_are_bounded(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = visitor(studio)
    ann.tell("/annotate-data", {"name": "mine"})
    address, headers = "/annotate-data/mine/pictures", {"Content-Type": "image/png"}
    assert ann.post(address, content=b"no picture", headers=headers).status_code == 400
    assert ann.post(address, content=png(), headers={"Content-Type": "text/plain"}).status_code == 415
    claims = {**headers, "Content-Length": str(2 << 30)}
    assert ann.post(address, content=b"x", headers=claims).status_code == 413
    monkeypatch.setattr("proctor.studio.annotate.pages.MOST_BYTES", 1000)
    # A length that is not said does not let more through.
    assert ann.post(address, content=(b"x" * 600 for _ in range(5)), headers=headers).status_code == 413
    assert ann.get("/annotate-data/mine").json()["total"] == 0


def test_a_picture_of_too_many_pixels_is_refused(studio: Studio) -> None:
    ann = visitor(studio)
    ann.tell("/annotate-data", {"name": "mine"})
    data = io.BytesIO()
    Image.new("1", (40_000, 5_000)).save(data, "PNG")
    answer = ann.post("/annotate-data/mine/pictures", content=data.getvalue(), headers={"Content-Type": "image/png"})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"[]",
        b"{",
        b'{"version": -1, "label": {}}',
        b'{"version": true, "label": {}}',
        b'{"version": 0}',
        b'{"version": 0, "label": {"boxes": [{"id": "a", "box": [1, 2, 1e999, 4]}]}}',
        b'{"version": 0, "label": {"boxes": []}, "save": 7}',
    ],
)
def test_what_is_no_label_is_refused_in_words(studio: Studio, sent: bytes) -> None:
    opened = drawn(studio.folder)
    ann = visitor(studio)
    address = f"/annotate-data/screens/items/{opened.items()[0].id}"
    answer = ann.post(address, content=sent, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["problem"]
    assert opened.labels() == {}


def test_a_post_from_elsewhere_is_refused(studio: Studio) -> None:
    opened = drawn(studio.folder)
    ann = visitor(studio)
    address = f"/annotate-data/screens/items/{opened.items()[0].id}"
    body = {"version": 0, "label": label_of()}
    assert ann.post(address, json=body, headers={"Origin": "http://evil.example"}).status_code == 403
    plain = ann.post(address, content=json.dumps(body), headers={"Content-Type": "text/plain"})
    assert plain.status_code == 415


def test_hostile_names_are_data(studio: Studio) -> None:
    opened = drawn(studio.folder, 1)
    evil = visitor(studio, EVIL)
    address = f"/annotate-data/screens/items/{opened.items()[0].id}"
    evil.tell(address, {"version": 0, "label": label_of(box(1, 1, 9, 9, instruction=EVIL, role=EVIL[:80]))})
    answer = evil.get("/annotate-data/screens")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    (name,) = (opened.folder / "labels").iterdir()
    assert name.name.isascii()
    assert "/" not in name.name
