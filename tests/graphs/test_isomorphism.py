"""Graphs have the same form exactly when they differ by the names of their nodes."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.errors import SpecError
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.isomorphism import canonical_form
from tests.graphs.graphs import apart, chain, every_dag, labelled

Labelled = tuple[Dag, dict[str, str]]


def renamed(dag: Dag, labels: dict[str, str], random: Random) -> Labelled:
    names = [f"other {number}" for number in range(len(dag.nodes))]
    random.shuffle(names)
    new = dict(zip(dag.nodes, names, strict=True))
    nodes = list(names)
    random.shuffle(nodes)
    return (
        Dag(tuple(nodes), frozenset((new[first], new[second]) for first, second in dag.edges)),
        {new[node]: label for node, label in labels.items()},
    )


def same_by_trying(one: Labelled, other: Labelled) -> bool:
    (dag, labels), (second, marks) = one, other
    if len(dag.nodes) != len(second.nodes):
        return False
    for order in permutations(second.nodes):
        new = dict(zip(dag.nodes, order, strict=True))
        if (
            all(labels[node] == marks[new[node]] for node in dag.nodes)
            and {(new[a], new[b]) for a, b in dag.edges} == second.edges
        ):
            return True
    return False


@given(labelled(7), st.randoms(use_true_random=False))
def test_other_names_make_no_difference(graph: Labelled, random: Random) -> None:
    dag, labels = graph
    other, marks = renamed(dag, labels, random)
    assert canonical_form(dag, labels) == canonical_form(other, marks)


@settings(max_examples=60)
@given(labelled(4, "xy"), labelled(4, "xy"))
def test_the_form_tells_apart_what_trying_every_renaming_does(one: Labelled, other: Labelled) -> None:
    assert (canonical_form(*one) == canonical_form(*other)) == same_by_trying(one, other)


@pytest.mark.parametrize(("nodes", "count"), [(1, 1), (2, 2), (3, 6), (4, 31)])
def test_there_are_as_many_forms_as_unlabelled_graphs(nodes: int, count: int) -> None:
    """The numbers are those of acyclic digraphs up to isomorphism (OEIS A003087)."""
    assert len({canonical_form(dag) for dag in every_dag(nodes)}) == count


@pytest.mark.parametrize(
    "dag",
    [
        apart(20),
        chain(20),
        Dag.from_edges([(f"{row} {place}", f"{row} {place + 1}") for row in range(6) for place in range(3)]),
        Dag.from_edges([(f"low {one}", f"high {other}") for one in range(6) for other in range(6) if one != other]),
        Dag.from_edges([(f"low {one}", f"high {step}") for one in range(8) for step in (one, (one + 1) % 8)]),
    ],
    ids=["apart", "chain", "chains", "crown", "fence"],
)
def test_graphs_with_many_symmetries_are_no_trouble(dag: Dag) -> None:
    random = Random(5)
    labels = dict.fromkeys(dag.nodes, "x")
    assert {canonical_form(*renamed(dag, labels, random)) for _ in range(3)} == {canonical_form(dag, labels)}


def test_one_ring_is_not_two() -> None:
    """Every node has the same surroundings in both, so that only singling out nodes tells them apart."""

    def fence(start: int, size: int) -> list[tuple[str, str]]:
        return [(f"low {start + one}", f"high {start + (one + step) % size}") for one in range(size) for step in (0, 1)]

    one, two = Dag.from_edges(fence(0, 6)), Dag.from_edges(fence(0, 3) + fence(3, 3))
    assert canonical_form(one) != canonical_form(two)
    assert canonical_form(two) == canonical_form(renamed(two, {}, Random(1))[0])


def test_labels_count() -> None:
    dag = chain(2)
    assert canonical_form(dag, {"a": "x", "b": "y"}) != canonical_form(dag, {"a": "y", "b": "x"})
    assert canonical_form(dag, {"a": "x", "b": "y"}).labels == ("x", "y")
    assert canonical_form(dag) != canonical_form(apart(2))


def test_a_node_without_a_label_is_refused() -> None:
    with pytest.raises(SpecError, match="node 'b' has no label"):
        canonical_form(chain(2), {"a": "x"})


def test_the_digest_is_the_same_everywhere() -> None:
    form = canonical_form(chain(3), {"a": "x", "b": "y", "c": "é"})
    assert form.digest() == "27567bad04024ef46f8fb8dbf2c65555f4a99660f76c962e6a93e9d916b4d84e"
    assert form.digest() != canonical_form(chain(3)).digest()
