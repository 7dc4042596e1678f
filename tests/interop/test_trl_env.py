"""The class for TRL's `environment_factory` keeps TRL's contract, and a void is no reward."""

from __future__ import annotations

import gc
import inspect
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import EpisodeVoid, SpecError
from proctor.interop import trl_env
from proctor.interop.trl_env import DesktopTools, task_rows
from tests.interop.rooms import Held, suite


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    Held.made = []
    monkeypatch.setattr(trl_env, "load_suite", lambda name: suite())
    yield


def tools() -> dict[str, Any]:
    """What TRL offers to the model: public functions of the class, but for two."""
    found = dict(inspect.getmembers(DesktopTools, predicate=inspect.isfunction))
    return {name: tool for name, tool in found.items() if name not in ("reset", "get_reward") and name[0] != "_"}


def test_every_tool_is_typed_and_documented() -> None:
    assert {"click", "type_text", "press", "done"} <= tools().keys()
    assert "close" not in tools()
    for name, tool in tools().items():
        hints = typing.get_type_hints(tool)
        said = inspect.getdoc(tool) or ""
        for parameter in list(inspect.signature(tool).parameters)[1:]:
            assert parameter in hints, f"{name}.{parameter}"
            assert f"\n    {parameter}: " in said, f"{name}.{parameter}"


def test_a_rollout_that_does_the_task_earns_one() -> None:
    env = DesktopTools(computer=Held)
    said = env.reset(prompt=[{"role": "user", "content": "Go."}], index=0, split="test")
    assert "Add eggs" in said and "400x320" in said and "milk" in said
    env.press("ctrl+End")
    assert "eggs" in env.type_text("eggs")
    env.press("ctrl+s")
    assert "ended" in env.done()
    assert env.get_reward() == 1.0
    assert env.get_reward() == 1.0


def test_one_that_just_stops_is_judged_as_it_is() -> None:
    env = DesktopTools(computer=Held)
    env.reset(task="shopping-v1")
    env.press("ctrl+End")
    env.type_text("eggs")
    assert env.get_reward() == 0.0
    env.reset(task="shopping-v1")
    env.press("ctrl+End")
    env.type_text("eggs")
    env.press("ctrl+s")
    assert env.get_reward() == 1.0


def test_calls_out_of_order_are_errors() -> None:
    env = DesktopTools(computer=Held)
    with pytest.raises(SpecError, match="ended"):
        env.done()
    env.reset()
    env.done()
    with pytest.raises(SpecError, match="ended"):
        env.click(1, 1)


@pytest.mark.parametrize(
    "call",
    [lambda env: env.click("here", 1), lambda env: env.type_text("x" * 10_000_000), lambda env: env.press("hum")],
)
def test_impossible_arguments_are_explained_and_take_no_step(call: Any) -> None:
    env = DesktopTools(computer=Held, max_steps=2)
    env.reset(index=0)
    assert "2 actions left" in call(env)
    env.click(1, 1)
    assert env.get_reward() == 0.0


def test_pictures_for_models_that_see() -> None:
    env = DesktopTools(computer=Held, pictures=True)
    assert "text" not in env.reset(index=0).partition("fail when")[2]
    picture, text = env.click(10, 10)
    assert picture["type"] == "image" and picture["image"].size == (400, 320)  # type: ignore[index]
    assert "actions left" in text["text"]  # type: ignore[index]


def test_a_void_is_no_reward() -> None:
    env = DesktopTools(computer=Held)
    env.reset(index=0)
    Held.made[0].found = {"outside": "killed by an operator"}
    Held.made[0].fail_next("settle")
    with pytest.raises(EpisodeVoid):
        env.press("ctrl+End")
    with pytest.raises(SpecError, match="void"):
        env.done()
    assert env.get_reward() is None
    env.reset(index=0)
    env.done()
    assert env.get_reward() == 0.0


def test_a_judge_that_crashes_is_no_reward(monkeypatch: pytest.MonkeyPatch) -> None:
    env = DesktopTools(computer=Held)
    env.reset(index=0)
    monkeypatch.setattr("proctor.exam.judgement.judge", lambda *_: 1 / 0)
    assert env.get_reward() is None


def test_a_computer_that_does_not_start_is_tried_again_and_then_void() -> None:
    failures = iter([True, False, True, True])

    def factory() -> FakeComputer:
        computer = FakeComputer()
        if next(failures):
            computer.fail_next("start")
        return computer

    env = DesktopTools(computer=factory)
    assert "Add eggs" in env.reset(index=0)
    assert "could not be made ready" in env.reset(index=0)
    assert env.get_reward() is None


def test_numbers_of_a_dataset_are_taken() -> None:
    import numpy as np

    env = DesktopTools(computer=Held)
    assert "Add eggs" in env.reset(index=np.int64(0), seed=None, split="test", task=None)


def test_the_computer_goes_with_the_object() -> None:
    env = DesktopTools(computer=Held)
    env.reset(index=0)
    (computer,) = Held.made
    assert computer.started
    del env
    gc.collect()
    assert computer.closed.wait(60)  # by a thread of its own: the collector may run while locks are held
    assert not computer.started


def test_rows_for_a_dataset() -> None:
    rows = task_rows(Path("anything"), "train", train_seeds=3)
    assert [(row["split"], row["index"]) for row in rows] == [("train", 0), ("train", 1), ("train", 2)]
    env = DesktopTools(computer=Held, train_seeds=3)
    assert env.reset(**rows[2]) == env.reset(**rows[2])
