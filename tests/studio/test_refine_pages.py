"""Refining over HTTP: a recorded demonstration is edited, compared, done again, written out and made an answer key."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.main import cli
from proctor.records import Step
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from proctor.studio.record.pages import close
from proctor.studio.refine.key_pages import KeyPages
from proctor.studio.refine.log import FILE
from proctor.studio.refine.pages import close as close_proofs
from proctor.studio.studio import Studio
from proctor.suites import load_suite
from tests.studio.displayed import chord, click, typing
from tests.studio.test_recording import CTRL, END, AtDesk, S, name_asked, until
from tests.studio.visiting import ROOT, Visitor
from tests.web.recorded import write_run

EVIL = "<img src=x onerror='window.owned=1'>"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record a demonstration once, on a fake computer."""
    folder = tmp_path_factory.mktemp("refine") / "studio"
    studio = _studio(folder)
    visitor = Visitor(studio)
    visitor.tell("/studio/person", {"name": "Ann"})
    at = AtDesk(visitor)
    at.state("working")
    with at.screen() as socket:
        # One after the other, as a person does it, so that there is a picture from before each.
        doing = (click(300, 200), chord(CTRL, END), typing(name_asked(at)), chord(CTRL, S))
        for number, sent in enumerate(doing, start=1):
            socket.send_bytes(sent)
            at.heard(socket)
            until(lambda number=number: at.status()["count"] >= number, "a step")  # type: ignore[misc]
    at.tell("end", word="done")
    assert at.state("over")["verdict"]["score"] == 1
    close(studio)
    return folder


def _studio(folder: Path, **more: Any) -> Studio:
    return Studio(folder=folder, suites=(load_suite("tour"),), computer="tests.studio.displayed:Displayed", **more)


@pytest.fixture
def studio(recorded: Path, tmp_path: Path) -> Iterator[Studio]:
    shutil.copytree(recorded, tmp_path / "studio")
    made = _studio(tmp_path / "studio")
    yield made
    close(made)
    close_proofs(made)


class Refining:
    """A visitor with a demonstration."""

    def __init__(self, studio: Studio, name: str = "Ann") -> None:
        self.visitor = Visitor(studio)
        self.visitor.tell("/studio/person", {"name": name})
        (self.run,) = studio.demonstrations.iterdir()
        listed = self.visitor.get("/refine-data").json()["episodes"]
        (self.row,) = [row for row in listed if row["run"] == self.run.name]
        self.path = self.row["address"].replace("/refine/", "/refine-data/")
        self.folder = self.run / next(RunRecord.open(self.run).results()).folder

    def get(self, more: str = "") -> dict[str, Any]:
        answer = self.visitor.get(self.path + more)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def tell(self, what: str, **data: Any) -> dict[str, Any]:
        return dict(self.visitor.tell(f"{self.path}/{what}", {"version": self.get()["version"], **data}))

    def edit(self, do: str, **more: Any) -> dict[str, Any]:
        return self.tell("edit", edit={"do": do, **more})

    def refused(self, what: str, data: dict[str, Any]) -> int:
        answer = self.visitor.post(f"{self.path}/{what}", json=data)
        assert answer.json()["problem"]
        return answer.status_code


def kinds(data: dict[str, Any]) -> list[str]:
    return [step["action"]["type"] for step in data["steps"]]


def test_a_demonstration_is_edited_and_the_recording_stays(studio: Studio) -> None:
    at = Refining(studio)
    before = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in at.folder.iterdir()}
    first = at.get()
    assert kinds(first) == ["click", "press", "type", "press", "done"]
    assert (first["version"], first["outcome"], first["own"]) == (0, "passed", True)
    assert at.visitor.get(first["steps"][0]["picture"]).headers["content-type"] == "image/png"
    split = at.edit("split", step="2", at=3)
    assert kinds(split).count("type") == 2
    joined = at.edit("join", steps=[step["id"] for step in split["steps"] if step["action"]["type"] == "type"])
    assert kinds(joined) == kinds(first)
    said = at.edit("say", step="0", instruction=EVIL, thought="here")
    assert said["steps"][0]["instruction"] == EVIL
    gone = at.edit("delete", steps=["0", "1"])
    assert kinds(gone) == ["type", "press", "done"]
    assert at.get("?version=0")["steps"] == first["steps"]
    back = at.tell("undo")
    assert back["steps"] == said["steps"]
    assert at.tell("redo")["steps"] == gone["steps"]
    assert at.tell("restore", number=0)["steps"] == first["steps"]
    assert at.tell("undo")["steps"] == gone["steps"]
    lines = at.get()["lines"]
    assert [line["by"] for line in lines] == ["Ann"] * len(lines)
    assert before == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in at.folder.iterdir()}
    assert verify(at.run) == []
    # Another server finds everything that was saved.
    assert Refining(studio).get()["steps"] == gone["steps"]


