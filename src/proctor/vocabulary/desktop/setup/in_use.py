"""Setup steps for a desktop in use: what comes to the front, and what becomes of a window."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from proctor.computers.computer import Computer, Window
from proctor.errors import NotReady, SetupFailed
from proctor.observations.box import Box
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.desktop.setup.windows import PATIENCE_SEC, send_message

SHOW = Path(__file__).parents[1] / "inside" / "show_window.py"
RESTART = SHOW.with_name("restart_programs.py")
FIND_SERVICES = SHOW.with_name("find_services.py")
LOCKED = "Screen locked"
STEP = 60
"""By how many pixels a window is moved."""
SHRUNK = 0.7
PANEL = 80
"""Pixels at the lower edge of the desktop in which a panel may lie over windows."""
COVER = "Tips for today"
ENDED, OPEN_AGAIN = "Application ended", "Open Again"
LANGUAGES = {"de": "de_DE.UTF-8", "es": "es_ES.UTF-8", "fr": "fr_FR.UTF-8"}
DESKTOP = ("xfce4-panel", "lxpanel", "xfdesktop")
ASKING = "System update"
HELD_SEC, FREE_SEC = 0.6, 0.2
"""How long a slow application is held, and how long it runs then."""


@SETUP.register
def dialog(
    context: SetupContext,
    title: str,
    text: str,
    buttons: Annotated[list[str], Field(min_length=1, max_length=4)] = ["OK"],  # noqa: B006
) -> None:
    """Show a dialog in front of everything, as another program would; each button closes it."""
    _show(context, title, kind="dialog", text=text, buttons=buttons, above=True)


@SETUP.register
def notification(
    context: SetupContext, title: str, text: str, seconds: Annotated[float, Field(gt=0, le=600)] = 10
) -> None:
    """Show a notification at the top right, which goes away by itself; it takes no focus."""
    width = 300
    box = (context.computer.size[0] - width - 40, 40, width, 60)
    _show(context, title, kind="notification", text=text, seconds=seconds, box=box)


@SETUP.register
def screen_lock(context: SetupContext, seconds: Annotated[float, Field(gt=0, le=600)] = 60) -> None:
    """Lock the screen: nothing else can be seen or used until `Unlock` is clicked, or so long."""
    said = "This computer was locked by the administrator while settings were copied."
    _show(context, LOCKED, kind="lock", text=said, buttons=["Unlock"], seconds=seconds, above=True)


@SETUP.register
def keyboard_layout(context: SetupContext, layout: Literal["de", "es", "fr", "gb", "us"]) -> None:
    """Change the layout of the keyboard."""
    context.command(["setxkbmap", layout])


@SETUP.register
def pause_services(context: SetupContext, seconds: Annotated[float, Field(gt=0, le=60)] = 5) -> None:
    """Let the services on loopback (mail, chat, sites, calendars) answer nobody for some seconds."""
    found = context.command(["python3", "-I", "-c", FIND_SERVICES.read_text()], root=True).stdout.split()
    if not found:
        raise SetupFailed("no service listens on loopback")
    pids = " ".join(found)
    again = f"sleep {seconds:g}; kill -CONT {pids}"
    context.command(["sh", "-c", f"kill -STOP {pids}; setsid -f sh -c '{again}' >/dev/null 2>&1 </dev/null"], root=True)


@SETUP.register
def disturb_window(context: SetupContext, how: Literal["move", "shrink", "minimise", "cover", "take_focus"]) -> None:
    """Do something to the window that has the focus; it must be an ordinary one."""
    window = window_in_use(context.computer)
    x, y, width, height = window.box.x, window.box.y, window.box.width, window.box.height
    if how == "minimise":
        if _is_dialog(context, window):
            raise SetupFailed(f"the dialog {window.title!r} is in use, which nobody can minimise")
        send_message(context, window, "WM_CHANGE_STATE", 3)
        _until(context, window, lambda now: now.minimised, "is minimised")
    elif how == "cover":
        # Its button stays on the desktop where the window goes beyond it.
        left = context.computer.size[1] - y - PANEL
        box = (x, y, width, max(min(height - 40, left), 100))
        _show(
            context,
            COVER,
            kind="dialog",
            text="Drag files onto the panel to keep them at hand.",
            buttons=["Got it"],
            box=box,
        )
    elif how == "take_focus":
        _show(context, ASKING, kind="dialog", text="A new version was installed in the background.", buttons=["Close"])
    elif how == "shrink":
        _place(context, window, (x, y, int(width * SHRUNK), int(height * SHRUNK)))
    else:
        _place(context, window, box_elsewhere(window.box, context.computer.size))


@SETUP.register
def slow_down(context: SetupContext, seconds: Annotated[float, Field(gt=0, le=60)] = 6) -> None:
    """Let the application in use answer only now and then for some seconds."""
    pid = window_in_use(context.computer).pid
    if not pid:
        raise SetupFailed("nobody knows the process of the window in use")
    rounds = max(int(seconds / (HELD_SEC + FREE_SEC)), 1)
    script = (
        f"for n in $(seq {rounds}); do kill -STOP {pid}; sleep {HELD_SEC}; kill -CONT {pid}; sleep {FREE_SEC}; done"
    )
    context.computer.launch(["sh", "-c", f"trap 'kill -CONT {pid}' EXIT; {script}"], wait=False)


@SETUP.register
def end_application(context: SetupContext, again: Annotated[list[str], Field(min_length=1)]) -> None:
    """End the application in use as a crash does; a dialog offers to open it again, by this command."""
    window = window_in_use(context.computer)
    if not window.pid:
        raise SetupFailed("nobody knows the process of the window in use")
    context.command(["kill", "-KILL", str(window.pid)])
    _await_end(context, window)
    said = f"{window.app} ended unexpectedly. What was not saved is lost."
    _show(context, ENDED, kind="dialog", text=said, buttons=[OPEN_AGAIN, "Close"], again=again)


@SETUP.register
def desktop_language(context: SetupContext, language: Literal["de", "es", "fr"]) -> None:
    """Let panels, the desktop and what is opened from them speak another language from now on."""
    begun = context.command(["python3", "-I", "-c", RESTART.read_text(), LANGUAGES[language], *DESKTOP]).stdout
    if not begun.strip():
        raise SetupFailed("there is no panel and no desktop here that could speak another language")
    context.computer.settle()


def window_in_use(computer: Computer) -> Window:
    """Return the window that has the focus; raises SetupFailed where none has."""
    found = computer.active_window()
    if found is None or found.minimised or not found.app:
        raise SetupFailed("no window is in use")
    return found


def _is_dialog(context: SetupContext, window: Window) -> bool:
    """Tell whether a window belongs to another one; then no panel has a button to bring it back by."""
    said = context.command(["xprop", "-id", str(window.id), "WM_TRANSIENT_FOR"]).stdout
    owner = int(said.rpartition("# ")[2], 16) if "# 0x" in said else 0
    return any(each.id == owner != window.id for each in context.computer.windows())


def _place(context: SetupContext, window: Window, box: tuple[int, int, int, int]) -> None:
    flags = 1 | 0xF << 8 | 2 << 12
    send_message(context, window, "_NET_WM_STATE", 0, "_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ", 2)
    send_message(context, window, "_NET_MOVERESIZE_WINDOW", flags, *box)
    _until(context, window, lambda now: now.box != window.box, "stands elsewhere")


def box_elsewhere(box: Box, desktop: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return where a moved window goes, clear of the panel; one that fills all becomes smaller."""
    right, lower = box.x + box.width + STEP <= desktop[0], box.y + box.height + STEP <= desktop[1] - PANEL
    if right or lower:
        return box.x + STEP * right, box.y + STEP * lower, box.width, box.height
    return box.x + STEP, box.y + STEP, box.width - STEP, box.height - STEP


