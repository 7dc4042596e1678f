"""Examining: the probes in a check are asked, and the checks are put to what they see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from proctor.errors import CheckError, ProctorError
from proctor.tasks.ask_checks import ask_checks, needs_of
from proctor.tasks.call import Call, walk
from proctor.tasks.deadline import Deadline
from proctor.tasks.evaluate import Look
from proctor.tasks.evidence import presentable
from proctor.tasks.findings import CannotSee, Fault, Finding
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import warm
from proctor.tasks.shelves import run, tool


def examine(check: Call, look: Look, deadline: Deadline | None = None) -> Finding:
    """Return what a check finds; the probes in it are asked first.

    Args:
        check: The check, with the checks and probes in it.
        look: Asks a probe.
        deadline: By when all of it must be over.
    """
    seen: dict[str, object] = {}
    for _, call in walk(check):
        if call.kind == "probe" and call.key not in seen:
            found = look(call)
            seen[call.key] = found.to_json() if isinstance(found, Fault) else found
    return ask_checks(check, seen, deadline or Deadline())


def get_ready(checks: Iterable[Call]) -> None:
    """Let the reader load what the probes in some checks will need, while something else is done."""
    checks = list(checks)
    probes = {call for check in checks for _, call in walk(check) if call.kind == "probe"}
    parsers = {parser.__module__ for call in probes for parser in tool(call).parsers}
    needs = [needs_of(check) for check in checks]
    warm(
        {*parsers, *(module for each in needs for module in each["load"])},
        {name for each in needs for name in each["checks"]},
    )


def looker(context: ProbeContext, evidence: dict[str, object]) -> Look:
    """Return a look at the computer that asks each probe once and keeps what it saw."""

    def look(call: Call) -> object:
        if call.key not in evidence:
            context.deadline.left_to_look()
            with context.deadline.hold():
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
