"""How many nodes of a graph may be under way side by side: the largest antichain, and the fewest chains."""

from __future__ import annotations

from collections import Counter

from proctor.graphs.mathematics.dag import Dag, bits


def width(dag: Dag) -> int:
    """Return the size of the largest set of nodes of which none depends on another."""
    return len(dag.nodes) - sum(follower is not None for follower in _followers(dag))


def largest_level(dag: Dag) -> int:
    """Return the size of the largest set of nodes of equal depth, which is at most the width."""
    return max(Counter(dag.depths.values()).values(), default=0)


def chain_cover(dag: Dag) -> tuple[tuple[str, ...], ...]:
    """Return the fewest chains that hold every node once; by Dilworth's theorem, there are as many as the width."""
    followers = _followers(dag)
    heads = set(range(len(dag.nodes))) - set(followers)
    chains = []
    for head in sorted(heads):
        chain = [head]
        while (follower := followers[chain[-1]]) is not None:
            chain.append(follower)
        chains.append(tuple(dag.nodes[place] for place in chain))
    return tuple(chains)


def largest_antichain(dag: Dag) -> tuple[str, ...]:
    """Return the largest set of nodes of which none depends on another, in the order of the nodes.

    From the nodes that no chain continues, walk to what comes later and back along the chains. What is reached going
    out but not coming in is, by Kőnig's theorem, the antichain that proves that no fewer chains would do.
    """
    followers = _followers(dag)
    leaders = {follower: leader for leader, follower in enumerate(followers) if follower is not None}
    out = fresh = sum(1 << place for place, follower in enumerate(followers) if follower is None)
    into = 0
    while fresh:
        reached = 0
        for place in bits(fresh):
            reached |= dag.descendants[place]
        fresh = sum(1 << leaders[place] for place in bits(reached & ~into))
        into |= reached
        out |= fresh
    return dag.names(out & ~into)


def _followers(dag: Dag) -> list[int | None]:
    """Match as many nodes as possible with one that comes later, each to be followed and to follow once.

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
