"""An environment allows what the brief allows, counts steps, and knows when an episode is over."""

from collections.abc import Iterator

import pytest

from proctor.actions.action import (
    ACTIONS,
    SIGNALS,
    TOUCH,
    Action,
    Answer,
    AskUser,
    Click,
    Done,
    Fail,
    Move,
    OpenApp,
    RunCode,
    Type,
)
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.env import Env, allowed_actions
from proctor.errors import AgentError, CheckError, ComputerLost, SpecError, UnknownName
from proctor.observations.observation import Want
from proctor.records import Brief


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as computer:
        yield computer


def brief(computer: Computer, *actions: str, max_steps: int = 5) -> Brief:
    allowed = actions or allowed_actions(computer)
    return Brief(instruction="Write.", actions=allowed, size=computer.size, max_steps=max_steps)


def test_looking_again_takes_no_step_and_sees_what_is_wanted(computer: FakeComputer) -> None:
    env = Env(computer, brief(computer))
    with pytest.raises(SpecError, match="no episode"):
        env.look(Want())
    assert env.reset().tree is None
    seen = env.look(Want(tree=True, windows=True))
    assert seen.screenshot and seen.tree is not None and seen.windows == ()
    assert (env.steps, env.acted, env.want) == (0, False, Want())


def test_a_whole_episode(computer: FakeComputer) -> None:
    def prepare(computer: Computer) -> None:
        computer.write_file("notes.txt", b"")
        computer.launch(["mousepad", "notes.txt"])

    env = Env(
        computer,
        brief(computer),
        want=Want(tree=True),
        prepare=prepare,
        judge=lambda computer: float(computer.read_file("notes.txt") == b"hi"),
    )
    first = env.reset()
    assert first.screenshot and first.screenshot.size == computer.size
    assert first.tree and any(node.role == "text" for node in first.tree.nodes)
    assert computer.changes() == []
    result = env.step(Type(text="hi"))
    assert result.performed and result.performed.verified
    assert result.observation.screenshot != first.screenshot
    assert (result.ended, result.signal, env.steps) == (False, None, 1)
    assert env.judge() == 0.0
    computer.locate(role="text").press("ctrl+s")
    last = env.step(Done())
    assert (last.ended, last.signal, last.performed) == (True, Done(), None)
    assert env.judge() == 1.0


def test_only_what_is_wanted_is_looked_at(computer: FakeComputer) -> None:
    observation = Env(computer, brief(computer), want=Want(screenshot=False, windows=True)).reset()
    assert observation.screenshot is None
    assert observation.tree is None
    assert observation.windows == ()


def test_actions_outside_the_brief_are_the_agents_error(computer: FakeComputer) -> None:
    env = Env(computer, brief(computer, "move", "done"))
    env.reset()
    with pytest.raises(AgentError, match="'click' is not allowed") as caught:
        env.step(Click(x=1, y=1))
    assert "move, done" in caught.value.remedy
    with pytest.raises(AgentError, match="not allowed"):
        env.step("click")  # type: ignore[arg-type]
    assert computer.history == []
    assert env.step(Move(x=1, y=1)).performed


def test_impossible_actions_do_not_count(computer: FakeComputer) -> None:
    env = Env(computer, brief(computer, max_steps=1))
    env.reset()
    with pytest.raises(AgentError, match="outside"):
        env.step(Move(x=9999, y=1))
    assert env.steps == 0
    assert env.step(Move(x=1, y=1)).out_of_steps


def test_steps_run_out(computer: FakeComputer) -> None:
    env = Env(computer, brief(computer, max_steps=2))
    env.reset()
    assert not env.step(Move(x=1, y=1)).ended
    last = env.step(Move(x=2, y=2))
    assert (last.ended, last.out_of_steps, last.signal) == (True, True, None)
    with pytest.raises(SpecError, match="reset"):
        env.step(Move(x=1, y=1))


@pytest.mark.parametrize(
    ("signal", "ends"),
    [(Done(), True), (Fail(reason="no"), True), (Answer(text="42"), True), (AskUser(question="?"), False)],
)
def test_words_to_the_examiner(computer: FakeComputer, signal: Action, ends: bool) -> None:
    env = Env(computer, brief(computer, max_steps=1))
    env.reset()
    result = env.step(signal)
    assert (result.ended, result.signal, env.steps) == (ends, signal, 0)


def test_order_of_calls(computer: FakeComputer) -> None:
    env = Env(computer, brief(computer))
    with pytest.raises(SpecError, match="reset"):
        env.step(Move(x=1, y=1))
    env.reset()
    env.step(Done())
    with pytest.raises(SpecError, match="reset"):
        env.step(Move(x=1, y=1))
    env.reset()
    assert env.step(Move(x=1, y=1)).performed


def test_each_episode_has_a_history_of_its_own(computer: FakeComputer) -> None:
    env = Env(computer, brief(computer))
    env.reset()
    env.step(Move(x=1, y=1))
    env.reset()
    assert computer.history == []
    assert env.steps == 0


def test_machine_trouble_goes_up(computer: FakeComputer) -> None:
    env = Env(computer, brief(computer))
    env.reset()
    computer.fail_next("screenshot")
    with pytest.raises(ComputerLost):
        env.step(Move(x=1, y=1))


def test_a_judge_that_crashes_gives_no_score(computer: FakeComputer) -> None:
    env = Env(computer, brief(computer), judge=lambda computer: 1 / 0)
    env.reset()
    with pytest.raises(CheckError, match="ZeroDivisionError"):
        env.judge()
    assert Env(computer, brief(computer)).judge() is None


def test_what_could_never_work_is_refused_at_once(computer: FakeComputer) -> None:
    with pytest.raises(UnknownName, match="did you mean 'click'"):
        Env(computer, brief(computer, "clik"))
    with pytest.raises(SpecError, match="has no code interpreter"):
        Env(computer, brief(computer, "run_code"))
    with pytest.raises(SpecError, match="max_steps"):
        Env(computer, brief(computer, max_steps=0))
    with pytest.raises(SpecError, match="size"):
        Env(computer, Brief(instruction="", actions=("move",), size=(1, 1), max_steps=1))


def test_allowed_actions_follow_capabilities(computer: FakeComputer) -> None:
    assert set(allowed_actions(computer)) == set(ACTIONS) - {RunCode.kind, OpenApp.kind} - TOUCH
    with FakeComputer(without=("pointer", "keys")) as touched:
        assert set(allowed_actions(touched)) == TOUCH | SIGNALS | {"wait"}


def test_a_step_tells_whether_its_view_still_held(computer: FakeComputer) -> None:
    env = Env(computer, brief(computer))
    env.reset()
    assert env.step(Move(x=5, y=5)).stale == 0.0
    computer.launch(["mousepad"])
    assert 0 < env.step(Move(x=6, y=6)).stale <= 1
    assert env.step(Move(x=7, y=7)).stale == 0.0


def test_without_a_picture_nothing_is_compared(computer: FakeComputer) -> None:
    env = Env(computer, brief(computer), want=Want(screenshot=False))
    env.reset()
    computer.launch(["mousepad"])
    assert env.step(Move(x=5, y=5)).stale == 0.0
