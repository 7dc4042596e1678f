"""Coming to rest: whoever pressed Save and is done is not judged before the file is written."""

from __future__ import annotations

from proctor.computers.computer import Computer
from proctor.errors import ComputerError, ComputerLost, HostError

PATIENCE_SEC = 10.0
LOOK_AGAIN_SEC = 0.1
"""Time between two looks at the files; an application that is saving changes something in it."""
EVERYTHING = "/"
"""A change of it stands for all that was too much to look at."""
QUIET_SEC = 1.0
"""How long the screen may take to become quiet; a film never does."""


def come_to_rest(computer: Computer) -> None:
    """Wait until the screen is quiet and two looks find the same changed files, but not for ever.

    A computer that programs inside keep in disorder does not come to rest, and is judged as it is. Raises ComputerLost
    where it is gone, and HostError.
    """
    try:
        _rest(computer)
    except (ComputerLost, HostError):
        raise
    except (ComputerError, OSError):
        return


def _rest(computer: Computer) -> None:
    deadline = computer.clock() + PATIENCE_SEC
    before: list[tuple[str, str, int]] | None = None
    while True:
        computer.settle(timeout_sec=QUIET_SEC)
        now = _changes_of(computer)
        # With more than can be looked at, another look tells nothing.
        if now == before or EVERYTHING in (path for path, *_ in now) or computer.clock() >= deadline:
            return
        before = now
        computer.wait_activity(LOOK_AGAIN_SEC)


def _changes_of(computer: Computer) -> list[tuple[str, str, int]]:
    if "changes" not in computer.capabilities:
        return []
    return [(change.path, change.kind, change.size) for change in computer.changes()]
