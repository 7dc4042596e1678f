"""OSWorld's `DesktopEnv`: its run loops and agents work here with one import changed."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from proctor.actions.action import Action, Done, Fail
from proctor.agents.agent import Turn
from proctor.computers.computer import Computer
from proctor.errors import AgentError, EpisodeVoid, ProctorError, SpecError
from proctor.exam.door_run import DoorRun
from proctor.exam.rules import Rules
from proctor.exam.state import StepResult
from proctor.interop.account import step_account
from proctor.interop.agent_commands import NOT_RUN, do_and_note, why_over
from proctor.interop.guest_commands import Ran, TooMuchOutput
from proctor.interop.house import house_rules
from proctor.interop.osworld.controller import OSWorldController
from proctor.interop.osworld.gestures import dialect_of, does_more, program_in, read_actions
from proctor.interop.osworld.guest import OSWorldGuest
from proctor.interop.osworld.observed import Observed, observed_as
from proctor.interop.osworld.tasks import GivenTask, read_task
from proctor.interop.osworld.wait import PauseWatcher, read_pause
from proctor.interop.rollout import Rollout
from proctor.interop.venue import Venue
from proctor.observations.observation import Observation, Want
from proctor.records import Result
from proctor.suites import DEFAULT

logger = logging.getLogger(__name__)

Info = dict[str, object]
Told = tuple[Observed, int, bool, Info]
"""What is seen, the reward, whether the episode is over, and what else is to be said."""


class OSWorldEnv:
    """A desktop with a task, as OSWorld's run loops step it: `reset`, `step`, `evaluate`, `close`.

    The reward of a step is 0 as there; `evaluate` judges what is there and returns the score. What says nothing about
    the agent raises EpisodeVoid and is never a score. An action that cannot be carried out changes nothing and is
    explained in `info["agent_error"]`. A step waits as long as `pause` says, or until the screen is at rest.
    Code that does more than gestures runs inside the computer and is a step like any other, and so is whatever
    `controller` runs there.

    Args:
        provider_name: What a machine is made with, there; `computer` says it here.
        region: Not used here, nor are `path_to_vm`, `snapshot_name` and `headless`.
        action_space: `pyautogui` or `computer_13`.
        cache_dir: Not written to; kept for those who look it up.
        screen_size: Of the desktop, where `computer` is a name.
        require_a11y_tree: Whether observations have the tree.
        require_terminal: Whether they have the text of the frontmost terminal.
        os_type: Ubuntu; there is no other here.
        enable_proxy: Has no effect: a computer has the network that its options say.
        client_password: Of the user inside, as agents are told.
        computer: Name of a backend, which is told what a task needs, or a function that returns a computer.
        suite: Where tasks are looked for by their names.
        assets: The folder of the files that OSWorld's tasks name.
        max_steps: Most actions of an episode; as many as the loop likes where None.
        out: Folder of a new run in which every episode is recorded.
        agent: What whoever steps is called in the record.
        rules: What holds, in place of the usual.
        faithful: Whether OSWorld's tasks score as there, where our verdict is another.
        options: What the backend takes, such as `image="full"`.
    """

    vm_ip = "127.0.0.1"
    """For agents that want to be told; nothing listens there."""

    def __init__(
        self,
        provider_name: str = "proctor", region: str | None = None, path_to_vm: str | None = None,
        snapshot_name: str | None = None, action_space: str = "pyautogui", cache_dir: str = "cache",
        screen_size: tuple[int, int] = (1920, 1080), headless: bool = True, require_a11y_tree: bool = True,
        require_terminal: bool = False, os_type: str = "Ubuntu", enable_proxy: bool = False,
        client_password: str = "password", *, computer: str | Callable[[], Computer] = "sandbox",
        suite: str = DEFAULT, assets: str | Path | None = None, max_steps: int | None = None,
        out: str | Path | None = None, agent: str = "osworld", rules: Rules | None = None, faithful: bool = False,
        **options: object,
    ) -> None:  # fmt: skip
        if os_type.lower() not in ("ubuntu", "linux"):
            raise SpecError(f"there is no desktop with {os_type!r} here", remedy="leave os_type at Ubuntu")
        if enable_proxy:
            logger.warning("enable_proxy has no effect: a computer has the network that its options say")
        self.provider_name, self.os_type, self.cache_dir = provider_name, os_type, cache_dir
        self.action_space, self._dialect = action_space, dialect_of(action_space)
        self.client_password = client_password
        self._suite, self._assets = suite, Path(assets) if assets is not None else None
        self._rules, self._max_steps, self._faithful = rules, max_steps, faithful
        self._run = DoorRun(Path(out), served={"osworld": action_space}) if out is not None else None
        self._pause = PauseWatcher()
        self._venue = Venue(
            computer=computer,
            options={"size": tuple(screen_size), **options} if isinstance(computer, str) else options,
            want=Want(tree=require_a11y_tree, terminal=require_terminal),
            uses=("run_code",),
            agent=agent,
            run=self._run,
            watchers=lambda: (self._pause,),
        )
        self._rollout: Rollout | None = None
        self._given: GivenTask | None = None
        self._last: Observed | None = None
        self.instruction, self.task_id = "", ""
        self.action_history: list[object] = []
        """What was handed to `step` in this episode, unchanged."""
        self.result: Result | None = None
        """What came of the episode, once it was evaluated."""
        guest = OSWorldGuest(lambda: self.computer, perform=self._perform, do=self._do)
        self.controller = OSWorldController(guest, lambda: self.computer, self.step)
        self._guest = guest

    # -- an episode -----------------------------------------------------------------------------------------------

    def reset(self, task_config: object = None, seed: int | None = None, options: Info | None = None) -> Observed:
        """Begin an episode on a fresh computer; `read_task` says what a task may be.

        Raises SpecError for a task that cannot be held here, EpisodeVoid where it cannot be made ready.
        """
        self._close_rollout()
        given = self._given = read_task(task_config, seed, suite=self._suite, assets=self._assets)
        self.action_history, self.result = [], None
        self.task_id = str(task_config.get("id", "")) if isinstance(task_config, Mapping) else given.task.id
        rules = self._rules or house_rules(given.task, self._max_steps)
        rules = replace(rules, faithful=self._faithful or rules.faithful)
        venue = replace(self._venue, rules=rules, assets=given.assets)
        rollout = self._rollout = Rollout(venue.exam(given.task))
        try:
            seen = rollout.begin()
        except BaseException:
            self._close_rollout()
            raise
        self.instruction = rollout.brief.instruction
        return self._show(seen)

    def step(self, action: object, pause: float | None = None) -> Told:
        """Take an action; returns what is seen, 0, whether it is over, and what else is to be said.

        `pause` is how many seconds to wait before the look, as there: after them, programs get a tenth of a second to
        draw what they have read. Where it is None, the screen is waited for until it is at rest.
        """
        exam = self._under_way().exam
        self._pause.seconds = read_pause(pause)
        self.action_history.append(action)
        text = action if isinstance(action, str) else json.dumps(action, default=str)
        try:
            actions = read_actions(action, self._dialect, exam.computer.size, pause)
            step = self._take(Turn(actions=actions, reply=text))
        except AgentError as error:
            program = program_in(action)
            if self._dialect == "pyautogui" and isinstance(program, str) and does_more(program):
                return self._run_inside(program)
            actions = ()
            step = self._take(Turn(problem=error.message, reply=text))
        info: Info = {key: value for key, value in step_account(step).items() if key in ("agent_error", "trouble")}
        return self._report(step.observation, info | _words(actions))

    def evaluate(self) -> float:
        """Judge what is there and return the score, from 0 to 1; a second call returns the same.

        A loop that stops without DONE or FAIL has run out of its steps. Raises EpisodeVoid where nothing can be said.
        """
        if self._rollout is None or self._given is None:
            raise SpecError("there is no episode to evaluate", remedy="call reset() with a task first")
        if not self._given.asked:
            raise SpecError("nothing was asked for in this episode", remedy="give reset() a task")
        self.result = result = self._rollout.exam.end(stop="step_limit")
        if result.score is None:
            raise EpisodeVoid(f"void: {result.error}", remedy="do not count this episode, and reset")
        return float(result.score)

    def render(self, mode: str = "rgb_array") -> bytes:
        """Return the screen as PNG."""
        if mode != "rgb_array":
            raise SpecError(f"unknown render mode {mode!r}", remedy="use rgb_array")
        return self._guest.screenshot()

    def close(self) -> None:
        """Close the computer and seal the record; an episode that was not evaluated is void."""
        self._close_rollout()
        if self._run is not None:
            self._run.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    # -- what is known of it --------------------------------------------------------------------------------------

    @property
    def computer(self) -> Computer:
        """The computer of this episode; raises SpecError where there is none."""
        if self._rollout is None:
            raise SpecError("no episode is running", remedy="call reset() first")
        return self._rollout.exam.computer

    @property
    def vm_platform(self) -> str:
        """The kind of system."""
        return self.controller.get_vm_platform()

    @property
    def vm_screen_size(self) -> dict[str, int]:
        """Width and height of the desktop."""
        return self._guest.screen_size()

    def _get_obs(self) -> Observed:
        # OSWorld's run loops call it by this name, to look again after a wait of their own.
        if not self._under_way().exam.over:
            return self._show(self._take(Turn(look=self._venue.want)).observation)
        assert self._last is not None, "an episode that is over was seen"
        return self._last

    # -- how ------------------------------------------------------------------------------------------------------

    def _under_way(self) -> Rollout:
        if self._rollout is None:
            raise SpecError("no episode is running", remedy="call reset() first")
        return self._rollout

    def _take(self, turn: Turn) -> StepResult:
        return self._under_way().act(turn)

    def _show(self, seen: Observation) -> Observed:
        self._last = observed_as(seen, self.instruction)
        return self._last

    def _report(self, seen: Observation, info: Info) -> Told:
        exam = self._under_way().exam
        if exam.state.stop == "broke_the_computer":
            info |= {"broke_the_computer": True, "error": exam.state.error}
        if exam.over:
            info |= {"stop": exam.state.stop}
        return self._show(seen), 0, exam.over, info

    def _run_inside(self, program: str) -> Told:
        """Run a program that does more than gestures, as OSWorld runs every one."""
        info: Info = {}
        try:
            said = self._guest.run_gesturing(program)
            info = {key: said[key] for key in ("output", "error") if said[key]}
        except EpisodeVoid:
            raise
        except (ProctorError, TooMuchOutput, OSError) as error:
            info = {"error": str(error)}
        state = self._under_way().exam.state
        return self._report(state.observation, info)

    def _perform(self, action: Action) -> StepResult:
        """Carry out an action of `controller`, which is a step of the agent."""
        step = self._take(Turn(actions=(action,)))
        if step.refused or step.trouble:
            raise AgentError(step.refused or step.trouble)
        return step

    def _do(self, code: str, work: Callable[[], Ran]) -> Ran:
        """Do what a command of the agent does, wait for the screen, and note both."""
        exam = self._under_way().exam
        if exam.over:
            return Ran(NOT_RUN, "", f"{why_over(exam)}\n")

        def settle_after() -> Ran:
            ran = work()
            self._pause.prepare(exam.computer)
            exam.computer.settle()
            self._pause.release(exam.computer)
            return ran

        return do_and_note(exam, code, settle_after)

    def _close_rollout(self) -> None:
        rollout, self._rollout = self._rollout, None
        self.controller.close()
        if rollout is not None:
            rollout.close()


def _words(actions: tuple[Action, ...]) -> Info:
    """Return what OSWorld says of its special words."""
    last = actions[-1] if actions else None
    return {"done": True} if isinstance(last, Done) else {"fail": True} if isinstance(last, Fail) else {}
