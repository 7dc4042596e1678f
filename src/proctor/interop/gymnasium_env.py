"""Proctor's desktop as a Gymnasium environment; importing this module registers `proctor/Desktop-v0`."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
import numpy.typing as npt

from proctor.actions import action as act
from proctor.computers import meet, open_computer
from proctor.computers.blame import TROUBLE, blame
from proctor.computers.computer import Computer
from proctor.computers.pool import Pool
from proctor.env import Env, Judge, StepResult
from proctor.errors import AgentError, CheckError, MissingExtra, SpecError
from proctor.observations.observation import Observation, Want
from proctor.observations.table import to_table
from proctor.records import Brief
from proctor.tasks.judge import judge
from proctor.tasks.prepare import set_up
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import Task
from proctor.tasks.watch import Watch

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise MissingExtra("the Gymnasium environment", "gym") from error

ENV_ID = "proctor/Desktop-v0"
KINDS = (
    "move", "click", "mouse_down", "mouse_up", "drag", "scroll", "type", "press", "key_down", "key_up", "wait",
    "done", "fail",
)  # fmt: skip
"""The actions an agent may take unless told otherwise; `run_code`, `answer` and `ask_user` can be added."""
MODIFIERS = ("", "ctrl", "shift", "alt")
KEYS = (
    "enter", "tab", "escape", "backspace", "delete", "space", "up", "down", "left", "right", "home", "end", "pageup",
    "pagedown", "insert", *(f"f{number}" for number in range(1, 13)), "shift+tab", "alt+tab", "alt+f4", "super",
    *(f"ctrl+{letter}" for letter in string.ascii_lowercase), "ctrl+home", "ctrl+end", "ctrl+shift+z",
)  # fmt: skip
"""What `press` can press; characters are for `type`."""
MAX_TEXT = 128
CHARSET = string.ascii_letters + string.digits + string.punctuation + " \n\t"
MAX_NOTCHES = 10
TREE_CHARS = 40_000

Encoded = dict[str, Any]
Seen = dict[str, Any]


class ProctorGymEnv(gymnasium.Env[Seen, Encoded]):
    """A desktop to learn on: a fresh computer for each episode, the screen as pixels, every action as numbers.

    An action is a dictionary whose `kind` decides which of its other parts count; places are given in parts of the
    desktop's width and height. `step_action` takes an Action instead. The reward is
    the judge's score, given at the end; for a composed task (`for_task`) each step earns what it adds to the coverage,
    and the rewards of an episode add up to its score. An impossible action changes nothing and is explained in
    `info["agent_error"]`, one that the computer did not take in `info["trouble"]`. A computer that fails after the
    first action, while its host is well, was broken by what was done on it: the episode terminates without reward and
    with `info["broke_the_computer"]`. Trouble of the host, the judge, or a computer not yet acted on truncates the
    episode with `info["error"]` and `info["void"]`.

    Args:
        computer: Name of a backend, or a function that returns a computer not yet started.
        instruction: What the agent is to do.
        actions: Kinds of actions it may take.
        max_steps: After so many actions the episode is truncated.
        tree: Whether to see the accessibility tree as text too.
        judge: Looks at the computer at the end and returns a score from 0 to 1.
        prepare: Makes the computer ready for an episode: writes files, opens applications.
        earn: Called at the beginning of each episode; returns what looks at the computer after each step and says what
            has been earned so far. Rewards are then what is earned more than before.
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
        judge: Judge | None = None,
        prepare: Callable[[Computer], None] | None = None,
        earn: Callable[[], Judge] | None = None,
        spares: int = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise SpecError(f"unknown render mode {render_mode!r}", remedy="use rgb_array")
        self.render_mode = render_mode
        self._factory = _factory(computer, options)
        sample = self._factory()
        self._brief = Brief(instruction=instruction, actions=tuple(actions), size=sample.size, max_steps=max_steps)
        self._want = Want(tree=tree)
        self._judge, self._prepare, self._earn = judge, prepare, earn
        self._earned: Judge | None = None
        self._given = 0.0
        Env(sample, self._brief, want=self._want)  # refuses at once what could never work
        self._spares = spares
        self._pool: Pool | None = None
        self._lease = ExitStack()
        self._env: Env | None = None
        self._taken = 0
        self._last: Seen = {}
        self.into: npt.NDArray[np.uint8] | None = None
        """Where the screen is written, over what was there before; a new array for each observation, where None."""
        self.observation_space = _observation_space(sample.size, tree)
        self.action_space = _action_space(len(actions))

    @classmethod
    def for_task(cls, task: Task, computer: str | Callable[[], Computer] = "sandbox", **settings: Any) -> ProctorGymEnv:
        """Return the environment of a task; a composed one rewards each subtask when it is completed.

        Args:
            task: What is to be done.
            computer: Name of a backend, which is told what the task needs, or a function that returns a computer.
            settings: Anything else that the constructor takes.
        """
        graph = task.graph
        defaults: dict[str, Any] = {
            "instruction": task.instruction,
            "max_steps": task.limits.steps,
            "prepare": lambda machine: set_up(task, machine),
            "judge": lambda machine: judge(task, machine, Ending()).score,
            **(meet(computer, task.needs).options if isinstance(computer, str) else {}),
        }
        if graph is not None:
            defaults |= {"earn": lambda: _coverage(Watch(graph)), "judge": None}
        return cls(computer, **{**defaults, **settings})

    # -- the five of Gymnasium ------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin an episode on a fresh computer."""
        super().reset(seed=seed)
        if options:
            raise SpecError(f"reset takes no options, and got {sorted(options)}")
        self._release()
        self._env = Env(self._fresh(), self._brief, want=self._want, judge=self._judge, prepare=self._prepare)
        self._taken, self._given = 0, 0.0
        self._earned = self._earn() if self._earn else None
        self._last = self._seen(self._env.reset())
        return self._last, {"instruction": self._brief.instruction}

    def step(self, action: Encoded) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Take an encoded action."""
        try:
            decoded = self.decode(action)
        except AgentError as error:
            return self._after_agent_error(error)
        return self.step_action(decoded)

    def step_action(self, action: act.Action) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Take an action of the closed set."""
        env = self._episode()
        info: dict[str, Any] = {"action": action.to_json()}
        try:
            result = env.step(action)
            self._taken += 1
            self._last = self._seen(result.observation)
            truncated = result.out_of_steps or self._taken >= self._brief.max_steps
            ended = result.ended or truncated
            reward = self._more_earned(env.computer)
            score = env.judge() if ended else None
        except AgentError as error:
            return self._after_agent_error(error, info)
        except (*TROUBLE, CheckError) as error:
            return self._failed(error, info)
        if ended:
            self._env = None
            info["score"] = self._given if self._earned else score
        info |= _account(result)
        return self._last, reward + (score or 0.0), ended and not truncated, truncated, info

    def render(self) -> npt.NDArray[np.uint8] | None:
        """Return the screen as it was last seen."""
        if self.render_mode is None:
            return None
        if not self._last:
            raise SpecError("there is nothing to render yet", remedy="call reset() first")
        return np.array(self._last["screenshot"])

    def close(self) -> None:
        """Close the computer and the spare ones."""
        self._release()
        if self._pool:
            self._pool.close()
            self._pool = None

    # -- how ------------------------------------------------------------------------------------------------------

    @property
    def computer(self) -> Computer:
        """The computer of the episode that is going on."""
        return self._episode().computer

    def decode(self, encoded: Encoded) -> act.Action:
        """Return the action that an encoded one stands for; AgentError where it stands for none."""
        kind = self._brief.actions[int(encoded["kind"])]
        (x, y), (to_x, to_y) = self._pixel(encoded["position"]), self._pixel(encoded["target"])
        dx, dy = (int(value) for value in encoded["scroll"])
        button, modifier = act.BUTTONS[int(encoded["button"])], MODIFIERS[int(encoded["modifier"])]
        held = (modifier,) if modifier else ()
        text = str(encoded["text"])
        fields: dict[str, dict[str, Any]] = {
            "move": {"x": x, "y": y},
            "click": {"x": x, "y": y, "button": button, "count": int(encoded["count"]), "modifiers": held},
            "mouse_down": {"button": button},
            "mouse_up": {"button": button},
            "drag": {"path": ((x, y), (to_x, to_y)), "button": button, "modifiers": held},
            "scroll": {"x": x, "y": y, "dx": dx, "dy": dy, "modifiers": held},
            "tap": {"x": x, "y": y, "count": int(encoded["count"])},
            "long_press": {"x": x, "y": y},
            "swipe": {"path": ((x, y), (to_x, to_y))},
            "pinch": {"x": x, "y": y, "scale": 2.0 if dy > 0 else 0.5},
            "open_app": {"name": text},
            "type": {"text": text},
            "press": {"keys": KEYS[int(encoded["key"])]},
            "key_down": {"key": modifier},
            "key_up": {"key": modifier},
            "run_code": {"code": text},
            "answer": {"text": text},
            "ask_user": {"question": text},
        }
        return act.ACTIONS[kind](**fields.get(kind, {}))

    def _pixel(self, place: Sequence[float]) -> tuple[float, float]:
        """Return the pixel of a place given in parts of the desktop's width and height."""
        width, height = self._brief.size
        return min(int(place[0] * width), width - 1), min(int(place[1] * height), height - 1)

    def _episode(self) -> Env:
        if self._env is None:
            raise SpecError("no episode is going on", remedy="call reset() first, and again after each end")
        return self._env

    def _fresh(self) -> Computer:
        if self._spares:
            self._pool = self._pool or Pool(self._factory, self._spares)
            return self._lease.enter_context(self._pool.lease())
        return self._lease.enter_context(self._factory())

    def _release(self) -> None:
        self._env = None
        self._lease.close()

    def _more_earned(self, computer: Computer) -> float:
        """Return what has been earned since the last step."""
        if self._earned is None:
            return 0.0
        before, self._given = self._given, self._earned(computer)
        return self._given - before

    def _seen(self, observation: Observation) -> Seen:
        if self.into is None:
            seen: Seen = {"screenshot": np.array(observation.screenshot, dtype=np.uint8)}
        else:
            self.into[...] = np.asarray(observation.screenshot, dtype=np.uint8)
            seen = {"screenshot": self.into}
        if observation.tree is not None:
            table = to_table(observation.tree, max_chars=TREE_CHARS)
            seen["tree"] = table.encode("ascii", "backslashreplace").decode()[:TREE_CHARS]
        return seen

    def _after_agent_error(
        self, error: AgentError, info: dict[str, Any] | None = None
    ) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Count an impossible action as a step, or an agent that takes only such would never end."""
        env = self._episode()
        self._taken += 1
        info = {**(info or {}), "agent_error": str(error)}
        if self._taken < self._brief.max_steps:
            return self._again(), 0.0, False, False, info
        try:
            score = env.judge()
        except (*TROUBLE, CheckError) as failure:
            return self._failed(failure, info)
        self._env = None
        return self._again(), score or 0.0, False, True, info | {"score": self._given if self._earned else score}

    def _failed(self, error: Exception, info: dict[str, Any]) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """End an episode by a failure: void, unless the computer was broken by what was done on it."""
        env, self._env = self._episode(), None
        info |= {"error": str(error)}
        if env.acted and isinstance(error, TROUBLE) and blame(error, env.computer).whose == "agent":
            score = self._given if self._earned else 0.0
            return self._again(), 0.0, True, False, info | {"broke_the_computer": True, "score": score}
        return self._again(), 0.0, False, True, info | {"void": True}

    def _again(self) -> Seen:
        """Return what was last seen, as an observation of its own where each is."""
        if self.into is not None:
            return self._last
        return {name: np.array(part) if isinstance(part, np.ndarray) else part for name, part in self._last.items()}


def _coverage(watch: Watch) -> Judge:
    def look(computer: Computer) -> float:
        watch.look(computer)
        return watch.coverage

    return look


def _factory(computer: str | Callable[[], Computer], options: dict[str, Any]) -> Callable[[], Computer]:
    if isinstance(computer, str):
        return lambda: open_computer(computer, **options)
    if options:
        raise SpecError(f"unknown options {sorted(options)}", remedy="give them to the function that makes computers")
    return computer


def _account(result: StepResult) -> dict[str, Any]:
    """Tell what happened without times, so that the same steps give the same account."""
    performed = result.performed
    if performed is None:
        return {"trouble": result.trouble} if result.trouble else {}
    account: dict[str, Any] = {"settled": performed.settled, "verified": performed.verified, "stale": result.stale}
    if performed.element is not None:
        account["element"] = performed.element.describe()
    if performed.result is not None:
        account |= {"output": performed.result.output, "code_error": performed.result.error}
    return account


def _observation_space(size: tuple[int, int], tree: bool) -> spaces.Dict:
    width, height = size
    parts: dict[str, spaces.Space[Any]] = {"screenshot": spaces.Box(0, 255, (height, width, 3), np.uint8)}
    if tree:
        parts["tree"] = spaces.Text(TREE_CHARS, min_length=0, charset=string.printable)
    return spaces.Dict(parts)


def _action_space(kinds: int) -> spaces.Dict:
    notches = 2 * MAX_NOTCHES + 1
    return spaces.Dict(
        {
            "kind": spaces.Discrete(kinds),
            "position": spaces.Box(0, 1, (2,), np.float32),
            "target": spaces.Box(0, 1, (2,), np.float32),
            "button": spaces.Discrete(len(act.BUTTONS)),
            "count": spaces.Discrete(3, start=1),
            "modifier": spaces.Discrete(len(MODIFIERS)),
            "scroll": spaces.MultiDiscrete([notches, notches], start=[-MAX_NOTCHES, -MAX_NOTCHES]),
            "key": spaces.Discrete(len(KEYS)),
            "text": spaces.Text(MAX_TEXT, min_length=0, charset=CHARSET),
        }
    )


def register() -> None:
    """Make `gymnasium.make("proctor/Desktop-v0", computer=...)` work; doing so twice has no effect."""
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(id=ENV_ID, entry_point=f"{__name__}:ProctorGymEnv")


register()
