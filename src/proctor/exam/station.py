"""The computer of an exam as it is seen and touched, one action at a time."""

from __future__ import annotations

from dataclasses import replace

from proctor.actions.action import ACTIONS, Action, CallTool, InputAction, SignalAction
from proctor.computers.computer import Computer, Performed
from proctor.computers.drift import Drift
from proctor.computers.observer import needs, observe
from proctor.computers.perform import NEEDS
from proctor.errors import AgentError, ComputerError, ComputerLost, HostError, SpecError, UnknownName
from proctor.observations.observation import Observation, Want
from proctor.observations.outline_ids import Ids
from proctor.records import Brief


class Station:
    """One prepared computer, operated one action at a time; changes and history count from where it is made."""

    def __init__(self, computer: Computer, brief: Brief, want: Want) -> None:
        self.computer, self.brief, self.want = computer, brief, want
        self.acted = False
        """Whether the computer was touched; signals and tools outside do not touch it."""
        self.steps = 0
        self._drift = Drift(computer)
        self._ids = Ids()
        if "changes" in computer.capabilities:
            computer.baseline()
        computer.history.clear()

    def begin_here(self) -> None:
        """Count from here on: the computer was operated by somebody else so far."""
        self.steps, self.acted = 0, False

    def look(self, want: Want | None = None) -> Observation:
        """Look without acting, at other parts than usual where they are wanted."""
        seen = observe(self.computer, want or self.want, drift=self._drift, ids=self._ids, sparing=self.acted)
        return replace(seen, steps=self.steps)

    def allow(self, action: Action) -> None:
        """Refuse what the brief does not allow; raises AgentError."""
        if isinstance(action, CallTool) and self.brief.tools:
            return
        if not isinstance(action, InputAction | SignalAction) or action.kind not in self.brief.actions:
            raise AgentError(
                f"the action {getattr(action, 'kind', action)!r} is not allowed in this task",
                remedy=f"choose one of: {', '.join(self.brief.actions)}",
            )

    def perform(self, action: Action) -> tuple[Performed | None, str]:
        """Hand an action to the computer; one that it does not take is told to the agent, who goes on.

        Raises AgentError for an impossible one, ComputerLost and HostError.
        """
        acted, self.acted = self.acted, True
        try:
            done = self.computer.perform(action)
        except AgentError:
            self.acted = acted  # refused before anything reached the computer
            raise
        except (ComputerLost, HostError):
            raise
        except (ComputerError, OSError) as error:
            self.steps += 1
            return None, f"the computer could not carry it out: {error}"
        self.steps += 1
        return done, ""

    def note(self, performed: Performed) -> None:
        """Count an action that a hand on the desktop, a command or a tool has carried out already."""
        # A tool is outside: whatever it did, the computer has not been touched.
        self.acted = self.acted or not isinstance(performed.action, CallTool)
        self.computer.history.append(performed)
        self.steps += 1

    def stale(self) -> float:
        """Return the share of the screen that has changed by itself; 0.0 also where a disordered one cannot say."""
        try:
            return self._drift.since(cursor=self.want.cursor)
        except (ComputerLost, HostError):
            raise
        except (ComputerError, OSError):
            if not self.acted:
                raise
            return 0.0


def check_brief(computer: Computer, brief: Brief, want: Want) -> None:
    """Refuse at once what could only fail later; raises SpecError."""
    if brief.max_steps < 1:
        raise SpecError(f"Brief.max_steps is {brief.max_steps}", remedy="allow 1 or more")
    for kind in brief.actions:
        if kind not in ACTIONS:
            raise UnknownName("action in Brief.actions", kind, ACTIONS)
    if tuple(brief.size) != tuple(computer.size):
        raise SpecError(
            f"the brief speaks of a desktop of {brief.size}, the computer has {computer.size}",
            remedy="write the brief with size=computer.size",
        )
    computer.need(*sorted({NEEDS[kind] for kind in brief.actions if kind in NEEDS}))
    computer.need(*needs(want))
