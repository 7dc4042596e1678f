"""Which window the pointer or the keys go to, and whose it is, by the X server's own word."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from proctor.computers.channels.x11.protocol import Op, XError
from proctor.computers.channels.x11.root_window import Rooted
from proctor.computers.channels.x11.windows import MAX_DEPTH, focus_path, title_and_box
from proctor.observations.box import Box

QUERY_CLIENT_IDS = 4
LOCAL_PROCESS = 2
"""In the X-Resource extension: the request, and which of a client's ids is wanted."""
FOLLOWS_THE_POINTER = 1
"""What stands for the focus where keys go to whatever lies under the pointer."""


class TargetWindow(NamedTuple):
    """The window that an input goes to: the outermost one of the program that owns the innermost."""

    id: int
    title: str
    box: Box
    pid: int
    """The process that made it, as the server knows it by its connection; 0 where it has none here."""


def window_under(x: Rooted, place: tuple[int, int]) -> TargetWindow | None:
    """Return the window that a click at a place goes to; None for the bare root."""
    path: list[int] = []
    while len(path) < MAX_DEPTH:
        into = path[-1] if path else x.root
        try:
            reply = x.call(Op.TranslateCoordinates, 0, struct.pack("<IIhh", x.root, into, *place))
        except XError:
            return None  # it went away meanwhile
        (child,) = struct.unpack_from("<I", reply, 8)
        if not child:
            break
        path.append(child)
    return _target(x, path[::-1])


def window_with_keys(x: Rooted) -> TargetWindow | None:
    """Return the window that keys go to; None where they go nowhere."""
    (focus,) = struct.unpack_from("<I", x.call(Op.GetInputFocus), 8)
    if focus == FOLLOWS_THE_POINTER:
        reply = x.call(Op.QueryPointer, 0, struct.pack("<I", x.root))
        return window_under(x, struct.unpack_from("<hh", reply, 16))
    return _target(x, focus_path(x))


def _target(x: Rooted, path: Sequence[int]) -> TargetWindow | None:
    """Return the target among a window and those around it, innermost first."""
    if not path:
        return None
    # What one connection makes has numbers that differ in these bits only. A window manager's frame lies around it.
    own = [window for window in path if (window ^ path[0]) & ~x.screen.id_mask == 0]
    described = title_and_box(x, own[-1])
    return TargetWindow(own[-1], *described, _process(x, path[0])) if described else None


def _process(x: Rooted, window: int) -> int:
    """Return the process whose connection made a window."""
    resources = x.extension("X-Resource")
    if resources is None:
        return 0
    try:
        reply = x.call(resources.major, QUERY_CLIENT_IDS, struct.pack("<III", 1, window, LOCAL_PROCESS))
        count, _, kind, size, pid = struct.unpack_from("<I20xIIII", reply, 8)
    except (XError, struct.error):
        return 0
    return int(pid) if (count, kind, size) == (1, LOCAL_PROCESS, 4) else 0
