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

def await_closed(
    path: str,
    timeout_sec: float = ...,
) -> Call:
    """Wait until a file is there and no program has it open any more."""

def await_element(
    name: str | None = ...,
    role: str | None = ...,
    text: str | None = ...,
    app: str | None = ...,
    window: str | None = ...,
    gone: bool = ...,
    timeout_sec: float = ...,
) -> Call:
    """Wait until an element is there, or until it is gone."""

def await_ended(
    program: str,
    timeout_sec: float = ...,
) -> Call:
    """Wait until no program of this name runs any more: its windows go first."""

def await_file(
    path: str,
    timeout_sec: float = ...,
) -> Call:
    """Wait until a file is there and has something in it, as after an export."""

def await_saved(
    path: str,
    timeout_sec: float = ...,
) -> Call:
    """Wait until a file is another one than when the task began, and is not being written any more."""

def await_window(
    title: str,
    gone: bool = ...,
    timeout_sec: float = ...,
) -> Call:
    """Wait until a window with this in its title is there and settled, or until none is."""

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
    """Click an element once it is there, in its middle or at a place in it."""

def done() -> Call:
    """Say that the task is done; without any last word this is said at the end."""

def double_click(
    name: str | None = ...,
    role: str | None = ...,
    window: str | None = ...,
) -> Call:
    """Click an element twice."""

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
    """Choose from a menu by the names along the way, such as `["File", "Save As..."]`."""

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
    """Click an element with the right button."""

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
    """Click an element and type into it, in place of what it holds unless told otherwise."""
