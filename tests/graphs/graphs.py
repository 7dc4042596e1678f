"""Random graphs for tests, and what can be said of them by trying everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations

from hypothesis import strategies as st

from proctor.graphs.mathematics.dag import Dag, bits

NAMES = "abcdefghijklmnopqrstuvwxyz"


@st.composite
def dags(draw: st.DrawFn, most: int = 6, least: int = 1) -> Dag:
    """Graphs whose nodes are listed in any order, not only a topological one."""
    count = draw(st.integers(least, most))
    order = draw(st.permutations(NAMES[:count]))
    pairs = list(combinations(order, 2))
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return Dag(tuple(NAMES[:count]), frozenset(chosen))


@st.composite
def labelled(draw: st.DrawFn, most: int = 6, labels: str = "xyz") -> tuple[Dag, dict[str, str]]:
    """Graphs whose nodes bear labels."""
    dag = draw(dags(most))
    return dag, {node: draw(st.sampled_from(labels)) for node in dag.nodes}


def chain(count: int) -> Dag:
    return Dag(tuple(NAMES[:count]), frozenset(zip(NAMES[: count - 1], NAMES[1:count], strict=True)))


def apart(count: int) -> Dag:
    return Dag(tuple(NAMES[:count]))


def all_orders(dag: Dag) -> Iterator[tuple[str, ...]]:
    for order in permutations(dag.nodes):
        place = {node: number for number, node in enumerate(order)}
        if all(place[first] < place[second] for first, second in dag.edges):
            yield order


def coherency(order: Sequence[str], apps: Mapping[str, str]) -> int:
    """Return how many neighbours in a sequence belong to the same application."""
    return sum(apps[one] == apps[other] for one, other in pairwise(order))


def ideals(dag: Dag) -> Iterator[int]:
    """Yield every set that holds whatever its members depend on, as bits, small ones first."""
    layer = {0}
    while layer:
        yield from sorted(layer)
        layer = {done | 1 << place for done in layer for place in bits(dag.available(done))}


def every_dag(count: int) -> Iterator[Dag]:
    """Every graph whose edges lead from nodes listed earlier to nodes listed later."""
    nodes = tuple(NAMES[:count])
    pairs = list(combinations(nodes, 2))
    for mask in range(1 << len(pairs)):
        yield Dag(nodes, frozenset(pair for place, pair in enumerate(pairs) if mask >> place & 1))
