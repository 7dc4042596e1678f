"""The agent's loop: it is shown the computer, its turns are taken, until the exam is over."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from proctor.agents.agent import Agent, Driver, Over, Turn, want_of
from proctor.agents.wire import as_turn
from proctor.errors import ComputerError, EpisodeVoid, ModelError
from proctor.exam.clock import TimeIsUp
from proctor.exam.exam import Exam
from proctor.models.usage import BudgetSpent
from proctor.observations.observation import Observation

NOT_ITS_OWN: tuple[type[Exception], ...] = (ModelError, Over, EpisodeVoid)
"""What an agent may raise without having failed: its model could not be asked, or the exam is over."""


def examine(exam: Exam, agent: Agent | Driver) -> None:
    """Begin an exam and let an agent work until it is over.

    It answers observations, or keeps the loop itself.
    """
    try:
        exam.begin()
        if isinstance(agent, Driver):
            _follow(exam, agent)
        else:
            _ask_until_over(exam, agent)
    except TimeIsUp:
        exam.state.finish("time_limit")
    except (EpisodeVoid, Over):
        return
    except (ModelError, ComputerError) as error:
        exam.fail(error)


def _ask_until_over(exam: Exam, agent: Agent) -> None:
    with _its_own_failures(exam), exam.clock.alarm():
        agent.start(exam.state.brief)
    with exam.lookout.keep():
        _ask_for_turns(exam, agent)


def _ask_for_turns(exam: Exam, agent: Agent) -> None:
    while not exam.over:
        turn = Turn()
        seen = exam.state.observation
        # A picture is taken for the record in any case.
        shown = seen if want_of(agent).screenshot else replace(seen, screenshot=None)
        with _its_own_failures(exam), exam.clock.alarm():
            turn = as_turn(agent.act(shown))
        if not exam.over:
            exam.take(turn)


def _follow(exam: Exam, driver: Driver) -> None:
    """Let a driver make its turns: it has the same clock, which stands while we carry them out."""
    with _its_own_failures(exam), exam.clock.alarm():
        driver.start(exam.state.brief)
    if exam.over:
        return
    # One that looks at the computer by itself is not torn out of a request; it is told at its next action.
    alarm = exam.clock.alarm(rings=not getattr(driver, "looks_by_itself", False))
    with suppress(Over), _its_own_failures(exam, (*NOT_ITS_OWN, ComputerError)), alarm:
        driver.drive(step_for(exam))
    exam.state.finish("time_limit" if exam.clock.is_up else "done")


def step_for(exam: Exam) -> Callable[[Turn], Observation]:
    """Return what a driver calls to have a turn carried out; it raises Over when the exam has ended."""

    def take(turn: Turn) -> Observation:
        if exam.over or exam.take(turn).ended:
            raise Over
        return exam.state.observation

    return take


@contextmanager
def _its_own_failures(exam: Exam, but: tuple[type[Exception], ...] = NOT_ITS_OWN) -> Iterator[None]:
    """Whatever an agent raises ends the exam as its own doing, except that its model could not be asked."""
    state = exam.state
    try:
        yield
    except but:
        raise
    except BudgetSpent as error:
        state.finish(error.limit)
    except Exception as error:
        if exam.over and state.stop is None:
            return  # void already: the agent only met what had made it so
        if exam.clock.is_up:
            state.finish("time_limit")
            return
        state.trace, state.crashed = traceback.format_exc(), True
        state.finish("agent_error", f"{type(error).__name__}: {error}")