def _until(context: SetupContext, window: Window, condition: Callable[[Window], bool], what: str) -> None:
    def holds(computer: Computer) -> bool:
        return any(each.id == window.id and condition(each) for each in computer.windows())

    context.computer.wait_for(holds, what=f"that the window {window.title!r} {what}", timeout_sec=PATIENCE_SEC)
    context.computer.settle()


def _await_end(context: SetupContext, window: Window) -> None:
    context.computer.wait_for(
        lambda computer: all(each.id != window.id for each in computer.windows()),
        what=f"the end of the window {window.title!r}",
        timeout_sec=PATIENCE_SEC,
    )


def _show(
    context: SetupContext,
    title: str,
    *,
    kind: str,
    text: str,
    buttons: list[str] | None = None,
    seconds: float = 0,
    box: tuple[int, int, int, int] | None = None,
    above: bool = False,
    again: list[str] | None = None,
) -> None:
    order = {"kind": kind, "title": title, "text": text, "buttons": buttons or [], "seconds": seconds, "box": box}
    told = json.dumps({**order, "above": above, "again": again})
    argv = ["/usr/bin/python3", "-I", "-c", SHOW.read_text(), told]
    if kind != "notification":
        context.computer.launch(argv, window=title, timeout_sec=PATIENCE_SEC)
        return
    context.computer.launch(argv, wait=False)
    try:
        context.computer.locate(name=title, nth=0).wait(PATIENCE_SEC)
    except NotReady as error:
        raise SetupFailed(f"the {kind} {title!r} was not shown") from error
