"""How many nodes of a graph may be under way side by side."""

from __future__ import annotations

from collections import Counter

from proctor.graphs.mathematics.dag import Dag, bits


def width(dag: Dag) -> int:
    """Return the size of the largest set of nodes of which none depends on another."""
    return len(dag.nodes) - sum(follower is not None for follower in _followers(dag))


def largest_level(dag: Dag) -> int:
    """Return the size of the largest set of nodes of equal depth, which is at most the width."""
    return max(Counter(dag.depths.values()).values(), default=0)


def _followers(dag: Dag) -> list[int | None]:
    """Match as many nodes as possible with one that comes later, each once on either side.

    Augmenting paths one by one: graphs are small, and sets of bits keep each search short.
    """
    followers: list[int | None] = [None] * len(dag.nodes)
    leaders: list[int | None] = [None] * len(dag.nodes)

    def augment(place: int, closed: int) -> tuple[bool, int]:
        """Give a node a follower, moving others if need be; `closed` are the followers already asked for."""
        while later := dag.descendants[place] & ~closed:
            follower = next(bits(later))
            closed |= 1 << follower
            leader = leaders[follower]
            found = leader is None
            if leader is not None:
                found, closed = augment(leader, closed)
            if found:
                followers[place], leaders[follower] = follower, place
                return True, closed
        return False, closed

    for place in range(len(dag.nodes)):
        augment(place, 0)
    return followers
