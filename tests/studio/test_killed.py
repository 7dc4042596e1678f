"""`kill -9` of the studio in the middle of every page's work: the next one has everything but the last second."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from proctor.records import Step
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from proctor.studio.annotate.make_sets import from_pictures
from proctor.studio.annotate.sets import HOME
from proctor.studio.record.desks import INTERRUPTED
from proctor.web.files import read_object
from tests.studio.displayed import click, typing
from tests.studio.killing import Killable, studio, until
from tests.web.recorded import write_run

pytestmark = [pytest.mark.slow, pytest.mark.turns]

TASK = "sign-the-letter"


def sit_down(running: Killable, kind: str = "record") -> str:
    return "/record/desks/" + str(running.tell("/record/desks", {"task": TASK, "kind": kind})["id"])


def write(running: Killable, desk: str, folder: Path, half: str) -> None:
    """Click, write a whole text, and be in the middle of another one for a second."""
    with running.screen(desk) as socket:
        socket.send(click(300, 200))
        running.heard(socket)
        until(lambda: running.ask(desk)["count"] >= 1, "the click")
        socket.send(typing("whole"))
        running.heard(socket)
        until(lambda: running.ask(desk)["count"] >= 2, "the text")
        socket.send(typing(half))
        running.heard(socket)
        parts = lambda: (folder / "demonstrations").rglob("doing.part")  # noqa: E731
        until(lambda: any(half in part.read_text() for part in parts()), "what is under way")
        running.kill()


def newest(folder: Path) -> Path:
    return max((folder / "demonstrations").iterdir())


def steps_of(run: Path) -> list[Step]:
    (result,) = RunRecord.open(run).results()
    return [step for step in open_episode(run / result.folder).steps() if step.action]


def texts(steps: list[Step]) -> list[Any]:
    return [(step.action or {}).get("text", step.kind) for step in steps]


def test_while_somebody_records(tmp_path: Path) -> None:
    with studio(tmp_path) as running:
        write(running, sit_down(running), tmp_path, "half a sen")
    with studio(tmp_path) as running:
        (made,) = running.ask("/studio/home")["made"]
        assert (made["person"], made["kind"]) == ("Ann", "record")
        run = newest(tmp_path)
        assert verify(run) == []
        assert texts(steps_of(run)) == ["click", "whole", "half a sen"]
        (result,) = RunRecord.open(run).results()
        assert (result.void, result.error) == (True, INTERRUPTED)
        assert running.ask("/record/desks")["desks"] == []


def test_while_somebody_is_timed(tmp_path: Path) -> None:
    with studio(tmp_path) as running:
        desk = sit_down(running, "validate")
        running.state(desk, "working")
        running.tell(desk + "/pause", {"paused": True})
        running.tell(desk + "/pause", {"paused": False})
        write(running, desk, tmp_path, "half")
    with studio(tmp_path) as running:
        (made,) = running.ask("/studio/home")["made"]
        assert (made["kind"], made["outcome"]) == ("validate", "void")
        run = newest(tmp_path)
        assert verify(run) == []
        assert texts(steps_of(run)) == ["click", "whole", "half"]


def demonstrate(running: Killable, folder: Path) -> str:
    """Record a whole demonstration; returns where it is refined."""
    desk = sit_down(running)
    with running.screen(desk) as socket:
        socket.send(click(300, 200))
        running.heard(socket)
        until(lambda: running.ask(desk)["count"] >= 1, "the click")
        socket.send(typing("one"))
        running.heard(socket)
    running.tell(desk + "/end", {"word": "done"})
    running.state(desk, "over")
    (row,) = running.ask("/refine-data")["episodes"]
    return str(row["address"]).replace("/refine/", "/refine-data/")


def test_while_somebody_refines(tmp_path: Path) -> None:
    with studio(tmp_path) as running:
        place = demonstrate(running, tmp_path)
        edit = {"do": "say", "step": "0", "instruction": "Go to the letter"}
        assert running.tell(f"{place}/edit", {"version": 0, "edit": edit})["version"] == 1
        running.kill()
    with studio(tmp_path) as running:
        found = running.ask(place)
        assert found["version"] == 1
        assert found["steps"][0]["instruction"] == "Go to the letter"
        assert running.tell(f"{place}/undo", {"version": 1})["steps"][0]["instruction"] == ""


def test_while_somebody_does_a_part_again(tmp_path: Path) -> None:
    with studio(tmp_path) as running:
        place = demonstrate(running, tmp_path)
        desk = "/record/desks/" + running.tell(f"{place}/again", {"version": 0, "keep": 1})["id"]
        with running.screen(desk) as socket:
            before = running.ask(desk)["count"]
            socket.send(typing("another"))
            running.heard(socket)
            until(lambda: running.ask(desk)["count"] > before, "the text")
            running.kill()
    with studio(tmp_path) as running:
        assert running.ask(place)["version"] == 0
        (again,) = running.ask(f"{place}/again")["again"]
        assert again["outcome"] == "void"
        spliced = running.tell(f"{place}/splice", {"version": 0, "of": again["of"]})
        assert [step["action"].get("text", step["action"]["type"]) for step in spliced["steps"]] == ["click", "another"]


def test_a_text_that_was_being_typed_while_a_part_is_done_again_is_there(tmp_path: Path) -> None:
    with studio(tmp_path) as running:
        place = demonstrate(running, tmp_path)
        desk = "/record/desks/" + running.tell(f"{place}/again", {"version": 0, "keep": 1})["id"]
        with running.screen(desk) as socket:
            socket.send(typing("half a sen"))
            running.heard(socket)
            until(lambda: any("half a sen" in each.read_text() for each in tmp_path.rglob("doing.part")), "the journal")
            running.kill()
    with studio(tmp_path) as running:
        (again,) = running.ask(f"{place}/again")["again"]
        spliced = running.tell(f"{place}/splice", {"version": 0, "of": again["of"]})
        texts = [step["action"].get("text", step["action"]["type"]) for step in spliced["steps"]]
        assert texts == ["click", "half a sen"]


def test_while_somebody_annotates(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    Image.new("RGB", (64, 48), "white").save(tmp_path / "source" / "a.png")
    from_pictures(tmp_path / HOME / "few", tmp_path / "source")
    box = {"id": "b1", "box": [1, 2, 30, 20], "instruction": "Click it", "role": "button", "ambiguous": False}
    with studio(tmp_path) as running:
        item = running.ask("/annotate-data/few/next")["item"]
        label = {"boxes": [box], "note": "", "done": False}
        running.tell(f"/annotate-data/few/items/{item}", {"version": 0, "label": label})
        running.kill()
    with studio(tmp_path) as running:
        found = running.ask(f"/annotate-data/few/items/{item}")
        assert (found["version"], found["by"]) == (1, "Ann")
        assert found["label"]["boxes"][0]["instruction"] == "Click it"
        # Whoever began it gets it back first.
        assert running.ask("/annotate-data/few/next")["item"] == item


def test_while_somebody_reviews(tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "tour")
    said = {"success": False, "first_wrong": 1, "failures": ["wrong_element"], "comment": "the wrong menu"}
    runs = ("--run", str(tmp_path / "runs"))
    with studio(tmp_path / "work", *runs) as running:
        (run,) = running.ask("/review-data")["runs"]
        (episode,) = running.ask(f"/review-data/{run['id']}")["episodes"]
        place = f"/review-data/{run['id']}/{episode['id']}"
        running.tell(place, {"version": 0, "label": said})
        running.kill()
    with studio(tmp_path / "work", *runs) as running:
        found = running.ask(place)
        assert found["version"] == 1
        assert found["label"]["comment"] == "the wrong menu"
    assert verify(tmp_path / "runs" / "tour") == []


def test_while_somebody_makes_a_task(tmp_path: Path) -> None:
    with studio(tmp_path) as running:
        making = running.tell("/create/makings", {"name": "a-task", "apps": ["mousepad"]})["id"]
        place = f"/create/makings/{making}"
        version = running.ask(place)["version"]
        changed = {"version": version, "fields": {"instruction": "Write it."}}
        running.tell(place + "/change", changed)
        # An answer that was lost: the page sends the same once more, and nothing is wrong with that.
        running.tell(place + "/change", changed)
        running.kill()
    with studio(tmp_path) as running:
        (row,) = running.ask("/create/makings")["makings"]
        assert (row["id"], row["instruction"]) == (making, "Write it.")


def test_while_a_desktop_is_prepared_for_a_task(tmp_path: Path) -> None:
    with studio(tmp_path) as running:
        making = running.tell("/create/makings", {"name": "a-task", "apps": ["mousepad"]})["id"]
        place = f"/create/makings/{making}"
        desk = running.tell(place + "/desk", {"stage": "prepare"})["address"].replace("/desk/", "/desks/")
        assert running.ask(place)["lost"] is None
        write(running, desk, tmp_path, "half")
    with studio(tmp_path) as running:
        lost = running.ask(place)["lost"]
        assert (lost["stage"], lost["actions"]) == ("prepare", 3)
        on = running.tell(place + "/desk", {"stage": "prepare", "go_on": True})["address"].replace("/desk/", "/desks/")
        running.state(on, "working")
        assert running.ask(on)["count"] == 3
        running.tell(on + "/end", {"word": "done"})
        running.state(on, "over")
        found = until(lambda: (now := running.ask(place))["prepared"] and now, "what was prepared")
        assert found["lost"] is None
    assert read_object(tmp_path / "making" / making / "draft.json")
