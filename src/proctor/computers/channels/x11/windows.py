"""The windows of a desktop, read from its X server in a few pipelined requests."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from proctor.computers.channels.x11.protocol import Op, XError
from proctor.computers.channels.x11.root_window import Rooted
from proctor.observations.bounds import MAX_LABEL, cut
from proctor.observations.box import Box

MAX_WINDOWS = 500
"""How many windows are told of; of more, the topmost."""
AT_ONCE = 50
"""How many windows are asked about before the first answer is read, which bounds what lies unread."""
MAX_CHILDREN_BYTES = 256 * 1024
MAX_LIST_BYTES = 64 * 1024
"""How much is read of a list of windows or atoms."""
MAX_PROPERTY_BYTES = 4 * (MAX_LABEL + 1)
"""How much is read of each property of a window: enough to see whether a label is too long."""
MAX_DEPTH = 16
TO_MANAGER = 0x80000 | 0x100000
"""Event mask that reaches the window manager: SubstructureNotify and SubstructureRedirect."""
VIEWABLE = 2
INPUT_ONLY = 2

_OWN_NAMES = {"popup_menu": "menu", "dropdown_menu": "menu", "dnd": "drag"}
KINDS = {
    f"_NET_WM_WINDOW_TYPE_{name.upper()}": _OWN_NAMES.get(name, name)
    for name in (
        "normal", "dialog", "utility", "toolbar", "splash", "dock", "desktop", "menu", "popup_menu", "dropdown_menu",
        "combo", "tooltip", "notification", "dnd",
    )
}  # fmt: skip
"""Window types by the name they have here."""

WINDOW_PROPERTIES = (
    "_NET_WM_NAME", "WM_NAME", "WM_CLASS", "_NET_WM_PID", "_NET_WM_STATE", "_NET_WM_WINDOW_TYPE",
    "_NET_FRAME_EXTENTS", "_GTK_FRAME_EXTENTS",
)  # fmt: skip
ATOMS = (
    *WINDOW_PROPERTIES, "UTF8_STRING", "WM_PROTOCOLS", "_NET_WM_PING", "_NET_WM_STATE_HIDDEN", "_NET_ACTIVE_WINDOW",
    "_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING", "_NET_CLOSE_WINDOW", *KINDS,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class XWindow:
    """A top-level window."""

    id: int
    title: str
    app: str
    """Class of the application, such as `Mousepad`."""
    pid: int
    """Process inside the computer; 0 where the window does not say."""
    box: Box
    """The part the application draws."""
    frame: Box
    """The part a user sees as the window: borders and title bar included, an application's own shadows not."""
    active: bool
    minimised: bool
    kind: str
    """`normal`, `dialog`, `dock`, `desktop` or another of KINDS."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Popup:
    """A menu, drop-down or tooltip: on screen without the window manager's doing."""

    id: int
    title: str
    app: str
    pid: int
    box: Box
    kind: str


class _Attributes(NamedTuple):
    viewable: bool
    override: bool
    input_only: bool


class _Asked(NamedTuple):
    geometry: int
    place: int
    properties: dict[str, int]


class _Facts(NamedTuple):
    box: Box
    properties: dict[str, bytes]


def list_windows(x: Rooted) -> list[XWindow]:
    """Return the top-level windows, bottom to top; those that vanish meanwhile are left out."""
    listed = property_numbers(x, x.root, "_NET_CLIENT_LIST_STACKING") or property_numbers(x, x.root, "_NET_CLIENT_LIST")
    ids = list(dict.fromkeys(listed))[-MAX_WINDOWS:] if listed else _unmanaged_windows(x)
    active = active_window(x)
    (hidden,) = x.atoms("_NET_WM_STATE_HIDDEN")
    windows = []
    for id, facts in _describe(x, ids).items():
        app = _app(facts)
        windows.append(
            XWindow(
                id=id,
                title=_title(facts),
                app=app,
                pid=_pid(facts),
                box=facts.box,
                frame=_frame(facts),
                active=id == active,
                minimised=hidden in _numbers(facts.properties["_NET_WM_STATE"]),
                kind=_kind(x, facts, "normal"),
            )
        )
    return windows


