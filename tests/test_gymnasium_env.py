"""The Gymnasium environment keeps Gymnasium's contract and never turns trouble into a score."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from proctor.actions.action import (
    ACTIONS,
    Action,
    Click,
    Done,
    Drag,
    KeyDown,
    Move,
    Press,
    RunCode,
    Scroll,
    Type,
    WaitForChange,
)
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer, Performed
from proctor.computers.relay import RoutedComputer
from proctor.errors import AgentError, ComputerError, SpecError
from proctor.interop.gymnasium_env import ENV_ID, ProctorGymEnv
from proctor.interop.gymnasium_spaces import KEYS, KINDS
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import make_moves
from tests.graphs.composed import SIZE, diamond
from tests.prove.machines import shopping


def open_notes(computer: Computer) -> None:
    computer.write_file("notes.txt", b"")
    computer.launch(["mousepad", "notes.txt"])


def saved(computer: Computer) -> float:
    return float(computer.read_file("notes.txt") == b"hi")


def make(**options: Any) -> ProctorGymEnv:
    return ProctorGymEnv("fake", size=(400, 320), prepare=open_notes, judge=saved, **options)


@pytest.fixture
def env() -> Iterator[ProctorGymEnv]:
    env = make()
    yield env
    env.close()


def encoded(env: ProctorGymEnv, kind: str, **parts: Any) -> dict[str, Any]:
    plain = {
        "position": np.zeros(2, np.float32), "target": np.zeros(2, np.float32), "button": 0, "count": 1,
        "modifier": 0, "scroll": np.zeros(2, np.int64), "key": 0, "text": "",
    }  # fmt: skip
    return {"kind": list(env._kinds).index(kind), **plain, **parts}


@pytest.mark.parametrize("tree", [False, True])
def test_gymnasium_finds_nothing_to_complain_about(tree: bool) -> None:
    env = gymnasium.make(ENV_ID, computer="fake", size=(400, 320), tree=tree, prepare=open_notes)
    check_env(env.unwrapped)
    env.close()


def test_it_can_be_made_by_module_and_name() -> None:
    env = gymnasium.make(f"proctor.interop.gymnasium_env:{ENV_ID}", computer="fake", size=(400, 320))
    observation, _ = env.reset(seed=1)
    assert observation["screenshot"].shape == (320, 400, 3)
    env.close()


def test_a_solved_episode_is_rewarded_at_its_end(env: ProctorGymEnv) -> None:
    observation, info = env.reset()
    assert env.observation_space.contains(observation)
    for action in (Type(text="hi"), Press(keys="ctrl+s")):
        observation, reward, terminated, truncated, info = env.step_action(action)
        assert (reward, terminated, truncated) == (0.0, False, False)
    assert env.observation_space.contains(observation)
    assert info["element"].startswith("text")
    _, reward, terminated, truncated, info = env.step_action(Done())
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["score"] == 1.0


def test_an_unsolved_episode_is_not(env: ProctorGymEnv) -> None:
    env.reset()
    assert env.step_action(Done())[1:3] == (0.0, True)


def test_steps_run_out_as_truncation() -> None:
    env = make(max_steps=2)
    env.reset()
    assert env.step_action(Move(x=1, y=1))[2:4] == (False, False)
    _, reward, terminated, truncated, info = env.step_action(Move(x=1, y=1))
    assert (reward, terminated, truncated, info["score"]) == (0.0, False, True, 0.0)
    env.close()


@pytest.mark.parametrize(
    ("kind", "parts", "action"),
    [
        ("wait_for_change", {}, WaitForChange(seconds=10.0)),
        ("move", {"position": [0.5, 0.25]}, Move(x=200, y=80)),
        ("move", {"position": [1.0, 1.0]}, Move(x=399, y=319)),
        ("click", {"count": 2, "button": 2, "modifier": 1},
         Click(x=0, y=0, count=2, button="right", modifiers=("ctrl",))),
        ("drag", {"target": [0.1, 0.1]}, Drag(path=((0, 0), (40, 32)))),
        ("scroll", {"scroll": [1, -3]}, Scroll(x=0, y=0, dx=1, dy=-3)),
        ("type", {"text": "a<b"}, Type(text="a<b")),
        ("press", {"key": KEYS.index("ctrl+s")}, Press(keys="ctrl+s")),
        ("key_down", {"modifier": 2}, KeyDown(key="shift")),
        ("done", {}, Done()),
    ],
)  # fmt: skip
def test_decoding(env: ProctorGymEnv, kind: str, parts: dict[str, Any], action: Action) -> None:
    parts = {name: np.array(part, np.float32) if isinstance(part, list) else part for name, part in parts.items()}
    assert env.decode(encoded(env, kind, **parts)) == action


def test_every_sample_is_an_action_or_the_agents_error(env: ProctorGymEnv) -> None:
    env.action_space.seed(7)
    kinds = set()
    for _ in range(300):
        try:
            kinds.add(env.decode(env.action_space.sample()).kind)
        except AgentError as error:
            assert "key" in str(error)
    assert kinds == set(KINDS)


def test_every_key_can_be_pressed(env: ProctorGymEnv) -> None:
    env.reset()
    for key in KEYS:
        assert env.computer.perform(Press(keys=key))


def test_impossible_actions_are_explained_and_counted() -> None:
    env = make(max_steps=3)
    env.reset()
    before = env.computer
    observation, reward, terminated, truncated, info = env.step(encoded(env, "key_down"))
    assert "must not be empty" in info["agent_error"]
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert env.observation_space.contains(observation)
    info = env.step_action(Move(x=9999, y=0))[4]
    assert "400x320" in info["agent_error"]
    assert env.computer is before
    _, reward, terminated, truncated, info = env.step_action(RunCode(code="1"))
    assert (truncated, info["score"]) == (True, 0.0)
    assert "not allowed" in info["agent_error"]
    env.close()


def test_impossible_actions_use_up_no_steps_and_end_the_episode_when_they_go_on() -> None:
    env = make(max_steps=2)
    env.reset()
    assert env.step_action(Move(x=9999, y=0))[3] is False
    assert env.step_action(Move(x=1, y=1))[3] is False
    assert env.step_action(Move(x=2, y=1))[3] is True
    env.reset()
    assert env.step_action(Move(x=9999, y=0))[3] is False
    assert env.step_action(Move(x=9999, y=0))[3] is True
    env.close()


def test_a_computer_that_breaks_after_an_action_ends_the_episode_without_reward(env: ProctorGymEnv) -> None:
    env.reset()
    lost = env.computer
    assert isinstance(lost, FakeComputer)
    lost.fail_next("settle")
    observation, reward, terminated, truncated, info = env.step_action(Move(x=1, y=1))
    assert (reward, terminated, truncated, info["score"]) == (0.0, True, False, 0.0)
    assert info["broke_the_computer"] and "void" not in info
    assert "stopped answering" in info["error"]
    assert env.observation_space.contains(observation)
    env.reset()
    assert env.computer is not lost
    assert env.step_action(Move(x=1, y=1))[4]["settled"]


def test_trouble_that_came_from_outside_truncates_and_voids(env: ProctorGymEnv) -> None:
    env.reset()
    lost = env.computer
    assert isinstance(lost, FakeComputer)
    lost.found = {"outside": "killed by an operator"}
    lost.fail_next("settle")
    _, _, terminated, truncated, info = env.step_action(Move(x=1, y=1))
    assert (terminated, truncated, info["void"]) == (False, True, True)
    assert "score" not in info


def test_trouble_before_any_action_voids(env: ProctorGymEnv) -> None:
    env.reset()
    assert isinstance(env.computer, FakeComputer)
    env.computer.fail_next("read_file")
    *_, truncated, info = env.step_action(Done())
    assert truncated
    assert info["void"]


def test_an_action_that_the_computer_does_not_take_is_told(env: ProctorGymEnv) -> None:
    env.reset()
    assert isinstance(env.computer, FakeComputer)
    env.computer.fail_next("pointer_move", ComputerError("no room for another process"))
    *_, terminated, truncated, info = env.step_action(Move(x=1, y=1))
    assert not terminated
    assert not truncated
    assert "no room" in info["trouble"]


def test_a_crashing_judge_voids() -> None:
    env = ProctorGymEnv("fake", judge=lambda computer: 1 / 0)
    env.reset()
    *_, truncated, info = env.step_action(Done())
    assert truncated and info["void"] and "ZeroDivisionError" in info["error"]
    env.close()


def test_every_episode_has_a_fresh_computer_and_the_old_one_is_closed(env: ProctorGymEnv) -> None:
    env.reset()
    first = env.computer
    first.write_file("trace", b"x")
    env.reset()
    assert [info.path.rpartition("/")[2] for info in env.computer.list_files()] == ["notes.txt"]
    with pytest.raises(ComputerError, match="closed"):
        first.screenshot()


def test_spares_are_used_and_closed() -> None:
    made: list[FakeComputer] = []

    def factory() -> FakeComputer:
        made.append(FakeComputer())
        return made[-1]

    env = ProctorGymEnv(factory, spares=2)
    for _ in range(3):
        env.reset()
    assert len(made) >= 4
    env.close()
    env.close()
    assert not [computer for computer in made if computer.started]


def test_order_of_calls(env: ProctorGymEnv) -> None:
    with pytest.raises(SpecError, match="reset"):
        env.step_action(Done())
    env.reset()
    env.step_action(Done())
    with pytest.raises(SpecError, match="reset"):
        env.step(encoded(env, "done"))


def test_rendering() -> None:
    env = make(render_mode="rgb_array")
    with pytest.raises(SpecError, match="nothing to render"):
        env.render()
    observation, _ = env.reset()
    frame = env.render()
    assert frame is not None and np.array_equal(frame, observation["screenshot"])
    assert frame is not observation["screenshot"]
    env.close()
    assert make().render() is None


def test_wrong_options_are_refused(env: ProctorGymEnv) -> None:
    with pytest.raises(SpecError, match="no option 'colour'"):
        ProctorGymEnv("fake", colour="red")
    with pytest.raises(SpecError, match="colour"):
        ProctorGymEnv(FakeComputer, colour="red")
    with pytest.raises(SpecError, match="render mode"):
        ProctorGymEnv("fake", render_mode="ansi")
    with pytest.raises(SpecError, match="no code interpreter"):
        ProctorGymEnv("fake", actions=tuple(ACTIONS))
    with pytest.raises(SpecError, match="colour"):
        env.reset(options={"colour": "red"})


def test_tree_is_plain_text() -> None:
    env = ProctorGymEnv("fake", tree=True)
    env.reset()
    env.computer.launch(["mousepad", "日本.txt"])
    observation, *_ = env.step_action(Type(text="naïve"))
    assert observation["tree"].isascii()
    assert "na\\xefve" in observation["tree"]
    env.close()


def test_without_gymnasium_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "from proctor.errors import MissingExtra\n"
        "try:\n    import proctor.interop.gymnasium_env\n"
        "except MissingExtra as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'proctor[gym]'" in done.stdout


def test_a_composed_task_rewards_each_subtask_when_it_is_completed() -> None:
    task = diamond()
    assert task.graph
    depths = task.graph.dag.depths
    env = ProctorGymEnv.for_task(task, lambda: FakeComputer(size=SIZE))
    try:
        for _ in range(2):  # each episode again
            env.reset()
            rewards: list[float] = []
            computer = env.computer

            def stepped(action: Action, computer: Computer = computer, rewards: list[float] = rewards) -> Performed:
                _, reward, *_ = env.step_action(action)
                rewards.append(reward)
                return computer.history[-1]

            make_moves(task.solution, MoveContext(RoutedComputer(computer, stepped), str))
            *_, info = env.step_action(Done())
            assert [reward for reward in rewards if reward] == pytest.approx(
                [depths[id] / sum(depths.values()) for id in task.graph.order]
            )
            assert info["score"] == pytest.approx(1.0)
    finally:
        env.close()


def test_a_plain_task_is_rewarded_at_the_end() -> None:
    env = ProctorGymEnv.for_task(shopping(), lambda: FakeComputer(size=(1280, 720)))
    env.reset()
    _, reward, ended, _, info = env.step_action(Done())
    assert (reward, ended, info["score"]) == (0.0, True, 0.0)
    env.close()
