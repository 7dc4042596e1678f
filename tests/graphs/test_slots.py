"""Resources of which there is one: what goes wrong in an order, and the edges that leave only orders that work."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from proctor.errors import SpecError, UnknownName
from proctor.graphs.mathematics.dag import Dag
from proctor.graphs.mathematics.orders import Orders
from proctor.graphs.mathematics.slots import Clobber, SlotHold, Slots
from tests.graphs.graphs import all_orders, dags

TWO_COPIES = Dag.from_edges([("copy 1", "paste 1"), ("copy 2", "paste 2")])
HOLDS = [
    SlotHold("clipboard", "copy 1", frozenset({"paste 1"})),
    SlotHold("clipboard", "copy 2", frozenset({"paste 2"})),
]


def works(order: tuple[str, ...], holds: list[SlotHold], writers: dict[str, list[str]]) -> bool:
    """Play an order on slots that hold values, each node writing its own name."""
    slots = {hold.slot: "as at the start" for hold in holds}
    for node in order:
        for hold in holds:
            if node in hold.consumers and slots[hold.slot] != (hold.producer or "as at the start"):
                return False
        for slot in slots:
            produces = any(hold.slot == slot and hold.producer == node for hold in holds)
            if produces or node in writers.get(slot, []):
                slots[slot] = node
    return True


def works_always(dag: Dag, holds: list[SlotHold]) -> bool:
    return not any(Slots(dag, holds, {}).clobbers(order) for order in all_orders(dag))


def test_the_second_copy_spoils_the_first_paste() -> None:
    slots = Slots(TWO_COPIES, HOLDS, {})
    assert slots.clobbers(["copy 1", "paste 1", "copy 2", "paste 2"]) == []
    (clobber,) = slots.clobbers(["copy 1", "copy 2", "paste 1", "paste 2"])
    assert clobber == Clobber("clipboard", "paste 1", "copy 1", "copy 2")
    assert str(clobber) == "paste 1 finds in clipboard what copy 2 wrote, but needs what copy 1 wrote"
    assert not works_always(TWO_COPIES, HOLDS)


def test_one_edge_makes_both_pastes_safe() -> None:
    edges = Slots(TWO_COPIES, HOLDS, {}).ordering_edges()
    assert edges in ({("paste 1", "copy 2")}, {("paste 2", "copy 1")})
    safe = TWO_COPIES.with_edges(edges)
    assert works_always(safe, HOLDS)
    assert Slots(safe, HOLDS, {}).ordering_edges() == frozenset()
    assert Orders(safe).count() == 1


def test_another_slot_is_no_threat() -> None:
    holds = [HOLDS[0], SlotHold("open document", "copy 2", frozenset({"paste 2"}))]
    assert works_always(TWO_COPIES, holds)


def test_a_mere_writer_is_put_before_or_after() -> None:
    dag = Dag.from_edges([("copy", "paste")], nodes=["copy", "paste", "cut"])
    slots = Slots(dag, [SlotHold("clipboard", "copy", frozenset({"paste"}))], {"clipboard": ["cut"]})
    assert slots.ordering_edges() in ({("cut", "copy")}, {("paste", "cut")})


def test_what_was_there_at_the_start_is_read_before_anyone_writes() -> None:
    dag = Dag(("read", "write"))
    slots = Slots(dag, [SlotHold("open document", None, frozenset({"read"}))], {"open document": ["write"]})
    assert slots.ordering_edges() == {("read", "write")}
    assert str(slots.clobbers(["write", "read"])[0]) == (
        "read finds in open document what write wrote, but needs what was there at the start"
    )


def test_a_consumer_that_writes_comes_last() -> None:
    dag = Dag.from_edges([("copy", "paste"), ("copy", "paste and cut")])
    slots = Slots(
        dag,
        [SlotHold("clipboard", "copy", frozenset({"paste", "paste and cut"}))],
        {"clipboard": ["paste and cut"]},
    )
    assert slots.ordering_edges() == {("paste", "paste and cut")}


def test_a_writer_forced_in_between_is_refused() -> None:
    dag = Dag.from_edges([("copy", "cut"), ("cut", "paste"), ("copy", "paste")])
    slots = Slots(dag, [SlotHold("clipboard", "copy", frozenset({"paste"}))], {"clipboard": ["cut"]})
    with pytest.raises(SpecError, match="'cut' cannot be kept from overwriting clipboard between copy and paste"):
        slots.ordering_edges()


def test_two_things_in_one_slot_at_once_are_refused() -> None:
    dag = Dag.from_edges([("one", "use"), ("other", "use")])
    holds = [SlotHold("clipboard", "one", frozenset({"use"})), SlotHold("clipboard", "other", frozenset({"use"}))]
    with pytest.raises(SpecError, match="clipboard"):
        Slots(dag, holds, {}).ordering_edges()


def test_a_consumer_must_depend_on_its_producer() -> None:
    with pytest.raises(SpecError, match="'b' reads clipboard but not after 'a', which writes it"):
        Slots(Dag(("a", "b")), [SlotHold("clipboard", "a", frozenset({"b"}))], {})
    with pytest.raises(UnknownName):
        Slots(Dag(("a", "b")), [], {"clipboard": ["c"]})


def test_many_holds_of_one_slot_are_lined_up() -> None:
    dag = Dag.from_edges([(f"copy {number}", f"paste {number}") for number in range(15)])
    holds = [SlotHold("clipboard", f"copy {number}", frozenset({f"paste {number}"})) for number in range(15)]
    safe = dag.with_edges(Slots(dag, holds, {}).ordering_edges())
    assert safe.depth == 30


@st.composite
def situations(draw: st.DrawFn) -> tuple[Dag, list[SlotHold], dict[str, list[str]]]:
    dag = draw(dags(6, least=2))
    closure = dag.closure()
    holds = []
    for _ in range(draw(st.integers(1, 3))):
        slot = draw(st.sampled_from(["clipboard", "document"]))
        producer = draw(st.sampled_from([None, *dag.nodes]))
        readers = dag.nodes if producer is None else closure.successors(producer)
        if readers:
            consumers = draw(st.sets(st.sampled_from(readers), min_size=1, max_size=2))
            holds.append(SlotHold(slot, producer, frozenset(consumers)))
    writers = {slot: draw(st.lists(st.sampled_from(dag.nodes), max_size=2)) for slot in ("clipboard", "document")}
    assume(holds)
    return dag, holds, writers


@settings(max_examples=150)
@given(situations())
def test_orders_work_exactly_when_playing_them_does(
    situation: tuple[Dag, list[SlotHold], dict[str, list[str]]],
) -> None:
    dag, holds, writers = situation
    slots = Slots(dag, holds, writers)
    outcomes = {order: works(order, holds, writers) for order in all_orders(dag)}
    assert {order: not slots.clobbers(order) for order in outcomes} == outcomes
    try:
        safe = dag.with_edges(slots.ordering_edges())
    except SpecError:
        assert not any(outcomes.values())
    else:
        assert all(outcomes[order] for order in Orders(safe))
