"""Transforms of settings in sections, each a line of a name and a value."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.shelf import mutant, variant
from proctor.prove.transforms.words import in_group, of_text, one_match, other_letters, without_one

FILES = ("*.ini", "*.cfg", "*.conf", "*.desktop", "*rc")
SETTING = re.compile(r"(?m)^[^\s#;\[=][^=\n]*?[ \t]*=[ \t]*(\S[^\n]*)$\n?")


def _reorder_sections(text: str, draw: Random) -> str | None:
    parts = re.split(r"(?m)^(?=\[)", text)
    if len(parts) < 3 or len({part.partition("\n")[0] for part in parts[1:]}) < len(parts) - 1:
        return None
    closed = [part if part.endswith("\n") else part + "\n" for part in parts[1:]]
    return parts[0] + "".join(reversed(closed))


mutant("a setting changed", *FILES)(of_text(in_group(SETTING, lambda value, draw: other_letters(value))))
mutant("a setting dropped", *FILES)(of_text(without_one(SETTING)))
mutant("a setting added", *FILES)(of_text(one_match(SETTING, lambda match, draw: f"left-over=1\n{match[0]}")))
variant("its sections in another order", *FILES)(of_text(_reorder_sections))
variant("an empty line and a comment added", *FILES)(
    of_text(lambda text, draw: text.rstrip("\n") + "\n\n# looked over\n")
)
