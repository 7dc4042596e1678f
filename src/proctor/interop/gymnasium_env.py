"""Proctor's desktop as a Gymnasium environment.

Importing this module registers `proctor/Desktop-v0`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from proctor.actions import action as act
from proctor.computers import meet, open_computer
from proctor.computers.computer import Computer
from proctor.computers.pool import Pool
from proctor.errors import AgentError, EpisodeVoid, MissingExtra, SpecError
from proctor.exam.candidate import Candidate
from proctor.exam.door_run import DoorRun
from proctor.exam.exam import Exam
from proctor.exam.rules import DAY_SEC, Rules
from proctor.exam.station import check_brief
from proctor.interop.gymnasium_spaces import (
    KINDS,
    TREE_CHARS,
    Encoded,
    Seen,
    action_space,
    decode,
    observation_space,
)
from proctor.interop.rollout import Rollout, Stepped, ending_of
from proctor.observations.observation import Observation, Want
from proctor.observations.table import to_table
from proctor.records import Brief
from proctor.tasks.free import free_task
from proctor.tasks.task import Task

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise MissingExtra("the Gymnasium environment", "gym") from error

ENV_ID = "proctor/Desktop-v0"
ENDED_BY_ITSELF = ("done", "answered", "gave_up", "broke_the_computer", "vetoed")
"""Ends that are the agent's doing; any other is a limit, and truncates."""


class ProctorGymEnv(gymnasium.Env[Seen, Encoded]):
    """A desktop to learn on: a fresh computer for each episode, the screen as pixels, every action as numbers.

    An action is a dictionary whose `kind` decides which of its other parts count; places are given in parts of the
    desktop's width and height. `step_action` takes an Action instead. The reward is the score, given at the end; for a
    composed task (`for_task`) each step earns what it adds to the coverage, and the rewards of an episode add up to its
    score. An impossible action changes nothing and is explained in `info["agent_error"]`, one that the computer did not
    take in `info["trouble"]`. At the end `info` has `score`, `stop`, `clean` (None where nobody can tell what else was
    changed), `collateral` and `feedback`. Trouble of the host, the judge, or a computer not yet acted on truncates the
    episode with `info["error"]` and `info["void"]`.

    Args:
        computer: Name of a backend, or a function that returns a computer not yet started.
        instruction: What the agent is to do.
        actions: Kinds of actions it may take.
        max_steps: After so many actions the episode is truncated.
        tree: Whether to see the accessibility tree as text too.
        judge: Looks at the computer at the end and returns a score from 0 to 1.
        prepare: Makes the computer ready for an episode: writes files, opens applications.
        task: What is asked, prepared and judged, in place of the three above; see `for_task`.
        rules: What holds besides, such as limits.
        assets: The folder of the files that the task uses.
        out: Folder of a new run in which every episode is recorded.
        agent: What whoever steps is called in the record.
        spares: How many computers to keep started in the background, so that `reset` is quick.
        render_mode: `rgb_array` or None.
        options: What the backend's constructor takes, such as `size=(1280, 720)`.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 4}

    def __init__(
        self,
        computer: str | Callable[[], Computer] = "sandbox",
        *,
        instruction: str = "",
        actions: Sequence[str] = KINDS,
        max_steps: int = 100,
        tree: bool = False,
        judge: Callable[[Computer], float] | None = None,
        prepare: Callable[[Computer], None] | None = None,
        task: Task | None = None,
        rules: Rules | None = None,
        assets: Path | None = None,
        out: Path | None = None,
        agent: str = "gymnasium",
        spares: int = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise SpecError(f"unknown render mode {render_mode!r}", remedy="use rgb_array")
        self.render_mode = render_mode
        self._factory = _factory(computer, options)
        sample = self._factory()
        self._kinds, self._size, self._agent = tuple(actions), sample.size, agent
        self._free = task is None and judge is None
        self._task = task or free_task(instruction)
        # Where nothing is examined, nobody is stopped before the steps run out.
        free = Rules(repetition=max(max_steps, 2), fruitless=max_steps) if task is None else Rules()
        free = replace(free, seconds=DAY_SEC)
        self._rules = replace(rules or free, steps=max_steps, actions=self._kinds)
        self._want = Want(tree=tree)
        self._others: dict[str, Any] = {"assets": assets}
        if task is None:
            self._others |= {"prepare": prepare or _prepare_nothing, "judge": judge or _judge_nothing}
        # Refuses at once what could never work.
        brief = Brief(instruction=instruction, actions=self._kinds, size=sample.size, max_steps=max_steps)
        check_brief(sample, brief, self._want)
        self._run = DoorRun(out, served={"gymnasium": ENV_ID}) if out is not None else None
        self._spares = spares
        self._pool: Pool | None = None
        self._lease = ExitStack()
        self._rollout: Rollout | None = None
        self._last: Seen = {}
        self.into: npt.NDArray[np.uint8] | None = None
        """Where the screen is written, over what was there before; a new array for each observation, where None."""
        self.observation_space = observation_space(sample.size, tree)
        self.action_space = action_space(len(actions))

    @classmethod
    def for_task(cls, task: Task, computer: str | Callable[[], Computer] = "sandbox", **settings: Any) -> ProctorGymEnv:
        """Return the environment of a task, held and judged as a run would.

        It may be answered and given up too.

        Args:
            task: What is to be done.
            computer: Name of a backend, which is told what the task needs, or a function that returns a computer.
            settings: Anything else that the constructor takes.
        """
        defaults: dict[str, Any] = {
            "task": task,
            "instruction": task.instruction,
            "max_steps": task.limits.steps,
            "actions": (*KINDS, "answer", "ask_user"),
            **(meet(computer, task.needs).options if isinstance(computer, str) else {}),
        }
        return cls(computer, **{**defaults, **settings})

    # -- the five of Gymnasium ------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin an episode on a fresh computer."""
        super().reset(seed=seed)
        if options:
            raise SpecError(f"reset takes no options, and got {sorted(options)}")
        self._release()
        self._rollout = rollout = Rollout(self._exam(self._fresh()))
        try:
            self._last = self._see(rollout.begin())
        except BaseException:
            self._release()
            raise
        return self._last, {"instruction": rollout.brief.instruction}

    def step(self, action: Encoded) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Take an encoded action."""
        try:
            decoded: act.Action | AgentError = self.decode(action)
        except AgentError as error:
            decoded = error
        return self._take(decoded)

    def step_action(self, action: act.Action) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Take an action of the closed set."""
        return self._take(action)

    def render(self) -> npt.NDArray[np.uint8] | None:
        """Return the screen as it was last seen."""
        if self.render_mode is None:
            return None
        if not self._last:
            raise SpecError("there is nothing to render yet", remedy="call reset() first")
        return np.array(self._last["screenshot"])

    def close(self) -> None:
        """Close the computer and the spare ones, and seal the record."""
        self._release()
        if self._pool:
            self._pool.close()
            self._pool = None
        if self._run is not None:
            self._run.close()

    # -- how ------------------------------------------------------------------------------------------------------

    @property
    def computer(self) -> Computer:
        """The computer of the episode that is going on."""
        return self._under_way().exam.computer

    def decode(self, encoded: Encoded) -> act.Action:
        """Return the action that an encoded one stands for; AgentError where it stands for none."""
        return decode(encoded, self._kinds, self._size)

    def _exam(self, computer: Computer) -> Exam:
        make = Exam if self._run is None else self._run.exam
        candidate = Candidate(name=self._agent, want=self._want)
        return make(self._task, computer, self._rules, candidate=candidate, **self._others)

    def _under_way(self) -> Rollout:
        if self._rollout is None or self._rollout.over:
            raise SpecError("no episode is going on", remedy="call reset() first, and again after each end")
        return self._rollout

    def _take(self, action: act.Action | AgentError) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        rollout = self._under_way()
        info: dict[str, Any] = {"action": action.to_json()} if isinstance(action, act.Action) else {}
        try:
            stepped = rollout.take(action)
        except EpisodeVoid as error:
            return self._again(), 0.0, False, True, info | {"error": str(error), "void": True}
        info |= _account(stepped)
        acted = stepped.step is not None and stepped.step.performed is not None
        self._last = self._see(stepped.observation) if acted else self._again()
        if stepped.result is None:
            return self._last, stepped.reward, False, False, info
        info |= _end(stepped, judged=not self._free)
        ended = stepped.stop in ENDED_BY_ITSELF
        return self._last, stepped.reward, ended, not ended, info

    def _fresh(self) -> Computer:
        if self._spares:
            self._pool = self._pool or Pool(self._factory, self._spares)
            return self._lease.enter_context(self._pool.lease())
        return self._lease.enter_context(self._factory())

    def _release(self) -> None:
        rollout, self._rollout = self._rollout, None
        try:
            if rollout is not None:
                rollout.close()
        finally:
            self._lease.close()

    def _see(self, observation: Observation) -> Seen:
        if self.into is None:
            seen: Seen = {"screenshot": np.array(observation.screenshot, dtype=np.uint8)}
        else:
            self.into[...] = np.asarray(observation.screenshot, dtype=np.uint8)
            seen = {"screenshot": self.into}
        if observation.tree is not None:
            table = to_table(observation.tree, max_chars=TREE_CHARS)
            seen["tree"] = table.encode("ascii", "backslashreplace").decode()[:TREE_CHARS]
        return seen

    def _again(self) -> Seen:
        """Return what was last seen, as an observation of its own where each is."""
        if self.into is not None:
            return self._last
        return {name: np.array(part) if isinstance(part, np.ndarray) else part for name, part in self._last.items()}


