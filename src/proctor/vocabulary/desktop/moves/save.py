"""Waiting until an application has saved, as a person does before closing or handing on."""

from __future__ import annotations

from proctor.computers.computer import Computer
from proctor.tasks.move_context import MoveContext
from proctor.tasks.shelves import MOVES


@MOVES.register
def await_saved(context: MoveContext, path: str, timeout_sec: float = 30.0) -> None:
    """Wait until a file differs from when the task began and is no longer being written."""
    seen: list[bytes] = []

    def is_saved(computer: Computer) -> bool:
        try:
            now = computer.read_file(path)
        except FileNotFoundError:
            return False  # some applications remove the old one before the new one is there
        still = seen[-1:] == [now]
        seen[:] = [now]
        return still and now != computer.before(path)

    context.computer.wait_for(is_saved, what=f"the saving of {path}", timeout_sec=timeout_sec)


@MOVES.register
def await_closed(context: MoveContext, path: str, timeout_sec: float = 60.0) -> None:
    """Wait until a file exists and no program has it open any more."""
    # Compared by what the links lead to: it does not matter by which name a program opened the file.
    let_go = 'for open in /proc/[0-9]*/fd/*; do test "$open" -ef "$1" && exit 1; done; test -s "$1"'
    context.computer.wait_for(
        lambda computer: computer.run(["sh", "-c", let_go, "sh", path]).code == 0,
        what=f"the end of the writing of {path}",
        timeout_sec=timeout_sec,
    )
