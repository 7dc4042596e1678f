"""Transforms of settings in sections, each a line of a name and a value."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.shelf import mutant, variant
from proctor.prove.transforms.words import decode, next_number, unlike

FILES = ("*.ini", "*.cfg", "*.conf", "*.desktop", "*rc")
SETTING = re.compile(r"(?m)^([^\s#;\[=][^=\n]*?)[ \t]*=[ \t]*(\S[^\n]*)$")


@mutant("a setting changed", *FILES)
def setting_changed(data: bytes, draw: Random) -> bytes | None:
    """Give one setting another value."""
    text = decode(data)
    found = list(SETTING.finditer(text or ""))
    if text is None or not found:
        return None
    match = draw.choice(found)
    other = "".join(next_number(c) if c.isascii() and c.isdigit() else unlike(c) for c in match.group(2))
    return (text[: match.start(2)] + other + text[match.end(2) :]).encode()


@mutant("a setting dropped", *FILES)
def setting_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out one setting."""
    text = decode(data)
    found = list(SETTING.finditer(text or ""))
    if text is None or not found:
        return None
    match = draw.choice(found)
    return (text[: match.start()] + text[match.end() :].removeprefix("\n")).encode()


@variant("its sections in another order", *FILES)
def sections_reordered(data: bytes, draw: Random) -> bytes | None:
    """Write the sections the other way round."""
    text = decode(data)
    parts = re.split(r"(?m)^(?=\[)", text or "")
    if text is None or len(parts) < 3 or len({part.partition("\n")[0] for part in parts[1:]}) < len(parts) - 1:
        return None
    closed = [part if part.endswith("\n") else part + "\n" for part in parts[1:]]
    return (parts[0] + "".join(reversed(closed))).encode()


@variant("an empty line and a comment added", *FILES)
def comment_added(data: bytes, draw: Random) -> bytes | None:
    """Add a comment at the end."""
    text = decode(data)
    return None if text is None else (text.rstrip("\n") + "\n\n# looked over\n").encode()
