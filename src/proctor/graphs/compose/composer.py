"""The composer: makes one composition from a seed, and says why it cannot where the pool cannot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.casts import Casting
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.pool import SubtaskPool, category_of
from proctor.graphs.compose.skeleton import Skeleton, SkeletonTarget, Targets, skeleton
from proctor.graphs.compose.successors import Matching
from proctor.graphs.compose.unify import Clash, unify
from proctor.graphs.mathematics.complexity import UNIT, Complexity, Dimension, measure
from proctor.graphs.mathematics.constraints import Constraint, conflict, nearest_possible, require_possible
from proctor.tasks.draw import Draw

SKELETONS = 3
"""How many skeletons are tried for the numbers that were drawn."""
CHOICES = 12
"""How many choices of categories are tried for a skeleton."""
AGAIN = 20
NEARBY = 150
"""How many attempts are made to find what comes near to something that was not found."""


class Composer:
    """Composes from one pool under some constraints; picklable, so that processes share the work."""

    def __init__(
        self,
        pool: SubtaskPool,
        constraints: Sequence[Constraint] = (),
        *,
        coherent: bool = True,
        connected: bool = True,
    ) -> None:
        """Prepare for it.

        Raises:
            SpecError: No graph meets the constraints, or none that this pool can fill; says what comes nearest.
        """
        require_possible(constraints, connected=connected)
        self.pool, self.constraints = pool, tuple(constraints)
        self.coherent, self.connected = coherent, connected
        self.matching, self.categories = Matching(pool), pool.categories
        self.clash = ""
        """Why subtasks last did not go together."""
        chains = self.matching.chains(self.matching.all_subtasks)
        limits = {
            "subtasks in its longest chain": Constraint(Dimension.HIERARCHY, 0, chains.longest),
            "categories of applications": Constraint(Dimension.KNOWLEDGE, 0, len(self.categories)),
        }
        self._refuse_beyond(limits)
        self.targets = self._targets(self.constraints)
        if not self.targets:
            self._refuse_edges()

    def _targets(self, constraints: Sequence[Constraint]) -> Targets:
        return Targets(
            constraints,
            connected=self.connected,
            deepest=self.matching.chains(self.matching.all_subtasks).longest,
            most_inputs=self.matching.most_inputs,
            categories=len(self.categories),
        )

    def attempt(self, seed: str) -> Composition | None:
        """Make a composition from a seed, or None where the seed leads to none."""
        return self._attempt(seed, self.targets)

    def _attempt(self, seed: str, targets: Targets) -> Composition | None:
        draw = Draw(seed)
        target = targets.draw(draw)
        for _ in range(SKELETONS):
            drawn = skeleton(target, draw, most_inputs=self.matching.most_inputs, connected=self.connected)
            casting = self._draw_casting(drawn, target, draw) if drawn else None
            parts = casting.search() if casting else None
            if parts is None:
                continue
            try:
                return unify(self.matching.subtasks, parts, seed, draw)
            except Clash as clash:
                self.clash = clash.message
        return None

    def _draw_casting(self, drawn: Skeleton, target: SkeletonTarget, draw: Draw) -> Casting | None:
        for _ in range(CHOICES):
            chosen = tuple(draw.some(self.categories, target.categories))
            casting = Casting(self.matching, drawn, chosen, draw, self.coherent)
            if casting.open_domains:
                return casting
        return None

    def complexity(self, composition: Composition) -> Complexity:
        """Measure a composition."""
        return measure(composition.dag, {one.id: category_of(self.pool[one.subtask]) for one in composition.nodes})

    # Why not.

    def exhaustion(self, *, found: int, wanted: int, tries: int) -> SpecError:
        """Return what is to be said when nothing new was found in many attempts."""
        if found:
            return SpecError(
                f"the pool gave {found} different compositions, not {wanted}: {tries} more tries gave no other",
                remedy=f"ask for {found}, loosen the constraints, or add subtasks to the pool",
            )
        asked = " with ".join(str(constraint) for constraint in self.constraints) or "anything"
        if not self.clash:
            # Other processes may have made the attempts and know why; a few more tell it here.
            for number in range(AGAIN):
                self.attempt(f"again {number}")
        why = f"; subtasks did not go together: {self.clash}" if self.clash else ""
        near = ", or ".join(self._nearby())
        return SpecError(
            f"this pool gave no composition that has {asked} in {tries} tries{why}",
            remedy=f"nearest found: {near}" if near else "add subtasks that take what others give",
        )

    def _nearby(self) -> Iterator[str]:
        """Leave each constraint away in turn, and yield how near compositions come to it."""
        for constraint in self.constraints:
            targets = self._targets([other for other in self.constraints if other is not constraint])
            made = (self._attempt(f"near {number}", targets) for number in range(NEARBY)) if targets else ()
            counts = {self.complexity(one)[constraint.dimension] for one in made if one is not None}
            if counts:
                nearest = min(counts, key=lambda count: (_distance(count, constraint), count))
                yield f"{UNIT[constraint.dimension]} {nearest}"

    def _refuse_beyond(self, limits: dict[str, Constraint]) -> None:
        found = conflict([*self.constraints, *limits.values()], connected=self.connected)
        if found is None:
            return
        has = [f"{limit.most} {what}" for what, limit in limits.items() if limit in found.constraints]
        pairs = [pair for pair in zip(found.constraints, found.nearest, strict=True) if pair[0] in self.constraints]
        if not pairs:
            raise SpecError(
                "every subtask of the pool takes something that only another subtask gives",
                remedy="add a subtask that takes nothing, or what a task may begin with",
            )
        asked = " with ".join(str(constraint) for constraint, _ in pairs)
        raise SpecError(
            f"the pool has {' and '.join(has)}, too few for {asked}",
            remedy=nearest_possible(pairs),
        )

    def _refuse_edges(self) -> None:
        others = [one for one in self.constraints if one.dimension is not Dimension.DEPENDENCY]
        most = self._targets(others).most_edges
        asked = " with ".join(str(constraint) for constraint in self.constraints)
        inputs = self.matching.most_inputs
        raise SpecError(
            f"no subtask of the pool takes more than {inputs} things from others, too few for {asked}",
            remedy=f"nearest possible: {UNIT[Dimension.DEPENDENCY]} {most}" if most else "add subtasks that take more",
        )


def _distance(count: int, constraint: Constraint) -> int:
    if count < constraint.least:
        return constraint.least - count
    return max(0, count - (count if constraint.most is None else constraint.most))
