"""Proctor's desktop as a Gymnasium environment; importing this registers `proctor/Desktop-v0`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from proctor.actions.action import Action
from proctor.computers.computer import Computer
from proctor.computers.pool import Pool
from proctor.errors import AgentError, EpisodeVoid, MissingExtra, SpecError
from proctor.exam.door_run import DoorRun
from proctor.exam.rules import DAY_SEC, Rules
from proctor.exam.station import check_brief
from proctor.interop.account import ending_of, step_account
from proctor.interop.elements import tree_form
from proctor.interop.gymnasium_spaces import KINDS, Encoded, Seen, action_space, decode, encode, observation_space
from proctor.interop.rollout import Rollout, read_action
from proctor.interop.venue import Venue
from proctor.observations.observation import Observation, Want
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
    """A desktop to learn on: a fresh computer for each episode, pixels in, numbers out.

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
        tree: Whether to see the elements on the screen as text too, and to name them by their ids: `outline`, the same
            as True, or `osworld` for the table of its paper, which has no ids.
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
    _pool: Pool | None = None
    _rollout: Rollout | None = None
    _seen: Observation | None = None

    def __init__(
        self,
        computer: str | Callable[[], Computer] = "sandbox",
        *,
        instruction: str = "",
        actions: Sequence[str] = KINDS,
        max_steps: int = 100,
        tree: bool | str = False,
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
        self.render_mode, self._kinds, self._spares = render_mode, tuple(actions), spares
        self._task, self._is_judged = task or free_task(instruction, judged=judge is not None), bool(task or judge)
        if task is None:
            # Where nothing is examined, nobody is stopped before the steps run out.
            rules = rules or Rules(seconds=DAY_SEC, repetition=max(max_steps, 2), fruitless=max_steps)
            judge = judge or (lambda _computer: 0.0)
        venue = Venue(
            computer=computer,
            options=options,
            rules=replace(rules or Rules(seconds=DAY_SEC), steps=max_steps, actions=self._kinds),
            want=Want(tree=bool(tree)),
            agent=agent,
            assets=assets,
            prepare=prepare if task is None else None,
            judge=judge if task is None else None,
        )
        self._form = tree_form(tree)
        # Refuses at once what could never work.
        sample = venue.open(task)
        brief = Brief(instruction=instruction, actions=self._kinds, size=sample.size, max_steps=max_steps)
        check_brief(sample, brief, venue.want)
        self._asked, self._size = task, sample.size
        self._run = DoorRun(out, served={"gymnasium": ENV_ID}) if out is not None else None
        self._venue = replace(venue, run=self._run)
        self._last: Seen = {}
        self.into: npt.NDArray[np.uint8] | None = None
        """Where the screen is written, over what was there before; a new array for each observation, where None."""
        self.observation_space = observation_space(sample.size, bool(tree))
        self.action_space = action_space(len(actions), self._form == "outline")

    @classmethod
    def for_task(cls, task: Task, computer: str | Callable[[], Computer] = "sandbox", **settings: Any) -> ProctorGymEnv:
        """Return the environment of a task, held and judged as in a run, with answers and giving up.

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
        }
        return cls(computer, **{**defaults, **settings})

    # -- the five of Gymnasium ------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin an episode on a fresh computer; raises EpisodeVoid where it cannot be made ready."""
        super().reset(seed=seed)
        if options:
            raise SpecError(f"reset takes no options, and got {sorted(options)}")
        self._close_rollout()
        if self._spares and self._pool is None:
            self._pool = Pool(self._open, self._spares)
        self._rollout = rollout = Rollout(self._venue.exam(self._task, self._pool.lease if self._pool else self._open))
        try:
            self._show(rollout.begin())
        except BaseException:
            self._close_rollout()
            raise
        return self._last, {"instruction": rollout.brief.instruction}

    def step(self, action: Encoded) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Take an encoded action."""
        return self._take(read_action(lambda: self.decode(action)))

    def step_action(self, action: Action) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
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
        self._close_rollout()
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

    def decode(self, encoded: Encoded) -> Action:
        """Return the action that an encoded one stands for; AgentError where it stands for none."""
        return decode(encoded, self._kinds, self._size, self._seen)

    def _open(self) -> Computer:
        return self._venue.open(self._asked)

    def _under_way(self) -> Rollout:
        if self._rollout is None or self._rollout.over:
            raise SpecError("no episode is running", remedy="call reset() first, and again after each end")
        return self._rollout

    def _take(self, action: Action | AgentError) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        rollout = self._under_way()
        info: dict[str, Any] = {"action": action.to_json()} if isinstance(action, Action) else {}
        try:
            stepped = rollout.take(action)
        except EpisodeVoid as error:
            return self._see_again(), 0.0, False, True, info | {"error": str(error), "void": True}
        info |= step_account(stepped.step)
        if stepped.step.performed:
            self._show(stepped.observation)
        else:
            self._last = self._see_again()
        if (result := stepped.result) is None:
            return self._last, stepped.reward, False, False, info
        info |= ending_of(result) if self._is_judged else {"score": None, "stop": result.stop}
        if result.stop == "broke_the_computer":
            info |= {"broke_the_computer": True, "error": result.error}
        ended = result.stop in ENDED_BY_ITSELF
        return self._last, stepped.reward, ended, not ended, info

    def _show(self, seen: Observation) -> None:
        self._seen, self._last = seen, encode(seen, self.into, self._form or "outline")

    def _close_rollout(self) -> None:
        rollout, self._rollout = self._rollout, None
        if rollout is not None:
            rollout.close()

    def _see_again(self) -> Seen:
        """Return what was last seen, as an observation of its own where each is."""
        if self.into is not None:
            return self._last
        return {name: np.array(part) if isinstance(part, np.ndarray) else part for name, part in self._last.items()}


def register() -> None:
    """Make `gymnasium.make("proctor/Desktop-v0", computer=...)` work; doing so twice has no effect."""
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(id=ENV_ID, entry_point=f"{__name__}:ProctorGymEnv")


register()
