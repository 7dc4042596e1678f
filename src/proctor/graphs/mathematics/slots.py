"""Resources of which there is one: the clipboard, the open document, the playing track.

What a node puts there lasts until another node puts something else there. Between the node that produces it and the
last that consumes it, no other node may write. Such a writer is a threat; it is resolved by an ordering edge that puts
it before the producer or after the consumers, and once every threat is resolved, every topological order works.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from proctor.errors import SpecError
from proctor.graphs.mathematics.dag import Dag, Edge, bits

MOST_CHOICES = 20_000
"""How many choices between before and after are tried before giving up."""

_Way = tuple[tuple[int, int], ...]

Writers = Mapping[str, Collection[str]]
"""For each slot, the nodes that write it."""


@dataclass(frozen=True)
class SlotHold:
    """What must be in a slot for consumers: what the producer wrote, or what was there at the start."""

    slot: str
    producer: str | None
    consumers: frozenset[str]


@dataclass(frozen=True)
class Clobber:
    """A node that finds something else in a slot than it needs."""

    slot: str
    consumer: str
    needs: str | None
    finds: str | None

    def __str__(self) -> str:
        return f"{self.consumer} finds in {self.slot} {_origin(self.finds)}, but needs {_origin(self.needs)}"


def _origin(writer: str | None) -> str:
    return "what was there at the start" if writer is None else f"what {writer} wrote"


@dataclass(frozen=True)
class _Threat:
    """A writer that must run before the producer or after all other consumers, by position."""

    slot: str
    producer: int | None
    consumers: int
    writer: int

    def ways(self) -> list[_Way]:
        """Return the two ways out, as edges to add; nothing can be put before the start."""
        after = tuple((consumer, self.writer) for consumer in bits(self.consumers))
        return [after] if self.producer is None else [((self.writer, self.producer),), after]


class Slots:
    """The slots of one graph: who writes them, and who relies on what."""

    def __init__(self, dag: Dag, holds: Sequence[SlotHold], writers: Writers) -> None:
        """Take them in; whoever produces what is held writes the slot, listed or not.

        Raises:
            SpecError: A consumer does not depend on its producer, or a node is unknown.
        """
        self.dag, self.holds = dag, tuple(holds)
        self.writers = {slot: dag.mask(nodes) for slot, nodes in writers.items()}
        for hold in holds:
            consumers, written = dag.mask(hold.consumers), 0
            if hold.producer is not None:
                written = dag.mask([hold.producer])
                free = consumers & ~dag.descendants[dag.position(hold.producer)]
                if free:
                    raise SpecError(
                        f"{dag.names(free)[0]!r} reads {hold.slot} but not after {hold.producer!r}, which writes it",
                        remedy="add the edge from the producer to the consumer",
                    )
            self.writers[hold.slot] = self.writers.get(hold.slot, 0) | written

    def clobbers(self, order: Sequence[str]) -> list[Clobber]:
        """Play an order through and return what goes wrong; nothing does when it can be executed.

        A node that reads a slot and writes it reads first.
        """
        content: dict[str, str | None] = {}
        found = []
        for node in order:
            bit = self.dag.mask([node])
            for hold in self.holds:
                finds = content.get(hold.slot)
                if node in hold.consumers and finds != hold.producer:
                    found.append(Clobber(hold.slot, node, hold.producer, finds))
            content.update({slot: node for slot, writers in self.writers.items() if writers & bit})
        return found

    def ordering_edges(self) -> frozenset[Edge]:
        """Return edges to add so that every topological order works, preferring those that bind less.

        Raises:
            SpecError: No order works, whatever is added.
        """
        found, stuck = _resolve(self._threats(), _Known(self.dag.ancestors, self.dag.descendants))
        if stuck is not None:
            writer, users = self.dag.nodes[stuck.writer], ", ".join(self.dag.names(stuck.consumers))
            producer = "the start" if stuck.producer is None else self.dag.nodes[stuck.producer]
            raise SpecError(
                f"{writer!r} cannot be kept from overwriting {stuck.slot} between {producer} and {users}",
                remedy="remove a node that writes this slot, or an edge that forces it in between",
            )
        names = self.dag.nodes
        wanted = self.dag.with_edges((names[first], names[later]) for first, later in found)
        return wanted.reduction().edges - self.dag.edges

    def _threats(self) -> list[_Threat]:
        threats = []
        for hold in self.holds:
            producer = None if hold.producer is None else self.dag.position(hold.producer)
            own = 0 if producer is None else 1 << producer
            consumers = self.dag.mask(hold.consumers)
            for writer in bits(self.writers[hold.slot] & ~own):
                others = consumers & ~(1 << writer)
                if others:
                    threats.append(_Threat(hold.slot, producer, others, writer))
        return threats


@dataclass(frozen=True)
class _Known:
    """What is known to come before and after each position, and which edges were added to say so."""

    ancestors: tuple[int, ...]
    descendants: tuple[int, ...]
    added: tuple[tuple[int, int], ...] = ()

    def implies(self, way: _Way) -> bool:
        return all(self.ancestors[later] >> first & 1 for first, later in way)

    def excludes(self, way: _Way) -> bool:
        return any(self.ancestors[first] >> later & 1 for first, later in way)

    def plus(self, way: _Way) -> _Known:
        ancestors, descendants = list(self.ancestors), list(self.descendants)
        for first, later in way:
            above, below = ancestors[first] | 1 << first, descendants[later] | 1 << later
            for place in bits(above):
                descendants[place] |= below
            for place in bits(below):
                ancestors[place] |= above
        return _Known(tuple(ancestors), tuple(descendants), (*self.added, *way))

    def pairs(self) -> int:
        return sum(mask.bit_count() for mask in self.ancestors)


def _resolve(threats: list[_Threat], known: _Known) -> tuple[tuple[tuple[int, int], ...], _Threat | None]:
    """Return edges that resolve all threats at once, or else a threat that could not be resolved."""
    stuck: _Threat | None = None
    waiting = [(known, threats)]
    for _ in range(MOST_CHOICES):
        if not waiting:
            return (), stuck
        known, threats = waiting.pop()
        known, threats, blocked = _settle(known, threats)
        if blocked is not None:
            stuck = blocked
        elif not threats:
            return known.added, None
        else:
            # Both ways are open: the one that leaves more orders is tried first.
            ways = sorted((known.plus(way) for way in threats[0].ways()), key=_Known.pairs, reverse=True)
            waiting += [(way, threats) for way in ways]
    raise SpecError("too many nodes share slots to be put in order", remedy="let fewer nodes share slots")


def _settle(known: _Known, threats: list[_Threat]) -> tuple[_Known, list[_Threat], _Threat | None]:
    """Take the only way out of each threat with just one; return what is open, and one without any."""
    count = -1
    while count != len(threats):
        count = len(threats)
        still_open = []
        for threat in threats:
            if any(known.implies(way) for way in threat.ways()):
                continue
            ways = [way for way in threat.ways() if not known.excludes(way)]
            if not ways:
                return known, threats, threat
            if len(ways) == 1:
                known = known.plus(ways[0])
            else:
                still_open.append(threat)
        threats = still_open
    return known, threats, None
