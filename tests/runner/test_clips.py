"""The last seconds of the screen, for agents that want to see them: they can be had in a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proctor.exam.rules import Rules
from proctor.observations.observation import Want
from proctor.records import Result
from proctor.runner.job import Job
from proctor.runner.run_episode import run_episode
from proctor.store.read import open_episode
from proctor.store.walk import WalkedEpisode
from proctor.suites import load_suite
from tests.prove.machines import AnyFake
from tests.runner.jobs import FAKE, job

AGENT = "tests.runner.jobs:LookingBack"


class Asked(AnyFake):
    """A fake computer that must be told how far it is to look back."""

    told: list[float] = []

    def __init__(self, *, clip_sec: float = 0.0, **others: Any) -> None:
        super().__init__(**others)
        self.told.append(clip_sec)


def clip_of(one: Job, result: Result) -> int:
    """Return how many frames the clip before the first step has, in the record."""
    (first, *_) = WalkedEpisode(one.folder, result).steps()
    assert first.saw is not None
    assert first.saw.clip == "0000.clip.webp"
    assert first.clip is not None
    return int(getattr(first.clip, "n_frames", 1))


def test_an_agent_that_wants_clips_gets_them_and_they_are_kept(tmp_path: Path) -> None:
    one = job(tmp_path / "run", AGENT)
    result = run_episode(one)
    assert (result.stop, result.error) == ("done", "")
    assert clip_of(one, result) >= 1
    assert open_episode(one.folder).header.sees == ("screenshot", "clip")


def test_a_computer_is_told_how_far_to_look_back_and_only_then(tmp_path: Path) -> None:
    rules = replace(FAKE, backend=f"{__name__}:Asked")
    run_episode(job(tmp_path / "with", AGENT, rules=rules))
    run_episode(job(tmp_path / "without", "idle", rules=rules))
    assert Asked.told == [2.0, 0.0]


@pytest.mark.sandbox("starter")
def test_on_a_real_desktop(tmp_path: Path) -> None:
    one = job(tmp_path / "run", AGENT, task=next(iter(load_suite("tour").tasks((0,)))), rules=Rules(steps=5))
    result = run_episode(one)
    assert (result.void, result.stop, result.error) == (False, "done", "")
    assert clip_of(one, result) >= 1


@pytest.mark.parametrize(
    ("want", "parts"),
    [
        (Want(), ("screenshot",)),
        (Want(screenshot=False), ()),
        (Want(tree=True, clip_sec=1.0), ("screenshot", "tree", "clip")),
        (Want(screenshot=False, marks=True, windows=True, terminal=True), ("marks", "windows", "terminal")),
    ],
)
def test_what_is_wanted_has_names(want: Want, parts: tuple[str, ...]) -> None:
    assert want.parts == parts
