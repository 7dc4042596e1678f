"""Other ways to do a task, and ways to cheat at it, in few words."""

from __future__ import annotations

from proctor.tasks.call import Call
from proctor.tasks.shelves import hand
from proctor.tasks.task import Way


def by_shell(name: str, *commands: str) -> Way:
    """Return a way that runs commands in the home folder, one after another; one that fails ends it with an error."""
    return Way(name=name, moves=(hand.run_code(" && ".join(commands)),))


def by_python(name: str, code: str) -> Way:
    """Return a way that runs Python code as the agent would, in the home folder."""
    return Way(name=name, moves=(hand.run_code(code, "python"),))


def by_hand(name: str, *moves: Call) -> Way:
    """Return a way of moves on the desktop."""
    return Way(name=name, moves=moves)
