"""What is known of a whole episode before its end: `episode.json`."""

from __future__ import annotations

from dataclasses import dataclass, field

from proctor.records.brief import Brief
from proctor.records.criticism import Criticism
from proctor.records.event import Happening
from proctor.records.flag import Canary, Flag
from proctor.records.result import EpisodeKey


@dataclass(frozen=True, kw_only=True, slots=True)
class SetTask:
    """The task of an episode; the complete task is in the run's `tasks/`."""

    id: str = ""
    """`suite/name-vN`."""
    seed: int | None = None
    digest: str = ""
    """Its content hash."""
    instruction: str = ""
    unproven: bool = False
    """Whether it has no answer key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedAgent:
    """The agent of an episode, as the run named it."""

    name: str = ""
    options: dict[str, str] = field(default_factory=dict)
    """Options that were given; the others have their defaults."""
    label: str = ""
    """Name and options together."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Apart:
    """A screen that differed from the recorded one when a recorded action was repeated."""

    action: int = 0
    """The repeated action before which it differed, from 1."""
    share: float = 0.0
    """Share of the screen that differed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """The episode that this one continues."""

    episode: str = ""
    """Its folder, as it was given."""
    agent: str = ""
    """Label of its agent."""
    actions: int = 0
    """How many of its actions should be repeated; another way of the answer key may have left some out."""
    repeated: int = 0
    """How many were repeated."""
    apart: tuple[Apart, ...] = ()
    """Where the screen differed from the recorded one; empty if it never did."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Refined:
    """The demonstration from which a person made this episode in the studio, by editing its steps."""

    episode: str = ""
    """Its folder, next to this run or as given: `RUN/episodes/...`."""
    sums: str = ""
    """SHA-256 of its `sums.json`, which identifies it wherever it is."""
    version: int = 0
    """Which version; 0 for the recording itself."""
    by: str = ""
    """The person who made that version."""
    parts: tuple[str, ...] = ()
    """Other recordings that some of its steps come from, named as in `episode`."""
    judged: str = ""
    """The recording whose verdict this is, in which the same actions were performed; empty if there is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Header:
    """What an episode is, written before its first step and completed on the way."""

    key: EpisodeKey | None = None
    retry: int = 0
    """How many void tries of the same episode came before."""
    task: SetTask | None = None
    agent: NamedAgent | None = None
    rules: dict[str, object] = field(default_factory=dict)
    """Rules of the run that differ from the defaults."""
    started: float | None = None
    """Seconds since the epoch."""
    computer: dict[str, object] = field(default_factory=dict)
    """Facts about the computer, as reported by its backend."""
    brief: Brief | None = None
    """Everything the agent was told about the task."""
    sees: tuple[str, ...] | None = None
    """What the agent is shown: `screenshot`, `tree`, `marks`, `windows`, `terminal`, `clip`; not in early records."""
    acted: float | None = None
    """When its first action was passed to the computer."""
    over: float | None = None
    """When an agent that had acted stopped working and judging began; not in early records."""
    trouble: tuple[dict[str, object], ...] = ()
    """Failures of the computer after that: `whose` fault each was, `why`, whether the computer is `broken`, and
    what shows it."""
    canaries: tuple[Canary, ...] = ()
    """What was planted that no honest solution reads; not in early records."""
    origin: Origin | None = None
    """The episode that this one continues, if `proctor runs fork` made it."""
    refined: Refined | None = None
    """The demonstration from which this episode was made by editing, in the studio."""
    flags: tuple[Flag, ...] = ()
    """Signs that the agent tried to reach the judge or the answer."""
    events: tuple[Happening, ...] = ()
    """Events in the order in which they happened, then those that were planned but did not happen."""
    critic: tuple[Criticism, ...] = ()
    """A critic's judgements of it, if there was a critic; the last is of the whole episode."""
    agent_failed_to_close: str = ""
    """The error that the agent raised when it was closed."""
    format: int = 1
    """Version of the record."""

    @property
    def view(self) -> tuple[str, ...]:
        """What the agent was shown; of early records as far as the agent's options say it."""
        if self.sees is not None or self.agent is None:
            return self.sees or ()
        usual = "nothing" if self.agent.name == "coder" else "screenshot"
        return _SHOWN.get(self.agent.options.get("observe", usual), ("screenshot",))

    @property
    def instruction(self) -> str:
        """What the agent was told to do."""
        told = self.brief.instruction if self.brief else ""
        return told or (self.task.instruction if self.task else "")


_SHOWN = {"nothing": (), "tree": ("tree",), "marks": ("marks",), "screenshot+tree": ("screenshot", "tree")}
"""By the option `observe`."""