def test_what_makes_no_sense_is_refused_in_words(studio: Studio) -> None:
    at = Refining(studio)
    version = {"version": 0}
    assert at.refused("edit", {}) == 400
    assert at.refused("edit", {"version": True, "edit": {}}) == 400
    assert at.refused("edit", {**version, "edit": {"do": "delete", "steps": ["nowhere"]}}) == 400
    assert at.refused("edit", {"version": 4, "edit": {"do": "delete", "steps": ["0"]}}) == 409
    assert at.refused("undo", version) == 400
    assert at.refused("redo", version) == 400
    assert at.refused("restore", {**version, "number": 9}) == 400
    assert at.refused("splice", {**version, "of": "../../etc/passwd"}) == 409
    assert at.refused("write", {"number": 7}) == 400
    assert at.refused("again", {**version, "keep": 99}) == 400
    assert at.refused("again", {**version, "keep": "all"}) == 400
    assert at.refused("key", {"number": 0, "seeds": 0}) == 400
    for path in ("?version=99", "/diff?a=99", "/elements?step=99", "/key?version=99"):
        assert at.visitor.get(at.path + path).status_code in (400, 404)
    assert at.visitor.get("/refine-data/nowhere/nothing").status_code == 404
    assert not (at.run / FILE).exists()
    at.edit("delete", steps=["0"])
    assert at.refused("edit", {**version, "edit": {"do": "delete", "steps": ["1"]}}) == 409


def test_nobody_gets_in_who_is_not_known(studio: Studio) -> None:
    at = Refining(studio)
    stranger = Visitor(studio, enter=False)
    for path in ("/refine", "/refine-data", at.path, at.path + "/key"):
        assert stranger.get(path).status_code == 403
    data = {"version": 0, "edit": {"do": "delete", "steps": ["0"]}}
    assert stranger.post(at.path + "/edit", json=data).status_code == 403
    for origin in ("http://evil.example", ""):
        answer = at.visitor.post(at.path + "/edit", json=data, headers={"Origin": origin})
        assert answer.status_code == 403
    assert at.visitor.post(at.path + "/edit", data=data, headers={"Origin": ROOT}).status_code == 415
    for page in ("/refine", at.row["address"], at.row["address"] + "/diff", at.row["address"] + "/key"):
        assert "script-src 'self'" in at.visitor.get(page).headers["content-security-policy"]
    assert at.get()["version"] == 0


def test_two_versions_are_compared(studio: Studio) -> None:
    at = Refining(studio)
    at.edit("delete", steps=["1"])
    at.edit("say", step="0", instruction="click into the text")
    found = at.get("/diff?a=0&b=2")
    assert [row["how"] for row in found["rows"]] == ["changed", "gone", "same", "same", "same"]
    assert found["rows"][0]["changed"] == ["instruction"]
    assert [len(found[side]) for side in ("left", "right")] == [5, 4]
    assert {row["how"] for row in at.get("/diff?a=2&b=2")["rows"]} == {"same"}