def _prepare_nothing(_computer: Computer) -> None:
    """Leave it as it is."""


def _judge_nothing(_computer: Computer) -> float:
    return 0.0


def _factory(computer: str | Callable[[], Computer], options: dict[str, Any]) -> Callable[[], Computer]:
    if isinstance(computer, str):
        return lambda: open_computer(computer, **options)
    if options:
        raise SpecError(f"unknown options {sorted(options)}", remedy="give them to the function that makes computers")
    return computer


def _account(stepped: Stepped) -> dict[str, Any]:
    """Tell what happened without times, so that the same steps give the same account."""
    step = stepped.step
    if step is None:
        return {}
    account: dict[str, Any] = {"trouble": step.trouble} if step.trouble else {}
    if step.refused:
        account["agent_error"] = step.refused
    if (performed := step.performed) is None:
        return account
    account |= {"settled": performed.settled, "verified": performed.verified, "stale": step.stale}
    if performed.element is not None:
        account["element"] = performed.element.describe()
    if performed.result is not None:
        account |= {"output": performed.result.output, "code_error": performed.result.error}
    return account


def _end(stepped: Stepped, *, judged: bool) -> dict[str, Any]:
    """Tell what came of an episode."""
    result = stepped.result
    assert result is not None
    told: dict[str, Any] = ending_of(result) if judged else {"score": None, "stop": result.stop}
    if result.stop == "broke_the_computer":
        told |= {"broke_the_computer": True, "error": result.error}
    return told


def register() -> None:
    """Make `gymnasium.make("proctor/Desktop-v0", computer=...)` work; doing so twice has no effect."""
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(id=ENV_ID, entry_point=f"{__name__}:ProctorGymEnv")


register()
