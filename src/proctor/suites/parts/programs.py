"""What most subtasks do: start a program by its name, save under a name, close it again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.theme import Theme
from proctor.home import absolute
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import hand


def start_program(command: str, window: str, timeout_sec: float = 20.0) -> tuple[Call, ...]:
    """Start a program by its command line, as with Alt+F2, and wait for its window."""
    return (
        hand.press("alt+F2"),
        hand.await_window("Application Finder"),
        # Not in one go: it looks names up while one types, and until then Enter only chooses what it proposes.
        hand.type(command),
        hand.await_window("Application Finder"),
        hand.press("Return"),
        hand.await_window("Application Finder", gone=True),
        hand.await_window(window, timeout_sec=timeout_sec),
    )


def open_file(program: str, resource: Resource, window: str = "") -> tuple[Call, ...]:
    """Open a file with a program; its window has the file's name in its title unless told otherwise."""
    return start_program(f"{program} {quote_path(resource)}", window or base(resource))


def named_in_dialog(dialog: str, resource: Resource, button: str = "Save") -> tuple[Call, ...]:
    """Give a file its whole name in a dialog of GTK that asks for one, and wait until it is saved."""
    return (
        hand.await_window(dialog),
        hand.press("ctrl+a"),
        hand.type(full(resource)),
        # While the dialog looks the folder up, it takes no Enter.
        hand.click(button, role="push button", window=dialog),
        hand.await_window(dialog, gone=True),
        hand.await_saved(resource.value),
    )


def close_window(window: str, keys: str = "ctrl+q") -> tuple[Call, ...]:
    """Close a program by its keys and wait until its window is gone."""
    return (hand.press(keys), hand.await_window(window, gone=True))


def close_slowly(window: str, program: str, keys: str = "ctrl+q") -> tuple[Call, ...]:
    """Close a program that goes on for a while without a window, and wait for its end."""
    return (*close_window(window, keys), hand.await_ended(program))


def base(resource: Resource) -> str:
    """Return a file's name without its folder."""
    return resource.value.rpartition("/")[2]


def stem(resource: Resource) -> str:
    """Return a file's name without folder and ending."""
    return base(resource).rpartition(".")[0] or base(resource)


def full(resource: Resource) -> str:
    """Return a file's whole path, as dialogs take it."""
    return absolute(resource.value)


def quote_path(resource: Resource) -> str:
    """Return a file's name as a command takes it."""
    return shlex.quote(resource.value)


def new_path(draw: Draw, theme: Theme, folder: str, words: Sequence[str], ending: str) -> str:
    """Return the path of what is being made, or draw one: `Documents/harwood-bake-sale-copy-7.txt`."""
    if theme.part:
        return theme.path(folder, ending)
    number = draw.randint(2, 99)
    return f"{folder}/{theme.slug}-{draw.choice(words)}-{number}{ending}"


def lines_of(resource: Resource) -> list[str]:
    """Return the lines of something that consists of lines.

    Raises:
        SpecError: It does not, or nobody knows them.
    """
    content = resource.content
    if not isinstance(content, list) or not content or not all(isinstance(line, str) for line in content):
        raise SpecError(f"{resource.value} does not consist of known lines", remedy="give it something else")
    return list(content)


def rows_of(resource: Resource) -> list[list[str | int | float]]:
    """Return the rows of a table, headings first.

    Raises:
        SpecError: It is none.
    """
    content = resource.content
    if not isinstance(content, list) or not content or not all(isinstance(row, list) for row in content):
        raise SpecError(f"{resource.value} is not a table whose rows are known", remedy="give it something else")
    return [list(row) for row in content]