def test_a_version_is_an_ordinary_record(studio: Studio, tmp_path: Path) -> None:
    at = Refining(studio)
    at.edit("split", step="2", at=3)
    at.edit("say", step="0", instruction="Click into the letter.", thought="there")
    made = at.tell("write", number=2)
    assert made["outcome"] == "passed"
    run = Path(made["path"])
    assert run.parent == studio.refined_runs
    assert verify(run) == []
    (result,) = RunRecord.open(run).results()
    assert (result.score, result.steps, result.key.agent) == (1, 5, "human")
    episode = open_episode(run / result.folder)
    header = episode.header
    assert header.refined is not None
    assert (header.refined.version, header.refined.by) == (2, "Ann")
    assert header.refined.episode == f"{at.run.name}/{'/'.join(at.folder.parts[-5:])}"
    assert header.refined.judged == header.refined.episode
    steps = [step for step in episode.steps() if step.action]
    assert (steps[0].instruction, steps[0].thought) == ("Click into the letter.", "there")
    for step in steps:
        assert step.saw
        assert episode.picture(step.saw.screenshot).startswith(b"\x89PNG")
    assert at.visitor.get(made["replay"]).status_code == 200
    # The same once more is the same run.
    assert at.tell("write", number=2)["there"]
    for command in (
        ["runs", "verify", run],
        ["runs", "regrade", run],
        ["data", "export", run, "--format", "agentnet", "--out", tmp_path / "agentnet"],
        ["data", "export", run, "--format", "atif", "--out", tmp_path / "atif"],
        ["offline", "make", "--run", run, "--out", tmp_path / "offline"],
    ):
        done = CliRunner().invoke(cli, [str(word) for word in command])
        assert done.exit_code == 0, (command, done.output, done.exception)


