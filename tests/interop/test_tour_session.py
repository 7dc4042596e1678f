"""A task of the tour on a real desktop, through the sessions that the OpenEnv server and TRL's class stand on."""

from __future__ import annotations

import pytest

from proctor.actions.action import Action, Done
from proctor.computers.computer import Performed
from proctor.computers.relay import RoutedComputer
from proctor.errors import ComputerError
from proctor.interop.rollout import Stepped
from proctor.interop.sessions import Sessions
from proctor.interop.venue import Venue
from proctor.suites import load_suite
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import make_moves


@pytest.mark.sandbox("starter")
def test_the_answer_key_of_a_tour_task_earns_one() -> None:
    task = load_suite("tour").task("sign-the-letter")
    sessions = Sessions(Venue(computer="sandbox", options={"look": "light"}), 1)
    session = sessions.open()
    try:
        seen, brief = session.reset(task)
        assert brief.instruction == task.instruction and seen.screenshot is not None
        assert session._rollout is not None
        computer, steps = session._rollout.exam.computer, list[Stepped]()

        def stepped(action: Action) -> Performed:
            steps.append(session.step(action))
            return computer.history[-1]

        make_moves(task.solution, MoveContext(RoutedComputer(computer, stepped), str))
        steps.append(session.step(Done()))
    finally:
        sessions.close()
    assert (steps[-1].score, sum(step.reward for step in steps)) == (1.0, 1.0)
    assert sessions.in_use == 0
    with pytest.raises(ComputerError):
        computer.screenshot()
