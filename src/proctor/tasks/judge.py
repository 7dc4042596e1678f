"""The judge: looks at a computer after the agent, without touching it, and says what it finds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from proctor.computers.computer import Computer
from proctor.errors import CheckError, ProctorError
from proctor.tasks.call import Call
from proctor.tasks.finding import CannotSee, Fault, Finding
from proctor.tasks.scene import Ending, Scene
from proctor.tasks.shelves import run, tool
from proctor.tasks.task import Task
from proctor.tasks.verdict import Verdict

GAVE_UP = "The agent gave up on a task that can be done."
DID_NOT_OBJECT = "The task cannot be done as asked, and the agent did not say so."

Look = Callable[[Call], Any]
"""Returns what a probe sees: plain data, or a Fault."""


def judge(task: Task, computer: Computer, ending: Ending) -> Verdict:
    """Look at a computer and return the verdict; twice gives the same.

    Raises:
        CheckError: A probe or check failed; the episode is void, never 0.
        ComputerError: The computer could not be looked at; void as well.
    """
    evidence: dict[str, Any] = {"ending": {"gave_up": ending.gave_up}}
    scene = Scene(computer, ending, tuple(computer.history))
    finding = examine(task.check, looker(scene, evidence))
    return _verdict(task, finding, evidence)


def regrade(task: Task, evidence: Mapping[str, Any]) -> Verdict:
    """Judge again from stored evidence, without a computer."""

    def look(call: Call) -> Any:
        if call.key not in evidence:
            raise CheckError(f"the evidence holds nothing of the probe {call}", remedy="run the task again")
        return Fault.from_json(evidence[call.key]) or evidence[call.key]

    return _verdict(task, examine(task.check, look), evidence)


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
    return Finding(finding.score, finding.feedback, finding.known, check.name, finding.parts)


def _value(value: Any, look: Look) -> Any:
    if isinstance(value, Call):
        return look(value) if value.kind == "probe" else examine(value, look)
    if isinstance(value, tuple) and any(isinstance(item, Call) for item in value):
        return [_value(item, look) for item in value]
    return value


def looker(scene: Scene, evidence: dict[str, Any]) -> Look:
    """Return a look at the scene that asks each probe once and keeps what it saw."""

    def look(call: Call) -> Any:
        if call.key not in evidence:
            evidence[call.key] = _see(call, scene)
        return Fault.from_json(evidence[call.key]) or evidence[call.key]

    return look


def _see(call: Call, scene: Scene) -> Any:
    try:
        # What is judged now must be what a later judgement reads from the record.
        return json.loads(json.dumps(run(call, scene), allow_nan=False))
    except CannotSee as error:
        return error.fault.to_json()
    except ProctorError:
        raise
    except Exception as error:
        raise CheckError(f"the probe {call} failed with {type(error).__name__}: {error}") from error


def _verdict(task: Task, finding: Finding, evidence: Mapping[str, Any]) -> Verdict:
    gave_up = bool(evidence["ending"]["gave_up"])
    if gave_up == task.tags.feasible:
        finding = Finding(0.0, (GAVE_UP if gave_up else DID_NOT_OBJECT,), check=finding.check, parts=(finding,))
    return Verdict(finding.score, finding.feedback, finding, evidence)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
