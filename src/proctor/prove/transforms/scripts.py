"""Transforms of scripts and programs in source."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.shelf import mutant, variant
from proctor.prove.transforms.words import decode, next_number

PYTHON = ("*.py",)
SHELL = ("*.sh", "*.bash")


def _after_the_first(text: str, line: str) -> bytes:
    """Put a line at the top, below the one that names the interpreter."""
    head, found, rest = text.partition("\n") if text.startswith("#!") else ("", "", text)
    return f"{head}{found}{line}\n{rest}".encode()


@mutant("made to end at once", *PYTHON)
def python_ends(data: bytes, draw: Random) -> bytes | None:
    """Let it end before it does anything."""
    text = decode(data)
    return None if text is None else _after_the_first(text, "raise SystemExit(0)")


@mutant("made to end at once", *SHELL)
def shell_ends(data: bytes, draw: Random) -> bytes | None:
    """Let it end before it does anything."""
    text = decode(data)
    return None if text is None else _after_the_first(text, "exit 0")


@mutant("made to fail", *PYTHON, *SHELL)
def fails(data: bytes, draw: Random) -> bytes | None:
    """Put something in it that no interpreter understands."""
    text = decode(data)
    return None if text is None else _after_the_first(text, ")(")


@mutant("a number in its code changed", *PYTHON, *SHELL)
def constant_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another number in place of one that stands by itself outside of comments."""
    text = decode(data)
    found = [match for match in re.finditer(r"(?m)^(?![ \t]*#).*?(?<![\w.])(\d+)(?![\w.])", text or "")]
    if text is None or not found:
        return None
    match = draw.choice(found)
    return (text[: match.start(1)] + next_number(match.group(1)) + text[match.end(1) :]).encode()


@variant("a comment at its end", *PYTHON, *SHELL)
def comment(data: bytes, draw: Random) -> bytes | None:
    """Add a comment."""
    text = decode(data)
    return None if text is None else (text.rstrip("\n") + "\n# looked over\n").encode()


@variant("an empty line at its end", *PYTHON, *SHELL)
def empty_line(data: bytes, draw: Random) -> bytes | None:
    """Leave an empty line at the end."""
    text = decode(data)
    return None if text is None else (text.rstrip("\n") + "\n\n").encode()
