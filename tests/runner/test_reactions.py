"""Reactions of whoever follows a key: each disturbance is answered once, and what it broke is made again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest

from proctor.actions.action import Action, Click, InputAction
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.exam.disturbances.wish import DisturbanceWish
from proctor.observations.observation import Observation
from proctor.records import Happening
from proctor.runner.answer_key import moves
from proctor.runner.reactions import Reactions
from proctor.runner.return_to_work import return_to
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import MoveFailed
from proctor.tasks.shelves import hand
from tests.prove.machines import shopping

KEY = (hand.press("a"), hand.press("b"), hand.press("c"))
ESCAPE = (hand.press("Escape"),)


class Stage:
    """A computer on which something comes by itself after an action, and a key that is followed there."""

    def __init__(
        self, came: Mapping[int, Sequence[str]], answers: Mapping[str, tuple[Call, ...]], key: tuple[Call, ...] = KEY
    ):
        self.computer, self.happened, self.came = FakeComputer().start(), list[Happening](), came
        self.reactions = Reactions(lambda: tuple(self.happened), dict(answers))
        self.key = key

    def step(self, action: Action) -> Observation:
        assert isinstance(action, InputAction)
        self.computer.perform(action)
        for name in self.came.get(len(self.computer.history), ()):
            self.happened.append(Happening(name=name, disturbance="dialog", at=1.0))
        return Observation(at=0.0, desktop=self.computer.size)

    def follow(self) -> list[str]:
        task = shopping(solution=self.key)
        moves(task, self.computer, reactions=self.reactions)(self.step)
        return [each.action.keys for each in self.computer.history if hasattr(each.action, "keys")]


def test_what_comes_is_answered_before_the_next_action_and_once() -> None:
    assert Stage({2: ["box"]}, {"box": ESCAPE}).follow() == ["a", "b", "Escape", "c"]


def test_what_was_done_so_far_is_done_again_where_it_is_lost() -> None:
    stage = Stage({2: ["gone"]}, {"gone": ESCAPE})
    stage.reactions.losses = frozenset({"gone"})
    assert stage.follow() == ["a", "b", "Escape", "a", "b", "c"]


def test_whoever_was_interrupted_returns_to_the_window() -> None:
    stage = Stage({}, {})
    for name in ("first.txt", "second.txt"):
        stage.computer.write_file(name, b"milk\n")
        stage.computer.launch(["mousepad", name])
    first = next(each for each in stage.computer.windows() if "first" in each.title)
    assert not return_to(first.title, MoveContext(stage.computer, json.dumps))
    (click,) = stage.computer.history
    assert isinstance(click.action, Click) and click.action.x is not None
    assert first.box.x <= click.action.x <= first.box.x + first.box.width
    assert return_to("not open", MoveContext(stage.computer, json.dumps))
    assert len(stage.computer.history) == 1


def test_what_a_move_needs_is_opened_again() -> None:
    stage = Stage({1: ["box"]}, {"box": ()}, (hand.press("a"), hand.click(name="Not there", timeout_sec=0.1)))
    with pytest.raises(MoveFailed, match="move 2 of 2"):
        stage.follow()
    assert [each.action.keys for each in stage.computer.history if hasattr(each.action, "keys")] == ["a", "a"]


def test_what_was_chosen_from_is_opened_again_and_chosen_from() -> None:
    """A list that was open is closed when somebody comes in between: what is typed then chooses nothing."""
    late = hand.click(name="Not there", timeout_sec=0.1)
    stage = Stage({1: ["box"]}, {"box": ()}, (hand.menu(["File", "Save"]), *KEY[:2], late))
    stage.computer.write_file("list.txt", b"milk\n")
    stage.computer.launch(["mousepad", "list.txt"])
    with pytest.raises(MoveFailed, match="move 4 of 4"):
        stage.follow()
    kinds = [each.action.kind for each in stage.computer.history]
    assert kinds == ["click", "click", "press", "press", "press", "click", "click", "press", "press"]


@pytest.mark.parametrize("spoilt", [True, False])
def test_a_field_is_filled_in_again_where_what_came_in_between_spoilt_it(spoilt: bool) -> None:
    stage = Stage({2: ["box"]}, {"box": (hand.type("x"),) if spoilt else ()}, (hand.type_into("milk", role="text"),))
    stage.computer.write_file("list.txt", b"bread")
    stage.computer.launch(["mousepad", "list.txt"])
    stage.follow()
    kinds = [each.action.kind for each in stage.computer.history]
    filled = ["click", "press", "type"]
    assert kinds == (["click", "press", "type", "type", *filled] if spoilt else filled)


def test_what_comes_during_an_answer_is_answered_after_it() -> None:
    answers = {"box": ESCAPE, "other": (hand.press("F1"),)}
    assert Stage({1: ["box"], 2: ["other"]}, answers).follow() == ["a", "Escape", "F1", "b", "c"]


def test_what_needs_no_answer_and_what_is_gone_by_itself_hinder_nobody() -> None:
    closing = (hand.click(name="Later", timeout_sec=0.1), *ESCAPE)
    stage = Stage({1: ["harmless"], 2: ["box"]}, {"harmless": (), "box": closing})
    assert stage.follow() == ["a", "b", "c"]
    assert stage.reactions.count == 2


def test_events_of_the_task_and_failed_ones_are_not_answered() -> None:
    stage = Stage({}, {"box": ESCAPE})
    stage.happened += [Happening(name="box", at=1.0), Happening(name="box", disturbance="dialog", failed="no window")]
    assert stage.follow() == ["a", "b", "c"]


@pytest.mark.parametrize("came", [True, False])
def test_a_move_that_fails_is_made_once_more_if_something_came_meanwhile(came: bool) -> None:
    """Whoever answers a dialog has lost the menu that was open, and opens it again."""
    stage = Stage({1: ["box"]} if came else {}, {"box": ESCAPE}, (hand.menu(["File", "Save"]),))
    stage.computer.write_file("list.txt", b"milk\n")
    stage.computer.launch(["mousepad", "list.txt"])
    stage.follow()
    kinds = [each.action.kind for each in stage.computer.history]
    assert kinds == (["click", "press", "click", "click"] if came else ["click", "click"])


def test_a_move_that_fails_by_itself_fails() -> None:
    with pytest.raises(MoveFailed, match="move 2 of 3"):
        Stage({}, {}, (KEY[0], hand.click(name="Not there", timeout_sec=0.1), KEY[1])).follow()


def test_reactions_are_those_to_what_the_run_asks_for() -> None:
    task = shopping()
    found = Reactions.of(task, "dialog,seed=3", lambda: ())
    ((name, planned),) = DisturbanceWish.parse("dialog,seed=3").events(task).items()
    assert found.answers == {name: planned.staged.answer}
    assert Reactions.of(task, "", lambda: ()).answers == {}
