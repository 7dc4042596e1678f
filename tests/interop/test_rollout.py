"""One task stepped from outside: scored as a run would score it, and void where nothing can be said."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.actions.action import Action, Answer, AskUser, Click, Done, Fail, Move, RunCode, Type
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Performed
from proctor.computers.relay import RoutedComputer
from proctor.errors import AgentError, ComputerError, EpisodeVoid, SpecError
from proctor.exam.rules import Rules
from proctor.interop.rollout import Rollout
from proctor.interop.venue import Venue
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import make_moves
from proctor.tasks.person import Reply, User
from proctor.tasks.shelves import expect, make, see
from proctor.tasks.user import MOST_QUESTIONS
from tests.graphs.composed import SIZE, diamond
from tests.interop.rooms import SOLUTION
from tests.prove.machines import shopping


def begun(task: Any = None, **rules: Any) -> tuple[Rollout, FakeComputer]:
    rollout = Rollout(Venue(computer=FakeComputer, rules=Rules(**rules)).exam(task or shopping()))
    rollout.begin()
    assert isinstance(rollout.exam.computer, FakeComputer)
    return rollout, rollout.exam.computer


def test_the_rewards_add_up_to_the_score() -> None:
    rollout, _ = begun()
    steps = [rollout.take(action) for action in (*SOLUTION, Done())]
    assert [step.reward for step in steps] == [0, 0, 0, 1]
    assert (steps[-1].score, steps[-1].done, steps[-1].stop) == (1.0, True, "done")
    assert [step.step.steps_left for step in steps[:3]] == [49, 48, 47]


def test_a_composed_task_is_rewarded_as_it_is_completed() -> None:
    rollout = Rollout(Venue(computer=lambda: FakeComputer(size=SIZE)).exam(diamond()))
    rollout.begin()
    stepped = rollout.take(Done())
    assert stepped.score == stepped.reward == 0.0


def test_what_a_composed_task_gave_is_taken_back_from_one_that_gives_up() -> None:
    task = diamond()
    rollout = Rollout(Venue(computer=lambda: FakeComputer(size=SIZE)).exam(task))
    rollout.begin()
    rewards: list[float] = []

    def stepped(action: Action) -> Performed:
        rewards.append(rollout.take(action).reward)
        return rollout.exam.computer.history[-1]

    make_moves(task.solution, MoveContext(RoutedComputer(rollout.exam.computer, stepped), str))
    assert sum(rewards) == pytest.approx(1.0)
    last = rollout.take(Fail())
    assert (last.score, sum(rewards) + last.reward) == (0.0, pytest.approx(0.0))


@pytest.mark.parametrize(
    ("signal", "stop"), [(Done(), "done"), (Fail(reason="no"), "gave_up"), (Answer(text="4"), "answered")]
)
def test_signals_end_it(signal: Any, stop: str) -> None:
    rollout, _ = begun()
    stepped = rollout.take(signal)
    assert (stepped.done, stepped.score, stepped.stop) == (True, 0.0, stop)
    with pytest.raises(SpecError, match="no episode"):
        rollout.take(Done())


def test_an_answer_is_judged() -> None:
    asked = shopping(check=expect.text_is(see.answer(), "milk"), expected=())
    assert begun(asked)[0].take(Answer(text="milk")).score == 1.0
    assert begun(asked)[0].take(Answer(text="tea")).score == 0.0


def test_one_that_left_off_is_judged_as_it_is() -> None:
    rollout, _ = begun()
    for action in SOLUTION:
        rollout.take(action)
    assert (rollout.stop().score, rollout.over) == (1.0, True)


def test_steps_run_out_and_so_does_patience_with_what_cannot_be_done() -> None:
    rollout, _ = begun(steps=3, fruitless=3)
    assert "not allowed" in rollout.take(RunCode(code="1")).messages[0]
    assert "1280x720" in rollout.take(Move(x=9999, y=1)).messages[0]
    last = rollout.take(AgentError("unknown tool"))
    assert (last.done, last.stop, last.messages) == (True, "agent_error", ("unknown tool",))
    rollout, _ = begun(steps=1)
    assert rollout.take(Move(x=1, y=1)).stop == "step_limit"


def test_the_user_replies_and_has_enough_some_time() -> None:
    rollout, _ = begun(shopping(user=User(replies=(Reply(about=("brand",), reply="Any brand."),))))
    assert rollout.take(AskUser(question="Which brand?")).messages == ("Any brand.",)
    for _ in range(MOST_QUESTIONS - 1):
        rollout.take(AskUser(question="Which brand?"))
    assert "will not answer any more" in rollout.take(AskUser(question="Which brand?")).messages[0]


def test_only_the_named_actions_and_signals_are_allowed() -> None:
    rollout, _ = begun(actions=("type",))
    assert rollout.brief.actions == ("type", "done", "fail", "answer", "ask_user")
    assert "not allowed" in rollout.take(Click(x=1, y=1)).messages[0]


def test_trouble_from_outside_is_void_and_never_a_score() -> None:
    rollout, computer = begun()
    computer.found = {"outside": "killed by an operator"}
    computer.fail_next("settle")
    with pytest.raises(EpisodeVoid, match="void"):
        rollout.take(Type(text="x"))
    assert rollout.over


def test_a_computer_broken_by_the_agent_scores() -> None:
    rollout, computer = begun()
    computer.fail_next("settle")
    stepped = rollout.take(Type(text="x"))
    assert (stepped.done, stepped.score, stepped.stop) == (True, 0.0, "broke_the_computer")


def test_trouble_before_any_action_is_void() -> None:
    rollout, computer = begun()
    computer.fail_next("read_file")
    with pytest.raises(EpisodeVoid):
        rollout.take(Done())


def test_an_action_that_the_computer_does_not_take_is_told() -> None:
    rollout, computer = begun()
    computer.fail_next("pointer_move", ComputerError("no room for another process"))
    assert "no room" in rollout.take(Move(x=1, y=1)).messages[0]


def test_a_judge_that_crashes_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    rollout, _ = begun()
    monkeypatch.setattr("proctor.exam.judgement.judge", lambda *_: 1 / 0)
    with pytest.raises(EpisodeVoid, match="ZeroDivisionError"):
        rollout.take(Done())


def test_a_setup_that_does_not_take_is_void() -> None:
    task = shopping(setup=(make.launch(["nosuchprogram"]),))
    with pytest.raises(EpisodeVoid, match="shopping"):
        Rollout(Venue(computer=FakeComputer).exam(task)).begin()


def test_a_computer_that_lacks_something_is_named_at_once() -> None:
    with pytest.raises(SpecError, match="no option 'colour'"):
        Rollout(Venue(computer="fake", options={"colour": "red"}).exam(shopping()))
    with pytest.raises(SpecError, match="options"):
        Rollout(Venue(computer=FakeComputer, options={"size": (400, 400)}).exam(shopping()))
