"""Has checks evaluated by the reader, so that what an agent left cannot hang the harness."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from proctor.errors import CheckError, HostError, Overrun, SpecError
from proctor.tasks.call import Call, walk
from proctor.tasks.deadline import CHECKS_SEC, Deadline
from proctor.tasks.evaluate import evaluate, sentence
from proctor.tasks.evidence import presentable
from proctor.tasks.findings import CannotSee, Fault, Finding
from proctor.tasks.inside.models import models_in, parts_of
from proctor.tasks.inside.words import Part
from proctor.tasks.reader.checks import evaluate_checks, find_parts, names_in
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
    if not _in_cage(check):
        return evaluate(check, lambda call: Fault.from_json(seen[call.key]) or seen[call.key], CHECKS.get)
    try:
        return _finding(_ask(evaluate_checks, (check.to_json(), dict(seen)), check, deadline))
    except CannotSee as error:
        why = error.fault.why
    except Overrun as error:
        why = error.message
    return Finding(0.0, (sentence(why),), known=False, check=check.name)


def ask_parts(
    check: Call, seen: Mapping[str, object], earlier: Mapping[str, object], deadline: Deadline
) -> dict[str, list[Part]] | None:
    """Return which parts changed though nobody asked, by model; None if it takes too long.

    Raises CheckError where a check crashes, which is a defect of ours, and HostError.
    """
    follows = _follows(check, earlier)
    models = [Call.from_json(json.loads(key)) for key in earlier]
    noise = {call.key: path_of(found) for call in models if (found := tool(call).noise)}
    basis = {call.key: path_of(made) for call in models if (made := tool(call).basis)}
    shared = _models_shared(check, earlier, follows)
    given = (check.to_json(), dict(seen), dict(earlier), follows, shared, noise, basis)
    try:
        told = find_parts(*given) if not _in_cage(check) else _ask(find_parts, given, check, deadline, models)
    except (CannotSee, Overrun):
        return None
    match told:
        case {"parts": dict(parts), "whole": True}:
            return {key: [Part(str(each["text"]), each["kind"]) for each in some] for key, some in parts.items()}
    return None


def _ask(
    function: Callable[..., object],
    given: tuple[object, ...],
    check: Call,
    deadline: Deadline,
    models: Sequence[Call] = (),
) -> object:
    """Return what a function makes of its arguments in the cage."""
    with deadline.hold():
        told = ask(
            READER,
            path_of(function),
            _LEFT,
            given,
            left=lambda: min(deadline.left(), CHECKS_SEC),
            needs=needs_of(check, models),
        )
        return presentable(told, _LEFT)


def _follows(check: Call, models: Collection[str]) -> dict[str, tuple[str, str]]:
    """Return which probes of a check tell a part of what a model shows, and by what function."""
    return {
        part.key: (model.key, path_of(follows.tell))
        for part, model in parts_of(check).items()
        if model.key in models and (follows := tool(part).follows)
    }


def _models_shared(check: Call, models: Collection[str], follows: Collection[str]) -> list[str]:
    """Return the models at whose file another probe looks by itself."""
    probes = dict.fromkeys(call for _, call in walk(check) if call.kind == "probe")
    paths = Counter(
        str(call.arguments.get("path")) for call in probes if call.key not in follows and not _earlier(call)
    )
    return [call.key for call in probes if call.key in models and paths[str(call.arguments.get("path"))] > 1]


def _earlier(call: Call) -> bool:
    """Tell whether a probe shows how a file was when the task began."""
    return call.name == "before" or call.name.endswith("_before")


def _in_cage(check: Call) -> bool:
    """Tell whether the reader can evaluate a check.

    It cannot where somebody has registered it in this very process, as a test does; nobody else has it.
    """
    return all(map(reads, needs_of(check)["load"]))


def needs_of(check: Call, models: Sequence[Call] = ()) -> Needs:
    """Return what the reader loads for a check, and to compare models besides those that it looks at."""
    names = names_in(check)
    modules = {tool(Call("check", name)).function.__module__ for name in names}
    every = [tool(call) for call in (*models_in(check), *models)]
    modules |= {found.__module__ for each in every for found in (each.noise, each.basis) if found}
    modules |= {follows.tell.__module__ for part in parts_of(check) if (follows := tool(part).follows)}
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
