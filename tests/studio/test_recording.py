"""A person at a desk: what they do reaches the computer at once, and is an ordinary episode in the end."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from proctor.observations.tree import Node, Tree
from proctor.records import Step
from proctor.store.account import read_account
from proctor.store.collection import walk
from proctor.store.read import RecordedEpisode, open_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from proctor.studio.record.desks import INTERRUPTED, recover
from proctor.studio.record.pages import close
from proctor.studio.studio import Studio
from proctor.suites import load_suite
from tests.studio import displayed
from tests.studio.displayed import ENCODINGS, GREETING, UPDATE, chord, click, pointer, typing
from tests.studio.visiting import Visitor

CTRL, END, S, W = 0xFFE3, 0xFF57, ord("s"), ord("w")
TASK = "sign-the-letter"
Found = TypeVar("Found")


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = Studio(
        folder=tmp_path / "studio",
        suites=(load_suite("tour"),),
        computer="tests.studio.displayed:Displayed",
    )
    yield made
    close(made)


@pytest.fixture
def visitor(studio: Studio) -> Visitor:
    return Visitor(studio)


def until(ask: Callable[[], Found | None], what: str = "it") -> Found:
    """Wait for something that a desk's thread brings about."""
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        if found := ask():
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what}")


class AtDesk:
    """A visitor with a desk."""

    def __init__(self, visitor: Visitor, task: str = TASK, kind: str = "record") -> None:
        self.visitor = visitor
        self.path = "/record/desks/" + visitor.tell("/record/desks", {"task": task, "kind": kind})["id"]

    def status(self) -> dict[str, Any]:
        answer = self.visitor.get(self.path)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def state(self, *states: str) -> dict[str, Any]:
        return until(lambda: (found := self.status())["state"] in states and found or None, "/".join(states))

    @contextmanager
    def screen(self) -> Iterator[WebSocketTestSession]:
        self.state("working", "paused")
        with self.visitor.websocket_connect(self.path + "/screen") as socket:
            assert socket.receive_bytes() == displayed.VERSION
            socket.send_bytes(GREETING + ENCODINGS)
            yield socket

    def heard(self, socket: WebSocketTestSession) -> None:
        """Wait until the display has taken everything that was sent."""
        socket.send_bytes(UPDATE)
        assert socket.receive_bytes() == b"heard"

    def tell(self, what: str, **data: Any) -> Any:
        return self.visitor.tell(f"{self.path}/{what}", data)

    def episode(self, studio: Studio) -> RecordedEpisode:
        (run,) = studio.demonstrations.iterdir()
        (result,) = RunRecord.open(run).results()
        return open_episode(run / result.folder)

    def steps(self, studio: Studio) -> list[Step]:
        return [step for step in self.episode(studio).steps() if not step.end]


def sign(at: AtDesk, name: str) -> None:
    with at.screen() as socket:
        socket.send_bytes(click(300, 200))
        at.heard(socket)
        socket.send_bytes(chord(CTRL, END) + typing(name) + chord(CTRL, S))
        at.heard(socket)


def name_asked(at: AtDesk) -> str:
    words = at.status()["instruction"]
    return str(words.partition("with my name, ")[2].partition(",")[0])


def test_a_task_done_by_hand_is_an_episode_that_is_judged(visitor: Visitor, studio: Studio) -> None:
    visitor.tell("/studio/person", {"name": "Ann"})
    at = AtDesk(visitor)
    at.state("working")
    at.tell("thought", text="first I click into <b>the text</b>")
    name = name_asked(at)
    sign(at, name)
    at.tell("end", word="done")
    found = at.state("over", "failed")
    assert found["verdict"]["score"] == 1, found
    kinds = [step.action for step in at.steps(studio)]
    assert [action and action["type"] for action in kinds] == ["click", "press", "type", "press", "done"]
    first, _, text, *_ = at.steps(studio)
    assert text.action and text.action["text"] == name
    assert first.thought == "first I click into <b>the text</b>"
    assert first.element and first.element.app == "mousepad"
    assert text.element and text.element.role == "text"
    (run,) = studio.demonstrations.iterdir()
    assert verify(run) == []
    result = at.episode(studio).result
    assert result is not None
    assert (result.key.agent, result.stop, result.steps) == ("human", "done", 4)
    human = json.loads((at.episode(studio).folder / "human.json").read_text())
    assert (human["person"], human["kind"], human["word"]) == ("Ann", "record", "done")
    listed = visitor.get("/studio/home").json()["made"]
    assert [(one["person"], one["outcome"]) for one in listed] == [("Ann", "passed")]
    assert visitor.get(found["replay"]).status_code == 200


