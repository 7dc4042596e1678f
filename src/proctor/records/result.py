"""What came of one episode: a line of the index of its run."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from proctor.records.plain import WRONG, reader, without_defaults

Stop = Literal[
    "done", "answered", "gave_up", "step_limit", "time_limit", "repetition_limit", "token_limit", "cost_limit",
    "no_progress", "refused", "silent", "agent_error", "vetoed", "broke_the_computer", "void",
]  # fmt: skip
"""Why an episode ended; everything but `void` is scored.

`refused` is a model that declined, or that kept answering in prose without an action; `silent` one that answered
with nothing, even when asked again. In records of earlier versions these are
`agent_error`, `gave_up` or void.
"""

Cause = Literal["host", "computer", "setup", "spec", "model", "filtered", "defect", "worker", "client", "check"]
"""Whose failure made an episode void; never the agent's.

`computer` is one that failed before the agent's first action; `spec` is what was asked for: a task, an option or a
policy that is wrong; `filtered` is a reply that the provider withheld; `defect` is ours, with its trace; `worker` is a
process of the run that was killed, crashed or hung; `client` is whoever held the loop from outside (a trainer, another
house) and left before the end. Records of earlier versions have `check` where a check crashed, and
`setup` where a task or an option was wrong.
"""

Outcome = Literal["passed", "failed", "unjudged", "void"]
OUTCOMES: tuple[Outcome, ...] = ("passed", "failed", "unjudged", "void")

ASSISTED = ("human_acted", "human_edited")
"""Metrics of episodes in which a person acted in the agent's place, or changed what it wanted."""
HUMAN_SECONDS = "human_seconds"

DAY = 5
"""The level of days, whose scores may be negative."""

