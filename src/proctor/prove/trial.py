"""Trials: one way of meeting a task (solution, cheat, giving up...) and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Literal

from proctor.prove.mutation import Mutation
from proctor.tasks.collateral import Collateral
from proctor.tasks.task import Task

TrialKind = Literal[
    "solution", "idle", "fail", "expected", "spoilt", "near_miss", "other_way", "cheat", "foreign", "disturbed",
    "ignored", "silent", "busy",
]  # fmt: skip
"""`foreign` is a cheat that was made for something else: what of it can be done here is done."""
NUMBERED = ("solution", "near_miss", "other_way", "cheat", "foreign")
MUST_NOT_SUCCEED = ("cheat", "foreign")
"""Trials that must never be a clean success."""
DISTURBED = ("disturbed", "ignored")
"""The solution while something comes in between, by somebody who answers it, and by somebody who takes no notice."""
DAILY = ("silent", "busy")
"""Trials of days: by somebody who looks on, and by somebody who acts on everything."""
QUIET = ("idle", "fail", "spoilt", "expected")
"""Trials without a move, in their order: all but the last leave a computer as it was set up."""
MUST_BE_CLEAN = ("solution", "other_way")
"""Trials that must leave nothing changed beyond what the task expects."""
EFFECTS_COUNT = (*MUST_BE_CLEAN, *MUST_NOT_SUCCEED)
"""Trials of which side effects are looked for: a cheat that leaves some is no clean success."""


@dataclass(frozen=True)
class Trial:
    """What is tried, and the score it must have."""

    kind: TrialKind
    number: int = 0
    """Which repeat of the solution, or which near miss, other way or cheat."""
    name: str = ""
    """Of a near miss and the like; of a disturbed solution what a run is told by `--disturb`."""
    wanted: float = 0.0
    """The score it must have; a cheat may have any that is below 1, and 1 where it left side effects."""
    breaks: str = ""
    """The one checkpoint that must not hold at its end, for a near miss that says so."""
    mutated: bool = False
    """Whether the end state is changed piece by piece afterwards, and judged again each time."""

    @property
    def label(self) -> str:
        """How tables name it."""
        if self.kind in DISTURBED:
            return f"{self.kind} {self.name}"
        return f"{self.kind} {self.number + 1}" if self.kind in NUMBERED else self.kind


@dataclass(frozen=True)
class Outcome:
    """What came of a trial."""

    trial: Trial
    score: float | None
    """None when there is no score: setup, a move or the evaluator failed."""
    seconds: float
    feedback: tuple[str, ...] = ()
    error: str = ""
    agrees: bool = True
    """Whether judging a second time gave the same."""
    collateral: tuple[Collateral, ...] = ()
    screenshot: bytes = field(default=b"", repr=False)
    """WebP of the screen at the end, kept where the trial did not go as it must."""
    missing: tuple[str, ...] = ()
    """The checkpoints that did not hold."""
    came: bool = False
    """Whether a disturbance came."""
    mutation: Mutation | None = None
    """What changing the end state brought to light; None where it was not changed."""

    @property
    def proven(self) -> bool:
        """Whether the trial went as it must."""
        if self.score is None or not self.agrees:
            return False
        if self.breaks_otherwise:
            return False
        if self.trial.kind in MUST_NOT_SUCCEED:
            return self.score < 1.0 or bool(self.collateral)
        if self.trial.kind == "ignored":
            return True  # whether it hinders anybody is what the trial is to show
        if self.trial.kind in ("expected", "spoilt"):
            return True  # what that shows is told; nobody asks for it
        clean = self.trial.kind not in MUST_BE_CLEAN or not self.collateral
        return abs(self.score - self.trial.wanted) < 1e-9 and clean

    @property
    def breaks_otherwise(self) -> bool:
        """Whether it is to break one checkpoint alone, and does not."""
        return bool(self.trial.breaks) and self.missing != (self.trial.breaks,)

    def to_json(self) -> dict[str, object]:
        """Return it as plain data, without the picture."""
        return {
            **asdict(self.trial),
            "score": self.score,
            "proven": self.proven,
            "seconds": round(self.seconds, 3),
            "feedback": list(self.feedback),
            "error": self.error,
            "agrees": self.agrees,
            "missing": list(self.missing),
            "came": self.came,
            "collateral": [effect.to_json() for effect in self.collateral],
            **({"mutation": self.mutation.to_json()} if self.mutation else {}),
        }


def trials(task: Task, repeats: int = 3, *, whole: bool = True) -> Iterator[Trial]:
    """Yield everything that a task's proof consists of.

    What is not whole is soon made and no proof: it has neither near misses, other ways, cheats nor mutants. Of a task
    without an answer key only doing nothing and giving up can be tried, and for one from elsewhere what stands for a
    solution: the files that its check compares with, and spoilt ones.
    """
    for number in range(0 if task.unproven else repeats):
        yield Trial("solution", number, wanted=1.0, mutated=whole and number == 0)
    yield Trial("idle")
    # Giving up without having looked proves nothing, even where giving up is right; elsewhere nothing more is asked.
    yield Trial("fail", wanted=float(task.unproven and task.source is not None and not task.tags.feasible))
    if task.day is not None:
        yield Trial("silent")
        yield Trial("busy", wanted=task.day.busy_score)
    if not whole:
        return
    if task.unproven and task.source is not None and task.tags.feasible:
        yield Trial("spoilt", mutated=True)
        if task.counterparts:
            yield Trial("expected", wanted=1.0, mutated=True)
    for number, way in enumerate(task.other_ways):
        yield Trial("other_way", number, way.name, 1.0)
    for number, miss in enumerate(task.near_misses):
        yield Trial("near_miss", number, miss.name, task.score_of(miss), miss.breaks)
    for number, way in enumerate(task.cheats):
        yield Trial("cheat", number, way.name)
