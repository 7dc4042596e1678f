"""Checks on what media players play and how they are set up."""

from __future__ import annotations

from typing import Literal

from proctor.home import absolute
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def now_playing(of: Seen, file: str, state: Literal["playing", "paused"] = "playing") -> Finding:
    """A player plays this file, or has it on pause."""
    wanted = absolute(file)
    problems = []
    if of["file"] != wanted:
        problems.append(f"{of['player']} has {of['file'] or 'nothing'} on, expected {wanted}.")
    if of["state"] != state:
        problems.append(f"{of['player']} is {of['state'] or 'idle'}, expected {state}.")
    return unless(problems)


@CHECKS.register
def playing_file_named(of: Seen, name: str) -> Finding:
    """A player plays a file of this name, wherever it lies."""
    held = str(of["file"] or "").rpartition("/")[2]
    same = held == name and of["state"] == "playing"
    return right() if same else wrong(f"{of['player']} has {held or 'nothing'} on ({of['state']}), expected {name}.")


@CHECKS.register
def player_setting(of: Seen, values: dict[str, str], missing: dict[str, str] | None = None) -> Finding:
    """A player's settings have these values; `missing` is what counts where one is not written."""
    settings = {**(missing or {}), **of["settings"]}
    return unless(
        f"The setting {name} in {of['path']} is {settings.get(name, 'not set')!r}, expected {value!r}."
        for name, value in values.items()
        if settings.get(name, "").rstrip("/") != value.rstrip("/")
    )
