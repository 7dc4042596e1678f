"""Checks on what media players play and how they are set up."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from proctor.home import absolute
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def now_playing(of: Seen, file: str, state: Literal["playing", "paused"] = "playing") -> Finding:
    """A player is playing this file, or has paused it."""
    wanted = absolute(file)
    problems = []
    if of["file"] != wanted:
        problems.append(f"{of['player']} has {of['file'] or 'nothing'} on, expected {wanted}.")
    if of["state"] != state:
        problems.append(f"{of['player']} is {of['state'] or 'idle'}, expected {state}.")
    return unless(problems)


@CHECKS.register
def playing_file_named(of: Seen, name: str) -> Finding:
    """A player is playing a file of this name, wherever it is."""
    held = str(of["file"] or "").rpartition("/")[2]
    same = held == name and of["state"] == "playing"
    return right() if same else wrong(f"{of['player']} has {held or 'nothing'} on ({of['state']}), expected {name}.")


@CHECKS.register
def playing_address(of: Seen, address: str) -> Finding:
    """A player is playing what is at an address, or a part of a list there."""
    held = str(of["file"] or "")
    same = of["state"] == "playing" and held.rstrip("/").endswith(address.rstrip("/"))
    return right() if same else wrong(f"{of['player']} has {held or 'nothing'} on ({of['state']}), expected {address}.")


@CHECKS.register
def colours_dark(of: Seen, name: str, usual: str, most: Annotated[int, Field(ge=1, le=255)] = 100) -> Finding:
    """A player's setting that lists colours, three numbers each, has only dark ones."""
    text = {**{name: usual}, **of["settings"]}[name]
    numbers = [int(each) for each in text.split(";") if each.strip().isdecimal()]
    dark = bool(numbers) and len(numbers) % 3 == 0 and max(numbers) < most
    return right() if dark else wrong(f"The setting {name} in {of['path']} is {text!r}, which is not dark.")


@CHECKS.register
def player_setting_made(of: Seen, name: str, made: bool = True) -> Finding:
    """A player's setting has a value, or has none."""
    held = of["settings"].get(name, "")
    return right() if bool(held) == made else wrong(f"The setting {name} in {of['path']} is {held or 'not set'}.")


@CHECKS.register
def player_setting(of: Seen, values: dict[str, str], missing: dict[str, str] | None = None) -> Finding:
    """A player's settings have these values; `missing` is the value of a setting that is not saved."""
    settings = {**(missing or {}), **of["settings"]}
    return unless(
        f"The setting {name} in {of['path']} is {settings.get(name, 'not set')!r}, expected {value!r}."
        for name, value in values.items()
        if settings.get(name, "").rstrip("/") != value.rstrip("/")
    )
