"""Checks in the cage: they and what probes saw go in, the finding comes out as plain data."""

from __future__ import annotations

import functools

from proctor.errors import ProctorError
from proctor.tasks.call import Call, walk
from proctor.tasks.evaluate import evaluate
from proctor.tasks.findings import CannotSee, Fault
from proctor.tasks.shelves import CHECKS


def evaluate_checks(check: dict[str, object], seen: dict[str, object]) -> dict[str, object]:
    """Return what a check finds in what was seen, or why one of the checks failed.

    Args:
        check: The check as plain data.
        seen: What each probe in it saw, by the probe's call.

    Raises CannotSee where that is too much for it.
    """
    try:
        finding = evaluate(Call.from_json(check), lambda call: _value(seen[call.key]), CHECKS.get)
        return {"finding": finding.to_json()}
    except RecursionError as error:
        raise CannotSee("refused", "what was left is nested deeper than is judged") from error
    except ProctorError as error:
        return {"error": type(error).__name__, "message": error.message, "remedy": error.remedy}


@functools.cache
def get_ready(name: str) -> None:
    """Make what reads the arguments of a check, if there is one of this name.

    In the cage it may lack something.
    """
    if name in CHECKS.names():
        CHECKS.get(name).get_ready()


def names_in(check: Call) -> list[str]:
    """Return the checks in a check, itself included."""
    return sorted({call.name for _, call in walk(check, ()) if call.kind == "check"})


def _value(value: object) -> object:
    return Fault.from_json(value) or value
