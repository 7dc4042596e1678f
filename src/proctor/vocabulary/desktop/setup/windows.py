"""Setup steps that open applications and arrange their windows."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from proctor.computers.computer import Computer, Window
from proctor.errors import SetupFailed
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.desktop.where import sought_text

PATIENCE_SEC = 15.0

SLACK = 40
"""Pixels by which a window may miss the size it was asked for: terminals grow by whole characters."""

MISS = 2
"""Pixels by which it may miss its place: a window that draws its own shadow does, such as Chromium's."""

# Window managers are asked by messages to the root window; a desktop has no command for it, but it has Python and Xlib.
SEND = """
import ctypes, sys
class Message(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("kind", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 24)]
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
x.XDefaultRootWindow.restype = x.XInternAtom.restype = ctypes.c_ulong
display = ctypes.c_void_p(x.XOpenDisplay(None))
def atom(name):
    return x.XInternAtom(display, name.encode(), 0)
numbers = [atom(word) if word.startswith("_") else int(word) for word in sys.argv[3:]]
message = Message(type=33, window=int(sys.argv[1]), kind=atom(sys.argv[2]), format=32)
message.data[: len(numbers)] = numbers
root = ctypes.c_ulong(x.XDefaultRootWindow(display))
x.XSendEvent(display, root, 0, ctypes.c_long(0x180000), ctypes.byref(message))
x.XSync(display, 0)
"""


@SETUP.register
def launch(
    context: SetupContext,
    argv: Annotated[list[str], Field(min_length=1)],
    window: str | None = None,
    timeout_sec: float = 60.0,
) -> None:
    """Start an application and wait until its window (with this in its title) is open and settled."""
    context.computer.launch(argv, window=window, timeout_sec=timeout_sec)


@SETUP.register
def arrange(context: SetupContext, window: str, x: int, y: int, width: int, height: int) -> None:
    """Move and resize a window, borders included; terminals only come close to the size."""
    found = _one(context, window)
    flags = 1 | 0xF << 8 | 2 << 12  # by its upper left corner; all four numbers count; asked for by a pager
    send_message(context, found, "_NET_WM_STATE", 0, "_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ", 2)
    send_message(context, found, "_NET_MOVERESIZE_WINDOW", flags, x, y, width, height)
    context.computer.settle()
    # The size asked for is that of what the application draws; what the borders add is known only now, and so is by how
    # much a window that draws its own is off.
    box = _one(context, window).box
    inner = (2 * x - box.x, 2 * y - box.y, 2 * width - box.width, 2 * height - box.height)
    send_message(context, found, "_NET_MOVERESIZE_WINDOW", flags, *inner)

    def is_placed(now: Window) -> bool:
        large = abs(now.box.width - width) <= SLACK and abs(now.box.height - height) <= SLACK
        return large and abs(now.box.x - x) <= MISS and abs(now.box.y - y) <= MISS

    _until(context, window, is_placed, f"stands at {x}, {y} with {width}x{height}")


@SETUP.register
def maximise(context: SetupContext, window: str) -> None:
    """Maximise a window."""
    found = _one(context, window)
    send_message(context, found, "_NET_WM_STATE", 1, "_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ", 2)
    full = context.computer.size[0]
    _until(context, window, lambda now: now.box.width >= full, "fills the desktop")


@SETUP.register
def minimise(context: SetupContext, window: str) -> None:
    """Minimise a window."""
    send_message(context, _one(context, window), "WM_CHANGE_STATE", 3)
    _until(context, window, lambda now: now.minimised, "is minimised")


@SETUP.register
def focus_window(context: SetupContext, window: str) -> None:
    """Bring a window to the front and give it the focus."""
    send_message(context, _one(context, window), "_NET_ACTIVE_WINDOW", 2, 0, 0)
    _until(context, window, lambda now: now.active and not now.minimised, "has the focus")


@SETUP.register
def close_window(context: SetupContext, window: str) -> None:
    """Close a window as a user would and wait until it is gone."""
    found = _one(context, window)
    send_message(context, found, "_NET_CLOSE_WINDOW", 0, 2)
    context.computer.wait_for(
        lambda computer: all(each.id != found.id for each in computer.windows()),
        what=f"the end of the window {found.title!r}",
        timeout_sec=PATIENCE_SEC,
    )


def _one(context: SetupContext, title: str) -> Window:
    """Return the window meant; the frontmost one where several fit."""
    sought = sought_text(title)
    listed = context.computer.windows()
    if isinstance(sought, str):
        fits = [each for each in listed if sought.casefold() in each.title.casefold()]
    else:
        fits = [each for each in listed if sought is not None and sought.search(each.title)]
    if not fits:
        raise SetupFailed(f"no window has {title!r} in its title; there are {[each.title for each in listed]}")
    return fits[-1]


def send_message(context: SetupContext, window: Window, message: str, *data: int | str) -> None:
    """Ask the window manager to do something to a window."""
    context.command(["python3", "-c", SEND, str(window.id), message, *map(str, data)])


def _until(context: SetupContext, title: str, condition: Callable[[Window], bool], what: str) -> None:
    def holds(computer: Computer) -> bool:
        return condition(_one(context, title))

    context.computer.wait_for(holds, what=f"that the window {title!r} {what}", timeout_sec=PATIENCE_SEC)
    context.computer.settle()


MOST_WINDOWS = 20
"""No application of these has more open at a time."""


@SETUP.register
def quit_app(context: SetupContext, app: str) -> None:
    """Close all windows of an application as a user would and wait until it has ended."""
    processes = {window.pid for window in _windows(context, app)}

    def have_ended(machine: Computer) -> bool:
        return all(machine.run(["test", "-e", f"/proc/{process}"]).code != 0 for process in processes)

    for _ in range(MOST_WINDOWS):
        if not (open_windows := _windows(context, app)):
            break
        # One may go away together with another one.
        with contextlib.suppress(SetupFailed):
            close_window(context, f"/^{re.escape(open_windows[-1].title)}$/")
    context.computer.wait_for(have_ended, what=f"the end of {app}")


def _windows(context: SetupContext, app: str) -> list[Window]:
    return [window for window in context.computer.windows() if window.app.casefold() == app.casefold()]
