"""What has happened in an exam so far: kept by the exam, looked at by those who watch it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from proctor.actions.action import Action, Answer, Done, Fail, SignalAction
from proctor.agents.agent import Turn
from proctor.computers.computer import Computer, Performed
from proctor.observations.observation import Observation
from proctor.records import Brief, Flag, Happening, ModelCall, Stop, Told
from proctor.tasks.probe_context import Ending
from proctor.tasks.shown import ShownCollector
from proctor.tasks.user import SimulatedUser

LEFT_OFF = "it was ended from outside, without done or give_up"
STOPS: dict[type[SignalAction], Stop] = {Done: "done", Answer: "answered", Fail: "gave_up"}
"""How last words are called where it is said why an exam ended."""


@dataclass(frozen=True, kw_only=True)
class StepResult:
    """What one step led to."""

    observation: Observation
    """What is seen now, with what the agent is told."""
    action: Action | None = None
    performed: Performed | None = None
    """How the action was carried out; None for a signal, and where it was not carried out."""
    refused: str = ""
    """Why the action was not carried out: it is not allowed, not possible, or somebody who watches objects."""
    trouble: str = ""
    """Why the computer did not take the action, where it did not: by what was done before, as a rule."""
    stale: float = 0.0
    """The share of the screen that had changed by itself, since it was last shown, when the action began."""
    stop: Stop | None = None
    """Why the exam is over, where it is; `end` returns the result."""
    steps_left: int = 0

    @property
    def ended(self) -> bool:
        """Whether the exam is over."""
        return self.stop is not None


@dataclass
class ExamState:
    """One exam under way; a watcher looks, and may `finish` it."""

    computer: Computer
    brief: Brief
    """All that the agent was told."""
    user: SimulatedUser
    observation: Observation
    """What was last seen, with what the agent is to be told."""
    number: int = 0
    """Of the step that comes next, or is being taken."""
    turn: Turn = Turn()
    """What the agent answered last."""
    turns: int = 0
    """How often it answered."""
    steps: int = 0
    """Actions that were handed to the computer."""
    led: int = 0
    """How many of these were taken before the agent began, in an exam that begins in the middle."""
    led_history: int = 0
    """How many actions the computer had carried out by then."""
    acted: bool = False
    """Whether the computer was touched by whoever is examined; words to the examiner and tools outside are nothing."""
    parse_errors: int = 0
    refused: int = 0
    stale: int = 0
    told: list[Told] = field(default_factory=list)
    """What the agent is told with the next observation."""
    calls: list[ModelCall] = field(default_factory=list)
    """Every request to a model, without what was said."""
    failed_call: ModelCall | None = None
    """The request that could not be answered, where that ended the exam."""
    result: StepResult | None = None
    """What the last action led to; None where it was not handed to the computer, or broke it."""
    shown: ShownCollector = field(default_factory=ShownCollector, repr=False)
    """What the agent has been shown, where its task asks for that."""
    signal: SignalAction | None = None
    by: str = ""
    """Who acts right now, where that is not the agent."""
    stop: Stop | None = None
    """Why it ended, once it has."""
    error: str = ""
    """What the agent failed with by itself, or broke."""
    trace: str = ""
    """Where in its code it failed."""
    crashed: bool = False
    flags: list[Flag] = field(default_factory=list)
    """Signs that the agent tried to reach the judge or the answer."""
    figures: dict[str, float] = field(default_factory=dict)
    """What watchers found out; kept beside the score and never part of it."""
    defects: list[str] = field(default_factory=list)
    """Traces of watchers that failed when all was over."""
    happenings: tuple[Happening, ...] = ()
    """What happened by itself, and what was planned and did not."""
    look_again: Callable[[], None] = field(default=lambda: None, repr=False)
    """Has the agent shown the computer as it is now, in place of what it was to see."""
    put_off: Callable[[float], None] = field(default=lambda _seconds: None, repr=False)
    """Gives the agent seconds back in which it was not at work, such as those in which a person decided."""

    def __post_init__(self) -> None:
        """Let the user know what has happened."""
        self.user.happened = lambda: {each.name for each in self.happenings if each.happened}

    @property
    def history(self) -> tuple[Performed, ...]:
        """Every action of the agent that was performed, with what it hit."""
        return tuple(self.computer.history[self.led_history :])

    @property
    def own_steps(self) -> int:
        """Actions of whoever is examined that were handed to the computer."""
        return self.steps - self.led

    def begin_here(self, seen: Observation) -> None:
        """Let the agent begin with what is seen now: what was done so far is not its doing."""
        self.led, self.led_history = self.steps, len(self.computer.history)
        self.turn, self.turns, self.parse_errors, self.refused, self.stale = Turn(), 0, 0, 0, 0
        self.acted, self.told, self.calls, self.result, self.by = False, [], [], None, ""
        self.observation, self.shown = seen, ShownCollector()

    @property
    def ending(self) -> Ending:
        """How the agent ended its work."""
        return Ending(self.signal, tuple(self.user.asked), self.shown.so_far())

    def finish(self, stop: Stop, error: str = "") -> None:
        """End the exam; the first reason counts."""
        if self.stop is None:
            self.stop = stop
            self.error = error or self.error

    def end(self, signal: SignalAction | None, stop: Stop | None, error: str) -> None:
        """Say why it ended, unless that is known: a last word, a reason, or that it was left."""
        if signal is not None and self.stop is None:
            self.signal = signal
            stop = STOPS.get(type(signal), stop)
        if stop is not None:
            self.finish(stop, error)
        self.finish("agent_error", LEFT_OFF)

    def finish_broken(self, what: str) -> None:
        """End the exam because its computer is broken, which goes before every other reason."""
        self.stop, self.error = "broke_the_computer", what
