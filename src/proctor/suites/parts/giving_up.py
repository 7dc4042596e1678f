"""What giving up takes: the place that tells that something cannot be done was looked at."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, see


def having_looked(
    *checks: Call,
    windows: Sequence[str] = (),
    names: Sequence[str] = (),
    words: Sequence[str] = (),
    about: Sequence[str] = (),
    opened: Sequence[str] = (),
) -> Call:
    """Return a check that nothing was damaged and that one of these places was looked at, or asked about."""
    looked = expect.looked(
        see.history(),
        see.questions(),
        windows=[*windows],
        names=[*names],
        words=[*words],
        about=[*about],
        screen=see.windows() if opened else None,
        opened=[*opened],
    )
    return expect.all_of([*checks, looked])
