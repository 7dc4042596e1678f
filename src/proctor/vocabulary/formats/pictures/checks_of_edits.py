"""Checks on pictures that were edited: sharper, with a palette, a shape moved, a ground painted."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from PIL import Image
from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.vocabulary.formats.pictures.checks import image_seen, picture_like, pixels_seen

Share = Annotated[float, Field(ge=0, le=1)]
BLACK = 16
"""Below it, of 255, all three parts of a colour count as black."""
MOST_STRAY = 0.01
"""Share of places that may be otherwise: edges are drawn softly."""
PLAIN = {"red": 0, "green": 1, "blue": 2}


@CHECKS.register
def picture_sharper(of: Seen, original: Seen) -> Finding:
    """A picture is sharper than another one (both of `measured_picture`)."""
    one, two = of["sharpness"], original["sharpness"]
    return right() if one > two else wrong(f"{of['path']} is not sharper than {original['path']} ({one:g}, {two:g}).")


@CHECKS.register
def picture_palette(of: Seen) -> Finding:
    """A picture uses a colour palette (of `measured_picture`)."""
    return right() if of["palette"] else wrong(f"{of['path']} has no palette.")


@CHECKS.register
def dark_at_left(of: Seen, within: Share = 0.05) -> Finding:
    """Something dark, such as letters, begins within this share of the width (of `measured_picture`)."""
    near = of["dark_from"] < within
    return right() if near else wrong(f"What is dark in {of['path']} begins at {of['dark_from']:.0%} of its width.")


@CHECKS.register
def shape_in_middle(of: Seen, within: Share = 0.05) -> Finding:
    """The second most frequent colour is in the middle (of `measured_picture`)."""
    centre = of["shape"]["centre"]
    if not centre:
        return wrong(f"{of['path']} has only one colour.")
    near = all(abs(each - 0.5) < within for each in centre)
    where = " and ".join(f"{each:.0%}" for each in centre)
    return right() if near else wrong(f"What is {of['shape']['colour']} in {of['path']} stands at {where}.")


@CHECKS.register
def ground_painted(of: Seen, original: Seen, colour: Literal["red", "green", "blue"] = "green") -> Finding:
    """All of a picture except what was black in another is mostly of a colour; the black remains."""
    if (of["width"], of["height"]) != (original["width"], original["height"]):
        return wrong(f"{of['path']} is not as large as {original['path']}.")
    close = image_seen(original, "closeup")
    before = np.asarray(close, np.int16)
    pixels = np.asarray(image_seen(of, "closeup").resize(close.size, Image.Resampling.BOX), np.int16)
    part = PLAIN[colour]
    rest = [pixels[..., other] for other in range(3) if other != part]
    painted = (pixels[..., part] > rest[0]) & (pixels[..., part] > rest[1])
    black = (before < BLACK).all(axis=2)
    grey = (pixels < 4 * BLACK).all(axis=2)
    # Beside the edges a place of a smaller picture has something of both.
    soft = (before.max(axis=2) < 255 - BLACK) & ~black
    stray = float(np.mean(~painted & ~black & ~soft)), float(np.mean(black & ~grey))
    problems = [f"The background of {of['path']} is not {colour} everywhere."] if stray[0] > MOST_STRAY else []
    return unless(problems + ([f"{of['path']} no longer shows what was on it."] if stray[1] > MOST_STRAY else []))


@CHECKS.register
def same_picture_folder(of: Seen, other: Seen, same_size: bool = False) -> Finding:
    """A folder has pictures of the same names as another one, each like its counterpart."""
    mine, theirs = ({each["name"]: each for each in side["pictures"]} for side in (of, other))
    if not theirs:
        return wrong(f"{other['path']} has no pictures to compare with.")
    if sorted(mine) != sorted(theirs):
        return wrong(
            f"{of['path']} holds {', '.join(sorted(mine)) or 'nothing'}, expected {', '.join(sorted(theirs))}."
        )
    findings = [picture_like(mine[name], theirs[name], same_size) for name in sorted(mine)]
    return unless(said for finding in findings for said in finding.feedback)


@CHECKS.register
def picture_contrast(of: Seen, original: Seen, direction: Literal["more", "less"] = "more") -> Finding:
    """A picture shows the same, but with more contrast, or less."""
    one, two = pixels_seen(of), pixels_seen(original)
    if one.shape != two.shape:
        return wrong(f"{of['path']} has other proportions than {original['path']}.")
    spread = [float(each.mean(axis=2).std()) for each in (one, two)]
    moved = spread[0] > spread[1] if direction == "more" else spread[0] < spread[1]
    flat = [each.mean(axis=2).ravel() for each in (one, two)]
    alike = min(spread) > 1 and float(np.corrcoef(*flat)[0, 1]) >= 0.8
    problems = [] if alike else [f"{of['path']} does not show what {original['path']} shows."]
    return unless(problems + ([] if moved else [f"The contrast of {of['path']} is not {direction} than before."]))
