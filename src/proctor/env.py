"""The environment: a computer, a brief and a way of looking, stepped one action at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from proctor.actions.action import (
    ACTIONS,
    ON_A_DESKTOP,
    SIGNALS,
    Action,
    AskUser,
    CallTool,
    InputAction,
    SignalAction,
)
from proctor.computers.computer import Computer, Performed
from proctor.computers.drift import Drift
from proctor.computers.observer import needs, observe
from proctor.computers.perform import NEEDS
from proctor.errors import (
    AgentError,
    CheckError,
    ComputerError,
    ComputerLost,
    HostError,
    ProctorError,
    SpecError,
    UnknownName,
)
from proctor.observations.observation import Observation, Want
from proctor.records import Brief

Judge = Callable[[Computer], float]
"""Looks at a computer and returns a score from 0 to 1."""
NOT_UNLESS_ASKED = frozenset({"run_code"})
"""Kinds of actions that only an agent made for them, or whoever sets the task, brings in: an examination at the desktop
is not one at the shell."""
SHOWN_OUTPUT = 16_384
"""Characters of a program's output that an agent is shown."""


@dataclass(frozen=True, kw_only=True)
class StepResult:
    """What one step led to."""

    observation: Observation
    performed: Performed | None = None
    """How the action was carried out; None for a signal, and where the computer did not take it."""
    trouble: str = ""
    """Why the computer did not take the action, where it did not: by what the agent did before, as a rule."""
    ended: bool = False
    """Whether the episode is over; the next call must be `reset`."""
    signal: SignalAction | None = None
    """What the agent said, where it said something."""
    out_of_steps: bool = False
    """Whether it is over because the steps are used up."""
    stale: float = 0.0
    """The share of the screen that had changed by itself, since the agent was last shown it, when the action began."""


