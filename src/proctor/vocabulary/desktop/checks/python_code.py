"""Checks on Python code: what it returns, and whether the rest of it is as it was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import Field, JsonValue

from proctor.tasks.findings import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS

_NAMED = re.compile(r"(?:async\s+def|def|class)\s+(\w+)|(\w+)\s*(?::[^=]+)?=(?!=)|(?:from\s.+)?import\s(?:.*\W)?(\w+)$")
"""A line at the left edge that gives a name a meaning."""


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


@CHECKS.register
def code_kept(of: Seen, before: Seen, besides: list[str]) -> Finding:
    """A source file is unchanged except for these functions (of `see.text` and `see.before`).

    A piece is a line that is not indented with what belongs to it; none may be changed or doubled. Others may be added,
    such as imports, comments and functions, but none that gives a name another meaning which had one already. Ignores
    empty lines, blanks at the ends of lines and line ends.
    """
    held = list(_pieces(of["text"]))
    free = tuple(f"def {name}(" for name in besides)
    kept = [piece for piece in _pieces(before["text"]) if not piece[0].startswith(free)]
    problems = []
    for piece in kept:
        named = [each for each in held if each[0] == piece[0]]
        if len(named) != kept.count(piece) or any(each != piece for each in named):
            problems.append(f"{of['path']}: what begins with {piece[0]!r} is not as it was.")
    now, then = Counter(_names(held)), Counter(_names(_pieces(before["text"])))
    problems += [f"{of['path']}: there is more than one {name}." for name, times in then.items() if now[name] > times]
    return unless(dict.fromkeys(problems))


def _pieces(source: str) -> Iterator[list[str]]:
    """Yield what stands at the left edge of a source, each with the indented lines below it."""
    # No comments beside it.
    piece: list[str] = []
    for line in (each.rstrip() for each in source.splitlines() if each.strip()):
        if line[0].isspace() and piece:
            piece.append(line)
            continue
        if piece:
            yield piece
        piece = [] if line.startswith("#") else [line]
    if piece:
        yield piece


def _names(pieces: Iterable[list[str]]) -> Iterator[str]:
    """Yield the names that pieces of a source give a meaning, each as often as they do."""
    named = (_NAMED.match(piece[0]) for piece in pieces)
    return (name for match in named if match for name in match.groups() if name)


def _same(found: object, wanted: object, tolerance: float) -> bool:
    if isinstance(wanted, bool) or isinstance(found, bool):
        return found is wanted
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        return abs(found - wanted) <= tolerance
    return bool(found == wanted)
