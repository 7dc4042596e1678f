"""Fills an observation from a computer."""

from __future__ import annotations

import time

from PIL import Image

from proctor.computers.computer import Capability, Computer
from proctor.computers.drift import Drift
from proctor.observations.marks import mark
from proctor.observations.observation import Observation, Want


def observe(computer: Computer, want: Want | None = None, *, drift: Drift | None = None) -> Observation:
    """Look at a computer: screenshot, tree, windows, terminal and clip, always in this order.

    The screenshot is taken through `drift` where that is given, so that it can tell later what has changed.

    Raises SpecError, before anything is looked at, when the computer cannot show what is wanted.
    """
    want = want or Want()
    computer.need(*needs(want))
    at = time.time()
    size = want.image_size(computer.size)
    screenshot = drift.look if drift else computer.screenshot
    image = _resized(screenshot(cursor=want.cursor), size) if want.screenshot or want.marks else None
    tree = computer.tree() if want.tree or want.marks else None
    windows = tuple(computer.windows()) if want.windows or (want.marks and "windows" in computer.capabilities) else ()
    across, down = size[0] / computer.size[0], size[1] / computer.size[1]
    return Observation(
        at=at,
        desktop=computer.size,
        screenshot=image if want.screenshot else None,
        tree=tree if want.tree else None,
        marks=mark(image, tree, windows=windows, scale=(across, down)) if want.marks and image and tree else None,
        windows=windows if want.windows else None,
        terminal=computer.terminal() if want.terminal else None,
        clip=computer.clip(want.clip_sec) if want.clip_sec else None,
        degraded=tuple(f"tree: {reason}" for reason in tree.degraded) if tree is not None else (),
    )


def needs(want: Want) -> list[Capability]:
    """Return what a computer must be able to do for this, for planning."""
    wanted: dict[Capability, bool] = {
        "screen": want.screenshot or want.marks,
        "tree": want.tree or want.marks or want.terminal,
        "windows": want.windows or want.terminal,
        "clip": want.clip_sec > 0,
    }
    return [name for name, is_wanted in wanted.items() if is_wanted]


def _resized(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    return image if image.size == size else image.resize(size, Image.Resampling.LANCZOS)
