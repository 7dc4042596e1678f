"""What was seen at one instant, and what an agent wants to see."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from proctor.errors import SpecError
from proctor.observations.clip import Clip
from proctor.observations.marks import Marks
from proctor.observations.outline import Outline
from proctor.observations.tree import Tree
from proctor.observations.window import SeenWindow
from proctor.records import Told

MAX_CLIP_SEC = 600.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Want:
    """Which parts of an observation to gather; what is not wanted is not paid for."""

    screenshot: bool = True
    cursor: bool = True
    """Draw the pointer into the screenshot."""
    tree: bool = False
    marks: bool = False
    windows: bool = False
    terminal: bool = False
    clip_sec: float = 0.0
    """How many of the last seconds to see as a clip; 0 for none."""
    scale: float = 1.0
    """Size of the screenshot relative to the desktop, at most 1."""
    fit: tuple[int, int] | None = None
    """Largest width and height of the screenshot, its proportions kept; applied after `scale`."""

    def __post_init__(self) -> None:
        if not 0 < self.scale <= 1:
            raise SpecError(f"Want.scale is {self.scale}", remedy="give a number above 0 and at most 1")
        if self.fit is not None and min(self.fit) < 1:
            raise SpecError(f"Want.fit is {self.fit}", remedy="give a width and a height of 1 or more")
        if not 0 <= self.clip_sec <= MAX_CLIP_SEC:
            raise SpecError(f"Want.clip_sec is {self.clip_sec}", remedy=f"give 0 to {MAX_CLIP_SEC:g} seconds")

    @property
    def parts(self) -> tuple[str, ...]:
        """Which parts of an observation it asks for, by name."""
        asked = {
            "screenshot": self.screenshot, "tree": self.tree, "marks": self.marks, "windows": self.windows,
            "terminal": self.terminal, "clip": self.clip_sec > 0,
        }  # fmt: skip
        return tuple(name for name, wanted in asked.items() if wanted)

    def image_size(self, desktop: tuple[int, int]) -> tuple[int, int]:
        """Return the size of the screenshot of a desktop of this size."""
        width, height = (side * self.scale for side in desktop)
        if self.fit is not None:
            shrink = min(self.fit[0] / width, self.fit[1] / height, 1.0)
            width, height = width * shrink, height * shrink
        return max(round(width), 1), max(round(height), 1)


@dataclass(frozen=True, kw_only=True)
class Observation:
    """What was seen at one instant; parts that were not wanted are None."""

    at: float
    """Seconds since the epoch on the host's clock, when looking began."""
    desktop: tuple[int, int]
    """Width and height of the desktop in pixels; every box is in these pixels."""
    screenshot: Image.Image | None = None
    tree: Tree | None = None
    outline: Outline | None = None
    """What the tree shows, as text for a model is made of it; there with `tree` and with `marks`."""
    marks: Marks | None = None
    """Its image has the size of the screenshot; its boxes are in desktop pixels."""
    windows: tuple[SeenWindow, ...] | None = None
    """Bottom to top."""
    terminal: str | None = None
    """Text of the frontmost terminal; None also when there is none."""
    clip: Clip | None = None
    degraded: tuple[str, ...] = ()
    """Why parts may be incomplete, one reason each; empty when all is whole."""
    told: tuple[Told, ...] = ()
    """What was said to the agent since its last turn, in order."""
    steps: int | None = None
    """How many actions were carried out before it in this episode; None where nobody counts."""

    @property
    def scale(self) -> tuple[float, float]:
        """Image pixels per desktop pixel, across and down."""
        image = self.screenshot or (self.marks.image if self.marks else None)
        return (image.width / self.desktop[0], image.height / self.desktop[1]) if image else (1.0, 1.0)

    def to_desktop(self, x: float, y: float) -> tuple[float, float]:
        """Return the place on the desktop of a place in the screenshot."""
        across, down = self.scale
        return x / across, y / down