def test_pictures_are_from_before(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor)
    with at.screen() as socket:
        for number, sent in enumerate((typing("hello"), typing("bye"), chord(CTRL, S)), start=1):
            socket.send_bytes(sent)
            at.heard(socket)
            until(lambda number=number: at.status()["count"] >= number, "a step")  # type: ignore[misc]
    at.tell("end", word="done")
    at.state("over", "failed")
    episode = at.episode(studio)
    first, second, third, *_ = [step.saw.screenshot for step in episode.steps() if step.saw]
    assert len({episode.picture(name) for name in (first, second, third)}) == 3
    assert first == "0000.png"


def test_pausing_stops_the_clock_and_the_hand(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor, kind="validate")
    with at.screen() as socket:
        socket.send_bytes(typing("a"))
        at.heard(socket)
        assert at.tell("pause", paused=True)["state"] == "paused"
        stood = at.status()["seconds"]
        socket.send_bytes(typing("not this") + pointer(9, 9, 1))
        at.heard(socket)
        assert at.status()["seconds"] == stood
        assert at.tell("pause", paused=False)["state"] == "working"
        socket.send_bytes(typing("b"))
        at.heard(socket)
    at.tell("end", word="fail", text="no idea", clarity=2, difficulty=5, fault="<script>alert(1)</script>")
    found = at.state("over", "failed")
    assert found["verdict"]["score"] == 0
    typed = "".join(step.action["text"] for step in at.steps(studio) if step.action and step.kind == "type")
    assert typed == "ab"
    human = json.loads((at.episode(studio).folder / "human.json").read_text())
    assert (human["clarity"], human["difficulty"], human["reason"]) == (2, 5, "no idea")
    assert human["fault"] == "<script>alert(1)</script>"
    assert len(human["pauses"]) == 1
    result = at.episode(studio).result
    assert result is not None
    assert result.stop == "gave_up"
    assert result.metrics["clarity"] == 2


def test_keys_are_asked_for_by_what_they_type(visitor: Visitor) -> None:
    at = AtDesk(visitor)
    with at.screen() as socket:
        at.heard(socket)
        display = displayed.opened[-1].display
        assert display is not None
        assert display.encodings == [0, -239]


def test_a_closed_tab_loses_nothing(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor)
    with at.screen() as socket:
        socket.send_bytes(displayed.key(CTRL, True) + typing("x"))
        at.heard(socket)
    with at.screen() as socket:
        socket.send_bytes(typing("y"))
        at.heard(socket)
    at.tell("end", word="done")
    at.state("over")
    kinds = [(step.kind, step.action and step.action.get("text", step.action.get("keys"))) for step in at.steps(studio)]
    # The key that was held when the tab was closed was let go.
    assert kinds == [("press", "ctrl+x"), ("type", "y"), ("done", None)]


def test_a_second_tab_takes_over(visitor: Visitor) -> None:
    at = AtDesk(visitor)
    with visitor, at.screen() as first, at.screen() as second:
        with pytest.raises(WebSocketDisconnect) as told:
            first.receive_bytes()
        assert told.value.code == 4001
        at.heard(second)


def test_the_tree_is_kept_with_what_was_done_on_it(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor)
    with at.screen() as socket:
        computer = displayed.opened[-1]
        read = count_trees(computer)
        until(lambda: read, "a tree")
        socket.send_bytes(click(300, 200))
        at.heard(socket)
        until(lambda: at.status()["count"], "the click")
        until(lambda: len(read) > 1, "another tree: something was done")
        socket.send_bytes(typing("x"))
        at.heard(socket)
    at.tell("end", word="done")
    at.state("over")
    click_step, type_step, _ = at.steps(studio)
    assert click_step.saw is not None
    assert click_step.saw.tree
    nodes = at.episode(studio).read_packed(click_step.saw.tree)["nodes"]
    assert any(node.get("role") == "text" for node in nodes)
    assert type_step.saw is not None
    assert type_step.saw.tree
    (run,) = studio.demonstrations.iterdir()
    assert verify(run) == []


def count_trees(computer: displayed.Displayed) -> list[float]:
    """Have a computer note when its tree is read."""
    read: list[float] = []
    ask = computer.tree

    def tree() -> Tree:
        found = ask()
        read.append(time.monotonic())
        return found

    computer.tree = tree  # type: ignore[method-assign]
    return read


