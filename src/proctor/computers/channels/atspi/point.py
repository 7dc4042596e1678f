"""The element at a point, found by going down from the windows, without reading whole trees."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from proctor.computers.channels.atspi.ask import (
    ACCESSIBLE,
    COMPONENT,
    SCREEN,
    Asker,
    batches,
    get,
    get_children,
    refs_of,
)
from proctor.computers.channels.atspi.link import WindowLike
from proctor.computers.channels.atspi.nodes import Ref, own_ref, role_name, state_names
from proctor.computers.channels.atspi.shift import NO_SHIFT, PANE_ROLE, Corners, Shift, shift_between
from proctor.computers.channels.dbus.client import MethodCall, value_of, variant_of
from proctor.observations.box import Box

NO_CORNERS = Corners()
MAX_LEVELS = 60
MAX_SPOTS = 2_000
FEW_CHILDREN = 300
"""Above this many children, the application is asked which of them is at the point."""
POPUP_ROLES = frozenset({"menu bar", "popup menu"})
"""What may hold something that is drawn outside of it."""
LABEL_ROLES = frozenset({"page tab", "tree item"})
"""What is no larger than its label, while its content is drawn elsewhere."""
TRANSIENT_ROLES = frozenset({"menu", "popup menu", "tool tip", "window"})
"""Windows of their own that menus, lists and tips come in."""
SAME_PLACE = 0.6
"""What two boxes of one window have in common at least: one may count its title bar, or its shadow."""
ABOUT = 0.1
"""Windows that cover nearly the same place are told apart by their titles."""
MENU_ROLES = POPUP_ROLES | {"check menu item", "menu", "menu item", "radio menu item"}


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
    boxless: bool
    """Whether it does not say where it is, so that only its children can tell."""
    popup: bool
    """Whether it, or a node above it, hangs outside of its parent, as an open menu does."""
    shift: Shift = NO_SHIFT
    """How far its application's idea of places is off."""

    @staticmethod
    def start(ref: Ref, role: str, *, depth: int = 0, popup: bool = False) -> Spot:
        """Make a spot to start from."""
        return Spot(ref, None, depth, Box(0, 0, 0, 0), role, frozenset(), hit=False, boxless=True, popup=popup)

    @property
    def virtual_children(self) -> bool:
        """Whether its children must be asked for by position."""
        return "manages descendants" in self.states

    def upward(self) -> Iterator[Spot]:
        """Walk from here up to the window."""
        spot: Spot | None = self
        while spot and spot.depth:
            yield spot
            spot = spot.above

    def rank(self) -> tuple[bool, int, int]:
        """Sort what covers others last: popups, then the deepest, then the smallest."""
        return self.popup, self.depth, -self.box.area


def deepest_at(
    asker: Asker,
    applications: Sequence[Ref],
    x: int,
    y: int,
    *,
    window: WindowLike | None = None,
    menus: Sequence[Ref] = (),
    corners: Corners = NO_CORNERS,
) -> Spot | None:
    """Return the deepest showing node at a point of the screen."""
    start = [Spot.start(ref, "application") for ref in applications]
    modest = corners.windows.keys()
    named = _with_names(asker, _showing_children(asker, start, x, y, modest))
    windows = _prefer([(_at_corner(spot, name, x, y, corners), name) for spot, name in named], window)
    level = [*windows, *(Spot.start(ref, "menu", depth=1, popup=True) for ref in menus)]
    best: Spot | None = None
    while level and level[0].depth < MAX_LEVELS:
        hits = [spot for spot in level if spot.hit]
        best = max([*([best] if best else []), *hits], key=Spot.rank, default=None)
        entered = [spot for spot in level if spot.hit or spot.boxless or spot.role in POPUP_ROLES | LABEL_ROLES]
        level = [_in_true_place(spot, x, y) for spot in _showing_children(asker, entered, x, y, modest)]
    return best


def _at_corner(spot: Spot, name: str, x: int, y: int, corners: Corners) -> Spot:
    shift = corners.shift(spot.ref.bus, name, spot.box) or NO_SHIFT
    box = shift.apply(spot.box)
    return spot._replace(box=box, hit=box.contains(x, y), shift=shift)


