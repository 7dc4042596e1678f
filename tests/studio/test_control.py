"""Live control: an agent's actions are asked about in a page; a person allows, denies, edits or takes over."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from proctor.actions.action import Action, Click, Done, Drag, Press, Scroll, Type, from_json
from proctor.exam.rules import Rules
from proctor.observations.box import Box
from proctor.observations.observation import Observation
from proctor.observations.tree import Node
from proctor.records import Brief, Result, Step
from proctor.runner.job import Job
from proctor.runner.run_episode import run_episode
from proctor.store.read import open_episode
from proctor.studio.control.control import STOPPED, Control
from proctor.studio.control.serve import make_app
from proctor.studio.control.shapes import draw_shapes, text_of
from proctor.studio.entrance import Entrance
from tests.runner.jobs import job
from tests.studio.displayed import ENCODINGS, GREETING, UPDATE, VERSION, typing
from tests.studio.visiting import ROOT

RULES = Rules(backend="tests.studio.displayed:Displayed", confirm="page")
Found = TypeVar("Found")


class Writing:
    """Writes one line after another and says that it is done; keeps what it is told."""

    told: list[str]

    def __init__(self, lines: str = "one|two") -> None:
        self._lines = lines.split("|")
        Writing.told = []

    def start(self, brief: Brief) -> None:
        self._left: list[Action] = [*(Type(text=line) for line in self._lines), Done()]

    def act(self, observation: Observation) -> Action:
        Writing.told += [each.text for each in observation.told]
        return self._left.pop(0)


def until(ask: Callable[[], Found | None], what: str = "it") -> Found:
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        if found := ask():
            return found
        time.sleep(0.01)
    raise AssertionError(f"waited in vain for {what}")


class Controlled:
    """An episode under control, and a person's browser."""

    def __init__(self, folder: Path, agent: str = "", rules: Rules = RULES) -> None:
        self.control = Control()
        self.entrance = Entrance()
        app = make_app(self.control, self.entrance)
        self.browser = TestClient(app, base_url=ROOT, headers={"Origin": ROOT})
        assert self.browser.get(self.entrance.invite()).status_code == 200
        self.job: Job = job(folder, agent or f"{__name__}:Writing", rules=rules)
        self.control.expect(self.job)
        self.results: list[Result] = []
        self._thread = threading.Thread(target=self._hold, daemon=True)
        self._thread.start()

    def _hold(self) -> None:
        self.results.append(run_episode(self.job, {}, [self.control]))

    def status(self) -> dict[str, Any]:
        return dict(self.browser.get("/control/status").json())

    def question(self, kind: str = "") -> dict[str, Any]:
        found = until(lambda: self.status()["question"], "a question")
        assert not kind or found["action"]["type"] == kind
        return dict(found)

    def say(self, word: str, status: int = 200, **more: Any) -> Any:
        number = more.pop("number", None) or self.question()["number"]
        answer = self.browser.post("/control/answer", json={"number": number, "word": word, **more})
        assert answer.status_code == status, answer.text
        if status == 200:
            until(lambda: (self.status()["question"] or {}).get("number") != number, "it to go on")
        return answer.json()

    def tell(self, what: str, status: int = 200) -> None:
        assert self.browser.post(f"/control/{what}", json={}).status_code == status

    def end(self) -> tuple[Result, list[Step]]:
        self._thread.join(60)
        steps = [step for step in open_episode(self.job.folder).steps() if not step.end]
        return self.results[0], steps


@pytest.fixture
def held(tmp_path: Path) -> Controlled:
    return Controlled(tmp_path)


def test_what_is_allowed_is_carried_out(held: Controlled) -> None:
    asked = held.question("type")
    assert asked["words"] == "type 'one'"
    assert {"shape": "text", "text": "one"} in asked["shapes"]
    assert held.browser.get(f"/control/picture/{asked['number']}").content.startswith(b"\x89PNG")
    held.say("allow")
    held.say("allow_all")
    result, steps = held.end()
    assert [(step.kind, step.refused, step.by) for step in steps] == [
        ("type", "", ""),
        ("type", "", ""),
        ("done", "", ""),
    ]
    assert (result.stop, result.steps) == ("done", 2)
    assert result.metrics["human_asked"] == 2


def test_who_denies_says_why_and_the_agent_is_told(held: Controlled) -> None:
    held.say("deny", reason="not that <b>one</b>")
    held.say("allow_all")
    result, steps = held.end()
    assert steps[0].refused == "not that <b>one</b>"
    assert Writing.told == ["not that <b>one</b>"]
    assert (result.steps, result.metrics["human_denied"]) == (1, 1)


def test_an_edited_action_takes_the_place_of_the_agents(held: Controlled) -> None:
    held.say("edit", 400, action={"type": "tpye", "text": "other"})
    held.say("edit", action={"type": "type", "text": "other"})
    held.say("allow_all")
    result, steps = held.end()
    first = steps[0]
    assert first.action is not None
    assert first.meant is not None
    assert (first.action["text"], first.meant["text"], first.refused) == ("other", "one", "")
    assert "type 'other'" in Writing.told[0]
    assert (result.steps, result.metrics["human_edited"]) == (2, 1)


def test_an_edit_is_held_to_what_the_task_allows(tmp_path: Path) -> None:
    held = Controlled(tmp_path, rules=Rules(backend=RULES.backend, confirm="page", actions=("type",)))
    held.say("edit", action={"type": "press", "keys": "a"})
    held.say("allow_all")
    _, steps = held.end()
    assert "not allowed" in steps[0].refused
    assert steps[0].kind == "press"


