"""Checks on what Python code returns."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, JsonValue

from proctor.tasks.finding import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def returns(of: Seen, values: list[JsonValue], tolerance: Annotated[float, Field(ge=0)] = 1e-6) -> Finding:
    """A function returns these values for its cases, in order; numbers may differ by the tolerance."""
    if len(values) != len(of["results"]):
        return unless([f"There are {len(of['results'])} results, expected {len(values)}."])
    problems = []
    for case, result, value in zip(of["cases"], of["results"], values, strict=True):
        call = f"{of['function']}({', '.join(map(repr, case))})"
        if "error" in result:
            problems.append(f"{call} fails with {result['error']}.")
        elif not _same(result["value"], value, tolerance):
            problems.append(f"{call} returns {result['value']!r}, expected {value!r}.")
    return unless(problems)


def _same(found: Any, wanted: Any, tolerance: float) -> bool:
    if isinstance(wanted, bool) or isinstance(found, bool):
        return found is wanted
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        return abs(found - wanted) <= tolerance
    return bool(found == wanted)