def test_actions_that_nobody_performed_have_no_verdict(studio: Studio, tmp_path: Path) -> None:
    at = Refining(studio)
    assert at.get("/again")["verdict"] == {"of": at.get("/again")["verdict"]["of"], "passed": True}
    at.edit("delete", steps=["1"])
    assert at.get("/again")["verdict"] is None
    made = at.tell("write", number=1)
    assert (made["outcome"], "have not been performed" in made["why"]) == ("void", True)
    assert verify(Path(made["path"])) == []
    done = CliRunner().invoke(cli, ["studio", "write", str(at.run), "--revision", "0", "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert "passed" in done.output
    assert verify(tmp_path / "out") == []
    again = CliRunner().invoke(cli, ["studio", "write", str(at.run), "--out", str(tmp_path / "out")])
    assert "exists already" in str(again.exception)


def again(at: Refining, keep: int, **more: Any) -> AtDesk:
    """Sit down at a desk on which a demonstration is done again."""
    desk = AtDesk.__new__(AtDesk)
    desk.visitor = at.visitor
    desk.path = "/record/desks/" + at.tell("again", keep=keep, **more)["id"]
    return desk


def test_a_part_is_done_again_and_spliced_in(studio: Studio) -> None:
    at = Refining(studio)
    at.edit("say", step="0", instruction="Click into the letter.")
    desk = again(at, 2)
    found = desk.state("working")
    assert found["back"] == at.row["address"]
    assert [step["words"].partition(" ")[0] for step in found["steps"]] == ["click", "press"]
    with desk.screen() as socket:
        socket.send_bytes(typing("Somebody else"))
        desk.heard(socket)
        until(lambda: desk.status()["count"] >= 3, "the text")
    desk.tell("end", word="done")
    desk.state("over")
    made = at.get()
    assert made["version"] == 2
    assert kinds(made) == ["click", "press", "type", "done"]
    assert made["steps"][0]["instruction"] == "Click into the letter."
    assert [bool(step["of"]) for step in made["steps"]] == [False, False, True, True]
    assert at.visitor.get(made["steps"][2]["picture"]).status_code == 200
    (row,) = at.get("/again")["again"]
    assert (row["kept"], row["spliced"], row["outcome"], row["apart"]) == (2, 2, "failed", 0)
    # The verdict on the version is that on what was done again, which did all of it.
    assert at.get("/again")["verdict"] == {"of": row["of"], "passed": False}
    written = Path(at.tell("write", number=2)["path"])
    assert verify(written) == []
    (result,) = RunRecord.open(written).results()
    assert result.score == 0
    steps: list[Step] = list(open_episode(written / result.folder).steps())
    assert len({step.saw.screenshot for step in steps if step.saw}) >= 2
    assert kinds(at.tell("undo")) == ["click", "press", "type", "press", "done"]
    # What was done again stays, and can be spliced in once more.
    assert kinds(at.tell("splice", of=row["of"])) == ["click", "press", "type", "done"]


def test_an_edited_version_is_performed_and_judged(studio: Studio) -> None:
    at = Refining(studio)
    at.edit("delete", steps=["3"])
    assert at.get("/again")["verdict"] is None
    assert at.tell("write", number=1)["outcome"] == "void"
    desk = again(at, 3, only_judge=True)
    found = desk.state("over", "failed")
    assert found["verdict"]["score"] == 0, found  # it is not saved any more
    assert at.get()["version"] == 1
    assert at.get("/again")["verdict"]["passed"] is False
    made = at.tell("write", number=1)
    assert (made["outcome"], made["there"]) == ("failed", False)
    assert at.tell("write", number=1)["there"]


def test_a_key_is_made_and_proven(studio: Studio) -> None:
    at = Refining(studio)
    key = at.get("/key")
    assert [move["call"]["move"] for move in key["moves"]][-1] == "press"
    assert key["problems"] == []
    at.tell("key", number=0, seeds=2, repeats=1)
    found = until(lambda: (proof := at.get("/key")["proof"]) and proof["over"] and proof, "the proof")
    assert found["holds"], found
    assert {event["seed"] for event in found["events"]} == {0, 1}
    assert all(event["state"] == "good" for event in found["events"])
    folder = Path(found["file"]).parent
    assert json.loads((folder / "proof.json").read_text())["holds"]
    task = json.loads(Path(found["file"]).read_text())
    assert task["solution"] == found["moves"]
    KeyPages.stop_all(studio)  # as a studio does that ends; the next one shows the proof all the same
    later = Visitor(studio).get(at.path + "/key").json()["proof"]
    assert {name: later[name] for name in found} == found


def test_the_command_makes_a_key(studio: Studio, tmp_path: Path) -> None:
    at = Refining(studio)
    shown = CliRunner().invoke(cli, ["studio", "key", str(at.run)])
    assert shown.exit_code == 0, shown.output
    assert "hand.press(keys='ctrl+end')" in shown.output
    arguments = ["studio", "key", str(at.run), "--prove", "--seeds", "2", "--repeats", "1", "--json"]
    proven = CliRunner().invoke(cli, [*arguments, "--trust", "--out", str(tmp_path / "key")])
    assert proven.exit_code == 0, (proven.output, proven.exception)
    assert json.loads(proven.output)["holds"]
    from proctor.tasks.load import load_task

    assert load_task(tmp_path / "key" / "task.json").id == at.row["task"]


def test_what_comes_from_elsewhere_is_edited_and_not_performed(studio: Studio, tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "agent", instruction=EVIL)
    visitor = Visitor(replace(studio, runs=(tmp_path / "runs",)))
    (row,) = [row for row in visitor.get("/refine-data").json()["episodes"] if row["run"] == "agent"]
    path = row["address"].replace("/refine/", "/refine-data/")
    assert not row["own"]
    made = visitor.tell(path + "/edit", {"version": 0, "edit": {"do": "delete", "steps": ["7", "8"]}})
    assert len(made["steps"]) == 9
    assert visitor.post(path + "/again", json={"version": 1, "keep": 1}).status_code == 403
    assert visitor.post(path + "/key", json={"number": 0}).status_code == 403
    written = visitor.tell(path + "/write", {"number": 1})
    assert verify(Path(written["path"])) == []
    assert verify(tmp_path / "runs" / "agent") == []


def test_lists_are_shown_by_the_page_and_nothing_is_beyond_the_last(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run,) = studio.demonstrations.iterdir()
    for number in range(4):
        shutil.copytree(run, run.with_name(f"{run.name}-{number}"))
    monkeypatch.setattr("proctor.studio.refine.pages.PAGE_EPISODES", 2)
    monkeypatch.setattr("proctor.studio.home.PAGE_EPISODES", 2)
    visitor = Visitor(studio)
    shown = [visitor.get(f"/refine-data?from={start}").json() for start in (0, 2, 4, 6)]
    assert [len(page["episodes"]) for page in shown] == [2, 2, 1, 0]
    assert {page["found"] for page in shown} == {page["total"] for page in shown} == {5}
    assert len({row["address"] for page in shown for row in page["episodes"]}) == 5
    (one,) = visitor.get(f"/refine-data?search={run.name}-3 human").json()["episodes"]
    assert one["run"] == f"{run.name}-3"
    made = [visitor.get(f"/studio/home?from={start}").json() for start in (0, 2, 4, 6)]
    assert [len(page["made"]) for page in made] == [2, 2, 1, 0]
    assert {page["count"] for page in made} == {5}
    assert len({row["run"] for page in made for row in page["made"]}) == 5
