"""A walk over what is drawn, breadth first and a level at a time, for applications that do not tell all in bulk."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from proctor.computers.channels.atspi.ask import ACCESSIBLE, Asker, batches, get, get_children, refs_of
from proctor.computers.channels.atspi.nodes import (
    MAX_NODES,
    AtspiApplication,
    Ref,
    TreeItem,
    bound_interfaces,
    make_item,
)
from proctor.computers.channels.atspi.tree_cache import NOTHING, Remembered
from proctor.computers.channels.dbus.client import MethodCall, Reply, value_of, variant_of
from proctor.observations.bounds import MAX_TREE_CHARS

MAX_CHILDREN = 2_000
MAX_LEVELS = 100
LEAF_ROLES = frozenset(
    {"image", "label", "push button", "scroll bar", "separator", "slider", "static", "toggle button"}
)
"""What has no children as a rule; one that has none is not asked for them again."""


class _Wanted(NamedTuple):
    ref: Ref
    parent: Ref
    place: int


@dataclass(frozen=True, slots=True)
class Kinds:
    """What objects are, which they stay as long as they live: it is asked once."""

    roles: dict[Ref, int] = field(default_factory=dict)
    interfaces: dict[Ref, Sequence[str]] = field(default_factory=dict)
    leaves: set[Ref] = field(default_factory=set)
    """Buttons, labels and the like that had no children."""

    def pass_on(self, ref: Ref, now: Kinds) -> None:
        """Keep for the next time what is known of an object."""
        if ref in self.roles and ref in self.interfaces:
            now.roles[ref], now.interfaces[ref] = self.roles[ref], self.interfaces[ref]
        if ref in self.leaves:
            now.leaves.add(ref)


def walk(
    asker: Asker,
    applications: Iterable[AtspiApplication],
    entered: Sequence[TreeItem],
    before: Kinds,
    modest: Collection[str] = (),
    remembered: Remembered = NOTHING,
) -> Walked:
    """Add to the applications what is below `entered`, as far as it is drawn.

    What is hidden costs as much to ask, and can be neither seen nor clicked. `before` is what the last walk returned;
    `modest` applications call visible what others call showing; what has not changed comes from `remembered`.
    """
    owners = {application.ref.bus: application for application in applications}
    walked = Walked(Kinds(), [])
    wanted = _unknown(owners, entered, asker.ask([get_children(item.ref) for item in entered]), walked.degraded)
    budget, chars = MAX_NODES, 0
    for _ in range(MAX_LEVELS):
        budget -= len(wanted)
        if budget < 0 or chars > MAX_TREE_CHARS or not wanted:
            break
        seen = [as_shown(item, modest) for item in _look(asker, wanted, before, walked.kinds)]
        seen = [item for item in seen if not _restore(item, remembered, owners, before, walked.kinds)]
        items = [item for item in seen if item.showing or item.parent == owners[item.ref.bus].ref]
        walked.kinds.leaves.update(item.ref for item in items if item.ref in before.leaves)
        entered = [item for item in items if _worth_entering(item) and item.ref not in before.leaves]
        children = _learn(asker, items, entered, owners, before, walked.kinds)
        chars += sum(len(known.name) + len(known.description) for known in _renew(items, owners))
        for item, reply in zip(entered, children, strict=True):
            if item.role in LEAF_ROLES and value_of(reply, "a(so)") == []:
                walked.kinds.leaves.add(item.ref)
        wanted = _unknown(owners, _renew(entered, owners), children, walked.degraded)
    if wanted:
        walked.degraded.append("the walk ended early: too many nodes, too deep or too long names")
    return walked


def _restore(
    item: TreeItem, remembered: Remembered, owners: Mapping[str, AtspiApplication], before: Kinds, now: Kinds
) -> bool:
    """Take an item and all below it from the reading before, if nothing of it has changed."""
    known = remembered.alike(item)
    if known is None:
        return False
    owner = owners[item.ref.bus]
    owner.items[item.ref] = known
    for ref in (item.ref, *remembered.restore_below(item, owner)):
        before.pass_on(ref, now)
    return True


def _renew(items: Sequence[TreeItem], owners: Mapping[str, AtspiApplication]) -> list[TreeItem]:
    return [owners[item.ref.bus].items[item.ref] for item in items]


class Walked(NamedTuple):
    """What a walk leaves besides the items."""

    kinds: Kinds
    degraded: list[str]


def _unknown(
    owners: dict[str, AtspiApplication], parents: Sequence[TreeItem], replies: Sequence[Reply], degraded: list[str]
) -> list[_Wanted]:
    wanted: dict[Ref, _Wanted] = {}
    for parent, reply in zip(parents, replies, strict=True):
        children = refs_of(reply, parent.ref.bus)
        if len(children) > MAX_CHILDREN:
            degraded.append(f"{parent.role} {parent.name!r} has {len(children)} children")
        known = owners[parent.ref.bus].items
        for place, ref in enumerate(children[:MAX_CHILDREN]):
            if ref not in known and ref != owners[ref.bus].ref:
                wanted.setdefault(ref, _Wanted(ref, parent.ref, place))
    return list(wanted.values())


def _look(asker: Asker, wanted: Sequence[_Wanted], before: Kinds, now: Kinds) -> list[TreeItem]:
    """Return the objects that exist, with states and role only."""
    new = [each.ref for each in wanted if each.ref not in before.roles]
    states = [MethodCall(*each.ref, ACCESSIBLE, "GetState") for each in wanted]
    replies = asker.ask([*states, *(MethodCall(*ref, ACCESSIBLE, "GetRole") for ref in new)])
    asked = {ref: value_of(reply, "u") or 0 for ref, reply in zip(new, replies[len(states) :], strict=True)}
    items = []
    for (ref, parent, place), reply in zip(wanted, replies, strict=False):
        if (words := value_of(reply, "au")) is not None:
            now.roles[ref] = asked[ref] if ref in asked else before.roles[ref]
            items.append(make_item(ref, parent, place, role=now.roles[ref], states=words))
    return items


def _learn(
    asker: Asker,
    items: Sequence[TreeItem],
    entered: Sequence[TreeItem],
    owners: Mapping[str, AtspiApplication],
    before: Kinds,
    now: Kinds,
) -> list[Reply]:
    """Ask for the rest of what makes an item and, in the same wave, for the children of those to be entered."""
    new = [item.ref for item in items if item.ref not in before.interfaces]
    texts = [get(item.ref, ACCESSIBLE, name) for item in items for name in ("Name", "Description")]
    kinds = [MethodCall(*ref, ACCESSIBLE, "GetInterfaces") for ref in new]
    replies = asker.ask([*texts, *kinds, *(get_children(item.ref) for item in entered)])
    lists = zip(new, replies[len(texts) :], strict=False)
    asked = {ref: bound_interfaces(value_of(reply, "as") or ()) for ref, reply in lists}
    for item, (name, description) in zip(items, batches(replies[: len(texts)], 2), strict=True):
        now.interfaces[item.ref] = asked[item.ref] if item.ref in asked else before.interfaces[item.ref]
        owners[item.ref.bus].items[item.ref] = item.completed(
            now.interfaces[item.ref], variant_of(name, "s") or "", variant_of(description, "s") or ""
        )
    return replies[len(texts) + len(kinds) :]


def as_shown(item: TreeItem, modest: Collection[str]) -> TreeItem:
    """Return an item that says it is showing, if it is one that never says so."""
    quiet = item.ref.bus in modest and "visible" in item.states
    return item._replace(states=item.states | {"showing"}) if quiet else item


def _worth_entering(item: TreeItem) -> bool:
    """Tell whether something drawn may be below: not in a closed menu; cells have their own way."""
    closed = item.role == "menu" and not item.states & {"armed", "expanded", "focused", "selected"}
    return item.showing and not item.virtual_children and not closed


def ask_items(asker: Asker, refs: Sequence[Ref]) -> list[TreeItem]:
    """Ask about single objects; those that do not exist are left out."""
    calls = [
        call
        for ref in refs
        for call in (
            MethodCall(*ref, ACCESSIBLE, "GetState"),
            MethodCall(*ref, ACCESSIBLE, "GetRole"),
            MethodCall(*ref, ACCESSIBLE, "GetInterfaces"),
            get(ref, ACCESSIBLE, "Name"),
            get(ref, ACCESSIBLE, "Description"),
        )
    ]
    items = []
    for ref, (states, role, interfaces, name, description) in zip(refs, batches(asker.ask(calls), 5), strict=True):
        if (words := value_of(states, "au")) is not None:
            item = make_item(ref, ref, role=value_of(role, "u") or 0, states=words)
            named = variant_of(name, "s") or "", variant_of(description, "s") or ""
            items.append(item.completed(value_of(interfaces, "as") or (), *named))
    return items
