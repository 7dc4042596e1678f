"""How long a computer is waited for after an action: a policy, and the text that names it."""

from __future__ import annotations

import math
from typing import Literal

from proctor.errors import SpecError

Pace = Literal["settle", "realtime"]
"""`settle` waits until the screen is quiet after each action; `realtime` returns at once, as a live user would."""

Settling = Literal["quick", "careful", "drawn"] | float
"""`quick` waits until nothing seems to be coming any more, `careful` for a longer silence; a number of seconds waits
that long after each action, and then as `quick` does. `drawn` only waits until programs have read their input and
drawn; it is for whoever knows which screen must come, and cannot be asked for by name. Nor can a `Pause`."""


class Pause(float):
    """Seconds that are the whole wait: after them, only what is being drawn is waited for."""


NAMES: dict[str, Literal["quick", "careful"]] = {"quick": "quick", "careful": "careful"}
MOST_SEC = 60.0


def read_settling(text: str | float) -> Settling:
    """Return the policy that a text names; raises SpecError where it names none."""
    if str(text) in NAMES:
        return NAMES[str(text)]
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= MOST_SEC:
        raise SpecError(
            f"{text!r} is not a way to wait after an action",
            remedy=f"give quick, careful, or a number of seconds from 0 to {MOST_SEC:g}",
        )
    return seconds
