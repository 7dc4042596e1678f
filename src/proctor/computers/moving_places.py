"""Places on a screen that move by themselves, found by counting in tiles how often each has changed."""

from __future__ import annotations

import numpy as np

from proctor.observations.box import Box

RESTLESS_AFTER = 4
"""A place that has changed so often while the rest was waited for moves by itself."""
MOST_PLACES = 64

Counts = np.ndarray[tuple[int, ...], np.dtype[np.int32]]


def no_counts(size: tuple[int, int], tile: int) -> Counts:
    """Return counts for a screen on which nothing has changed yet."""
    return np.zeros((-(-size[1] // tile), -(-size[0] // tile)), np.int32)


def restless_places(counts: Counts, tile: int) -> list[Box]:
    """Return the tiles that changed again and again."""
    rows, columns = (counts >= RESTLESS_AFTER).nonzero()
    places = [Box(int(x) * tile, int(y) * tile, tile, tile) for y, x in zip(rows, columns, strict=True)]
    return places[:MOST_PLACES]
