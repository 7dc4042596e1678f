"""Desktops side by side: Gymnasium's contract, pictures by reference, voids masked, nobody waits for a reset."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from proctor.actions.action import Action, Done, Move, Press, Type, Wait
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer, Performed
from proctor.errors import ComputerError, EpisodeVoid, SpecError
from proctor.interop.gymnasium_desk import MOST_FAILURES
from proctor.interop.gymnasium_env import ENV_ID, ProctorGymEnv
from proctor.interop.vector_env import ProctorVectorEnv

SIZE = (400, 320)


def open_notes(computer: Computer) -> None:
    computer.write_file("notes.txt", b"")
    computer.launch(["mousepad", "notes.txt"])


def saved(computer: Computer) -> float:
    return float(computer.read_file("notes.txt") == b"hi")


def maker(computer: Callable[[], FakeComputer] | None = None, **rest: Any) -> Callable[[], ProctorGymEnv]:
    settings = {"prepare": open_notes, "judge": saved, **rest}
    return partial(ProctorGymEnv, computer or partial(FakeComputer, size=SIZE), **settings)


def fakes(envs: ProctorVectorEnv) -> list[FakeComputer]:
    found = [env.computer for env in envs.envs]
    assert all(isinstance(computer, FakeComputer) for computer in found)
    return found  # type: ignore[return-value]


def test_a_single_one_is_clean() -> None:
    env = gymnasium.make(ENV_ID, computer="fake", size=SIZE, prepare=open_notes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


@pytest.mark.parametrize("tree", [False, True])
def test_the_spaces_hold_what_comes(tree: bool) -> None:
    envs = ProctorVectorEnv([maker(tree=tree)] * 3)
    envs.action_space.seed(1)
    observations, infos = envs.reset(seed=5)
    assert envs.observation_space.contains(observations)
    assert infos["instruction"].shape == (3,)
    for _ in range(5):
        observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
        assert envs.observation_space.contains(observations)
        assert rewards.dtype == np.float64 and rewards.shape == terminated.shape == truncated.shape == (3,)
        assert terminated.dtype == truncated.dtype == infos["valid"].dtype == np.bool_
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    envs.close()


def test_pictures_are_references_to_one_place() -> None:
    envs = ProctorVectorEnv([maker()] * 2)
    first, _ = envs.reset()
    before = first["screenshot"].copy()
    second, *_ = envs.step_actions([Type(text="hello"), Move(x=5, y=5)])
    assert second["screenshot"] is first["screenshot"]
    assert not np.array_equal(first["screenshot"][0], before[0])
    for place, computer in enumerate(fakes(envs)):
        assert np.array_equal(first["screenshot"][place], np.asarray(computer.screenshot(cursor=True)))
    envs.close()


def test_copies_where_they_are_asked_for() -> None:
    envs = ProctorVectorEnv([maker()], copy=True)
    first, _ = envs.reset()
    kept = first["screenshot"].copy()
    envs.step_actions([Type(text="hello")])
    assert np.array_equal(first["screenshot"], kept)
    envs.close()


def test_other_processes_read_the_same_memory() -> None:
    envs = ProctorVectorEnv([maker()] * 2, shared=True)
    observations, _ = envs.reset()
    path = envs.shared_path
    assert path is not None
    elsewhere = np.memmap(path, np.uint8, "r", shape=observations["screenshot"].shape)
    envs.step_actions([Type(text="hello"), Type(text="world")])
    assert np.array_equal(elsewhere, observations["screenshot"])
    envs.close()
    assert not path.exists()
    assert observations["screenshot"].any()  # what is still looked at stays


def test_an_episode_ends_is_scored_and_begins_again() -> None:
    envs = ProctorVectorEnv([maker()] * 2)
    envs.reset()
    envs.step_actions([Type(text="hi"), Move(x=1, y=1)])
    envs.step_actions([Press(keys="ctrl+s"), Move(x=2, y=2)])
    first = fakes(envs)
    _, rewards, terminated, _, infos = envs.step_actions([Done(), Move(x=3, y=3)])
    assert (rewards.tolist(), terminated.tolist()) == ([1.0, 0.0], [True, False])
    assert (infos["score"][0], infos["_score"].tolist()) == (1.0, [True, False])
    _, rewards, terminated, _, infos = envs.step_actions([Type(text="ignored"), Move(x=4, y=4)])
    assert (rewards.tolist(), terminated.tolist(), infos["valid"].tolist()) == ([0, 0], [False, False], [False, True])
    assert [one is other for one, other in zip(first, fakes(envs), strict=True)] == [False, True]
    envs.close()


def test_a_void_is_masked_and_no_reward() -> None:
    envs = ProctorVectorEnv([maker()] * 2)
    envs.reset()
    broken = fakes(envs)[1]
    broken.found = {"outside": "killed by an operator"}
    broken.fail_next("settle")
    _, rewards, terminated, truncated, infos = envs.step_actions([Move(x=1, y=1)] * 2)
    assert np.isnan(rewards[1]) and rewards[0] == 0.0
    assert (terminated.tolist(), truncated.tolist()) == ([False, False], [False, True])
    assert (infos["valid"].tolist(), infos["void"].tolist()) == ([True, False], [False, True])
    *_, infos = envs.step_actions([Move(x=1, y=1)] * 2)
    assert infos["valid"].tolist() == [True, False]
    *_, infos = envs.step_actions([Move(x=1, y=1)] * 2)
    assert infos["valid"].tolist() == [True, True]
    envs.close()


class Failing:
    """Makes computers, some of which do not start."""

    def __init__(self, *fail: bool) -> None:
        self.fail = iter(fail)

    def __call__(self) -> FakeComputer:
        computer = FakeComputer(size=SIZE)
        if next(self.fail, False):
            computer.fail_next("start", ComputerError("no room"))
        return computer


def test_a_computer_that_does_not_start_does_not_end_the_others() -> None:
    # The first is never started: it says how large a desktop is.
    envs = ProctorVectorEnv([maker(Failing(False, False, True, False)), maker()])
    envs.reset()
    envs.step_actions([Done(), Move(x=1, y=1)])
    observations, rewards, _, truncated, infos = envs.step_actions([Done(), Move(x=1, y=1)])
    assert np.isnan(rewards[0]) and truncated[0] and infos["void"][0] and not infos["valid"][0]
    assert "no room" in infos["account"][0]["error"]
    assert envs.observation_space.contains(observations) and not observations["screenshot"][0].any()
    *_, truncated, infos = envs.step_actions([Done(), Move(x=1, y=1)])
    assert not truncated[0] and infos["valid"].tolist() == [False, True]
    envs.close()


def test_a_host_that_starts_none_is_heard_of() -> None:
    envs = ProctorVectorEnv([maker(Failing(False, *[True] * 9))])
    envs.reset()
    with pytest.raises(EpisodeVoid, match="no room"):
        for _ in range(MOST_FAILURES):
            envs.step_actions([Done()])
    envs.close()


class Slow(FakeComputer):
    """Waits in its actions until it is told to go on."""

    def __init__(self) -> None:
        super().__init__(size=SIZE)
        self.go_on = threading.Event()
        self.threads: set[int] = set()

    def perform(self, action: Action) -> Performed:
        self.threads.add(threading.get_ident())
        if isinstance(action, Wait):
            assert self.go_on.wait(60)
        return super().perform(action)


def test_desktops_are_handed_out_as_they_answer() -> None:
    envs = ProctorVectorEnv([maker(Slow)] * 2)
    envs.reset()
    slow = envs.envs[0].computer
    assert isinstance(slow, Slow)
    envs.send([0, 1], [Wait(seconds=1), Move(x=1, y=1)])
    arrived = envs.recv()
    assert (arrived.ids.tolist(), arrived.rewards.tolist(), arrived.valid.tolist()) == ([1], [0.0], [True])
    with pytest.raises(SpecError, match="not answered"):
        envs.send([0], [Done()])
    with pytest.raises(SpecError, match="at work"):
        envs.step_actions([Done(), Done()])
    envs.send([1], [Done()])
    assert envs.recv().terminated.tolist() == [True]
    slow.go_on.set()
    assert envs.recv().ids.tolist() == [0]
    with pytest.raises(SpecError, match="waited for"):
        envs.recv()
    assert len(slow.threads) == 1 and threading.get_ident() not in slow.threads
    envs.close()


def test_some_are_reset_by_a_mask() -> None:
    envs = ProctorVectorEnv([maker()] * 2)
    envs.reset()
    before = fakes(envs)
    envs.reset(options={"reset_mask": np.array([False, True])})
    assert [one is other for one, other in zip(before, fakes(envs), strict=True)] == [True, False]
    with pytest.raises(SpecError, match="reset_mask"):
        envs.reset(options={"colour": "red"})
    envs.close()


def test_the_same_seed_and_actions_give_the_same_pictures() -> None:
    screens = []
    for _ in range(2):
        envs = ProctorVectorEnv([maker()] * 2, copy=True)
        envs.reset(seed=[1, 2])
        screens.append(envs.step_actions([Type(text="a"), Type(text="b")])[0]["screenshot"])
        envs.close()
    assert np.array_equal(*screens)


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(SpecError, match="without desktops"):
        ProctorVectorEnv([])
    with pytest.raises(SpecError, match="differ"):
        ProctorVectorEnv([maker(), maker(partial(FakeComputer, size=(640, 480)))])
    envs = ProctorVectorEnv([maker()] * 2)
    with pytest.raises(SpecError, match="3 seeds"):
        envs.reset(seed=[1, 2, 3])
    envs.reset()
    with pytest.raises(SpecError, match="1 actions"):
        envs.step_actions([Done()])
    envs.close()
    with pytest.raises(SpecError, match="closed"):
        envs.reset()
    computers = [env._rollout for env in envs.envs]
    assert computers == [None, None]


def test_rendering() -> None:
    envs = ProctorVectorEnv([maker(render_mode="rgb_array")] * 2)
    envs.reset()
    frames = envs.render()
    assert frames is not None and len(frames) == 2 and frames[0].shape == (320, 400, 3)
    envs.close()
    assert ProctorVectorEnv([maker()]).render() is None
