"""Checks on films, play lists and players."""

from __future__ import annotations

from typing import Annotated

from PIL import ImageColor
from pydantic import Field

from proctor.home import absolute
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS

Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]


@CHECKS.register
def film_duration(of: Seen, seconds: float, within: float = 0.5) -> Finding:
    """A video lasts this long, give or take `within` seconds."""
    found = of["seconds"]
    near = abs(found - seconds) <= within
    return right() if near else wrong(f"{of['path']} lasts {found:.1f} s, expected {seconds:g} s.")


@CHECKS.register
def film_size(of: Seen, width: int, height: int) -> Finding:
    """The frames of a video have this size in pixels."""
    same = (of["width"], of["height"]) == (width, height)
    return right() if same else wrong(f"{of['path']} is {of['width']} x {of['height']}, expected {width} x {height}.")


@CHECKS.register
def film_shows(of: Seen, colours: list[Colour], within: float = 20.0) -> Finding:
    """A video has, second by second, pictures of these mean colours, and nothing after them."""
    problems = []
    if len(of["colours"]) != len(colours):
        problems.append(f"{of['path']} lasts {len(of['colours'])} begun seconds, expected {len(colours)}.")
    for second, (found, wanted) in enumerate(zip(of["colours"], colours, strict=False)):
        if max(abs(a - b) for a, b in zip(found, ImageColor.getrgb(wanted), strict=True)) > within:
            problems.append(f"{of['path']} does not show what is expected at second {second}.")
    return unless(problems)


@CHECKS.register
def film_like(of: Seen, to: Seen, within: float = 20.0) -> Finding:
    """A video is as long as another and has, second by second, the same mean colours."""
    one, two = of["colours"], to["colours"]
    if abs(len(one) - len(two)) > 1:
        return wrong(f"{of['path']} lasts {of['seconds']:.1f} s, expected {to['seconds']:.1f} s.")
    off = sum(
        max(abs(a - b) for a, b in zip(found, wanted, strict=True)) > within
        for found, wanted in zip(one, two, strict=False)
    )
    return right() if off <= 0.05 * len(two) else wrong(f"{of['path']} shows something else for {off} seconds.")


@CHECKS.register
def playlist_is(of: Seen, files: list[str], in_order: bool = True) -> Finding:
    """A playlist names exactly these files, relative to the home folder; titles do not matter."""
    found = of["files"]
    wanted = [absolute(file) for file in files]
    problems = [f"{file} is missing from {of['path']}." for file in wanted if file not in found]
    problems += [f"{file} should not be on {of['path']}." for file in found if file not in wanted]
    if not problems and len(found) != len(wanted):
        problems.append(f"{of['path']} names {len(found)} files, some of them twice, expected {len(wanted)}.")
    if not problems and in_order and found != wanted:
        problems.append(f"{of['path']} names the right files in another order than asked for.")
    return unless(problems)
