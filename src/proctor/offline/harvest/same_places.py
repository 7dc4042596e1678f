"""Where two pictures are the same: an element there need not be asked about again."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from proctor.observations.box import Box
from proctor.observations.tree import Still

Pixels = NDArray[np.uint8]
"""A picture as rows of pixels of three numbers."""


def compare_pictures(before: Pixels, now: Pixels, size: tuple[int, int]) -> Still | None:
    """Return what tells whether two pictures are the same in a box; None for pictures of two sizes."""
    if before.shape != now.shape:
        return None
    height, width, bands = now.shape
    differs = (before != now).reshape(height, width * bands)
    across, down = width / size[0], height / size[1]
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0)) // bands

    def still(box: Box) -> bool:
        if not rows.size:
            return True
        left, right = math.floor(box.x * across), math.ceil((box.x + box.width) * across)
        top, bottom = math.floor(box.y * down), math.ceil((box.y + box.height) * down)
        # Only where something was drawn at all is looked at: most elements are small, and what holds them is not.
        left, right = max(left, columns[0]), min(right, columns[-1] + 1)
        top, bottom = max(top, rows[0]), min(bottom, rows[-1] + 1)
        if left >= right or top >= bottom:
            return True
        return not differs[top:bottom, left * bands : right * bands].any()

    return still
