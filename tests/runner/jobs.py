"""Plans, jobs and agents for the tests of the runner, on the fake computer."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from proctor.actions.action import Action, Done, Press
from proctor.agents.agent import Turn
from proctor.agents.spec import AgentSpec
from proctor.computers.entries import Change
from proctor.errors import ModelError
from proctor.exam.rules import Rules
from proctor.observations.observation import Observation, Want
from proctor.records import Brief, EpisodeKey, ModelCall
from proctor.runner.job import Job
from proctor.runner.plan import Plan, plan_tasks
from proctor.tasks.task import Task
from tests.prove.machines import BACKEND, AnyFake, shopping

FAKE = Rules(backend=BACKEND)


def plan(*agents: str, tasks: int = 3, rules: Rules = FAKE, **others: Any) -> Plan:
    """Return a plan of so many like tasks."""
    listed = [shopping(id=f"test/shopping-{number}-v1") for number in range(tasks)]
    return Plan(
        suite="test",
        tasks=plan_tasks(listed),
        agents=tuple(AgentSpec.parse(agent) for agent in agents),
        rules=rules,
        **others,
    )


def job(folder: Path, agent: str = "oracle", task: Task | None = None, rules: Rules = FAKE, **key: Any) -> Job:
    """Return one job of a run in a folder."""
    (found,) = plan_tasks([task or shopping()])
    spec = AgentSpec.parse(agent)
    return Job(
        key=EpisodeKey(task=found.id, agent=spec.label, **key),
        agent=spec,
        rules=rules,
        digest=found.digest,
        task_json=found.text,
        run=folder,
    )


class Deadly:
    """An agent that takes its worker down with it, on the tasks it is told to."""

    def __init__(self, on: str = "") -> None:
        self._on = on

    def start(self, brief: Brief) -> None:
        self.brief = brief

    def act(self, observation: Observation) -> Action:
        os._exit(9)


class DeadlyOnce:
    """An agent that takes its worker down the first time, and is done the second."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def start(self, brief: Brief) -> None:
        self.brief = brief

    def act(self, observation: Observation) -> Action:
        if not self._mark.exists():
            self._mark.touch()
            os._exit(9)
        return Done()


class DeadlyAtWork:
    """An agent that acts, and then takes its worker down, in one way or another."""

    def __init__(self, how: str = "exit") -> None:
        self._how = how

    def start(self, brief: Brief) -> None:
        self._acted = False

    def act(self, observation: Observation) -> Action:
        if not self._acted:
            self._acted = True
            return Press(keys="a")
        if self._how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        os._exit(9)


def leave(_brief: Brief, _action: Action) -> None:
    """A policy that ends its process."""
    os._exit(9)


def leave_at_the_end(_brief: Brief, action: Action) -> None:
    """A policy that lets keys through and ends its process about any other action."""
    if not isinstance(action, Press):
        os._exit(9)


class LosingItsJudge(AnyFake):
    """A computer whose worker is lost when it is to be judged, as an environment variable says."""

    def changes(self) -> list[Change]:
        """Lose the worker, once an agent has acted."""
        if self.history and os.environ["LOST_BY"] == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.history:
            os._exit(9)
        return super().changes()


class Penniless:
    """An agent whose model cannot be asked."""

    def start(self, brief: Brief) -> None:
        self.brief = brief

    def act(self, observation: Observation) -> Action:
        raise ModelError("401: the key is not valid", remedy="set OPENAI_API_KEY")


class Costly:
    """An agent that pays a quarter of a dollar for one key."""

    def start(self, brief: Brief) -> None:
        self._turns = 0

    def act(self, observation: Observation) -> Turn:
        self._turns += 1
        call = ModelCall(model="x/y", input_tokens=100, output_tokens=10, cost_usd=0.25, seconds=0.1)
        return Turn(
            actions=(Press(keys="a") if self._turns == 1 else Done(),), calls=(call,) if self._turns == 1 else ()
        )


class Crashing:
    """An agent with a defect."""

    def start(self, brief: Brief) -> None:
        raise ZeroDivisionError("a defect")

    def act(self, observation: Observation) -> Action:
        raise AssertionError("never asked")


class Waiting:
    """An agent that waits until a byte comes through a named pipe."""

    def __init__(self, pipe: Path) -> None:
        self._pipe = pipe

    def start(self, brief: Brief) -> None:
        self.brief = brief

    def act(self, observation: Observation) -> Action:
        with self._pipe.open("rb") as pipe:
            pipe.read(1)
        return Done()


class Pressing:
    """An agent that presses three keys and says that it is done, whatever it is shown."""

    def __init__(self, tree: str = "") -> None:
        self.want = Want(tree=bool(tree))

    def start(self, brief: Brief) -> None:
        self._left = ["a", "b", "c"]

    def act(self, observation: Observation) -> Action:
        return Press(keys=self._left.pop()) if self._left else Done()


class LookingBack(Pressing):
    """An agent that wants to see the last seconds, and says how much of them it saw."""

    def __init__(self) -> None:
        self.want = Want(clip_sec=2.0)

    def act(self, observation: Observation) -> Action:
        assert observation.clip is not None
        assert observation.clip.frames
        return super().act(observation)


class Clinging(Pressing):
    """An agent that cannot let go."""

    def close(self) -> None:
        raise ValueError("cannot let go")