def list_popups(x: Rooted) -> list[Popup]:
    """Return mapped windows that bypass the window manager, bottom to top, but its own frames."""
    managed = set(property_numbers(x, x.root, "_NET_CLIENT_LIST"))
    children = _children(x, [x.root])[x.root]
    attributes = _attributes(x, children)
    candidates = [id for id, what in attributes.items() if what.viewable and what.override and not what.input_only]
    # Window managers frame their clients in windows that bypass them, too.
    frames = {id for id, below in _children(x, candidates).items() if managed.intersection(below)}
    screen = Box(0, 0, *x.size)
    return [
        Popup(id=id, title=_title(facts), app=_app(facts), pid=_pid(facts), box=facts.box, kind=_kind(x, facts, "menu"))
        for id, facts in _describe(x, [id for id in candidates if id not in frames]).items()
        if facts.box.intersect(screen) and facts.properties["WM_CLASS"]
    ]


def active_window(x: Rooted) -> int:
    """Return the active window's id, or without a manager the focused one's; 0 for none."""
    active = property_numbers(x, x.root, "_NET_ACTIVE_WINDOW")
    if active:
        return active[0]
    path = focus_path(x)
    return path[-1] if path else 0


def focus_path(x: Rooted) -> list[int]:
    """Return the window with the input focus and those around it, innermost first, without the root."""
    (window,) = struct.unpack_from("<I", x.call(Op.GetInputFocus), 8)
    path: list[int] = []
    while window > 1 and window != x.root and len(path) < MAX_DEPTH:
        path.append(window)
        try:
            _, window = struct.unpack_from("<II", x.call(Op.QueryTree, 0, struct.pack("<I", window)), 8)
        except XError:
            return []
    return path


def title_and_box(x: Rooted, window: int) -> tuple[str, Box] | None:
    """Return a window's title and the part that its application draws; None for one that is gone."""
    facts = _describe(x, [window]).get(window)
    return (_title(facts), facts.box) if facts else None


def protocols(x: Rooted, window: int) -> Sequence[int]:
    """Return the atoms of the protocols a window takes part in; none for a window that is gone."""
    return property_numbers(x, window, "WM_PROTOCOLS")


def property_numbers(x: Rooted, window: int, name: str) -> list[int]:
    """Return a property that is a list of numbers, empty where it is missing."""
    return _numbers(_value(_answer(x, _ask_property(x, window, name, MAX_LIST_BYTES))))


def set_numbers(x: Rooted, window: int, name: str, numbers: Sequence[int]) -> None:
    """Queue a request that sets a property to a list of numbers."""
    atom, cardinal = x.atoms(name, "CARDINAL")
    head = struct.pack("<IIIBxxxI", window, atom, cardinal, 32, len(numbers))
    x.send(Op.ChangeProperty, 0, head + struct.pack(f"<{len(numbers)}I", *numbers))


def set_text(x: Rooted, window: int, name: str, text: str) -> None:
    """Queue a request that sets a property to a plain text."""
    data = text.encode("latin-1")
    atom, string = x.atoms(name, "STRING")
    head = struct.pack("<IIIBxxxI", window, atom, string, 8, len(data))
    x.send(Op.ChangeProperty, 0, head + data + bytes(-len(data) % 4))


# -- reading many windows at once -----------------------------------------------------------------------------------


def _describe(x: Rooted, ids: Iterable[int]) -> dict[int, _Facts]:
    wanted = list(ids)
    return {
        id: found
        for start in range(0, len(wanted), AT_ONCE)
        for id, found in _describe_some(x, wanted[start : start + AT_ONCE]).items()
    }


def _describe_some(x: Rooted, ids: Sequence[int]) -> dict[int, _Facts]:
    asked = {
        id: _Asked(
            geometry=x.ask(Op.GetGeometry, 0, struct.pack("<I", id)),
            place=x.ask(Op.TranslateCoordinates, 0, struct.pack("<IIhh", id, x.root, 0, 0)),
            properties={name: _ask_property(x, id, name) for name in WINDOW_PROPERTIES},
        )
        for id in ids
    }
    facts: dict[int, _Facts] = {}
    for id, numbers in asked.items():
        geometry, place = _answer(x, numbers.geometry), _answer(x, numbers.place)
        properties = {name: _value(_answer(x, number)) for name, number in numbers.properties.items()}
        if geometry and place:
            width, height = struct.unpack_from("<HH", geometry, 16)
            left, top = struct.unpack_from("<hh", place, 12)
            facts[id] = _Facts(Box(left, top, width, height), properties)
    return facts


