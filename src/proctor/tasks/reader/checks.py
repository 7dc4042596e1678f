"""Checks in the cage: they and what probes saw go in, the finding comes out as plain data."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict

from proctor.errors import ProctorError
from proctor.tasks.call import Call, plain, walk
from proctor.tasks.evaluate import evaluate
from proctor.tasks.findings import CannotSee, Fault
from proctor.tasks.inside.besides import find_besides
from proctor.tasks.inside.merge import Merge, PartChange, merge
from proctor.tasks.inside.words import in_words, is_at
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


def find_parts(
    check: dict[str, object],
    seen: dict[str, object],
    earlier: dict[str, object],
    follows: dict[str, tuple[str, str]],
    shared: list[str],
    noise: dict[str, str],
    basis: dict[str, str],
) -> dict[str, object]:
    """Return in words which parts changed without the check asking for it.

    Args:
        check: The check as plain data, which is satisfied.
        seen: What each probe in it saw, by the probe's call.
        earlier: What those saw before that show the whole of something.
        follows: Probes that tell a part of what one of these shows: by which of them, and the function that tells it.
        noise: Functions that return which parts of a model change by themselves.
        basis: Functions that return which new parts of a model the rest of it is worked out from.
        shared: Which of these others look at too. Where the check goes by those, what it asks for cannot be told here.
    """
    passes = _question(Call.from_json(check), seen, follows)
    if not passes({}):
        return {"parts": {}, "whole": True}
    merges = {
        key: merge(before, seen[key])
        for key, before in earlier.items()
        if key not in shared or not passes({key: before})
    }
    found = find_besides(merges, passes)
    parts = {}
    for key, each in found.found.items():
        quiet = [str(place) for place in _function(noise[key])(seen[key])] if key in noise else []
        # A passage may have been written anew for what only the other probe sees.
        rewritten = _passages_needed(merges[key], each) if key in shared else set()
        besides = [one for one in each if not is_at(one.place, quiet) and one.passage not in rewritten]
        besides = _without_basis(besides, merges[key], seen[key], basis.get(key, ""))
        parts[key] = [asdict(part) for part in in_words(besides)]
    return {"parts": parts, "whole": found.whole}


def _question(
    check: Call, seen: dict[str, object], follows: dict[str, tuple[str, str]]
) -> Callable[[dict[str, object]], bool]:
    """Return what asks the check whether it would pass with other states in place of what was seen."""
    probes = {each.key: each for _, each in walk(check) if each.kind == "probe"}

    def passes(states: dict[str, object]) -> bool:
        now = {**seen, **states}
        for key, (model, path) in follows.items():
            if model in states:
                tell, arguments = _function(path), plain(probes[key].arguments)
                told = tell(seen[key], arguments, states[model])
                # What a model shows in another form, or not at all, stays as it was seen.
                now[key] = seen[key] if told == tell(seen[key], arguments, seen[model]) else told
        try:
            return evaluate(check, lambda each: _value(now[each.key]), CHECKS.get).passed
        except (ProctorError, RecursionError):
            return False  # it cannot be asked about such a state

    return passes


def _without_basis(besides: list[PartChange], merged: Merge, after: object, path: str) -> list[PartChange]:
    """Return what was done besides without new parts that what was asked for is worked out from."""
    new = [each for each in besides if each.kind == "added"]
    if not new or not path:
        return besides
    kept = merged.without({each.number for each in besides})
    told = _function(path)(after, kept, [each.place for each in new])
    needed = {new[at].number for at in told if isinstance(at, int)}
    return [each for each in besides if each.number not in needed]


def _passages_needed(merged: Merge, besides: Sequence[PartChange]) -> set[int]:
    """Return the passages of lines in which something cannot be taken back."""
    undone = {each.number for each in besides}
    return {each.passage for each in merged.differences if each.passage >= 0 and each.number not in undone}


def _function(path: str) -> Callable[..., Sequence[object]]:
    """Return a function of a module that has been loaded."""
    module, _, name = path.partition(":")
    return getattr(sys.modules[module], name)  # type: ignore[no-any-return]


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
