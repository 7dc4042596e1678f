"""A computer of your own, to be opened as `own_computer:CanvasComputer`: a canvas that the mouse draws on.

A distribution that is installed adds it by a name of its own, with two lines in its `pyproject.toml`:

    [project.entry-points."proctor.computers"]
    canvas = "own_computer:CanvasComputer"

Then `open_computer("canvas", colour="red")`, `proctor run ... --computer canvas,colour=red,size=800x600` and
`proctor doctor` know it: its options are those of its dataclass, and its checks are looked at with the others.
"""

from dataclasses import dataclass

from PIL import Image, ImageDraw, features

from proctor.computers.computer import Computer, Parts
from proctor.computers.host_checks import judge
from proctor.computers.options import take_options
from proctor.computers.parts.pointer import Pointer


class Canvas(Pointer):  # is both parts of the computer: its screen and its pointer
    def __init__(self, size, colour):
        self.size, self.at, self.drawing, self.colour = size, (size[0] // 2, size[1] // 2), False, colour
        self.picture = Image.new("RGB", size, "white")

    def screenshot(self, *, cursor):
        shot = self.picture.copy()
        if cursor:
            ImageDraw.Draw(shot).regular_polygon((*self.at, 9), 3, fill="black")
        return shot

    def position(self):
        return self.at

    def move(self, x, y):
        if self.drawing:
            ImageDraw.Draw(self.picture).line([self.at, (x, y)], fill=self.colour, width=4)
        self.at = (x, y)

    def button(self, button, down):
        self.drawing = down and button == "left"

    def scroll(self, dx, dy):
        pass


@dataclass(frozen=True, kw_only=True)
class CanvasOptions:
    """What can be said of it; the text below each field is what the doctor tells."""

    size: tuple[int, int] = (640, 480)
    """Width and height of the canvas."""
    colour: str = "blue"
    """What the mouse draws with."""


class CanvasComputer(Computer):
    backend = "canvas"
    Options = CanvasOptions

    def __init__(self, options=None, /, **given):
        told = take_options(CanvasOptions, options, given)
        canvas = Canvas(told.size, told.colour)
        super().__init__(Parts(screen=canvas, pointer=canvas))

    @classmethod
    def checks(cls):
        return {"pictures": lambda name: judge(name, features.check("zlib"), "Pillow writes PNG", "install zlib")}
