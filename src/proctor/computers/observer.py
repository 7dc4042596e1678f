"""Fills an observation from a computer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from PIL import Image

from proctor.computers.computer import Capability, Computer, Window
from proctor.computers.drift import Drift
from proctor.errors import ComputerError, HostError
from proctor.observations.marks import mark
from proctor.observations.observation import Observation, Want
from proctor.observations.outline import outline
from proctor.observations.outline_ids import Ids
from proctor.observations.tree import Tree

Seen = TypeVar("Seen")


def observe(
    computer: Computer,
    want: Want | None = None,
    *,
    drift: Drift | None = None,
    ids: Ids | None = None,
    sparing: bool = False,
) -> Observation:
    """Look at a computer: screenshot, tree, windows, terminal and clip, always in this order.

    `drift` takes the screenshot, to tell later what has changed; `ids` remembers the numbers of elements. With
    `sparing`, other parts that fail are left empty, with the reason in `degraded`: an agent may have ended its own
    desktop's buses. Raises SpecError, before anything is looked at, for what the computer cannot show.
    """
    want = want or Want()
    computer.need(*needs(want))
    at = time.time()
    size = want.image_size(computer.size)
    look = _Look(sparing)
    screenshot = drift.look if drift else computer.screenshot
    image = screenshot(cursor=want.cursor) if want.screenshot or want.marks else None
    if image and image.size != size:
        image = image.resize(size, Image.Resampling.LANCZOS)
    tree = look("tree", computer.tree, Tree()) if want.tree or want.marks else None
    listed = want.windows or (tree is not None and "windows" in computer.capabilities)
    none: list[Window] = []
    windows = tuple(look("windows", computer.windows, none)) if listed else ()
    across, down = size[0] / computer.size[0], size[1] / computer.size[1]
    shown = None if tree is None else outline(tree, size=computer.size, windows=windows, ids=ids)
    terminal = look("terminal", computer.terminal, None) if want.terminal else None
    clip = look("clip", lambda: computer.clip(want.clip_sec), None) if want.clip_sec else None
    return Observation(
        at=at,
        desktop=computer.size,
        screenshot=image if want.screenshot else None,
        tree=tree if want.tree else None,
        outline=shown,
        marks=mark(image, shown, scale=(across, down)) if want.marks and image and shown else None,
        windows=windows if want.windows else None,
        terminal=terminal,
        clip=clip,
        degraded=(*look.failed, *(f"tree: {reason}" for reason in (tree.degraded if tree is not None else ()))),
    )


class _Look:
    def __init__(self, sparing: bool) -> None:
        self.failed: list[str] = []
        self._sparing = sparing

    def __call__(self, part: str, ask: Callable[[], Seen], otherwise: Seen) -> Seen:
        try:
            return ask()
        except HostError:
            raise
        except (ComputerError, OSError) as error:
            if not self._sparing:
                raise
            said = error.message if isinstance(error, ComputerError) else error
            self.failed.append(f"{part}: {said}")
            return otherwise


def needs(want: Want) -> list[Capability]:
    """Return what a computer must be able to do for this, for planning."""
    wanted: dict[Capability, bool] = {
        "screen": want.screenshot or want.marks,
        "tree": want.tree or want.marks or want.terminal,
        "windows": want.windows or want.terminal,
        "clip": want.clip_sec > 0,
    }
    return [name for name, is_wanted in wanted.items() if is_wanted]
