"""Single elements: the one at a point and the one that has the focus, found without reading the whole tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from proctor.computers.channels.atspi.ask import ACCESSIBLE, PREFIX, Asker, get, get_children, get_extents, refs_of
from proctor.computers.channels.atspi.details import Memory, ask_details
from proctor.computers.channels.atspi.events import Announcements
from proctor.computers.channels.atspi.link import AtspiLink, WindowLike
from proctor.computers.channels.atspi.nodes import (
    ROOT_PATH,
    WEB_ROLES,
    WINDOW_ROLES,
    Details,
    Placed,
    Ref,
    make_node,
    own_ref,
    role_name,
)
from proctor.computers.channels.atspi.point import MAX_LEVELS, MENU_ROLES, deepest_at
from proctor.computers.channels.atspi.shift import NO_SHIFT, PANE_ROLE, Shift, ask_shift
from proctor.computers.channels.atspi.walk import as_shown, ask_items
from proctor.computers.channels.dbus.client import MethodCall, value_of, variant_of
from proctor.observations.box import Box
from proctor.observations.tree import Node

ACTION = f"{PREFIX}.Action"
TITLED_ROLES = WINDOW_ROLES | {PANE_ROLE}
HOLDERS = TITLED_ROLES | {"document spreadsheet", "filler", "panel", "table", "tree table"}
"""Roles that report the focus of what is inside them."""


class ElementFinder:
    """Finds single elements."""

    def __init__(self, link: AtspiLink, announced: Announcements) -> None:
        self._link = link
        self._announced = announced

    def at(self, x: int, y: int, *, window: WindowLike | None, timeout_sec: float, memory: Memory) -> Node | None:
        """Return the deepest element at a point of a window, or None when there is none or no answer in time."""
        title = window.title if window else ""
        with self._link.asker(timeout_sec) as asker:
            roots = self._link.of_process(asker, self._link.roots(asker) or [], window.pid if window else 0)
            menus, corners = self._open_menus(asker, roots), self._link.corners(asker, roots)
            spot = deepest_at(asker, roots, x, y, window=window, menus=menus, corners=corners)
            self._link.silent |= asker.silent
            if spot is None:
                return None
            trail = [above.ref for above in spot.upward()]
            node = self._node(asker, [*trail, *_trail(asker, trail[-1])[1:]], spot.shift, memory)
            return replace(node, window=node.window or title) if node else None

    def _open_menus(self, asker: Asker, roots: Sequence[Ref]) -> list[Ref]:
        """Return the open menus as far as the focus tells, which goes to the menu, then its items."""
        focus = self._announced.focus_of({ref.bus for ref in roots})
        if focus is None:
            return []
        menus: list[Ref] = []
        for ref in _trail(asker, focus):
            role, children = asker.ask([MethodCall(*ref, ACCESSIBLE, "GetRole"), get_children(ref)])
            if role_name(value_of(role, "u") or 0) not in MENU_ROLES:
                break
            # An item that the pointer is over has the focus itself; it is found in its menu, not below itself.
            if refs_of(children, ref.bus):
                menus.append(ref)
        return menus

    def focused(self, *, pid: int, timeout_sec: float, memory: Memory) -> Node | None:
        """Return the element of a process that was announced to have the focus, if it still has it."""
        with self._link.asker(timeout_sec) as asker:
            roots = self._link.roots(asker) or []
            known = {ref.bus for ref in self._link.of_process(asker, roots, pid)}
            focus = self._announced.focus_of(known)
            told = [focus, self._announced.descendants.get(focus.bus)] if focus else []
            for ref in filter(None, told):
                trail = _trail(asker, ref)
                node = self._node(asker, trail, self._shift(asker, trail), memory)
                if node and _holds_focus(node):
                    return node
        return None

    def menu_item(self, key: str, *, pid: int, timeout_sec: float, memory: Memory) -> Node | None:
        """Return the item that a letter chooses from a process's open menu; None where none is open."""
        with self._link.asker(timeout_sec) as asker:
            roots = self._link.of_process(asker, self._link.roots(asker) or [], pid)
            menus = self._open_menus(asker, roots)
            if not menus:
                return None
            (reply,) = asker.ask([get_children(menus[0])])
            items = refs_of(reply, menus[0].bus)
            bindings = asker.ask([MethodCall(*ref, ACTION, "GetKeyBinding", "i", (0,)) for ref in items])
            letters = [_mnemonic(value_of(binding, "s") or "") for binding in bindings]
            meant = [ref for ref, letter in zip(items, letters, strict=True) if letter == key.casefold()]
            if len(meant) != 1:
                return None  # of several the letter only marks the next
            trail = _trail(asker, meant[0])
            return self._node(asker, trail, self._shift(asker, trail), memory)

    def _node(self, asker: Asker, trail: Sequence[Ref], shift: Shift | None, memory: Memory) -> Node | None:
        """Ask about the first of these objects, a node followed by its ancestors."""
        items = ask_items(asker, trail)
        if not items or items[0].ref != trail[0]:
            return None
        item = as_shown(items[0], self._link.modest())
        titles = [above.name for above in items if above.role in TITLED_ROLES and above.name]
        web = any(above.role in WEB_ROLES for above in items)
        depth = len([above for above in items if above.role != "application"])
        app = self._link.ask_name(asker, item.ref.bus)
        entry = Placed(item, None, depth, app, titles[0] if titles else "", web)
        details = ask_details(asker, [entry], self._link.screen, memory)[0].get(item.ref, Details())
        if details.box:
            details = replace(details, box=shift.apply(details.box) if shift else None)
        menus = [above.name for above in items[1:] if above.role == "menu" and above.name]
        if menus:
            details = replace(details, attributes={**details.attributes, "menu": " > ".join(reversed(menus))})
        return make_node(entry, 0, details)

    def _shift(self, asker: Asker, trail: Sequence[Ref]) -> Shift | None:
        """Return how far off the places are these objects, a node and its ancestors, are told to be at."""
        window = trail[-1]
        corners = self._link.corners(asker, [Ref(window.bus, ROOT_PATH)])
        if window.bus in corners.windows:
            name, extents = asker.ask([get(window, ACCESSIBLE, "Name"), get_extents(window)])
            own = Box(*(value_of(extents, "(iiii)") or (0, 0, 0, 0)))
            return corners.shift(window.bus, variant_of(name, "s") or "", own)
        roles = asker.ask([MethodCall(*ref, ACCESSIBLE, "GetRole") for ref in trail])
        numbers = [value_of(role, "u") or 0 for role in roles]
        panes = [ref for ref, number in zip(trail, numbers, strict=True) if role_name(number) == PANE_ROLE]
        return ask_shift(asker, panes[0]) if panes else NO_SHIFT


def _trail(asker: Asker, ref: Ref) -> list[Ref]:
    """Return an object and its ancestors up to the application, as far as they are told."""
    trail = [ref]
    while len(trail) < MAX_LEVELS:
        (reply,) = asker.ask([get(trail[-1], ACCESSIBLE, "Parent")])
        parent = own_ref(variant_of(reply, "(so)"), ref.bus)
        if parent is None or parent.path == ROOT_PATH or parent in trail:
            break
        trail.append(parent)
    return trail


def _mnemonic(binding: str) -> str:
    """Return the letter that chooses an item while its menu is open.

    GTK says `n;<Alt>f:n;<Primary>n` for such a letter, the keys from outside and the shortcut, Qt `Alt+N`.
    """
    first = binding.partition(";")[0]
    return first[-1:].casefold() if len(first) == 1 or first.startswith(("Alt+", "<Alt>")) else ""


def _holds_focus(node: Node) -> bool:
    if node.role in MENU_ROLES:
        return bool(node.states & {"focused", "selected"})
    return "focused" in node.states and node.role not in HOLDERS
