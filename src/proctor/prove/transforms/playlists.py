"""Transforms of XSPF play lists: their files and order; what players note of each is theirs."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.markup import rewritten_text
from proctor.prove.transforms.packages import one_of
from proctor.prove.transforms.shelf import mutant

LISTS = ("*.xspf",)
_TRACK = re.compile(r"<track>.*?</track>\s*", re.DOTALL)
_FILE = re.compile(r"(?<=<location>)([^<]*?)([^</]*)(?=</location>)")


@mutant("a track dropped", *LISTS)
def track_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out a track."""
    return rewritten_text(data, lambda text: one_of(text, _TRACK, draw, lambda match: ""))


@mutant("a track doubled", *LISTS)
def track_doubled(data: bytes, draw: Random) -> bytes | None:
    """Put a track on the list twice."""
    return rewritten_text(data, lambda text: one_of(text, _TRACK, draw, lambda match: match[0] * 2))


@mutant("the file of a track changed", *LISTS)
def file_changed(data: bytes, draw: Random) -> bytes | None:
    """Name another file."""
    return rewritten_text(data, lambda text: one_of(text, _FILE, draw, lambda match: f"{match[1]}other-{match[2]}"))


@mutant("tracks exchanged", *LISTS)
def tracks_exchanged(data: bytes, draw: Random) -> bytes | None:
    """Exchange the first track and the last one."""

    def change(text: str) -> str | None:
        found = list(_TRACK.finditer(text))
        if len(found) < 2:
            return None
        first, last = found[0], found[-1]
        return text[: first.start()] + last[0] + text[first.end() : last.start()] + first[0] + text[last.end() :]

    return rewritten_text(data, change)
