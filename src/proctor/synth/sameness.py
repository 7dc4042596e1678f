"""When two tasks are the same: by their verdicts, procedure and parameters, or by their words."""

from __future__ import annotations

import json

from proctor.home import HOME
from proctor.tasks.call import Call
from proctor.tasks.words import loose

ORDERLESS = frozenset({"all_of", "any_of", "none_of"})
"""Checks whose parts stand in no order."""


def verdict_key(check: Call) -> str:
    """Return one text for all checks that ask for the same, however they are written down.

    The order of parts, case, blanks, and the form of numbers make no difference; nor does a combination of one.
    """
    return json.dumps(_normal(check), sort_keys=True, ensure_ascii=False)


def words_key(instruction: str) -> str:
    """Return one text for all instructions that are worded alike."""
    return "".join(letter for letter in loose(instruction) if letter.isalnum())


def _normal(value: object) -> object:
    if isinstance(value, Call):
        arguments = {key: _normal(item) for key, item in value.arguments.items()}
        if value.name in ORDERLESS and isinstance(listed := arguments.get("of"), list):
            arguments["of"] = parts = _once(listed)
            if len(parts) == 1 and value.name != "none_of":
                return parts[0]
        return {value.kind: value.name, **arguments}
    if isinstance(value, dict):
        return {key: _normal(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_normal(item) for item in value]
    if isinstance(value, str):
        return loose(value.removeprefix(f"{HOME}/"))
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _once(parts: list[object]) -> list[object]:
    known = {json.dumps(part, sort_keys=True, ensure_ascii=False): part for part in parts}
    return [known[key] for key in sorted(known)]
