"""What holds for every exam of a run: limits, what may be done, who is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from proctor.actions.action import ACTIONS
from proctor.computers.settle import read_settling
from proctor.errors import SpecError, UnknownName
from proctor.exam.disturbances.wish import DisturbanceWish
from proctor.exam.task_clock import read_time
from proctor.exam.tools.server import ToolServer
from proctor.records import without_defaults

_LEAST = {
    **{"steps": 1, "repetition": 2, "fruitless": 1, "tokens": 1, "feedback": 0, "retries": 0, "origin_actions": 0},
    "critic_feedback": 0,
}
"""The smallest number that each of these rules may be."""
DAY_SEC = 86_400.0
"""A limit for those who are not to be stopped by the clock."""
CONFIRM = re.compile(r"terminal|page(:\d{1,5})?")
"""Where a person can be asked."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What holds for every episode of a run."""

    backend: str = "sandbox"
    """Which computers: `name,option=value,...`."""
    steps: int | None = None
    """Actions an agent may take; None for what each task says."""
    seconds: float | None = None
    """How long an agent may work; None for what each task says."""
    repetition: int = 10
    """The same action so often in a row, with nothing changing on the screen, ends an episode."""
    fruitless: int = 5
    """So many turns in a row without an action that could be carried out end an episode."""
    tokens: int | None = None
    """Tokens an agent's models may use in one episode, read and written."""
    cost_usd: float | None = None
    """What they may cost in one episode."""
    feedback: int = 0
    """How often an agent that says it is done is told what is missing and may go on."""
    actions: tuple[str, ...] = ()
    """Kinds of actions it may take; empty for all that its computer can carry out."""
    settle: str = "quick"
    """How long a computer is waited for after each action: `quick`, `careful` or a number of seconds."""
    video: bool = False
    retries: int = 2
    """How often a void episode is tried again."""
    user_model: str = ""
    """The model that understands questions to the user, as `provider/name`; empty for rules."""
    critic: str = ""
    """The model that judges episodes by their pictures, beside the checks, as `provider/name`."""
    critic_feedback: int = 0
    """How often an agent that says it is done is told that the critic doubts it, and may go on."""
    faithful: bool = False
    """Whether tasks from elsewhere score as in their own system, where its verdict is another."""
    policy: str = ""
    """`module:function` that may veto actions."""
    origin: str = ""
    """Folder of a recorded episode to go on from; empty to begin at the beginning."""
    origin_actions: int = 0
    """How many of its actions are repeated before the agent is asked."""
    disturb: str = ""
    """What disturbs agents at work: `KIND[+KIND...][,rate=R][,seed=N]`, or `all`; empty for nothing."""
    time: str = "1"
    """By what the seconds of events count: `real`, or how many seconds an action counts for."""
    confirm: str = ""
    """Where a person is asked before each action: `terminal`, `page` or `page:PORT`; empty for nowhere."""
    tool_servers: tuple[ToolServer, ...] = ()
    """Servers on the host whose tools agents may call; each is started anew for every episode."""
    tool_sec: float = 60.0
    """How long a tool may take to answer."""

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise SpecError(f"the rule {name} is {value}", remedy=f"give {least} or more")
        for name in ("seconds", "cost_usd", "tool_sec"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise SpecError(
                    f"the rule {name} is {value}",
                    remedy="give a number above 0, or leave it out for no limit of the run",
                )
        if self.critic_feedback and not self.critic:
            raise SpecError("--critic-feedback needs a critic", remedy="name one with --critic PROVIDER/NAME")
        for kind in self.actions:
            if kind not in ACTIONS:
                raise UnknownName("action", kind, ACTIONS)
        if twice := [kind for kind in self.actions if self.actions.count(kind) > 1]:
            raise SpecError(f"the action {twice[0]!r} is named twice", remedy="name it once")
        if self.confirm and not CONFIRM.fullmatch(self.confirm):
            raise SpecError(f"the rule confirm is {self.confirm!r}", remedy="give terminal, page or page:PORT")
        read_settling(self.settle)
        read_time(self.time)
        if self.disturb:
            DisturbanceWish.parse(self.disturb)

    def seconds_for(self, limit: float) -> float:
        """Return how long an agent may work on a task that has this limit of its own."""
        return float(limit) if self.seconds is None else self.seconds

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data; defaults are left out."""
        return without_defaults(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Rules:
        """Read what `to_json` wrote."""
        read = {**data, "actions": tuple(data.get("actions", ()))}
        read["tool_servers"] = tuple(ToolServer.from_json(server) for server in data.get("tool_servers", ()))
        if read.get("seconds") == 0:
            # Earlier versions took it, and workers were then given each task's own limit.
            del read["seconds"]
        if isinstance(read.get("confirm"), bool):
            # Earlier versions knew no other place.
            read["confirm"] = "terminal" if read["confirm"] else ""
        return cls(**read)


MANY = 1_000_000
UNLIMITED = Rules(steps=MANY, seconds=MANY, repetition=MANY, fruitless=MANY)
"""For those who take as long as it takes: no limit ends an exam."""