Mode = Literal[
    "false_finish", "parse_error", "step_limit", "time_limit", "repetition_limit", "token_limit", "cost_limit",
    "no_progress", "refused", "silent", "agent_crash", "gave_up", "wrongly_gave_up", "wrong_element",
    "right_element_wrong_state", "collateral", "broke_the_computer",
]  # fmt: skip
"""How an agent failed; an episode may show several."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EpisodeKey:
    """Which episode of a run: one agent, one task, one seed, one of several planned attempts."""

    task: str
    """`suite/name-vN`."""
    agent: str
    """Its label, options included."""
    seed: int = 0
    sample: int = 0
    """Which of the `-k` independent attempts."""
    paraphrase: int = 0
    """0 for the instruction itself, n for its n-th paraphrase."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """The result of one episode: a line of the run's index, enough for every table of the report."""

    key: EpisodeKey
    retry: int = 0
    """How many void tries of the same episode came before."""
    folder: str = ""
    """Folder of its record, relative to the run."""
    digest: str = ""
    """The task's content hash."""
    apps: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    level: int = 0
    domain: str = ""
    scenario: str = ""
    demand: str = ""
    feasible: bool = True
    twin: str = ""
    """For an infeasible task: the id of the feasible one that differs only in what makes this one infeasible."""
    unproven: bool = False
    """Whether the task has no answer key, so that nothing shows that it can be done."""
    shown: tuple[str, ...] = ()
    """What a proof has shown of such a task, in words."""
    unjudged: bool = False
    """Whether there was nothing to judge, as in a free recording on a desktop: it has no score and counts for no
    agent."""
    stop: Stop = "done"
    cause: Cause | None = None
    """For a void episode."""
    error: str = ""
    """What happened, if the episode is void, the agent failed or refused, or the computer broke."""
    defect: str = ""
    """Traceback of a defect in Proctor that appeared in this episode, whatever its outcome."""
    acted: bool = False
    """Whether an action of the agent was passed to the computer."""
    score: float | None = None
    """From 0 to 1, for a day from -1; None if and only if the episode is void or unjudged."""
    checkpoints: dict[str, bool] = field(default_factory=dict)
    """Which of the task's checkpoints hold at the end, by their names and in their order; for a composed task, which
    subtasks were completed."""
    begin_after: str = ""
    """The checkpoint up to which the task's solution was carried out before the agent began."""
    differs: str = ""
    """How our verdict and that of the system that the task is from differ, where they do."""
    modes: tuple[Mode, ...] = ()
    steps: int = 0
    """Actions performed."""
    turns: int = 0
    """How often the agent was asked for a turn."""
    parse_errors: int = 0
    refused: int = 0
    """Actions that were not allowed or not possible."""
    stale: int | None = None
    """Steps before which the screen changed by itself after it was shown; None if this was not compared."""
    asked: int = 0
    """Questions to the user."""
    seconds: float = 0.0
    """From opening the computer to the verdict."""
    agent_seconds: float = 0.0
    """Part of these that the agent took to answer."""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Input tokens read from providers' caches."""
    cache_write_tokens: int = 0
    """Input tokens written to providers' caches."""
    cost_usd: float | None = None
    """None if a model without a known price was used."""
    costs: dict[str, float] = field(default_factory=dict)
    """What it took of its machine, as far as somebody counted: processor seconds inside the computer and outside
    (harness and agent), megabytes of memory inside at the most and outside at the end, and of the record."""
    collateral: dict[str, int] = field(default_factory=dict)
    """How many side effects of each severity."""
    besides: tuple[str, ...] = ()
    """The side effects, worst first: paths, and descriptions of parts of documents and stores."""
    collateral_unknown: str = ""
    """Why it is unknown whether there were side effects, on this computer or in this record; empty if it is known."""
    flags: dict[str, int] = field(default_factory=dict)
    """Signs that the agent tried to reach the judge or the answer, counted by kind; never part of the score."""
    events: dict[str, int] = field(default_factory=dict)
    """How many events `happened`, and of these `unseen`; how many `failed`, and how many were `missed`."""
    missed: tuple[str, ...] = ()
    """Events that the verdict depends on and that did not happen, because the episode ended before they were due."""
    disturbed: dict[str, int] = field(default_factory=dict)
    """How many disturbances of each kind that the run asked for came into the agent's sight."""
    recovered: dict[str, int] = field(default_factory=dict)
    """After how many of these the application in use had the focus again."""
    recovery: dict[str, int] = field(default_factory=dict)
    """How many actions that took, in all."""
    metrics: dict[str, float] = field(default_factory=dict)
    """Other metrics of the episode, such as a graph's coverage rate."""
    labels: dict[str, str] = field(default_factory=dict)
    """How a composed task is classified: its level in each dimension, the capability it tests, its shape."""
    settings: dict[str, str] = field(default_factory=dict)
    """The agent's options, for tables of what a run varies."""
    goal: str = ""
    """`game` for an agent that tries to score without doing the work; its results do not measure ability."""
    strategy: str = ""
    """What such an agent tried, if it says so."""
    started: float = 0.0
    """Seconds since the epoch."""

    @property
    def outcome(self) -> Outcome:
        """What came of it, in a word."""
        if self.score is not None:
            return "passed" if self.passed else "failed"
        return "unjudged" if self.unjudged and self.stop != "void" else "void"

    @property
    def void(self) -> bool:
        """Whether nothing can be said about the agent, since something else failed."""
        return self.outcome == "void"

    @property
    def assisted(self) -> bool:
        """Whether a person acted in the agent's place or replaced one of its actions."""
        return any(self.metrics.get(name, 0.0) > 0 for name in ASSISTED)

    @property
    def human_figures(self) -> dict[str, float]:
        """What people did in an agent's episode: acted, edited, denied, and how long it took."""
        return {name: value for name, value in self.metrics.items() if name.startswith("human_")}

    @property
    def human_seconds(self) -> float:
        """How long a person decided and acted in an agent's episode; of `seconds`, and not the agent's."""
        return self.metrics.get(HUMAN_SECONDS, 0.0)

    @property
    def passed(self) -> bool:
        """Whether the task was done, all of it."""
        return self.score is not None and self.score >= 1.0

    @property
    def complete(self) -> bool:
        """Whether every part of the task was done; the same as `passed`, beside a score of parts."""
        return self.passed

    @property
    def clean(self) -> bool | None:
        """Whether all of the task was done and nothing else was changed; None where nobody could look."""
        if not self.passed or any(self.collateral.values()):
            return False
        return None if self.collateral_unknown else True

    def may_be_repeated(self, retries: int) -> bool:
        """Tell whether the episode may be tried again, where void ones are tried again so often.

        What was asked for wrongly stays wrong. A defect that shows once the agent has acted would show again, and what
        an agent may have brought about earns no second try: a worker that was lost then is not known to have been the
        host's doing.
        """
        if not self.void or self.retry >= retries or self.cause == "spec":
            return False
        return not (self.acted and self.cause in ("defect", "worker"))

    def to_json(self) -> dict[str, object]:
        """Return it as plain data; defaults are left out."""
        return {**without_defaults(self.key), **without_defaults(self, "key")}

    @classmethod
    def from_json(cls, data: dict[str, object]) -> Result:
        """Read what `to_json` wrote; fields of a later version are left out.

        Raises TypeError or ValueError for anything else: a record may come from anywhere.
        """
        check_result(data)
        make_key: Callable[..., EpisodeKey] = EpisodeKey
        make: Callable[..., Result] = cls
        key = make_key(**{name: data[name] for name in _KEY_FIELDS if name in data})
        rest = {name: data[name] for name in _RESULT_FIELDS if name in data}
        return make(key=key, **{name: tuple(v) if isinstance(v, list) else v for name, v in rest.items()})


_KEY_FIELDS = frozenset(entry.name for entry in dataclasses.fields(EpisodeKey))
_RESULT_FIELDS = frozenset(entry.name for entry in dataclasses.fields(Result)) - {"key"}


def check_result(data: Mapping[str, object]) -> None:
    """Raise TypeError or ValueError where a field is not of its kind or a number beyond all measure."""
    hints = _hints()
    for name, value in data.items():
        # A field that is not here is of a later version, and whoever reads it looks for himself.
        if name not in hints or (value is None and type(None) in typing.get_args(hints[name])):
            continue
        found = reader(hints[name])(value)
        left_out = isinstance(value, list | dict) and isinstance(found, tuple | dict) and len(found) < len(value)
        if found is WRONG or left_out:
            raise TypeError(f"{name} is {str(value)[:40]!r}")
    score, retry = data.get("score"), data.get("retry")
    if isinstance(score, int | float) and not (-1 if data.get("level") == DAY else 0) <= score <= 1:
        raise ValueError(f"score is {score}")
    if isinstance(retry, int) and retry < 0:
        raise ValueError("retry is negative")


@cache
def _hints() -> dict[str, object]:
    hints = typing.get_type_hints(EpisodeKey) | typing.get_type_hints(Result)
    return {name: hint for name, hint in hints.items() if name != "key"}
