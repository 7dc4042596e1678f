"""Every door to an exam keeps the contract: the bare exam, a run, trainers, Gymnasium, OSWorld, TRL, MCP.

Those of Inspect, Harbor and OpenEnv live in environments of their own: `tests/interop/elsewhere`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.actions.action import Action, Answer, Click, Done, Fail, Move, Press, SignalAction, Type
from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.dialect import Frame
from proctor.agents.agent import Over, Turn
from proctor.agents.external.door import Door, TooLate
from proctor.agents.spec import AgentSpec
from proctor.errors import EpisodeVoid, SpecError
from proctor.exam.door_run import DoorRun
from proctor.exam.exam import Exam
from proctor.interop import trl_env
from proctor.interop.gymnasium_env import ProctorGymEnv
from proctor.interop.osworld import DesktopEnv
from proctor.interop.rollout import Rollout
from proctor.interop.sessions import Sessions
from proctor.interop.trl_env import DesktopTools
from proctor.interop.venue import Venue
from proctor.observations.observation import Observation
from proctor.records import Brief, EpisodeKey, Result
from proctor.runner.job import Job
from proctor.runner.plan import plan_tasks
from proctor.runner.run_episode import run_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from proctor.suites.suite import Suite
from proctor.tasks.template import fixed_template
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


class TestOSWorld(DoorContract):
    """OSWorld's interface, stepped with the code that its agents write, recorded."""

    skips = frozenset({"left without a word"})
    """A loop that evaluates without a last word has run out of its steps: see tests/interop/test_osworld_env.py."""

    def play(self, ending: DoorEnding, tmp_path: Path) -> Result:
        env = DesktopEnv(computer=DoorComputer, rules=ending.rules, out=tmp_path / "run")
        env.reset(ending.task)
        dialect, frame = open_dialect("pyautogui"), Frame(desktop=(1280, 720), image=(1280, 720))
        over = False
        try:
            for step in ending.script:
                if isinstance(step, Action) and not over:
                    _, reward, over, _ = env.step(_code(dialect.write([step], frame)))
                    assert reward == 0
            env.evaluate()
        except EpisodeVoid:
            assert ending.expected["stop"] == "void"
        if LATE in ending.script:
            with pytest.raises(SpecError, match="no episode"):
                env.step("DONE")
        env.close()
        (result,) = run_results(tmp_path / "run")
        assert verify(tmp_path / "run") == []
        return result


def _code(fenced: str) -> str:
    return fenced.removeprefix("```python\n").removesuffix("\n```")


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


class TestTrl(DoorContract):
    """A model's tools, and the reward that TRL asks for at the end."""

    def play(self, ending: DoorEnding, tmp_path: Path) -> Result:
        suite = Suite("test", 1, "One task.", (fixed_template(ending.task),))
        with pytest.MonkeyPatch.context() as patch, DoorRun(tmp_path / "run") as run:
            patch.setattr(trl_env, "load_suite", lambda name: suite)
            env = DesktopTools(computer=DoorComputer, rules=ending.rules, run=run)
            env.reset(index=0)
            for step in ending.script:
                if isinstance(step, Action) and env.info == {}:
                    _call_tool(env, step)
            reward = env.get_reward()
            if LATE in ending.script:
                with pytest.raises(SpecError, match="ended"):
                    env.done()
            info = env.info
        (result,) = run_results(tmp_path / "run")
        assert reward == result.score
        assert ("void" in info) == result.void
        assert result.void or (info["stop"], info["clean"]) == (result.stop, result.clean)
        return result


def _call_tool(env: DesktopTools, action: Action) -> None:
    try:
        match action:
            case Press(keys=keys):
                env.press(keys)
            case Type(text=text):
                env.type_text(text)
            case Click(x=x, y=y) | Move(x=x, y=y):
                assert x is not None and y is not None
                (env.click if isinstance(action, Click) else env.move)(x, y)
            case Done():
                env.done()
            case Answer(text=text):
                env.answer(text)
            case Fail(reason=reason):
                env.fail(reason)
            case _:
                raise AssertionError(action)
    except EpisodeVoid:
        assert "void" in env.info
