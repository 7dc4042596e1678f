"""Transforms of scripts and programs in source."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.shelf import Function, mutant, variant
from proctor.prove.transforms.words import in_group, next_number, of_text

PYTHON = ("*.py",)
SHELL = ("*.sh", "*.bash")
_CONSTANT = re.compile(r"(?m)^(?![ \t]*#).*?(?<![\w.])(\d+)(?![\w.])")
"""A number that stands by itself outside of comments."""


def _with_first(line: str) -> Function:
    """Return what puts a line at the top, below the one that names the interpreter."""

    def change(text: str, draw: Random) -> str:
        head, found, rest = text.partition("\n") if text.startswith("#!") else ("", "", text)
        return f"{head}{found}{line}\n{rest}"

    return of_text(change)


def _with_last(line: str) -> Function:
    """Return what puts a line at the end."""
    return of_text(lambda text, draw: f"{text.rstrip()}\n{line}\n")


mutant("made to end at once", *PYTHON)(_with_first("raise SystemExit(0)"))
mutant("made to end at once", *SHELL)(_with_first("exit 0"))
mutant("made to fail", *PYTHON, *SHELL)(_with_first(")("))
mutant("a number in its code changed", *PYTHON, *SHELL)(
    of_text(in_group(_CONSTANT, lambda digits, draw: next_number(digits)))
)
mutant("a line printed besides", *PYTHON)(_with_last('print("left over")'))
mutant("a line printed besides", *SHELL)(_with_last("echo left over"))
variant("a comment at its end", *PYTHON, *SHELL)(of_text(lambda text, draw: text.rstrip("\n") + "\n# looked over\n"))
variant("an empty line at its end", *PYTHON, *SHELL)(of_text(lambda text, draw: text.rstrip("\n") + "\n\n"))
