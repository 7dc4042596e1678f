"""The pages of reviews over HTTP: several reviewers, agreement, and a record that stays as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proctor.store.verify import verify
from proctor.studio.app import make_app
from proctor.studio.entrance import Entrance
from proctor.studio.studio import Studio
from tests.studio.visiting import Visitor
from tests.web.recorded import KEY, add_steps, begin_episode, begin_run, end_episode, write_run


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    write_run(tmp_path / "runs/tour")
    return Studio(folder=tmp_path / "work", runs=(tmp_path / "runs",))


def visitors(studio: Studio, *names: str) -> list[Visitor]:
    entrance = Entrance()
    app = make_app(studio, entrance)
    found = [Visitor(studio, entrance, app=app) for _ in names]
    for each, name in zip(found, names, strict=True):
        each.tell("/studio/person", {"name": name})
    return found


def first(visitor: Visitor) -> str:
    """Return where the data of the first episode of the first run are."""
    (run,) = visitor.get("/review-data").json()["runs"]
    (episode,) = visitor.get(f"/review-data/{run['id']}").json()["episodes"]
    return f"{run['id']}/{episode['id']}"


SAID = {"success": False, "first_wrong": 3, "failures": ["wrong_element", "false_finish"], "comment": "the wrong menu"}


def test_an_episode_is_reviewed_and_the_record_stays_whole(studio: Studio) -> None:
    (ann,) = visitors(studio, "ann")
    place = first(ann)
    for path in ("/review", f"/review/{place.partition('/')[0]}", f"/review/{place}", f"/replay/{place}"):
        assert "script-src 'self'" in ann.get(path).headers["content-security-policy"]
    found = ann.get(f"/review-data/{place}").json()
    assert (found["version"], found["label"]) == (0, None)
    assert {"name": "wrong_element", "words": "acted on the wrong element"} in found["failures"]
    assert ann.tell(f"/review-data/{place}", {"version": 0, "label": SAID}) == {"version": 1}
    kept = ann.get(f"/review-data/{place}").json()["label"]
    assert kept == {"by": "ann", **SAID, "failures": ["false_finish", "wrong_element"]}
    assert verify(studio.runs[0] / "tour") == []


def test_reviewers_see_others_only_after_they_spoke(studio: Studio) -> None:
    ann, ben = visitors(studio, "ann", "ben")
    place = first(ann)
    ann.tell(f"/review-data/{place}", {"version": 0, "label": SAID})
    before = ben.get(f"/review-data/{place}").json()
    assert (before["others"], before["hidden"]) == ([], 1)
    ben.tell(f"/review-data/{place}", {"version": 0, "label": {**SAID, "first_wrong": 4, "failures": ["false_finish"]}})
    assert [each["by"] for each in ben.get(f"/review-data/{place}").json()["others"]] == ["ann"]
    found = ann.get(f"/review-data/{place.partition('/')[0]}").json()
    (pair,) = found["agreement"]["pairs"]
    assert (pair["same_success"], pair["named_steps"], pair["same_step"], pair["near_step"]) == (1, 1, 0, 1)
    assert pair["failures"] == 0.5
    assert (found["episodes"][0]["reviews"], found["episodes"][0]["mine"]) == (2, True)


def test_two_tabs_of_a_reviewer_do_not_destroy_each_other(studio: Studio) -> None:
    one, two = visitors(studio, "ann", "ann")
    place = first(one)
    one.tell(f"/review-data/{place}", {"version": 0, "label": SAID})
    refused = two.post(f"/review-data/{place}", json={"version": 0, "label": {"comment": "other"}})
    assert (refused.status_code, refused.json()["label"]["comment"]) == (409, "the wrong menu")


@pytest.mark.parametrize(
    "said",
    [
        {"success": "yes"},
        {"first_wrong": -1},
        {"first_wrong": True},
        {"first_wrong": 10**9},
        {"failures": ["made up"]},
        {"failures": "x"},
        {"comment": 5},
        {"comment": "x" * 20_000},
    ],
)
def test_what_is_no_review_is_refused(studio: Studio, said: dict[str, Any]) -> None:
    (ann,) = visitors(studio, "ann")
    assert ann.post(f"/review-data/{first(ann)}", json={"version": 0, "label": said}).status_code == 400
    assert not (studio.runs[0] / "tour/reviews").exists()


def test_an_episode_that_goes_on_is_not_reviewed(studio: Studio) -> None:
    record = begin_run(studio.runs[0] / "live")
    writer = begin_episode(studio.runs[0] / "live")
    add_steps(writer)
    (ann,) = visitors(studio, "ann")
    live = next(run for run in ann.get("/review-data").json()["runs"] if run["name"] == "live")
    assert live["episodes"] == 0
    from proctor.store.addresses import episode_id

    id = episode_id((studio.runs[0] / "live").resolve(), writer.folder.resolve())
    answer = ann.post(f"/review-data/{live['id']}/{id}", json={"version": 0, "label": SAID})
    assert answer.status_code == 400
    record.add(end_episode(writer, KEY))
    record.commit()
    record.close()
    assert ann.post(f"/review-data/{live['id']}/{id}", json={"version": 0, "label": SAID}).status_code == 200


@pytest.mark.parametrize("path", ["/review-data/..%2fx", "/review-data/nothing", "/review-data/nothing/at-all"])
def test_names_lead_nowhere_else(studio: Studio, path: str) -> None:
    (ann,) = visitors(studio, "ann")
    assert ann.get(path).status_code == 404
