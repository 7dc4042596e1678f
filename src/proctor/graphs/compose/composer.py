"""The composer: makes one composition from a seed, and says why it cannot where the goals cannot."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from random import Random

from proctor.errors import SpecError
from proctor.graphs.compose.balance import Features, weigh
from proctor.graphs.compose.cast import Cast, draw_cast
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.pool import SubtaskPool, category_of
from proctor.graphs.compose.unify import CastPart, Clash
from proctor.graphs.goals.goal import Goal
from proctor.graphs.goals.sense import NodeSense, nonsense, old_versions, said_twice
from proctor.graphs.judge.consistency import most_coherency
from proctor.graphs.language.phrases import least_words
from proctor.graphs.mathematics.complexity import Complexity, Dimension, measure
from proctor.graphs.mathematics.constraints import Constraint, nearest_possible, require_possible

ENOUGH = 2400
"""So many casts are drawn from, where there are as many."""
ROUND = 10
"""How many casts of each goal are drawn before it is looked whether that is enough."""
ROUNDS = 60
MOST_WORDS = 116
"""A task that takes more words than this to ask for is left out, before names and titles are counted."""
LARGEST = 14
"""More subtasks would take longer to read than they tell."""
PARTS_OF_A_PIECE = 4
"""For so many parts, a task may have one more piece that shares nothing with the others but the goal."""
TRIALS = 4
"""How often other parameters are tried before a cast is left out."""
AGAIN = 3
"""How often other parameters are tried for one composition."""
GENERIC = ("file", "text_file")
"""Kinds that say little about what is handed on."""


@dataclass(frozen=True, slots=True)
class CastFound:
    """A cast that has been found to go together, and its numbers."""

    cast: Cast
    complexity: Complexity
    features: Features


class Stock:
    """The casts of a pool that make sense and go together, drawn round by round and kept."""

    def __init__(self, pool: SubtaskPool, sizes: tuple[int, int]) -> None:
        self.pool, self.sizes = pool, sizes
        self.clash = ""
        """Why subtasks last did not go together."""
        self._rounds: list[list[CastFound]] = []
        self._seen: set[Cast] = set()

    def round(self, number: int) -> list[CastFound]:
        """Return what one round brought that earlier ones had not."""
        while len(self._rounds) <= number:
            self._rounds.append(list(self._draw(len(self._rounds))))
        return self._rounds[number]

    def _draw(self, number: int) -> Iterator[CastFound]:
        for goal in self.pool.goals.values():
            random = Random(f"{goal.name} {number}")
            for _ in range(ROUND):
                cast = draw_cast(goal, self.pool, random, random.randint(*self.sizes))
                if cast is not None and cast not in self._seen:
                    self._seen.add(cast)
                    yield from self._try(cast)

    def _try(self, cast: Cast) -> Iterator[CastFound]:
        """Yield a cast with its numbers, unless it makes no sense or does not go together."""
        if sum(least_words(self.pool[part.subtask]) for part in cast.parts) > MOST_WORDS:
            return
        if _pieces(cast) > 1 + len(cast.parts) // PARTS_OF_A_PIECE:
            return
        if any(sense_faults(cast, self.pool)):
            return
        try:
            composition = cast.composition(self.pool, f"trial of {cast.goal}", tries=TRIALS)
        except Clash as clash:
            self.clash = clash.message
            return
        yield CastFound(cast, complexity_of(composition, self.pool), features_of(composition, self.pool))


def sense_faults(cast: Cast, pool: SubtaskPool) -> Iterator[str]:
    """Yield why nobody would ask for what a cast makes."""
    goal = pool.goals[cast.goal]
    roles = {part.role for part in cast.parts}
    links = [(source, part.role) for part in cast.parts for _, source in part.sources if source in roles]
    senses = {part.role: _sense(goal, part, pool) for part in cast.parts}
    taken = {part.role: [source for _, source in part.sources] for part in cast.parts}
    yield from nonsense(senses, links, last=goal.wanted, several=goal.several)
    yield from old_versions(goal, taken)
    yield from said_twice({part.role: part.subtask for part in cast.parts}, taken)


def _sense(goal: Goal, part: CastPart, pool: SubtaskPool) -> NodeSense:
    one = pool[part.subtask]
    takes = tuple(
        goal.starts[source].kind if source in goal.starts else kind
        for (_, source), kind in zip(part.sources, one.takes.values(), strict=True)
    )
    (gives,) = one.gives.values()
    return NodeSense(part.subtask, takes, gives)


@lru_cache(maxsize=8)
def stock_of(pool: SubtaskPool, sizes: tuple[int, int]) -> Stock:
    """Return what has been drawn of a pool in these sizes, whatever else is asked for."""
    return Stock(pool, sizes)


def _sizes(constraints: Sequence[Constraint]) -> tuple[int, int]:
    """Return the fewest and the most nodes that casts are drawn with."""
    asked = [one for one in constraints if one.dimension is Dimension.INSTRUCTION]
    least = max([1, *(one.least for one in asked)])
    most = min([LARGEST, *(one.most for one in asked if one.most is not None)])
    return min(least, LARGEST), max(most, min(least, LARGEST))


class Composer:
    """Composes from the goals of a pool under some constraints; can be pickled."""

    def __init__(self, pool: SubtaskPool, constraints: Sequence[Constraint] = (), *, enough: int = ENOUGH) -> None:
        """Draw casts that meet the constraints, and weigh them so that all subtasks are used.

        Raises:
            SpecError: No graph meets the constraints, or none that serves a goal; says what comes nearest.
        """
        require_possible(constraints)
        if not pool.goals:
            raise SpecError(
                "the pool has no goals to compose for",
                remedy="give it some: SubtaskPool(subtasks, goals=read_goals(text)), written as docs/graphs.md says",
            )
        self.pool, self.constraints = pool, tuple(constraints)
        self.clash = ""
        """Why subtasks last did not go together."""
        others: list[CastFound] = []
        self.stock = stock_of(pool, _sizes(constraints))
        found = self._search(enough, others)
        if not found:
            raise self._beyond(others)
        self.casts = tuple(candidate.cast for candidate in found)
        del self.stock  # other processes only draw from what was found
        self._sums = list(accumulate(weigh([candidate.features for candidate in found])))

    def _search(self, enough: int, others: list[CastFound]) -> list[CastFound]:
        """Return casts that meet the constraints; what does not is added to the others."""
        found: list[CastFound] = []
        alone: list[CastFound] = []
        for number in range(ROUNDS):
            for candidate in self.stock.round(number):
                fits = all(constraint.allows(candidate.complexity) for constraint in self.constraints)
                several = candidate.complexity.nodes > 1
                ((found if several else alone) if fits else others).append(candidate)
            if len(found) >= enough:
                break
        # A single subtask is a task only where nothing larger is left of what is asked for.
        return found or alone

    def attempt(self, seed: str) -> Composition | None:
        """Make a composition from a seed, or None where the seed leads to none."""
        cast = self.casts[bisect(self._sums, Random(seed).random() * self._sums[-1])]
        try:
            return cast.composition(self.pool, seed, tries=AGAIN)
        except Clash as clash:
            self.clash = clash.message
            return None

    # Why not.

    def exhaustion(self, *, found: int, wanted: int, tries: int) -> SpecError:
        """Return what is to be said when nothing new was found in many attempts."""
        why = f"; subtasks did not go together: {self.clash}" if self.clash else ""
        return SpecError(
            f"the goals gave {found} different compositions, not {wanted}: {tries} more tries gave no other{why}",
            remedy=f"ask for {found}, loosen the constraints, or add goals and subtasks to the pool",
        )

    def _beyond(self, others: Sequence[CastFound]) -> SpecError:
        """Say that no goal reaches what is asked for, and what comes nearest if one thing is left open."""
        asked = " with ".join(str(constraint) for constraint in self.constraints) or "anything"
        pairs = list(self._nearby(others))
        together = any(one.complexity.nodes > 1 for one in others)
        why = f"; subtasks did not go together: {self.stock.clash}" if self.stock.clash and not together else ""
        return SpecError(
            f"no goal of the pool gives a task that has {asked}{why}",
            remedy=nearest_possible(pairs) if pairs else "widen the choice of applications, or add goals to the pool",
        )

    def _nearby(self, others: Sequence[CastFound]) -> Iterator[tuple[Constraint, int]]:
        for constraint in self.constraints:
            rest = [one for one in self.constraints if one is not constraint]
            counts = {
                one.complexity[constraint.dimension] for one in others if all(it.allows(one.complexity) for it in rest)
            }
            if counts:
                yield constraint, min(counts, key=lambda count: (_distance(count, constraint), count))


def complexity_of(composition: Composition, pool: SubtaskPool) -> Complexity:
    """Measure a composition."""
    return measure(composition.dag, {one.id: category_of(pool[one.subtask]) for one in composition.nodes})


def features_of(composition: Composition, pool: SubtaskPool) -> Features:
    """Return what counts when casts are weighed against each other."""
    taken = [pool[composition.node(one.consumer).subtask].takes[one.takes] in GENERIC for one in composition.bindings]
    apps = {node.id: pool[node.subtask].app for node in composition.nodes}
    subtasks = tuple(node.subtask for node in composition.nodes)
    return Features(
        goal=composition.goal,
        subtasks=subtasks,
        links=len(taken),
        generic=sum(taken),
        repeats=len(set(subtasks)) < len(subtasks),
        coherent=most_coherency(composition.gates, apps) > 0,
    )


def _pieces(cast: Cast) -> int:
    """Return into how many pieces a cast falls that share nothing they work on."""
    pieces: list[set[str]] = []
    for part in cast.parts:
        things = {part.role, *(source for _, source in part.sources)}
        apart = [piece for piece in pieces if piece.isdisjoint(things)]
        pieces = [*apart, things.union(*(piece for piece in pieces if not piece.isdisjoint(things)))]
    return len(pieces)


def _distance(number: int, constraint: Constraint) -> int:
    if number < constraint.least:
        return constraint.least - number
    return max(0, number - (number if constraint.most is None else constraint.most))