def test_who_stops_ends_the_episode(held: Controlled) -> None:
    held.say("stop")
    result, _ = held.end()
    assert (result.stop, result.error) == ("vetoed", STOPPED)


def test_a_person_takes_over_and_hands_back(held: Controlled) -> None:
    held.tell("hand-back", 409)
    held.say("take_over")
    until(lambda: held.status()["mode"] == "person")
    with held.browser.websocket_connect(ROOT.replace("http", "ws") + "/control/screen") as socket:
        assert socket.receive_bytes() == VERSION
        socket.send_bytes(GREETING + ENCODINGS + typing("by hand") + UPDATE)
        assert socket.receive_bytes() == b"heard"
        until(lambda: held.control.hand is not None)
    held.tell("hand-back")
    asked = held.question("type")
    assert asked["text"] == "two"
    assert [line["by"] for line in held.status()["log"]] == ["", "human"]
    held.say("allow_all")
    result, steps = held.end()
    assert [(step.kind, step.by, bool(step.refused)) for step in steps] == [
        ("type", "", True), ("type", "human", False), ("type", "", False), ("done", "", False),
    ]  # fmt: skip
    assert steps[1].action is not None
    assert steps[1].action["text"] == "by hand"
    assert "type 'by hand'" in Writing.told[-1]
    assert result.metrics["human_acted"] == 1


def test_nothing_that_a_person_does_reaches_the_desktop_before_they_take_over(held: Controlled) -> None:
    held.question()
    with held.browser.websocket_connect(ROOT.replace("http", "ws") + "/control/screen") as socket:
        assert socket.receive_bytes() == VERSION
        socket.send_bytes(GREETING + ENCODINGS + typing("unheard") + UPDATE)
        assert socket.receive_bytes() == b"heard"
    held.say("allow_all")
    _, steps = held.end()
    assert not any(step.by for step in steps)


def test_who_trusts_may_take_over_later(tmp_path: Path) -> None:
    held = Controlled(tmp_path, f"{__name__}:Writing,lines=a|b|c")
    held.tell("take-over")
    held.say("allow") if held.status()["question"] else None
    until(lambda: held.status()["mode"] == "person")
    held.tell("hand-back")
    held.question()
    held.control.trusting = True
    held.tell("ask-again")
    assert not held.status()["trusting"]
    held.say("allow_all")
    _, steps = held.end()
    assert "They did nothing" in " ".join(Writing.told)
    assert steps[-1].kind == "done"


def test_time_that_a_person_takes_is_not_the_agents(tmp_path: Path) -> None:
    held = Controlled(tmp_path, rules=Rules(backend=RULES.backend, confirm="page", seconds=3))
    held.question()
    time.sleep(3.1)
    held.say("allow_all")
    result, _ = held.end()
    assert result.stop == "done"


def test_an_answer_counts_once_and_for_its_question(held: Controlled) -> None:
    number = held.question()["number"]
    held.say("allow", 409, number=number + 1)
    held.say("allow", number=number)
    held.say("deny", 409, number=number)
    for bad in (
        {},
        {"number": True, "word": "allow"},
        {"number": 1, "word": "please"},
        {"number": "1", "word": "allow"},
    ):
        assert held.browser.post("/control/answer", json=bad).status_code == 400
    held.say("deny", 400, reason=5)
    held.say("allow_all")
    held.end()


def test_nobody_answers_who_did_not_enter(held: Controlled) -> None:
    number = held.question()["number"]
    app = make_app(held.control, held.entrance)
    stranger = TestClient(app, base_url=ROOT, headers={"Origin": ROOT})
    assert stranger.get("/control/status").status_code == 403
    assert stranger.post("/control/answer", json={"number": number, "word": "allow"}).status_code == 403
    with pytest.raises(WebSocketDisconnect), stranger.websocket_connect("ws://localhost:8430/control/screen"):
        pass
    forged = {"Origin": "http://elsewhere.example"}
    assert (
        held.browser.post("/control/answer", json={"number": number, "word": "stop"}, headers=forged).status_code == 403
    )
    held.say("allow_all")
    held.end()


def test_the_page_is_told_when_all_is_over(held: Controlled) -> None:
    held.say("allow_all")
    held.end()
    assert held.status()["mode"] == "waiting"
    held.control.finish()
    assert held.status()["mode"] == "over"


def test_what_is_about_to_happen_is_drawn() -> None:
    button = Node(index=1, parent=0, depth=1, role="push button", name="OK", box=Box(10, 20, 30, 40))
    shapes = draw_shapes(Click(x=25, y=40), button)
    assert shapes[0] == {"shape": "box", "x": 10, "y": 20, "width": 30, "height": 40}
    assert shapes[1] == {"shape": "point", "x": 25, "y": 40, "label": "click"}
    assert draw_shapes(Click(), None, (3, 4))[0]["x"] == 3
    assert draw_shapes(Drag(path=((1, 2), (3, 4))))[0] == {"shape": "path", "points": [[1, 2], [3, 4]]}
    scroll = draw_shapes(Scroll(x=100, y=100, dy=3))
    assert scroll[1]["points"] == [[100, 100], [100, 140]]
    assert text_of(Press(keys="ctrl+s")) == "ctrl+s"
    assert draw_shapes(from_json({"type": "done"})) == []
