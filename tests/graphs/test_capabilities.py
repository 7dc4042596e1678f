"""The ten capabilities: as the paper prints them, and apart from each other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from random import Random

import pytest

from benchmarks.graph_shapes import shape
from proctor.errors import UnknownName
from proctor.graphs.mathematics.capabilities import (
    DISJOINT,
    PROFILES,
    TABLE12,
    Capability,
    Profile,
    capabilities,
    capability,
    profile,
)
from proctor.graphs.mathematics.complexity import Complexity, Dimension, Level, measure
from proctor.graphs.mathematics.constraints import conflict, rooms
from proctor.taxonomy import CATEGORIES

D, I, K, H, B = Dimension  # noqa: E741 - the paper's letters
ROWS = {"PP": {D, B}, "LRP": {D, H}, "LSR": {I, H}, "LIF": {B}, "SDM": {H, B}, "CDDM": {B, K}, "SI": {D, I}, "DI": {D},
        "CDK": {I, K}, "DSK": {I, K}}  # fmt: skip
"""The rows of the paper's table: the dimensions that must be hard."""


def samples() -> list[Complexity]:
    """Complexities of graphs in every corner of what a profile asks for."""
    random, found = Random(2), []
    for constraints in (*DISJOINT.values(), *TABLE12.values()):
        for room in list(rooms(constraints))[:40]:
            nodes = room.nodes[0]
            edges = room.edges[0]
            dag = shape(nodes, edges, room.depth, room.width, random=random)
            asked = next((one for one in constraints if one.dimension == K), None)
            kinds = CATEGORIES[: max(asked.least, 1) if asked else random.randint(1, min(nodes, 12))]
            found.append(measure(dag, {node: kinds[place % len(kinds)] for place, node in enumerate(dag.nodes)}))
    return found


@pytest.fixture(scope="module")
def found() -> list[Complexity]:
    return samples()


def test_abbreviations_are_the_papers() -> None:
    assert {one.abbreviation for one in Capability} == set(ROWS)
    assert Capability.LONG_RANGE_PLANNING.label == "Long range planning"


def test_table12_is_the_papers_table(found: list[Complexity]) -> None:
    for complexity in found:
        hard = {dimension for dimension in Dimension if complexity.level(dimension) is Level.HARD}
        expected = {short for short, needed in ROWS.items() if needed <= hard}
        assert {one.abbreviation for one in capabilities(complexity, TABLE12)} == expected


@pytest.mark.parametrize("name", PROFILES)
def test_every_capability_can_be_examined(name: str) -> None:
    assert set(profile(name)) == set(Capability)
    for constraints in profile(name).values():
        assert conflict(constraints) is None
        assert conflict(constraints, connected=True) is None


@pytest.mark.parametrize(("one", "other"), list(combinations(Capability, 2)))
def test_no_graph_is_in_two_disjoint_sets(one: Capability, other: Capability) -> None:
    assert conflict([*DISJOINT[one], *DISJOINT[other]]) is not None


def test_disjoint_sets_lie_within_those_of_the_paper(found: list[Complexity]) -> None:
    seen = set()
    for complexity in found:
        narrow, wide = capabilities(complexity, DISJOINT), capabilities(complexity, TABLE12)
        assert len(narrow) <= 1
        assert narrow - {Capability.DOMAIN_SPECIFIC_KNOWLEDGE} <= wide
        seen |= narrow
    assert seen == set(Capability)


def overlap(found: list[Complexity], profile: Profile) -> Counter[tuple[Capability, Capability]]:
    """Count how many graphs examine two capabilities at once; with itself, how many examine one."""
    examined = [capabilities(complexity, profile) for complexity in found]
    return Counter(pair for each in examined for pair in product(each, each))


def test_what_the_table_cannot_tell_apart(found: list[Complexity]) -> None:
    same = overlap(found, TABLE12)
    for one, other in [("LRP", "LSR"), ("CDK", "DSK")]:
        first, second = capability(one), capability(other)
        assert same[first, second] == same[first, first] == same[second, second] > 0
    inside = capability("PP")
    assert same[inside, capability("LIF")] == same[inside, capability("DI")] == same[inside, inside]


def test_the_overlap_of_the_disjoint_profile_is_a_diagonal(found: list[Complexity]) -> None:
    counts = overlap(found, DISJOINT)
    assert counts.keys() == {(one, one) for one in Capability}


def test_sequential_decision_making_takes_nine_nodes() -> None:
    for known in PROFILES.values():
        assert min(room.nodes[0] for room in rooms(known[Capability.SEQUENTIAL_DECISION_MAKING])) == 9


def test_dependency_identification_is_four_nodes_with_four_to_six_edges() -> None:
    found = list(rooms(DISJOINT[Capability.DEPENDENCY_IDENTIFICATION]))
    assert {room.nodes for room in found} == {(4, 4)}
    assert max(room.edges[1] for room in found) == 6


def test_capabilities_and_profiles_by_name() -> None:
    assert capability("long-range-planning") is capability("LRP") is capability("lrp")
    with pytest.raises(UnknownName, match="did you mean 'parallel-planning'"):
        capability("paralel-planning")
    with pytest.raises(UnknownName, match="did you mean 'paper'"):
        profile("papers")
