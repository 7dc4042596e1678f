"""The topological orders of a graph: their number, one at random, all where they are few.

Counting goes over the sets of nodes that may remain, not over the orders: parts of such a set that no edge connects are
counted on their own and interleaved, and what is counted once is remembered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from random import Random

from proctor.errors import SpecError
from proctor.graphs.mathematics.dag import Dag, bits

MOST_SETS = 500_000
"""How many sets of remaining nodes may be remembered before counting is refused."""


class Orders:
    """The topological orders of a graph; further ordering edges go in by `Dag.with_edges`."""

    def __init__(self, dag: Dag, *, most_sets: int = MOST_SETS) -> None:
        self.dag = dag
        self.most_sets = most_sets
        self._counts: dict[int, int] = {0: 1}

    def count(self) -> int:
        """Return how many orders there are.

        Raises:
            SpecError: The graph is too wide and too tangled to be counted within bounds.
        """
        return self._count(self.dag.all_nodes)

    def sample(self, random: Random) -> tuple[str, ...]:
        """Return one order, every order being as likely as any other."""
        return tuple(self.dag.nodes[place] for place in self._sample(self.dag.all_nodes, random))

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """Yield every order, those that put nodes listed early first before others."""
        return self._extend((), 0)

    def _extend(self, chosen: tuple[str, ...], done: int) -> Iterator[tuple[str, ...]]:
        if done == self.dag.all_nodes:
            yield chosen
        for place in bits(self.dag.available(done)):
            yield from self._extend((*chosen, self.dag.nodes[place]), done | 1 << place)

    def _count(self, remaining: int) -> int:
        known = self._counts.get(remaining)
        if known is not None:
            return known
        if len(self._counts) >= self.most_sets:
            raise SpecError(
                f"the orders of a graph of {len(self.dag.nodes)} nodes cannot be counted:"
                f" more than {self.most_sets} sets of nodes may remain on the way",
                remedy="use fewer nodes or more edges",
            )
        parts = self.dag.components(remaining)
        total = self._count_interleaved(parts) if len(parts) > 1 else self._one_by_one(remaining)
        self._counts[remaining] = total
        return total

    def _count_interleaved(self, parts: list[int]) -> int:
        total, placed = 1, 0
        for part in parts:
            placed += part.bit_count()
            total *= comb(placed, part.bit_count()) * self._count(part)
        return total

    def _one_by_one(self, remaining: int) -> int:
        total = 0
        for place in self._first(remaining):
            total += self._count(remaining ^ 1 << place)
        return total

    def _sample(self, remaining: int, random: Random) -> list[int]:
        order: list[int] = []
        while remaining:
            parts = self.dag.components(remaining)
            if len(parts) > 1:
                return order + _interleave([self._sample(part, random) for part in parts], random)
            ticket = random.randrange(self._count(remaining))
            for place in self._first(remaining):
                ticket -= self._count(remaining ^ 1 << place)
                if ticket < 0:
                    break
            order.append(place)
            remaining ^= 1 << place
        return order

    def _first(self, remaining: int) -> list[int]:
        """Return what may come first of a set that holds whatever depends on its members within a part."""
        return [place for place in bits(remaining) if not self.dag.before[place] & remaining]


def is_prefix(dag: Dag, order: Sequence[str]) -> bool:
    """Tell whether an order may begin like this; not with an unknown or a repeated node."""
    done = 0
    for node in order:
        if node not in dag.nodes:
            return False
        place = dag.position(node)
        if done >> place & 1 or dag.before[place] & ~done:
            return False
        done |= 1 << place
    return True


def is_order(dag: Dag, order: Sequence[str]) -> bool:
    """Tell whether this is a topological order of all nodes."""
    return len(order) == len(dag.nodes) and is_prefix(dag, order)


def _interleave(orders: list[list[int]], random: Random) -> list[int]:
    """Merge orders, every way of doing so being as likely as any other."""
    turns = [number for number, order in enumerate(orders) for _ in order]
    random.shuffle(turns)
    ways = [iter(order) for order in orders]
    return [next(ways[turn]) for turn in turns]
