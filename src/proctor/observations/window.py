"""A top-level window as observations know it."""

from __future__ import annotations

from typing import Protocol

from proctor.observations.box import Box


class SeenWindow(Protocol):
    """What an observation says of a window."""

    @property
    def title(self) -> str:
        """What its title bar says."""

    @property
    def app(self) -> str:
        """Class of its application."""

    @property
    def box(self) -> Box:
        """Where it is on the desktop."""

    @property
    def active(self) -> bool:
        """Whether it has the input focus."""

    @property
    def minimised(self) -> bool:
        """Whether it is hidden in the panel."""
