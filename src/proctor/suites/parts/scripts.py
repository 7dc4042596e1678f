"""Shell scripts that print: what may stand in them, and what they print."""

from __future__ import annotations

import re
from collections.abc import Sequence

from proctor.errors import SpecError
from proctor.tasks.task import Admission

SHELL = "#!/bin/sh"
NO_COMMENT = (
    Admission(which="*: a comment at its end", why="The request says which lines there are; a comment is one more."),
)
_ECHO = re.compile(r'echo "([^"]*)"')


def plain(lines: Sequence[str]) -> list[str]:
    """Return lines in which a shell sees nothing but text.

    Raises:
        SpecError: It would see more.
    """
    if any(char in line for line in lines for char in '"$`\\'):
        raise SpecError("a shell would not print this as it is", remedy="give it plainer text")
    return list(lines)


def output_of(lines: Sequence[str]) -> list[str]:
    """Return what a script prints.

    Raises:
        SpecError: It does more than print.
    """
    found: list[str] = []
    rest = iter(plain([_ECHO.sub(r"echo \1", line) for line in lines]))
    if next(rest) != SHELL:
        raise SpecError("this is not a shell script", remedy="give it another")
    for line in rest:
        if line == "cat <<END":
            found += iter(rest.__next__, "END")
        elif line.startswith("echo "):
            found.append(line.removeprefix("echo "))
        elif not line.startswith("#"):
            raise SpecError(f"nobody knows what {line!r} prints", remedy="give it another script")
    return found
