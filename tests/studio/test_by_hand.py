"""Actions that a hand has carried out already are taken note of, and not carried out again."""

from __future__ import annotations

import pytest

from proctor.actions.action import Type
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Performed
from proctor.errors import SpecError
from proctor.exam.brief import Env
from proctor.observations.observation import Observation
from proctor.records import Brief


def test_what_was_done_counts_and_is_not_done_again() -> None:
    with FakeComputer() as computer:
        brief = Brief(instruction="x", actions=("type", "done"), size=computer.size, max_steps=2)
        env = Env(computer, brief)
        done = Performed(action=Type(text="by hand"))
        seen = Observation(at=1.0, desktop=computer.size, screenshot=computer.screenshot())
        with pytest.raises(SpecError, match="reset"):
            env.take_note(done, seen)
        before = env.reset().screenshot
        result = env.take_note(done, seen)
        assert (result.performed, result.ended, result.stale) == (done, False, 0.0)
        assert (env.steps, env.acted, result.observation.steps) == (1, True, 1)
        assert computer.history == [done]
        assert env.take_note(done, seen).out_of_steps
        assert before is not None
        assert computer.screenshot().tobytes() == before.tobytes()
