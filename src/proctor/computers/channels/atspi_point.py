"""The element at a point, found by going down from the windows, without reading whole trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from proctor.computers.channels.atspi_ask import (
    ACCESSIBLE,
    COMPONENT,
    MAX_CHILDREN,
    SCREEN,
    Asker,
    batched,
    get,
    get_children,
    refs_of,
)
from proctor.computers.channels.atspi_nodes import NULL_PATH, Ref, role_name, state_names
from proctor.computers.channels.dbus import Call, value_of, variant_of
from proctor.observations.box import Box

MAX_LEVELS = 60
FEW_CHILDREN = 300
"""Above this many children, the application is asked which of them is at the point."""
MENU_ROLES = frozenset({"menu", "menu item", "combo box", "popup menu", "push button menu", "toggle button"})


class Spot(NamedTuple):
    """A node on the way down."""

    ref: Ref
    above: Spot | None
    depth: int
    box: Box
    role: str
    states: frozenset[str]
    hit: bool
    """Whether the point is inside."""
    popup: bool
    """Whether it, or a node above it, hangs outside of its parent, as an open menu does."""

    @property
    def virtual_children(self) -> bool:
        """Whether its children must be asked for by position."""
        return "manages descendants" in self.states

    def rank(self) -> tuple[bool, int, int]:
        """Sort what covers others last: popups, then the deepest, then the smallest."""
        return self.popup, self.depth, -self.box.area


def deepest_at(asker: Asker, applications: Sequence[Ref], x: int, y: int, *, title: str = "") -> Spot | None:
    """Return the deepest showing node at a point of the screen; a window of that title is preferred."""
    nowhere = Box(0, 0, 0, 0)
    level = [Spot(ref, None, 0, nowhere, "application", frozenset(), False, False) for ref in applications]
    best: Spot | None = None
    while level and level[0].depth < MAX_LEVELS:
        children = _showing_children(asker, level, x, y)
        if level[0].depth == 0:
            children = _preferred_windows(asker, children, title)
        hits = [spot for spot in children if spot.hit]
        best = max([*([best] if best else []), *hits], key=Spot.rank, default=None)
        level = [spot for spot in children if spot.hit or _may_hang_out(spot)]
    return best


def _showing_children(asker: Asker, level: Sequence[Spot], x: int, y: int) -> list[Spot]:
    at_point = [Call(*spot.ref, COMPONENT, "GetAccessibleAtPoint", "iiu", (x, y, SCREEN)) for spot in level]
    replies = asker.ask(
        [call if spot.virtual_children else get_children(spot.ref) for spot, call in zip(level, at_point, strict=True)]
    )
    families: dict[Ref, Spot] = {}
    crowded: list[tuple[Spot, Call]] = []
    for spot, call, reply in zip(level, at_point, replies, strict=True):
        refs = refs_of(reply, spot.ref.bus)
        if len(refs) > FEW_CHILDREN:
            crowded.append((spot, call))
            continue
        owner, path = value_of(reply, "(so)") or ("", NULL_PATH)
        if owner == spot.ref.bus and path != NULL_PATH:
            refs.append(Ref(owner, path))
        families.update((ref, spot) for ref in refs if ref not in families)
    for (spot, _), reply in zip(crowded, asker.ask([call for _, call in crowded]), strict=True):
        owner, path = value_of(reply, "(so)") or ("", NULL_PATH)
        if owner == spot.ref.bus and path != NULL_PATH:
            families.setdefault(Ref(owner, path), spot)
    known = {spot.ref for first in level for spot in _upward(first)}
    refs = [ref for ref in families if ref not in known][:MAX_CHILDREN]
    calls = [
        call
        for ref in refs
        for call in (
            Call(*ref, ACCESSIBLE, "GetState"),
            Call(*ref, ACCESSIBLE, "GetRole"),
            Call(*ref, COMPONENT, "GetExtents", "u", (SCREEN,)),
        )
    ]
    spots = []
    for ref, (states, role, extents) in zip(refs, batched(asker.ask(calls), 3), strict=True):
        above = families[ref]
        box = Box(*(value_of(extents, "(iiii)") or (0, 0, 0, 0)))
        hit = box.contains(x, y)
        popup = above.popup or (hit and not above.hit and above.depth > 0)
        names = state_names(tuple((value_of(states, "au") or ())[:2]))
        if "showing" in names:
            spots.append(Spot(ref, above, above.depth + 1, box, role_name(value_of(role, "u") or 0), names, hit, popup))
    return spots


def _upward(spot: Spot | None) -> list[Spot]:
    trail = []
    while spot:
        trail.append(spot)
        spot = spot.above
    return trail


def _may_hang_out(spot: Spot) -> bool:
    """Tell whether something below a node may be drawn outside of it: the open menu of a menu bar, say."""
    opened = bool(spot.states & {"selected", "expanded", "armed", "checked", "pressed", "focused"})
    return spot.depth == 1 or spot.role in {"menu bar", "popup menu"} or (spot.role in MENU_ROLES and opened)


def _preferred_windows(asker: Asker, windows: Sequence[Spot], title: str) -> list[Spot]:
    """Keep the windows of a title, and those without any (menus, tips); all when none has it."""
    names = [
        variant_of(reply, "s") or "" for reply in asker.ask([get(spot.ref, ACCESSIBLE, "Name") for spot in windows])
    ]
    if not title or title not in names:
        return list(windows)
    return [spot for spot, name in zip(windows, names, strict=True) if name in ("", title)]