def _in_true_place(spot: Spot, x: int, y: int) -> Spot:
    if spot.role != PANE_ROLE or spot.above is None or spot.shift != NO_SHIFT:
        return spot
    shift = shift_between(spot.box, [above.box for above in spot.above.upward()])
    box = shift.apply(spot.box)
    return spot._replace(box=box, hit=box.contains(x, y), shift=shift)


def _showing_children(asker: Asker, level: Sequence[Spot], x: int, y: int, modest: Collection[str]) -> list[Spot]:
    at_point = [
        MethodCall(*spot.ref, COMPONENT, "GetAccessibleAtPoint", "iiu", (x - spot.shift.x, y - spot.shift.y, SCREEN))
        for spot in level
    ]
    replies = asker.ask(
        [call if spot.virtual_children else get_children(spot.ref) for spot, call in zip(level, at_point, strict=True)]
    )
    families: dict[Ref, Spot] = {}
    crowded: list[tuple[Spot, MethodCall]] = []
    for spot, call, reply in zip(level, at_point, replies, strict=True):
        refs = refs_of(reply, spot.ref.bus)
        if len(refs) > FEW_CHILDREN:
            crowded.append((spot, call))
            continue
        if found := own_ref(value_of(reply, "(so)"), spot.ref.bus):
            refs.append(found)
        families.update((ref, spot) for ref in refs if ref not in families)
    for (spot, _), reply in zip(crowded, asker.ask([call for _, call in crowded]), strict=True):
        if found := own_ref(value_of(reply, "(so)"), spot.ref.bus):
            families.setdefault(found, spot)
    known = {spot.ref for first in level for spot in first.upward()}
    refs = [ref for ref in families if ref not in known][:MAX_SPOTS]
    calls = [
        call
        for ref in refs
        for call in (
            MethodCall(*ref, ACCESSIBLE, "GetState"),
            MethodCall(*ref, ACCESSIBLE, "GetRole"),
            MethodCall(*ref, COMPONENT, "GetExtents", "u", (SCREEN,)),
        )
    ]
    spots = []
    for ref, (states, role, extents) in zip(refs, batches(asker.ask(calls), 3), strict=True):
        above = families[ref]
        box = above.shift.apply(Box(*(value_of(extents, "(iiii)") or (0, 0, 0, 0))))
        hit = box.contains(x, y)
        popup = above.popup or (hit and not above.hit and not above.boxless and above.role not in LABEL_ROLES)
        names = state_names(tuple((value_of(states, "au") or ())[:2]))
        if "showing" in names or ("visible" in names and ref.bus in modest):
            kind = role_name(value_of(role, "u") or 0)
            spots.append(Spot(ref, above, above.depth + 1, box, kind, names, hit, box.area == 0, popup, above.shift))
    return spots


def _with_names(asker: Asker, windows: Sequence[Spot]) -> list[tuple[Spot, str]]:
    replies = asker.ask([get(spot.ref, ACCESSIBLE, "Name") for spot in windows])
    return [(spot, variant_of(reply, "s") or "") for spot, reply in zip(windows, replies, strict=True)]


def _prefer(named: Sequence[tuple[Spot, str]], window: WindowLike | None) -> list[Spot]:
    """Keep what the tree has for a window, and the menus and tips that lie above.

    Display and tree may call one window by two names, as with questions that a program asks: its place tells then. All
    are kept when nothing tells.
    """
    spots = [spot._replace(popup=not name and spot.role in TRANSIENT_ROLES) for spot, name in named]
    if window is None:
        return spots
    shares = [overlap(spot.box, window.box) for spot in spots]
    there = [at for at, share in enumerate(shares) if share >= SAME_PLACE and share >= max(shares) - ABOUT]
    called = [at for at, (_, name) in enumerate(named) if window.title and name == window.title]
    meant = [at for at in there if at in called] or there or called
    return [spot for at, spot in enumerate(spots) if not meant or at in meant or spot.popup]


def overlap(one: Box, other: Box) -> float:
    """Return the common share of two boxes: 1 where they are the same, 0 where they do not touch."""
    common = one.intersect(other)
    return common.area / (one.area + other.area - common.area) if common and common.area else 0.0
