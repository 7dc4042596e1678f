"""Checks on the ratings of Rhythmbox."""

from __future__ import annotations

from proctor.home import absolute
from proctor.tasks.findings import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def song_ratings(of: Seen, stars: dict[str, int]) -> Finding:
    """Exactly these songs have ratings, and these; relative names start at the home folder."""
    wanted = {absolute(file): float(count) for file, count in stars.items()}
    found = of["ratings"]
    problems = [
        f"{file} has {found.get(file, 0):g} stars, expected {count:g}."
        for file, count in wanted.items()
        if found.get(file, 0.0) != count
    ]
    problems += [f"{file} has {count:g} stars, expected none." for file, count in found.items() if file not in wanted]
    return unless(problems)