class Env:
    """One agent's view of one computer.

    The computer is given started and remains its owner's to close. `reset` prepares it as told, and changes and
    history count from there.
    """

    def __init__(
        self,
        computer: Computer,
        brief: Brief,
        *,
        want: Want | None = None,
        judge: Judge | None = None,
        prepare: Callable[[Computer], None] | None = None,
    ) -> None:
        self.computer = computer
        self.brief = brief
        self.want = want or Want()
        self._judge = judge
        self._prepare = prepare
        self._drift = Drift(computer)
        self._steps: int | None = None
        """Actions taken in this episode; None when no episode is going on."""
        self.acted = False
        """Whether an action was handed to the computer in this episode; signals are none."""
        self._check()

    @property
    def steps(self) -> int:
        """Actions taken in this episode."""
        return self._steps or 0

    def reset(self) -> Observation:
        """Begin an episode: prepare the computer and look at it."""
        self.acted = False
        if self._prepare:
            self._prepare(self.computer)
        if "changes" in self.computer.capabilities:
            self.computer.baseline()
        self.computer.history.clear()
        self._steps = 0
        self._drift.forget()
        return self._observe()

    def step(self, action: Action) -> StepResult:
        """Carry out an action, or take note of a signal, and look again.

        Raises AgentError when the brief does not allow the action or it is impossible; the episode goes on. Raises
        ComputerError or OSError when the computer is gone or cannot be seen any more: after an action by the agent's
        doing, unless its host is to blame.
        """
        if self._steps is None:
            raise SpecError("no episode is going on", remedy="call reset() first, and again after each end")
        self.allow(action)
        return self._heard(action) if isinstance(action, SignalAction) else self.carry_out(action)

    def carry_out(self, action: Action) -> StepResult:
        """Do what `step` does with an action that `allow` let through, and that is not a signal."""
        if self._steps is None:
            raise SpecError("no episode is going on", remedy="call reset() first, and again after each end")
        stale = self._stale()
        performed, trouble = self._perform(action)
        self._steps += 1
        spent = self._steps >= self.brief.max_steps
        observation = self._observe()
        if spent:
            self._steps = None
        return StepResult(
            observation=observation,
            performed=performed,
            trouble=trouble,
            ended=spent,
            out_of_steps=spent,
            stale=stale,
        )

    def take_note(self, performed: Performed, seen: Observation) -> StepResult:
        """Count an action that a hand on the desktop, or a tool, has carried out, with what was seen after it."""
        if self._steps is None:
            raise SpecError("no episode is going on", remedy="call reset() first, and again after each end")
        # A tool is outside: whatever it did, the computer has not been touched.
        self.acted = self.acted or not isinstance(performed.action, CallTool)
        self.computer.history.append(performed)
        self._steps += 1
        spent = self._steps >= self.brief.max_steps
        seen = replace(seen, steps=self._steps)
        if spent:
            self._steps = None
        return StepResult(observation=seen, performed=performed, ended=spent, out_of_steps=spent)

    def look(self, want: Want) -> Observation:
        """Look again without acting, at other parts than usual where they are wanted; takes no step."""
        if self._steps is None:
            raise SpecError("no episode is going on", remedy="call reset() first, and again after each end")
        return self._observe(want)

    def _stale(self) -> float:
        """Return the share of the screen that has changed by itself; 0.0 also where a disordered one cannot say."""
        try:
            return self._drift.since(cursor=self.want.cursor)
        except (ComputerLost, HostError):
            raise
        except (ComputerError, OSError):
            if not self.acted:
                raise
            return 0.0

    def _perform(self, action: Action) -> tuple[Performed | None, str]:
        """Hand an action to the computer; one that it does not take is told to the agent, who goes on."""
        acted, self.acted = self.acted, True
        try:
            return self.computer.perform(action), ""
        except AgentError:
            self.acted = acted  # refused before anything reached the computer
            raise
        except (ComputerLost, HostError):
            raise
        except (ComputerError, OSError) as error:
            return None, f"the computer did not take it: {error}"

    def allow(self, action: Action) -> None:
        """Refuse what the brief does not allow; raises AgentError."""
        if isinstance(action, CallTool) and self.brief.tools:
            return
        if not isinstance(action, InputAction | SignalAction) or action.kind not in self.brief.actions:
            raise AgentError(
                f"the action {getattr(action, 'kind', action)!r} is not allowed in this task",
                remedy=f"choose one of: {', '.join(self.brief.actions)}",
            )

    def judge(self) -> float | None:
        """Return the score of the computer as it is now; None when nobody judges.

        Raises CheckError when the judge fails: a judgement that crashed is not a score of 0.
        """
        if self._judge is None:
            return None
        try:
            return self._judge(self.computer)
        except ProctorError:
            raise
        except Exception as error:
            raise CheckError(f"the judge failed with {type(error).__name__}: {error}") from error

    def _observe(self, want: Want | None = None) -> Observation:
        seen = observe(self.computer, want or self.want, drift=self._drift, sparing=self.acted)
        return replace(seen, steps=self.steps)

    def _heard(self, signal: SignalAction) -> StepResult:
        observation = self._observe()
        ended = not isinstance(signal, AskUser)
        if ended:
            self._steps = None
        return StepResult(observation=observation, ended=ended, signal=signal)

    def _check(self) -> None:
        """Refuse at once what could only fail later."""
        if self.brief.max_steps < 1:
            raise SpecError(f"Brief.max_steps is {self.brief.max_steps}", remedy="allow 1 or more")
        for kind in self.brief.actions:
            if kind not in ACTIONS:
                raise UnknownName("action in Brief.actions", kind, ACTIONS)
        if tuple(self.brief.size) != tuple(self.computer.size):
            raise SpecError(
                f"the brief speaks of a desktop of {self.brief.size}, the computer has {self.computer.size}",
                remedy="write the brief with size=computer.size",
            )
        self.computer.need(*sorted({NEEDS[kind] for kind in self.brief.actions if kind in NEEDS}))
        self.computer.need(*needs(self.want))


def allowed_actions(computer: Computer) -> tuple[str, ...]:
    """Return the kinds of actions that a computer can carry out, and every signal.

    Where there is a pointer, touch is left out: one hand is enough, and prompts stay short. A brief may still name it.
    """
    kinds = ON_A_DESKTOP if "pointer" in computer.capabilities else tuple(ACTIONS)
    return tuple(kind for kind in kinds if NEEDS.get(kind, "screen") in computer.capabilities)


def offered_actions(computer: Computer, only: Iterable[str] = (), extra: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the kinds of actions that a brief offers on a computer.

    Args:
        computer: Where.
        only: The kinds that are allowed; all but those that must be asked for when empty.
        extra: Kinds that were asked for.
    """
    possible, asked = allowed_actions(computer), {*only, *extra}
    chosen = tuple(only) or tuple(kind for kind in possible if kind not in NOT_UNLESS_ASKED or kind in asked)
    # Whatever an agent may do, it must be able to say that it is done, to give up, to answer and to ask.
    return chosen + tuple(kind for kind in possible if kind in SIGNALS and kind not in chosen)
