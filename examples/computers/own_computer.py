"""A computer of your own, to be opened as `own_computer:CanvasComputer`: a canvas that the mouse draws on."""

from PIL import Image, ImageDraw

from proctor.computers.computer import Computer, Parts
from proctor.computers.parts.pointer import Pointer


class Canvas(Pointer):  # is both parts of the computer: its screen and its pointer
    def __init__(self, size):
        self.size, self.at, self.drawing = size, (size[0] // 2, size[1] // 2), False
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
            ImageDraw.Draw(self.picture).line([self.at, (x, y)], fill="blue", width=4)
        self.at = (x, y)

    def button(self, button, down):
        self.drawing = down and button == "left"

    def scroll(self, dx, dy):
        pass


class CanvasComputer(Computer):
    backend = "canvas"

    def __init__(self, *, size=(640, 480)):
        canvas = Canvas(size)
        super().__init__(Parts(screen=canvas, pointer=canvas))
