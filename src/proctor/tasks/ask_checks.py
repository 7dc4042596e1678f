"""Has checks evaluated by the reader, so that what an agent left cannot hang the harness."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import CheckError, HostError, Overrun, SpecError
from proctor.tasks.call import Call
from proctor.tasks.deadline import CHECKS_SEC, Deadline
from proctor.tasks.evaluate import evaluate, sentence
from proctor.tasks.evidence import presentable
from proctor.tasks.findings import CannotSee, Fault, Finding
from proctor.tasks.reader.checks import evaluate_checks, names_in
from proctor.tasks.reader.client import READER, ask, path_of
from proctor.tasks.reader.process import Needs
from proctor.tasks.reader.wire import reads
from proctor.tasks.shelves import CHECKS, tool

_LEFT = "what was left"


def ask_checks(check: Call, seen: Mapping[str, object], deadline: Deadline) -> Finding:
    """Return what a check finds in what its probes saw, by their calls.

    What takes too much time or memory, or ends who evaluates it, satisfies nothing. Raises CheckError where a check
    crashes, which is a defect of ours, and HostError.
    """
    needs = needs_of(check)
    if not all(map(reads, needs["load"])):
        # Somebody has registered it in this very process, as a test does; nobody else has it.
        return evaluate(check, lambda call: Fault.from_json(seen[call.key]) or seen[call.key], CHECKS.get)
    try:
        with deadline.hold():
            given = (check.to_json(), dict(seen))
            told = ask(
                READER,
                path_of(evaluate_checks),
                _LEFT,
                given,
                left=lambda: min(deadline.left(), CHECKS_SEC),
                needs=needs,
            )
            return _finding(presentable(told, _LEFT))
    except CannotSee as error:
        why = error.fault.why
    except Overrun as error:
        why = error.message
    return Finding(0.0, (sentence(why),), known=False, check=check.name)


def needs_of(check: Call) -> Needs:
    """Return what the reader loads for a check."""
    names = names_in(check)
    modules = {tool(Call("check", name)).function.__module__ for name in names}
    return Needs(load=sorted(modules), checks=names)


def _finding(told: object) -> Finding:
    """Return what was found; what cannot be a finding is none."""
    match told:
        case {"finding": data}:
            try:
                return Finding.from_json(data)
            except (KeyError, TypeError, ValueError) as error:
                raise CannotSee("unreadable", f"{_LEFT} cannot be judged: nothing sensible comes of it") from error
        case {"error": "UnknownName", "message": str(message)}:
            remedy = "install the distribution that it belongs to for this interpreter"
            raise HostError(f"the program that evaluates checks has an {message}", remedy=remedy)
        case {"error": "SpecError", "message": str(message), "remedy": str(remedy)}:
            raise SpecError(message, remedy=remedy)
        case {"error": str(), "message": str(message), "remedy": str(remedy)}:
            raise CheckError(message, remedy=remedy)
    raise CannotSee("unreadable", f"{_LEFT} cannot be judged: nothing sensible comes of it")