def _attributes(x: Rooted, ids: Iterable[int]) -> dict[int, _Attributes]:
    asked = {id: x.ask(Op.GetWindowAttributes, 0, struct.pack("<I", id)) for id in ids}
    found = {}
    for id, number in asked.items():
        if reply := _answer(x, number):
            (window_class,) = struct.unpack_from("<H", reply, 12)
            map_state, override = struct.unpack_from("<BB", reply, 26)
            found[id] = _Attributes(map_state == VIEWABLE, bool(override), window_class == INPUT_ONLY)
    return found


def _children(x: Rooted, ids: Iterable[int]) -> dict[int, list[int]]:
    """Return the topmost children of each window, bottom to top; none of one that has far too many."""
    found = {}
    for id in ids:  # one by one: no server cuts this list short, and few windows are asked about
        reply = _answer(x, x.ask(Op.QueryTree, 0, struct.pack("<I", id), limit=MAX_CHILDREN_BYTES)) or b""
        found[id] = _numbers(reply[32:])[-MAX_WINDOWS:]
    return found


def _unmanaged_windows(x: Rooted) -> list[int]:
    attributes = _attributes(x, _children(x, [x.root])[x.root])
    return [id for id, what in attributes.items() if what.viewable and not (what.override or what.input_only)]


def _ask_property(x: Rooted, window: int, name: str, limit: int = MAX_PROPERTY_BYTES) -> int:
    place = struct.pack("<IIIII", window, *x.atoms(name), 0, 0, limit // 4)
    return x.ask(Op.GetProperty, 0, place, limit=limit)


def _answer(x: Rooted, number: int) -> bytes | None:
    """Return a reply, or None when the window it was about is gone."""
    try:
        return x.reply(number)
    except XError:
        return None


def _value(reply: bytes | None) -> bytes:
    if reply is None:
        return b""
    (count,) = struct.unpack_from("<I", reply, 16)
    return reply[32 : 32 + count * (reply[1] // 8)]


# -- reading one window's properties ---------------------------------------------------------------------------------


def _numbers(data: bytes) -> list[int]:
    return list(struct.unpack_from(f"<{len(data) // 4}I", data))


def _title(facts: _Facts) -> str:
    if name := facts.properties["_NET_WM_NAME"]:
        return cut(name.decode("utf-8", "replace"), MAX_LABEL)
    return cut(facts.properties["WM_NAME"].decode("latin-1"), MAX_LABEL)


def _app(facts: _Facts) -> str:
    parts = facts.properties["WM_CLASS"].decode("latin-1").split("\0")
    return cut((parts[1] if len(parts) > 1 else "") or parts[0], MAX_LABEL)


def _pid(facts: _Facts) -> int:
    return next(iter(_numbers(facts.properties["_NET_WM_PID"])), 0)


def _kind(x: Rooted, facts: _Facts, default: str) -> str:
    names = dict(zip(x.atoms(*KINDS), KINDS.values(), strict=True))
    known = [names[atom] for atom in _numbers(facts.properties["_NET_WM_WINDOW_TYPE"]) if atom in names]
    return known[0] if known else default


def _frame(facts: _Facts) -> Box:
    outer = _extents(facts.properties["_NET_FRAME_EXTENTS"])
    shadow = _extents(facts.properties["_GTK_FRAME_EXTENTS"])
    left, right, top, bottom = (add - cut for add, cut in zip(outer, shadow, strict=True))
    x, y, width, height = facts.box
    return Box(x - left, y - top, max(width + left + right, 0), max(height + top + bottom, 0))


def _extents(data: bytes) -> list[int]:
    numbers = [min(number, 0x7FFF) for number in _numbers(data)[:4]]
    return numbers if len(numbers) == 4 else [0, 0, 0, 0]
