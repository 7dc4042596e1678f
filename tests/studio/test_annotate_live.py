"""Screens of a live desktop kept in an annotation set: the picture, its elements, and who may take it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.studio.annotate.sets import HOME, AnnotationSet
from proctor.studio.record.pages import close
from proctor.studio.studio import Studio
from proctor.suites import load_suite
from tests.studio import displayed
from tests.studio.displayed import click, typing
from tests.studio.test_recording import AtDesk
from tests.studio.visiting import Visitor


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = Studio(folder=tmp_path / "studio", suites=(load_suite("tour"),), computer="tests.studio.displayed:Displayed")
    yield made
    close(made)


@pytest.fixture
def visitor(studio: Studio) -> Visitor:
    made = Visitor(studio)
    made.tell("/annotate-data", {"name": "live ones", "kind": "ground", "annotators": 1})
    return made


def desk_id(at: AtDesk) -> str:
    return at.path.rpartition("/")[2]


def keep(visitor: Visitor, at: AtDesk, name: str = "live ones") -> str:
    return str(visitor.tell(f"/annotate-data/{name}/screens", {"desk": desk_id(at)})["item"])


def test_a_live_screen_brings_its_elements(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor)
    at.state("working")
    item = keep(visitor, at)
    found = AnnotationSet(studio.folder / HOME / "live ones").item(item)
    assert found is not None
    assert found.size == displayed.opened[-1].size
    assert found.name.startswith("core/sign-the-letter")
    proposals = visitor.get(f"/annotate-data/live ones/items/{item}/proposals").json()["proposals"]
    assert {"text"} <= {each["role"] for each in proposals}
    assert visitor.get(f"/annotate/live ones/items/{item}").status_code == 200


def test_the_same_screen_is_kept_once_and_another_besides(visitor: Visitor) -> None:
    at = AtDesk(visitor)
    with at.screen() as socket:
        first = keep(visitor, at)
        assert keep(visitor, at) == first
        socket.send_bytes(click(300, 200) + typing("something else"))
        at.heard(socket)
        assert keep(visitor, at) != first


def test_what_a_person_does_is_recorded_all_the_same(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor)
    with at.screen() as socket:
        socket.send_bytes(typing("be"))
        at.heard(socket)
        keep(visitor, at)
        socket.send_bytes(typing("fore"))
        at.heard(socket)
    at.tell("end", word="done")
    at.state("over")
    assert [(step.action or {}).get("text") for step in at.steps(studio)][:1] == ["before"]


def test_a_desktop_that_is_not_open_is_not_looked_at(visitor: Visitor) -> None:
    at = AtDesk(visitor)
    at.state("working")
    at.tell("end", word="done")
    at.state("over")
    answer = visitor.post("/annotate-data/live ones/screens", json={"desk": desk_id(at)})
    assert answer.status_code == 400
    assert "not open" in answer.json()["problem"]


def test_a_desktop_that_dies_is_told(visitor: Visitor) -> None:
    at = AtDesk(visitor)
    at.state("working")
    displayed.opened[-1].lose("screenshot", "tree")
    answer = visitor.post("/annotate-data/live ones/screens", json={"desk": desk_id(at)})
    assert answer.status_code in (400, 507), answer.text
    assert answer.json()["problem"]


def test_nobody_takes_screens_of_somebody_elses_desktop(visitor: Visitor, studio: Studio) -> None:
    other = Visitor(studio, visitor.entrance, app=visitor.app)
    at = AtDesk(visitor)
    at.state("working")
    assert other.post("/annotate-data/live ones/screens", json={"desk": desk_id(at)}).status_code == 403
    assert other.post("/annotate-data/live ones/screens", json={"desk": "../x"}).status_code == 404
    assert visitor.post("/annotate-data/none/screens", json={"desk": desk_id(at)}).status_code == 404
