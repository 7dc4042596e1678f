"""The names of the shelf `move` with their types.

Written by `python -m proctor.tasks.shelves.stubs` from the functions themselves; do not change it by hand.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from proctor.tasks.call import Call

def answer(
    text: str,
) -> Call:
    """Answer the question that the task asked."""

def ask(
    question: str,
) -> Call:
    """Ask the user something."""

def await_change(
    timeout_sec: float = ...,
) -> Call:
    """Wait until something new is on the screen, for at most this long."""

def await_closed(
    path: str,
    timeout_sec: float = ...,
) -> Call:
    """Wait until a file exists and no program has it open any more."""

def await_element(
    name: str | None = ...,
    role: str | None = ...,
    text: str | None = ...,
    app: str | None = ...,
    window: str | None = ...,
    gone: bool = ...,
    timeout_sec: float = ...,
) -> Call:
    """Wait until an element appears, or disappears."""

def await_ended(
    program: str,
    timeout_sec: float = ...,
) -> Call:
    """Wait until no program of this name is running any more: its windows close first."""

def await_file(
    path: str,
    timeout_sec: float = ...,
) -> Call:
    """Wait until a file exists and is not empty, for example after an export."""

def await_saved(
    path: str,
    timeout_sec: float = ...,
) -> Call:
    """Wait until a file differs from when the task began and is no longer being written."""

def await_window(
    title: str,
    gone: bool = ...,
    timeout_sec: float = ...,
) -> Call:
    """Wait until a window with this in its title is open and settled, or until none is."""

def click(
    name: str | None = ...,
    role: str | None = ...,
    text: str | None = ...,
    app: str | None = ...,
    window: str | None = ...,
    within: Mapping[str, Any] | None = ...,
    nth: int | None = ...,
    button: Literal['left', 'middle', 'right', 'back', 'forward'] = ...,
    count: int = ...,
    modifiers: Sequence[str] | None = ...,
    at: Sequence[float] | None = ...,
    timeout_sec: float = ...,
) -> Call:
    """Click an element once it appears, in its middle or at a point in it."""

def done() -> Call:
    """Say that the task is done; this is the default at the end."""

def double_click(
    name: str | None = ...,
    role: str | None = ...,
    window: str | None = ...,
) -> Call:
    """Double-click an element."""

def drag(
    source: Mapping[str, Any],
    target: Mapping[str, Any],
    modifiers: Sequence[str] | None = ...,
) -> Call:
    """Drag an element onto another one."""

def draw(
    on: Mapping[str, Any],
    path: Sequence[Sequence[float]],
    button: Literal['left', 'middle', 'right', 'back', 'forward'] = ...,
    modifiers: Sequence[str] | None = ...,
) -> Call:
    """Drag along a path in an element, such as a stroke on a canvas."""

def fail(
    reason: str,
) -> Call:
    """Say that the task cannot be done, and why."""

def menu(
    path: Sequence[str],
    app: str | None = ...,
) -> Call:
    """Choose from a menu by the names along the path, such as `["File", "Save As..."]`."""

def press(
    keys: str,
    times: int = ...,
) -> Call:
    """Press keys together, such as `ctrl+s`, once or several times."""

def right_click(
    name: str | None = ...,
    role: str | None = ...,
    window: str | None = ...,
) -> Call:
    """Right-click an element."""

def run_code(
    code: str,
    language: Literal['python', 'shell'] = ...,
) -> Call:
    """Run code as the agent's user; only in tasks about code or terminals."""

def scroll(
    on: Mapping[str, Any],
    down: int = ...,
    right: int = ...,
) -> Call:
    """Turn the wheel over an element; negative numbers go up or left."""

def show_window(
    title: str,
) -> Call:
    """Bring a window to the front by its button in the panel; the one that is in front stays there."""

def type(
    text: str,
) -> Call:
    """Type a text where the focus is."""

def type_into(
    text: str,
    name: str | None = ...,
    role: str | None = ...,
    app: str | None = ...,
    window: str | None = ...,
    within: Mapping[str, Any] | None = ...,
    nth: int | None = ...,
    clear: bool = ...,
) -> Call:
    """Click an element and type into it, replacing its content unless specified otherwise."""

def wait(
    seconds: float,
) -> Call:
    """Do nothing for so long; where something shows when to go on, wait for that instead."""
