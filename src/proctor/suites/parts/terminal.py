"""Moves in a terminal that tasks share."""

from __future__ import annotations

from proctor.tasks.call import Call
from proctor.tasks.shelves import hand


def in_terminal(*commands: str) -> tuple[Call, ...]:
    """Type commands into the terminal that has the focus and wait until they are through."""
    typed = " && ".join(commands)
    # The words of the mark are split, so that only its output matches and not what is typed.
    # Their number tells it from an earlier mark that is still on the screen.
    mark = hand.await_element(role="terminal", text=f"/(^|\\n)ready{len(typed)}/")
    return hand.type(f"{typed}; echo rea''dy{len(typed)}\n"), mark
