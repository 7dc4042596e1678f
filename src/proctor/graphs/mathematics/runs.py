"""The order of a graph that changes application least: the fewest runs, and a witness.

A run is a stretch of nodes of one application. Once an application is at hand, it does no harm to do whatever can be
done in it: moving a node forward to the end of the current run never adds a run. So the search goes over the sets that
are left when an application has nothing more to do, one step for each run, and never over single orders.

It is guided by a bound from below on the runs that remain (A*):

- Each application needs at least as many runs as it has stretches on any one path. The counts of all paths from a
  node are fixed beforehand, as bits in unary, so that the maximum over nodes is `or` and the sum is the number of bits.
- The nodes at the head of an application's longest such path all belong to its next run, if it has no run to spare.
  Where two applications each wait for the other with such nodes, one of them needs one run more. At least as many
  applications do as are needed to touch every such pair: a vertex cover.

One run lowers the bound by at most one: it finishes all heads of its application only if they wait for no others, and
no application else is affected. So a set is final when it is first taken up, and steps that lower the bound are taken
up at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from proctor.errors import SpecError
from proctor.graphs.mathematics.dag import Dag, bits
from proctor.graphs.mathematics.isomorphism import labels_of

MOST_SETS = 300_000
"""How many sets of finished nodes are looked at before giving up."""


_Pairs = tuple[tuple[int, int], ...]
"""A graph of stretches that wait for each other: each with its neighbours, as bits."""


class _Step(NamedTuple):
    """A set of finished nodes on the way, and how it was come to."""

    done: int
    available: int
    bound: int
    previous: _Step | None


def fewest_runs(dag: Dag, apps: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    """Return the runs of a topological order with as few of them as possible.

    Raises:
        SpecError: The graph is too tangled for an exact answer within bounds; random graphs of 60 nodes stay far below.
    """
    search = _Search(dag, labels_of(dag, apps))
    step: _Step | None = search.last_step()
    runs = []
    while step is not None and step.previous is not None:
        ran = step.done ^ step.previous.done
        runs.append(tuple(node for node in dag.order if ran >> dag.position(node) & 1))
        step = step.previous
    return tuple(reversed(runs))


class _Search:
    def __init__(self, dag: Dag, labels: list[str]) -> None:
        self.dag = dag
        numbers = {label: number for number, label in enumerate(sorted(set(labels)))}
        app = [numbers[label] for label in labels]
        self.members = [0] * len(numbers)
        for place, number in enumerate(app):
            self.members[number] |= 1 << place
        self.after = [tuple(bits(after)) for after in dag.after]
        self.bound = _Bound(dag, app)

    def last_step(self) -> _Step:
        """Return the step at which everything is finished, at the end of a shortest way."""
        available = self.dag.available(0)
        waiting = deque([_Step(0, available, self.bound.of(available), None)])
        final: set[int] = set()
        while waiting:
            step = waiting.popleft()
            if step.done == self.dag.all_nodes:
                return step
            if step.done in final:
                continue
            final.add(step.done)
            if len(final) > MOST_SETS:
                break
            for after in self.next_steps(step):
                if after.done not in final:
                    (waiting.appendleft if after.bound < step.bound else waiting.append)(after)
        raise SpecError(
            f"the fewest runs of {len(self.dag.nodes)} nodes were not found within {MOST_SETS} sets of nodes",
            remedy="use fewer nodes or fewer applications",
        )

    def next_steps(self, step: _Step) -> list[_Step]:
        """Return the steps one run leads to; one that finishes its application makes others needless."""
        found = []
        for members in self.members:
            if not step.available & members:
                continue
            done, available = self.run(step.done, step.available, members)
            if not members & ~done:
                return [_Step(done, available, self.bound.of(available), step)]
            found.append((done, available))
        return [_Step(done, available, self.bound.of(available), step) for done, available in found]

    def run(self, done: int, available: int, members: int) -> tuple[int, int]:
        """Do whatever can be done in one application."""
        before = self.dag.before
        while ready := available & members:
            low = ready & -ready
            done |= low
            available ^= low
            for later in self.after[low.bit_length() - 1]:
                if not before[later] & ~done:
                    available |= 1 << later
        return done, available


class _Bound:
    """How many runs are needed at least for what is left of a graph.

    A bit stands for the i-th stretch of an application, counted from the end of a path; a gap keeps applications apart.
    """

    def __init__(self, dag: Dag, app: list[int]) -> None:
        stretches = _stretches(dag, app)
        most = [max((counts[one] for counts in stretches), default=0) for one in range(len(set(app)))]
        starts = [sum(most[:one]) + one for one in range(len(most))]
        self.size = sum(most) + len(most)
        self.needed = [
            sum(((1 << count) - 1) << start for count, start in zip(counts, starts, strict=True))
            for counts in stretches
        ]
        head = [starts[app[place]] + counts[app[place]] - 1 for place, counts in enumerate(stretches)]
        self.waits, self.awaited = self._arcs(dag, app, head)
        self.known: dict[int, int] = {}
        self.covers: dict[_Pairs, int] = {}

    def _arcs(self, dag: Dag, app: list[int], head: list[int]) -> tuple[list[int], list[int]]:
        """Return, for each node, which stretches lead to which others at or after it, both ways round."""
        waits, awaited = [0] * len(app), [0] * len(app)
        for place in map(dag.position, reversed(dag.order)):
            for later in bits(dag.after[place]):
                waits[place] |= waits[later]
                awaited[place] |= awaited[later]
            for later in bits(dag.descendants[place]):
                if app[later] != app[place]:
                    waits[place] |= 1 << head[place] * self.size + head[later]
                    awaited[place] |= 1 << head[later] * self.size + head[place]
        return waits, awaited

    def of(self, available: int) -> int:
        """Return the bound for what is left once these nodes may come next."""
        bound = self.known.get(available)
        if bound is None:
            bound = self.known[available] = self._of(available)
        return bound

    def _of(self, available: int) -> int:
        needed = waits = awaited = 0
        for place in bits(available):
            needed |= self.needed[place]
            waits |= self.waits[place]
            awaited |= self.awaited[place]
        crossing = waits & awaited
        return needed.bit_count() + (self._extra(crossing, needed & ~(needed >> 1)) if crossing else 0)

    def _extra(self, crossing: int, heads: int) -> int:
        """Return how many applications need a run more, given which stretches wait for each other."""
        graph = {head: crossing >> head * self.size & heads for head in bits(heads)}
        return self._cover(tuple(sorted((head, near) for head, near in graph.items() if near)))

    def _cover(self, graph: _Pairs) -> int:
        if not graph:
            return 0
        known = self.covers.get(graph)
        if known is not None:
            return known
        most, near = max(graph, key=lambda entry: entry[1].bit_count())
        if near.bit_count() == 1:
            size = len(graph) // 2
        else:
            size = min(
                1 + self._cover(_without(graph, 1 << most)),
                near.bit_count() + self._cover(_without(graph, near)),
            )
        self.covers[graph] = size
        return size


def _without(graph: _Pairs, removed: int) -> _Pairs:
    left = ((head, near & ~removed) for head, near in graph if not removed >> head & 1)
    return tuple((head, near) for head, near in left if near)


def _stretches(dag: Dag, app: list[int]) -> list[list[int]]:
    """Return, for each node and application, the most stretches of it on any path from the node."""
    apps = range(len(set(app)))
    counts = [[0] * len(apps) for _ in app]
    for place in map(dag.position, reversed(dag.order)):
        own, mine = app[place], counts[place]
        mine[own] = 1
        for later in bits(dag.after[place]):
            for one in apps:
                begins = one == own and app[later] != own
                mine[one] = max(mine[one], counts[later][one] + begins)
    return counts