@pytest.mark.parametrize("jump", [-86_400.0, 86_400.0])
def test_a_clock_that_jumps_changes_neither_steps_nor_times_at_work(
    visitor: Visitor, studio: Studio, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    at = AtDesk(visitor)
    true, ahead = time.time, 0.0
    monkeypatch.setattr(time, "time", lambda: true() + ahead)
    with at.screen() as socket:
        socket.send_bytes(click(300, 200))
        at.heard(socket)
        until(lambda: at.status()["count"], "the click")
        ahead = jump
        socket.send_bytes(typing("later"))
        at.heard(socket)
        until(lambda: at.status()["count"] >= 2, "the text")
    at.tell("end", word="done")
    found = at.state("over")
    assert 0 < found["seconds"] < 600
    (run,) = studio.demonstrations.iterdir()
    assert verify(run) == []
    steps = at.steps(studio)
    assert [step.kind for step in steps] == ["click", "type", "done"]
    assert all(step.seconds is None or (step.seconds.act or 0.0) < 600 for step in steps)


def test_a_key_is_recorded_with_what_had_the_focus_before_it(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor)
    with at.screen() as socket:
        asked = count_focus(displayed.opened[-1])

        def look_around() -> None:
            """Wait until it was asked what has the focus, as it is while nobody presses anything."""
            before = len(asked)
            until(lambda: len(asked) > before, "the focus")

        socket.send_bytes(click(300, 200))
        at.heard(socket)
        until(lambda: at.status()["count"], "the click")
        look_around()
        socket.send_bytes(typing("qqq"))
        at.heard(socket)
        until(lambda: at.status()["count"] >= 2, "the text")
        socket.send_bytes(chord(CTRL, S))
        at.heard(socket)
        until(lambda: at.status()["count"] >= 3, "the first shortcut")
        look_around()
        socket.send_bytes(chord(CTRL, W))  # which closes the window
        at.heard(socket)
        until(lambda: at.status()["count"] >= 4, "the second shortcut")
    at.tell("end", word="done")
    at.state("over")
    _, text, save, shut, _ = at.steps(studio)
    assert text.element
    assert "qqq" not in text.element.text
    for step in (save, shut):
        assert step.element
        assert step.element.window.endswith("letter.txt - Mousepad")
        assert "qqq" in step.element.text


def count_focus(computer: displayed.Displayed) -> list[float]:
    """Have a computer note when it is asked what has the focus."""
    asked: list[float] = []
    tree = computer.parts.tree
    assert tree is not None
    ask = tree.focused

    def focused() -> Node | None:
        found = ask()
        asked.append(time.monotonic())
        return found

    tree.focused = focused  # type: ignore[method-assign]
    return asked


def test_an_empty_desktop(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor, task="")
    with at.screen() as socket:
        socket.send_bytes(click(5, 5))
        at.heard(socket)
    at.tell("end", word="done", goal="Open the menu", description="by its button")
    found = at.state("over", "failed")
    assert (found["verdict"]["score"], found["verdict"]["void"]) == (None, False)
    (run,) = studio.demonstrations.iterdir()
    assert verify(run) == []
    (item,) = walk([run])
    assert (item.verdict, item.result.passed) == ("unjudged", False)
    assert item.episode.instruction == "Open the menu"
    assert read_account(item.episode.folder)["description"] == "by its button"
    assert [row["outcome"] for row in visitor.get("/studio/home").json()["made"]] == ["unjudged"]
    assert [row["outcome"] for row in visitor.get("/refine-data").json()["episodes"]] == ["unjudged"]


def test_an_empty_desktop_that_was_left_is_not_judged_either(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor, task="")
    at.state("working")
    at.tell("end", word="leave")
    at.state("over", "failed")
    (run,) = studio.demonstrations.iterdir()
    (item,) = walk([run])
    assert (item.verdict, item.result.passed) == ("unjudged", False)


def test_the_user_can_be_asked(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor)
    at.state("working")
    at.tell("ask", question="Which name?")
    until(lambda: at.status()["told"], "an answer")
    at.tell("end", word="answer", text="42")
    at.state("over")
    assert [step.kind for step in at.steps(studio)] == ["ask_user", "answer"]


def test_a_computer_that_dies_ends_the_desk_in_words(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor)
    with at.screen() as socket:
        socket.send_bytes(typing("x"))
        at.heard(socket)
        until(lambda: at.status()["count"], "the first step")
        computer = displayed.opened[-1]
        computer.lose("screenshot", "element_at", "tree", "settle", "read_file")
        assert computer.display
        socket.send_bytes(pointer(77, 88))
        found = at.state("over", "failed")
    assert found["verdict"]["stop"] == "broke_the_computer" or found["trouble"]
    assert found["replay"]


def test_leaving_keeps_what_was_done(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor)
    sign(at, "x")
    at.tell("end", word="leave")
    found = at.state("over")
    assert found["verdict"]["stop"] == "vetoed"
    assert [step.kind for step in at.steps(studio)][:4] == ["click", "press", "type", "press"]
    assert visitor.post(at.path + "/end", json={"word": "done"}).status_code == 409


def test_a_studio_that_ends_closes_its_desks(visitor: Visitor, studio: Studio) -> None:
    at = AtDesk(visitor)
    sign(at, "x")
    close(studio)
    (run,) = studio.demonstrations.iterdir()
    assert verify(run) == []
    assert at.episode(studio).result is not None


def test_what_a_killed_studio_left_is_made_whole(visitor: Visitor, studio: Studio, tmp_path: Path) -> None:
    at = AtDesk(visitor)
    sign(at, "Nobody")
    until(lambda: at.status()["count"] >= 4, "the steps")
    (run,) = studio.demonstrations.iterdir()
    left = as_killed(run, tmp_path)
    assert recover([left]) == [left]
    assert verify(left) == []
    (result,) = RunRecord.open(left).results()
    assert (result.stop, result.error, result.steps) == ("void", INTERRUPTED, 4)
    assert recover([left]) == []


def as_killed(run: Path, place: Path) -> Path:
    """Return a copy of a run as it lies on the disk at this moment, which is all that is left after kill -9."""
    left = place / "left" / run.name
    shutil.copytree(run, left, ignore=lambda _, names: [name for name in names if name in ("lock", "live.json")])
    return left


def test_a_text_that_was_being_typed_when_the_studio_was_killed_is_there(
    visitor: Visitor, studio: Studio, tmp_path: Path
) -> None:
    at = AtDesk(visitor)
    with at.screen() as socket:
        socket.send_bytes(click(300, 200))
        at.heard(socket)
        until(lambda: at.status()["count"], "the click")
        socket.send_bytes(typing("half a sen"))
        at.heard(socket)
        (run,) = studio.demonstrations.iterdir()
        until(lambda: any("half a sen" in found.read_text() for found in run.rglob("doing.part")), "the journal")
        left = as_killed(run, tmp_path)
    with next(left.rglob("steps.jsonl")).open("a") as file:
        file.write('{"step": 7, "tu')  # a line that was torn
    recover([left])
    assert verify(left) == []
    (result,) = RunRecord.open(left).results()
    steps = list(open_episode(left / result.folder).steps())
    assert [step.kind for step in steps] == ["click", "type"]
    assert steps[1].action == {"type": "type", "text": "half a sen"}
    assert steps[1].saw is not None
    assert steps[1].saw.screenshot
    assert not list(left.rglob("doing.part"))


def test_people_have_desks_of_their_own(visitor: Visitor, studio: Studio) -> None:
    other = Visitor(studio, visitor.entrance, app=visitor.app)
    visitor.tell("/studio/person", {"name": "Ann"})
    other.tell("/studio/person", {"name": "Bob"})
    ann, bob = AtDesk(visitor), AtDesk(other)
    assert other.get(ann.path).status_code == 403
    assert other.post(ann.path + "/end", json={"word": "done"}).status_code == 403
    assert other.get(ann.path.replace("desks", "desk")).status_code == 404
    with pytest.raises(WebSocketDisconnect), other.websocket_connect(ann.path + "/screen"):
        pass
    desks = {desk["person"]: desk["yours"] for desk in other.get("/record/desks").json()["desks"]}
    assert desks == {"Ann": False, "Bob": True}
    for at in (ann, bob):
        at.state("working")
        at.tell("end", word="done")
        at.state("over")
    assert len(list(studio.demonstrations.iterdir())) == 2


def test_whoever_gave_a_name_finds_their_desk_again_in_another_browser(visitor: Visitor, studio: Studio) -> None:
    visitor.tell("/studio/person", {"name": "Ann"})
    at = AtDesk(visitor)
    again = Visitor(studio, visitor.entrance, app=visitor.app)
    again.tell("/studio/person", {"name": "Ann"})
    assert again.get(at.path).status_code == 200


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"task": "no-such-task"}, 404),
        ({"task": "../../etc/passwd"}, 404),
        ({"task": TASK, "kind": "steal"}, 400),
        ({"task": TASK, "seed": -1}, 400),
        ({"task": TASK, "seed": True}, 400),
        ({"task": 7}, 400),
        ({"task": "x" * 1000}, 400),
    ],
)
def test_what_no_page_asks_for_is_refused(visitor: Visitor, studio: Studio, data: dict[str, Any], status: int) -> None:
    answer = visitor.post("/record/desks", json=data)
    assert answer.status_code == status, answer.text
    assert answer.json()["problem"]
    assert list(studio.demonstrations.iterdir()) == []


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"word": "won"},
        {"word": "fail"},
        {"word": "answer", "text": "  "},
        {"word": "done", "clarity": 6},
        {"word": "done", "difficulty": "5"},
        {"word": "done", "fault": ["x"]},
    ],
)
def test_a_last_word_that_is_none_ends_nothing(visitor: Visitor, data: dict[str, Any]) -> None:
    at = AtDesk(visitor)
    at.state("working")
    assert visitor.post(at.path + "/end", json=data).status_code == 400
    assert at.status()["state"] == "working"
