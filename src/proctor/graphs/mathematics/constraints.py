"""What is asked of the complexity of a graph, whether any graph has it, and what comes nearest.

Which numbers go together is known exactly. A graph with `n` nodes, longest path of `h` nodes, largest antichain of
`w` nodes, `e` edges and `k` categories exists if and only if

- h + w - 1 <= n <= h * w: a path and an antichain share at most one node; `w` chains (Dilworth) of `h` nodes hold all;
- n - w <= e (n - 1 <= e in one piece): each component has an antichain of its own, so there are at most `w` of them;
- e <= the pairs of nodes from different levels, when one level has `w` nodes and the others share the rest evenly:
  nodes of one level are unrelated, and spreading the antichain over levels only adds to the unrelated pairs;
- 1 <= k <= n, and there are as many categories.

`benchmarks/graph_shapes.py` builds a graph for each such choice, which shows that the bounds are tight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from proctor.errors import SpecError, UnknownName
from proctor.graphs.mathematics.complexity import UNIT, UP_TO, Complexity, Dimension, Level
from proctor.taxonomy import CATEGORIES

LARGEST = 60
"""The most nodes that are considered when nothing bounds them; the metrics are exact up to here."""


@dataclass(frozen=True)
class Constraint:
    """How much there may be in one dimension; no upper bound when `most` is None."""

    dimension: Dimension
    least: int
    most: int | None = None

    def __post_init__(self) -> None:
        if self.most is not None and self.most < self.least:
            raise SpecError(f"{self.dimension} from {self.least} to {self.most}", remedy="put the smaller number first")

    @classmethod
    def level(cls, dimension: Dimension, *levels: Level) -> Constraint:
        """Allow one level, or all from the lowest to the highest of several."""
        easy, medium = UP_TO[dimension]
        bounds = {Level.EASY: (0, easy), Level.MEDIUM: (easy + 1, medium), Level.HARD: (medium + 1, None)}
        order = sorted(levels, key=list(Level).index)
        return cls(dimension, bounds[order[0]][0], bounds[order[-1]][1])

    @classmethod
    def parse(cls, dimension: str, text: str) -> Constraint:
        """Read `hard`, `5`, `3..4`, `3..` or `..4`."""
        if dimension not in list(Dimension):
            raise UnknownName("dimension", dimension, [one.value for one in Dimension])
        if text in list(Level):
            return cls.level(Dimension(dimension), Level(text))
        match = re.fullmatch(r"(\d{1,6})?(?:(\.\.)(\d{1,6})?)?", text)
        if match is None or not (match[1] or match[3]):
            raise SpecError(
                f"{dimension} {text!r}", remedy=f"say {', '.join(Level)}, a number, or a range such as 3..5"
            )
        least, most = match[1] or "0", match[3] if match[2] else match[1]
        return cls(Dimension(dimension), int(least), int(most) if most else None)

    def allows(self, complexity: Complexity) -> bool:
        """Tell whether a graph meets the constraint."""
        count = complexity[self.dimension]
        return self.least <= count and (self.most is None or count <= self.most)

    def __str__(self) -> str:
        if self.most is None:
            wanted = f"at least {self.least}"
        else:
            wanted = str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
        return f"{self.dimension} ({UNIT[self.dimension]}: {wanted})"


@dataclass(frozen=True)
class Room:
    """Graphs of one depth and width that exist: the least and the most of what they have."""

    depth: int
    width: int
    nodes: tuple[int, int]
    edges: tuple[int, int]
    """Over all these numbers of nodes; each of them has some of these numbers of edges, and together they have all."""
    categories: tuple[int, int]

    def span(self, dimension: Dimension) -> tuple[int, int]:
        """Return the least and the most there may be in one dimension."""
        found: int | tuple[int, int] = getattr(self, UNIT[dimension])
        return (found, found) if isinstance(found, int) else found


@dataclass(frozen=True)
class Conflict:
    """Constraints that no graph meets together, and what to ask instead of each."""

    constraints: tuple[Constraint, ...]
    nearest: tuple[int, ...]
    """For each constraint, the nearest number that the others leave room for."""

    def __str__(self) -> str:
        return "no graph has " + " with ".join(str(constraint) for constraint in self.constraints)

    @property
    def remedy(self) -> str:
        """The nearest that is possible."""
        return nearest_possible(zip(self.constraints, self.nearest, strict=True))


def nearest_possible(pairs: Iterable[tuple[Constraint, int]]) -> str:
    """Say which numbers come nearest to what constraints ask."""
    return "nearest possible: " + ", or ".join(f"{UNIT[one.dimension]} {count}" for one, count in pairs)


def least_edges(nodes: int, width: int, connected: bool = False) -> int:
    """Return the fewest edges of so many nodes of such a width: those of separate chains."""
    return nodes - _pieces(width, connected)


def most_edges(nodes: int, depth: int, width: int) -> int:
    """Return the most edges of a graph with so many nodes, such a depth and such a width.

    One level holds the antichain, the others share the rest evenly, all levels are joined.
    """
    rest, levels = nodes - width, depth - 1
    unrelated = _pairs(width)
    if levels:
        small, larger = divmod(rest, levels)
        unrelated += larger * _pairs(small + 1) + (levels - larger) * _pairs(small)
    return _pairs(nodes) - unrelated


def rooms(constraints: Sequence[Constraint], *, connected: bool = False) -> Iterator[Room]:
    """Yield where all constraints are met, shallow and narrow graphs first."""
    least = dict.fromkeys(Dimension, 1) | {Dimension.DEPENDENCY: 0}
    most = dict.fromkeys(Dimension, LARGEST)
    most |= {Dimension.DEPENDENCY: _pairs(LARGEST), Dimension.KNOWLEDGE: len(CATEGORIES)}
    for constraint in constraints:
        dimension = constraint.dimension
        least[dimension] = max(least[dimension], constraint.least)
        most[dimension] = most[dimension] if constraint.most is None else min(most[dimension], constraint.most)
    if any(least[one] > most[one] for one in Dimension):
        return
    spans = (range(least[one], most[one] + 1) for one in (Dimension.HIERARCHY, Dimension.BRANCH))
    for depth, width in product(*spans):
        if connected and depth == 1 and width > 1:
            continue
        # With more nodes come more edges, at least and at most, so that both ends can be moved on their own.
        fewest = max(depth + width - 1, least[Dimension.INSTRUCTION], least[Dimension.KNOWLEDGE])
        largest = min(depth * width, most[Dimension.INSTRUCTION])
        largest = min(largest, most[Dimension.DEPENDENCY] + _pieces(width, connected))
        while fewest <= largest and most_edges(fewest, depth, width) < least[Dimension.DEPENDENCY]:
            fewest += 1
        if fewest <= largest:
            edges = least_edges(fewest, width, connected), most_edges(largest, depth, width)
            yield Room(
                depth,
                width,
                nodes=(fewest, largest),
                edges=(max(edges[0], least[Dimension.DEPENDENCY]), min(edges[1], most[Dimension.DEPENDENCY])),
                categories=(least[Dimension.KNOWLEDGE], min(largest, most[Dimension.KNOWLEDGE])),
            )


def conflict(constraints: Sequence[Constraint], *, connected: bool = False) -> Conflict | None:
    """Return a smallest set of constraints that cannot be met together, or None where all can be."""

    def possible(some: Sequence[Constraint]) -> bool:
        return next(rooms(some, connected=connected), None) is not None

    if possible(constraints):
        return None
    core = list(constraints)
    for constraint in constraints:
        without = [other for other in core if other is not constraint]
        if not possible(without):
            core = without
    nearest = []
    for constraint in core:
        others = [other for other in constraints if other is not constraint]
        others = others if possible(others) else [other for other in core if other is not constraint]
        nearest.append(_nearest(constraint, rooms(others, connected=connected)))
    return Conflict(tuple(core), tuple(nearest))


def require_possible(constraints: Sequence[Constraint], *, connected: bool = False) -> None:
    """Refuse constraints that no graph meets.

    Raises:
        SpecError: Names the constraints that exclude each other and the nearest that is possible.
    """
    found = conflict(constraints, connected=connected)
    if found is not None:
        raise SpecError(str(found), remedy=found.remedy)


def _nearest(constraint: Constraint, places: Iterator[Room]) -> int:
    found = []
    for room in places:
        low, high = room.span(constraint.dimension)
        count = high if high < constraint.least else low
        away = constraint.least - count if count < constraint.least else count - (constraint.most or 0)
        found.append((away, count))
    return min(found)[1]


def _pieces(width: int, connected: bool) -> int:
    """Return how many pieces a graph may fall into: each has an antichain of its own."""
    return 1 if connected else width


def _pairs(count: int) -> int:
    return count * (count - 1) // 2
