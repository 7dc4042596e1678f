"""Clips: the last seconds of the screen."""

from __future__ import annotations

from typing import Protocol

from proctor.observations import clip


class Clips(Protocol):
    """A memory of what the screen showed."""

    def clip(self, seconds: float) -> clip.Clip:
        """Return the last seconds of the screen; SpecError where it was told to keep none."""
