"""Transforms of XSPF play lists: their files and order; what players note of each is theirs."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.markup import of_markup
from proctor.prove.transforms.shelf import mutant
from proctor.prove.transforms.words import one_match, without_one

LISTS = ("*.xspf",)
_TRACK = re.compile(r"<track>.*?</track>\s*", re.DOTALL)
_FILE = re.compile(r"(?<=<location>)([^<]*?)([^</]*)(?=</location>)")


def _exchange_ends(text: str, draw: Random) -> str | None:
    found = list(_TRACK.finditer(text))
    if len(found) < 2:
        return None
    first, last = found[0], found[-1]
    return text[: first.start()] + last[0] + text[first.end() : last.start()] + first[0] + text[last.end() :]


_OTHER_FILE = one_match(_FILE, lambda match, draw: f"{match[1]}other-{match[2]}")

mutant("a track dropped", *LISTS)(of_markup(without_one(_TRACK)))
mutant("a track doubled", *LISTS)(of_markup(one_match(_TRACK, lambda match, draw: match[0] * 2)))
mutant("the file of a track changed", *LISTS)(of_markup(_OTHER_FILE))
mutant("tracks exchanged", *LISTS)(of_markup(_exchange_ends))
