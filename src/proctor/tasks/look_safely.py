"""Looking at a computer that may be broken: what cannot be reached is a fault."""

from __future__ import annotations

from collections.abc import Callable

from proctor.errors import CheckError, ComputerError
from proctor.tasks.call import Call
from proctor.tasks.evaluate import Look
from proctor.tasks.findings import Fault

Trouble = Callable[[Exception], None]
"""Is told that a computer failed while it was looked at; raises where that is nobody's doing who is judged."""


def look_safely(look: Look, evidence: dict[str, object], trouble: Trouble | None) -> Look:
    """Return a look that takes a computer's failure for a fault, once `trouble` has heard of it.

    Without, it raises.
    """
    if trouble is None:
        return look

    def spare(call: Call) -> object:
        try:
            return look(call)
        except (ComputerError, OSError, CheckError) as error:
            failure = _of_the_computer(error)
            if failure is None:
                raise
            trouble(failure)
            said = failure.message if isinstance(failure, ComputerError) else str(failure)
            fault = Fault("unreadable", f"the computer could not be looked at: {said}")
            evidence[call.key] = fault.to_json()
            return fault

    return spare


def _of_the_computer(error: Exception) -> Exception | None:
    """Return the failure of the computer that an error is or stems from."""
    # None when it is the evaluator's own.
    origin = error.__cause__ if isinstance(error, CheckError) else error
    return origin if isinstance(origin, ComputerError | OSError) else None
