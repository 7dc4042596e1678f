"""The lead-in of an exam that begins in the middle: its solution is carried out up to a checkpoint."""

from __future__ import annotations

from dataclasses import replace

from proctor.actions.action import Action
from proctor.agents.agent import Turn
from proctor.errors import HostError, ProctorError, SetupFailed
from proctor.exam.clock import ExamClock
from proctor.exam.key_hand import key_hand
from proctor.exam.rules import MANY, UNLIMITED
from proctor.exam.state import ExamState
from proctor.exam.station import Station
from proctor.exam.steps import Stepper
from proctor.exam.trouble import Troubles
from proctor.exam.watcher import Watchers
from proctor.observations.observation import Observation
from proctor.tasks.perform import make_moves
from proctor.tasks.prepare import require_reached
from proctor.tasks.task import Task

BY = "key"
"""Who takes these steps, as the record says it."""


def lead_in(task: Task, station: Station, state: ExamState, watchers: Watchers, troubles: Troubles) -> None:
    """Carry out the first part of a solution; the agent's own steps and time are counted from there.

    What happens meanwhile happens, and the record has these steps. What they change the task expects.

    Raises SetupFailed where a move could not be made, or the checkpoint is not reached.
    """
    brief = station.brief
    station.brief = replace(brief, max_steps=MANY)
    stepper = Stepper(station, state, UNLIMITED, ExamClock(), watchers, troubles, None)

    def step(action: Action) -> Observation:
        seen = stepper.take(Turn(actions=(action,)), by=BY).observation
        if state.stop is not None:
            raise SetupFailed(f"the computer broke: {state.error}")
        return seen

    try:
        make_moves(task.lead_in, key_hand(state.computer, step))
        require_reached(task, state.computer, state.ending)
    except HostError:
        raise
    except ProctorError as error:
        raise SetupFailed(f"the checkpoint {task.begin_after!r} was not reached: {error}") from error
    finally:
        station.brief = brief
        station.begin_here()
        state.acted = False
    state.begin_here(station.look())
