"""Holds a check against both keys and everything foreign, in rounds, before it is proven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proctor.prove.ledger import Ledger
from proctor.prove.trial import Outcome, Trial, trials
from proctor.synth.bench import TrialBench
from proctor.synth.foreign import foreign_ways
from proctor.synth.parts import TaskParts
from proctor.synth.repair import SynthFault, faults_of_foreign, faults_of_keys
from proctor.tasks.task import Task, Way


@dataclass(frozen=True)
class CrossVerified:
    """What came of holding a check against keys and foreign trajectories."""

    outcomes: tuple[Outcome, ...]
    faults: tuple[SynthFault, ...]

    @property
    def refusals(self) -> int:
        """How many foreign trajectories did not score 1."""
        kinds = ("near_miss", "foreign")
        return sum(each.trial.kind in kinds and each.score is not None and each.score < 1 for each in self.outcomes)


def with_foreign(task: Task, parts: TaskParts, others: Sequence[Way]) -> Task:
    """Return a task with the foreign trajectories that it is tried with in the place of its cheats."""
    ways = foreign_ways((parts.moves, parts.route), others)
    right = {miss.moves for miss in task.near_misses}
    return task.model_copy(update={"cheats": tuple(way for way in ways if way.moves not in right)})


def every_trial(tried: Task, rounds: int) -> list[Trial]:
    """Return all trials of a task with foreign trajectories, those of its proof among them."""
    own = tried.model_copy(update={"cheats": ()})
    foreign = [Trial("foreign", number, way.name) for number, way in enumerate(tried.cheats)]
    return [*trials(own, rounds), *foreign]


def cross_verify(tried: Task, every: Sequence[Trial], bench: TrialBench, ledger: Ledger) -> CrossVerified:
    """Accept both keys and refuse the rest; end at the first stage with faults.

    Every trial has a fresh computer, but for doing nothing and giving up, which share one. A key that is right has its
    end state changed piece by piece on the way.
    """
    first = [trial for trial in every if trial.kind in ("idle", "fail")]
    keys = [trial for trial in every if trial.kind == "other_way" or (trial.kind == "solution" and not trial.number)]
    outcomes = bench.hold(tried, [*first, *keys], ledger)
    if faults := faults_of_keys(outcomes):
        return CrossVerified(tuple(outcomes), tuple(faults))
    foreign = bench.hold(tried, [trial for trial in every if trial.kind in ("near_miss", "foreign")], ledger)
    return CrossVerified((*outcomes, *foreign), tuple(faults_of_foreign(foreign)))
