"""Answer keys made of demonstrations: which moves steps become, how they are fitted, and how they go to other seeds."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.actions.action import Type
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import ElementNotFound, SpecError
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree
from proctor.records import Hit, Step
from proctor.studio.refine.fit import Fitted, _unique, fit
from proctor.studio.refine.key import KeyMove, as_python, draft_key, where_of
from proctor.studio.refine.seeds import drawn_otherwise, replace_drawn, with_solution
from proctor.suites import load_suite
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import MoveFailed

BUTTON = Hit(role="push button", name="Save", box=(100, 100, 80, 20), app="mousepad", window="notes.txt")
CANVAS = Hit(role="drawing area", box=(0, 0, 400, 200), app="gimp", window="a picture")


def step(action: dict[str, Any], hit: Hit | None = None, **more: Any) -> Step:
    return Step(action=action, element=hit, **more)


def calls(*steps: Step) -> list[dict[str, Any]]:
    made = draft_key(steps)
    assert made.problems == []
    return made.calls


def test_a_click_names_its_element() -> None:
    (call,) = calls(step({"type": "click", "x": 140, "y": 110}, BUTTON))
    assert call == {"move": "click", "role": "push button", "name": "Save"}
    action = {"type": "click", "x": 140, "y": 110, "button": "right", "count": 2, "modifiers": ["ctrl"]}
    (call,) = calls(step(action, BUTTON))
    assert (call["button"], call["count"], call["modifiers"]) == ("right", 2, ["ctrl"])
    (call,) = calls(step({"type": "click", "x": 100, "y": 50}, CANVAS))
    assert call == {"move": "click", "role": "drawing area", "app": "gimp", "at": [0.251, 0.251]}


def test_of_a_long_strip_it_is_kept_where_it_was_clicked() -> None:
    unfolds = Hit(role="toggle button", name="Replace All", box=(674, 625, 574, 19), app="geany", window="Replace")
    (call,) = calls(step({"type": "click", "x": 685, "y": 634}, unfolds))
    assert call == {"move": "click", "role": "toggle button", "name": "Replace All", "at": [0.019, 0.5]}


def test_every_move_is_one_of_the_shelf() -> None:
    steps = [
        step({"type": "click", "x": 140, "y": 110}, BUTTON),
        step({"type": "drag", "path": [[10, 10], [50, 50], [390, 190]]}, CANVAS),
        step({"type": "drag", "path": [[140, 110], [900, 500]], "modifiers": ["ctrl"]}, BUTTON),
        step({"type": "scroll", "x": 10, "y": 10, "dy": -3}, CANVAS),
        step({"type": "type", "text": "naïve <b>"}, BUTTON),
        step({"type": "press", "keys": "Down"}),
        step({"type": "press", "keys": "Down"}),
        step({"type": "run_code", "code": "ls", "language": "shell"}),
        step({"type": "ask_user", "question": "Which?"}),
        step({"type": "answer", "text": "42"}),
    ]
    found = calls(*steps)
    names = [call["move"] for call in found]
    assert names == [
        "click", "draw", "drag", "scroll", "await_window", "type", "press", "run_code", "ask", "answer",
    ]  # fmt: skip
    assert found[6] == {"move": "press", "keys": "Down", "times": 2}
    task = load_suite("tour").task("sign-the-letter", 0)
    assert len(with_solution(task, [call for call in found if call["move"] != "drag"]).solution) == 9
    assert "hand.type(text='naïve <b>')," in as_python(found)


def test_a_window_that_comes_up_is_waited_for_before_keys() -> None:
    dialog = Hit(role="text", window="*Save As", app="mousepad")
    found = calls(
        step({"type": "click", "x": 140, "y": 110}, BUTTON),
        step({"type": "press", "keys": "ctrl+s"}, BUTTON),
        step({"type": "type", "text": "a.txt"}, dialog),
    )
    assert found[-2:] == [{"move": "await_window", "title": "Save As"}, {"move": "type", "text": "a.txt"}]


def test_what_is_no_move_is_said() -> None:
    made = draft_key(
        [
            step({"type": "wait", "seconds": 2.0}),
            step({"type": "move", "x": 1, "y": 1}),
            step({"type": "click", "x": 1, "y": 1}),
            step({"type": "mouse_down"}),
            step({"type": "tap", "x": 1, "y": 1}),
            step({"type": "drag", "path": [[1, 1], [2, 2]]}),
            step({"type": "click", "x": 1, "y": 1}, refused="off the screen"),
            step({"type": "done"}),
        ]
    )
    assert made.moves == []
    assert len(made.notes) == 2
    assert [problem.partition(":")[0] for problem in made.problems] == ["step 3", "step 4", "step 5", "step 6"]


def test_a_name_between_strokes_is_a_name() -> None:
    assert where_of(Hit(role="table cell", name="/home/")) == {"role": "table cell", "name": "/^\\/home\\/$/"}
    assert where_of(None) == {}
    assert where_of(Hit(app="x")) == {}


@pytest.mark.parametrize("name", [template.name for template in load_suite("tour").templates])
def test_what_a_template_draws_is_replaced(name: str) -> None:
    suite = load_suite("tour")
    one, other = suite.task(name, 0), suite.task(name, 1)
    own = [call.to_json() for call in one.solution]
    if len(one.solution) != len(other.solution):
        return  # the seeds have other moves, not only other words
    assert replace_drawn(own, drawn_otherwise(one, other)) == [call.to_json() for call in other.solution]
    assert replace_drawn(own, drawn_otherwise(one, one)) == own


def test_words_are_replaced_whole() -> None:
    made = replace_drawn([{"move": "type", "text": "Ann wrote the Annual"}], {"Ann": "Ben", "wrote the": "read a"})
    assert made == [{"move": "type", "text": "Ben read a Annual"}]
    assert replace_drawn([{"move": "click", "role": "text"}], {"text": "x", "click": "y"}) == [
        {"move": "click", "role": "text"}
    ]


def test_a_composed_task_keeps_its_key() -> None:
    suite = load_suite("graph")
    task = suite.task(suite.templates[0].name, 0)
    with pytest.raises(SpecError, match="composed"):
        with_solution(task, [])


def test_several_of_one_name_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    showing = frozenset({"showing", "visible"})
    nodes = [Node(index=0, parent=None, depth=0, role="application", name="mousepad", app="mousepad")]
    for index, window in enumerate(("notes.txt", "other.txt", "other.txt"), start=1):
        box = Box(100 * index, 100, 80, 20)
        nodes.append(
            Node(
                index=index, parent=0, depth=1, role="push button", name="Save", box=box, states=showing,
                app="mousepad", window=window,
            )
        )  # fmt: skip
    monkeypatch.setattr(FakeComputer, "tree", lambda self: Tree(tuple(nodes)))
    where, made = where_of(BUTTON), Fitted()
    with FakeComputer() as computer:
        found = _unique(where, KeyMove({"move": "click"}, 1, BUTTON), computer, made)
        assert found == {**where, "window": "notes.txt"}
        third = Hit(role="push button", name="Save", box=(300, 100, 80, 20), app="mousepad", window="other.txt")
        assert _unique(where, KeyMove({"move": "click"}, 2, third), computer, made) == {**where, "nth": 2}
        # Its name is another here: it is found where it was.
        renamed = Hit(role="push button", name="Sichern", box=(205, 100, 80, 20), app="mousepad")
        monkeypatch.setattr("proctor.studio.refine.fit.PATIENCE_SEC", 0.0)
        assert _unique(where_of(renamed), KeyMove({"move": "click"}, 3, renamed), computer, made)["nth"] == 1
    assert [note.partition(":")[0] for note in made.notes] == ["step 2", "step 3"]


def test_what_is_not_there_is_named_with_its_step() -> None:
    with FakeComputer() as computer:
        context = MoveContext(computer, lambda question: "")
        moves = [
            KeyMove({"move": "type", "text": "x"}, 1),
            KeyMove({"move": "click", "role": "push button", "name": "Nowhere"}, 7, BUTTON),
        ]
        with pytest.raises(MoveFailed, match="step 7") as told:
            fit(moves, context)
        assert isinstance(told.value.__cause__, ElementNotFound)
        assert [done.action for done in computer.history] == [Type(text="x")]
        assert Call.from_json(moves[0].call).name == "type"
