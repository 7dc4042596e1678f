"""Examining: a check is put to what the probes in it see, inner checks first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from proctor.errors import CheckError, ProctorError
from proctor.tasks.call import Call, walk
from proctor.tasks.evidence import presentable
from proctor.tasks.findings import CannotSee, Fault, Finding
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import warm
from proctor.tasks.shelves import run, tool

MOST_SAID = 100
MOST_CHARACTERS = 2000
"""How much a check says of what is wrong."""

Look = Callable[[Call], object]
"""Returns what a probe sees: plain data, or a Fault."""


def examine(check: Call, look: Look) -> Finding:
    """Return what a check finds; probes are asked through `look`, inner checks first."""
    found = tool(check)
    seen = {name: _value(value, look) for name, value in check.arguments.items()}
    faults = [value for value in seen.values() if isinstance(value, Fault)]
    if faults and not found.sees_faults:
        return Finding(0.0, tuple(_sentence(fault.why) for fault in faults), known=False, check=check.name)
    try:
        finding = found.function(**found.prepare(seen))
    except ProctorError:
        raise
    except Exception as error:
        raise CheckError(f"the check {check.name!r} failed with {type(error).__name__}: {error}") from error
    if not isinstance(finding, Finding) or not 0.0 <= finding.score <= 1.0:
        raise CheckError(f"the check {check.name!r} returned {finding!r}, not a finding with a score from 0 to 1")
    return Finding(finding.score, _readable(finding.feedback), finding.known, check.name, finding.parts)


def _value(value: object, look: Look) -> object:
    if isinstance(value, Call):
        return look(value) if value.kind == "probe" else examine(value, look)
    if isinstance(value, tuple) and any(isinstance(item, Call) for item in value):
        return [_value(item, look) for item in value]
    return value


def get_ready(checks: Iterable[Call]) -> None:
    """Let the reader load what the probes in some checks will need, while something else is done."""
    probes = {call for check in checks for _, call in walk(check, ()) if call.kind == "probe"}
    if parsers := {parser.__module__ for call in probes for parser in tool(call).parsers}:
        warm(parsers)


def looker(context: ProbeContext, evidence: dict[str, object]) -> Look:
    """Return a look at the computer that asks each probe once and keeps what it saw."""

    def look(call: Call) -> object:
        if call.key not in evidence:
            evidence[call.key] = _see(call, context)
        return Fault.from_json(evidence[call.key]) or evidence[call.key]

    return look


def _see(call: Call, context: ProbeContext) -> object:
    try:
        # What is judged now must be what a later judgement reads from the record.
        return presentable(run(call, context), f"what {call.name} sees")
    except CannotSee as error:
        return presentable(error.fault.to_json(), "a fault")
    except ProctorError:
        raise
    except Exception as error:
        raise CheckError(f"the probe {call} failed with {type(error).__name__}: {error}") from error


def look_back(evidence: Mapping[str, object]) -> Look:
    """Return a look at what was seen before; raises CheckError for a probe that was not asked then."""

    def look(call: Call) -> object:
        if call.key not in evidence:
            raise CheckError(f"the evidence holds nothing of the probe {call}", remedy="run the task again")
        return Fault.from_json(evidence[call.key]) or evidence[call.key]

    return look


def _readable(feedback: tuple[str, ...]) -> tuple[str, ...]:
    """Return as much as a person may want to read of what is wrong with a file."""
    shown = [text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}..." for text in feedback[:MOST_SAID]]
    left = len(feedback) - len(shown)
    return (*shown, f"There is more that is wrong: {left:,} findings are not listed.") if left else tuple(shown)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
