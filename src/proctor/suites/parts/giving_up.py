"""What giving up takes: the place that tells that something cannot be done was looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, see


def looked_into(*names: str) -> str:
    """Return the pattern of a command or line of code that names a file and does more than list it."""
    only_listed = "ls|dir|stat|file|find|locate|du|wc|test|echo|touch|cp|mv|rm|cd|tree|md5sum|sha256sum"
    named = "|".join(map(re.escape, names))
    return rf"/(?:^|[;&|\n(])\s*+(?!(?:{only_listed})\b(?![^;&|\n]*-exec))[^;&|\n]*(?:{named})/"


def having_looked(
    *checks: Call,
    windows: Sequence[str] = (),
    names: Sequence[str] = (),
    words: Sequence[str] = (),
    about: Sequence[str] = (),
    opened: Sequence[str] = (),
) -> Call:
    """Return a check that nothing was damaged and that one of these places was looked at."""
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
