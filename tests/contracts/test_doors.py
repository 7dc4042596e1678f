"""Every door to an exam keeps the contract: the bare exam, a run, trainers, Gymnasium, TRL, MCP."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.actions.action import Action, Done, SignalAction
from proctor.agents.agent import Over, Turn
from proctor.agents.external.door import Door, TooLate
from proctor.agents.spec import AgentSpec
from proctor.errors import EpisodeVoid, SpecError
from proctor.exam.door_run import DoorRun
from proctor.exam.exam import Exam
from proctor.interop.gymnasium_env import ProctorGymEnv
from proctor.interop.rollout import Rollout
from proctor.interop.sessions import Sessions
from proctor.interop.venue import Venue
from proctor.observations.observation import Observation
from proctor.records import Brief, EpisodeKey, Result
from proctor.runner.job import Job
from proctor.runner.plan import plan_tasks
from proctor.runner.run_episode import run_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from proctor.testing.doors import LATE, LEAVE, DoorComputer, DoorContract, DoorEnding


class Script:
    """An agent that plays a script; leaving is a crash of its own."""

    def __init__(self, ending: DoorEnding) -> None:
        self._left = iter([step for step in ending.script if step != LATE])

    def start(self, brief: Brief) -> None:
        """Take no notice."""

    def act(self, observation: Observation) -> Action:
        step = next(self._left)
        if isinstance(step, str):
            raise RuntimeError("gone")
        return step


class TestExam(DoorContract):
    """The exam itself."""

    def play(self, ending: DoorEnding, tmp_path: Path) -> Result:
        with Exam(ending.task, DoorComputer, ending.rules) as exam:
            exam.begin()
            signal: SignalAction | None = None
            try:
                for step in ending.script:
                    if isinstance(step, SignalAction):
                        signal = step
                    elif isinstance(step, Action) and not exam.over:
                        exam.step(step)
            except EpisodeVoid:
                assert exam.over
            result = exam.end(signal)
            if LATE in ending.script:
                with pytest.raises(SpecError, match="no episode"):
                    exam.step(Done())
            assert exam.end() is result
            return result


class TestRun(DoorContract):
    """A driver in a run; agents that are asked turn by turn are in tests/exam/test_loop.py."""

    def play(self, ending: DoorEnding, tmp_path: Path) -> Result:
        return run_episode(_job(ending, tmp_path, "human"), {"hand": _ScriptHand(ending)})


def _job(ending: DoorEnding, tmp_path: Path, agent: str) -> Job:
    (found,) = plan_tasks([ending.task])
    return Job(
        key=EpisodeKey(task=found.id, agent=agent),
        agent=AgentSpec(agent),
        rules=ending.rules,
        digest=found.digest,
        task_json=found.text,
        run=tmp_path / "run",
    )


class _ScriptHand:
    """Plays a script as a person at the desktop does: a driver whose loop is its own."""

    def __init__(self, ending: DoorEnding) -> None:
        self._script = Script(ending)

    def show(self, observation: Observation) -> None:
        """Take no notice."""

    def turns(self) -> Iterator[Turn]:
        while True:
            yield Turn(actions=(self._script.act(None),))  # type: ignore[arg-type]


class TestRollout(DoorContract):
    """Trainers that step a rollout, recorded."""

    def play(self, ending: DoorEnding, tmp_path: Path) -> Result:
        with DoorRun(tmp_path / "run") as run:
            venue = Venue(computer=DoorComputer, rules=ending.rules, run=run)
            _play(Rollout(venue.exam(ending.task)), ending)
        (result,) = run_results(tmp_path / "run")
        assert verify(tmp_path / "run") == []
        return result


def run_results(folder: Path) -> list[Result]:
    return list(RunRecord.open(folder).results())


def _play(rollout: Rollout, ending: DoorEnding) -> None:
    rollout.begin()
    try:
        for step in ending.script:
            if rollout.over:
                break
            if step == LEAVE:
                rollout.stop()
            elif isinstance(step, Action):
                rollout.take(step)
    except EpisodeVoid:
        assert rollout.over
    if LATE in ending.script:
        with pytest.raises(SpecError, match="no episode"):
            rollout.take(Done())
    rollout.close()


class TestSession(DoorContract):
    """The sessions of servers and of TRL, each with a thread of its own."""

    def play(self, ending: DoorEnding, tmp_path: Path) -> Result:
        with DoorRun(tmp_path / "run") as run:
            sessions = Sessions(Venue(computer=DoorComputer, rules=ending.rules, run=run), 1)
            session = sessions.open()
            session.reset(ending.task)
            over = False
            for step in ending.script:
                if over:
                    break
                try:
                    if step == LEAVE:
                        over = session.stop().done
                    elif isinstance(step, Action):
                        over = session.step(step).done
                except EpisodeVoid:
                    over = True
            if LATE in ending.script:
                with pytest.raises(SpecError, match="no episode"):
                    session.step(Done())
            sessions.close()
        (result,) = run_results(tmp_path / "run")
        return result


class TestCaller(DoorContract):
    """An MCP client, whose calls come in by a door from another thread."""

    def play(self, ending: DoorEnding, tmp_path: Path) -> Result:
        door = Door()
        client = threading.Thread(target=_call, args=(door, ending))
        client.start()
        result = run_episode(_job(ending, tmp_path, "mcp"), {"door": door})
        door.over("It is over.")
        client.join()
        if LATE in ending.script:
            with pytest.raises(TooLate):
                door.submit(Turn(actions=(Done(),))).result()
        return result


def _call(door: Door, ending: DoorEnding) -> None:
    try:
        door.opened.result()
        for step in ending.script:
            if step == LEAVE:
                door.leave("the client has gone")
            elif isinstance(step, Action):
                door.submit(Turn(actions=(step,))).result()
    except Over:
        return


class TestGymnasium(DoorContract):
    """Gymnasium's loop, recorded."""

    skips = frozenset({"left without a word"})

    def play(self, ending: DoorEnding, tmp_path: Path) -> Result:
        rules = ending.rules
        env = ProctorGymEnv.for_task(
            ending.task,
            DoorComputer,
            rules=rules,
            out=tmp_path / "run",
            **({"max_steps": rules.steps} if rules.steps else {}),
        )
        env.reset()
        info: dict[str, Any] = {}
        for step in ending.script:
            if isinstance(step, Action):
                _, _, terminated, truncated, info = env.step_action(step)
                if terminated or truncated:
                    break
        if LATE in ending.script:
            with pytest.raises(SpecError, match="reset"):
                env.step_action(Done())
        env.close()
        (result,) = run_results(tmp_path / "run")
        if not result.void:
            assert (info["score"], info["clean"], info["stop"]) == (result.score, result.clean, result.stop)
            assert info["collateral"] == result.collateral
        return result
