"""Evaluating: a check is put to what probes saw, inner checks first; nothing else is known here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from proctor.errors import CheckError, ProctorError
from proctor.tasks.call import Call
from proctor.tasks.findings import Fault, Finding
from proctor.tasks.shelf import ShelfTool

MOST_SAID = 10
MOST_CHARACTERS = 500
"""How much a check says of what is wrong: as much as people read, of which the first few tell what it is."""

Look = Callable[[Call], object]
"""Returns what a probe sees: plain data, or a Fault."""
Find = Callable[[str], ShelfTool]
"""Returns the check of a name."""


def evaluate(check: Call, look: Look, find: Find) -> Finding:
    """Return what a check finds.

    Raises CheckError where a check crashes, and MemoryError or RecursionError where what was seen is too much for it.
    """
    found = find(check.name)
    seen = {name: _value(value, look, find) for name, value in check.arguments.items()}
    faults = [value for value in seen.values() if isinstance(value, Fault)]
    if faults and not found.sees_faults:
        return Finding(0.0, tuple(sentence(fault.why) for fault in faults), known=False, check=check.name)
    try:
        finding = found.function(**found.prepare(seen))
    except (ProctorError, MemoryError, RecursionError):
        raise
    except Exception as error:
        raise CheckError(f"the check {check.name!r} failed with {type(error).__name__}: {error}") from error
    if not isinstance(finding, Finding) or not 0.0 <= finding.score <= 1.0:
        raise CheckError(f"the check {check.name!r} returned {finding!r}, not a finding with a score from 0 to 1")
    return replace(finding, feedback=_readable(finding.feedback), check=check.name)


def sentence(text: str) -> str:
    """Return a reason as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _value(value: object, look: Look, find: Find) -> object:
    if isinstance(value, Call):
        return look(value) if value.kind == "probe" else evaluate(value, look, find)
    if isinstance(value, tuple) and any(isinstance(item, Call) for item in value):
        return [_value(item, look, find) for item in value]
    return value


def _readable(feedback: tuple[str, ...]) -> tuple[str, ...]:
    """Return as much as a person may want to read of what is wrong with a file."""
    shown = [text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}..." for text in feedback[:MOST_SAID]]
    left = len(feedback) - len(shown)
    return (*shown, f"And {left:,} more that are wrong.") if left else tuple(shown)
