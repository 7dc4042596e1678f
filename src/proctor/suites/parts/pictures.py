"""What the pictures of tasks show, and the moves by which they are saved."""

from __future__ import annotations

from typing import Any

from proctor.home import HOME
from proctor.tasks.call import Call
from proctor.tasks.shelves import hand

COLOURS = {
    "red": "#c1121f", "green": "#2a9d4a", "yellow": "#ffd000", "blue": "#1d4ed8", "orange": "#f77f00",
    "purple": "#7b2cbf",
}  # fmt: skip
SUBJECTS = ("boat", "house", "tree", "mountain")

Scene = dict[str, Any]
"""Background and shapes, as `make.picture` takes them."""


def scene_of(subject: str, colour: str, scale: float = 1.0) -> Scene:
    """Return a scene of 640 x 480 pixels, times `scale`, whose subject has mainly this colour."""
    fill = COLOURS.get(colour, colour)
    ground, sky = ("#2a6f97", "#a9d6e5") if subject == "boat" else ("#606c38", "#cde7f0")
    shapes: list[Scene] = [{"kind": "rectangle", "box": (0, 300, 640, 180), "fill": ground}]
    if subject == "boat":
        shapes += [
            {"kind": "polygon", "points": [(160, 290), (440, 290), (390, 370), (210, 370)], "fill": fill},
            {"kind": "polygon", "points": [(300, 80), (300, 280), (410, 280)], "fill": "#ffffff"},
        ]
    elif subject == "house":
        shapes += [
            {"kind": "rectangle", "box": (180, 200, 220, 170), "fill": fill},
            {"kind": "polygon", "points": [(150, 200), (290, 90), (430, 200)], "fill": "#5c4033"},
            {"kind": "rectangle", "box": (330, 280, 45, 90), "fill": "#3d2b1f"},
        ]
    elif subject == "tree":
        shapes += [
            {"kind": "rectangle", "box": (270, 240, 50, 150), "fill": "#5c4033"},
            {"kind": "ellipse", "box": (170, 60, 230, 220), "fill": fill},
        ]
    else:
        shapes += [
            {"kind": "polygon", "points": [(60, 340), (300, 70), (520, 340)], "fill": fill},
            {"kind": "polygon", "points": [(250, 126), (300, 70), (346, 126)], "fill": "#ffffff"},
        ]
    shapes.append({"kind": "ellipse", "box": (520, 40, 70, 70), "fill": "#ffb703"})
    return {"background": sky, "shapes": [_scale(shape, scale) for shape in shapes]}


def _scale(shape: Scene, scale: float) -> Scene:
    larger = dict(shape)
    if "box" in shape:
        larger["box"] = [value * scale for value in shape["box"]]
    if "points" in shape:
        larger["points"] = [[x * scale, y * scale] for x, y in shape["points"]]
    return larger


def pick_tool(name: str) -> Call:
    """Choose a tool of Drawing by its name in the side bar."""
    return hand.click(name, role="label", app="drawing")


def apply_tool() -> Call:
    """Press the button with the tick at the lower right of Drawing."""
    return hand.click(role="push button", app="drawing", nth=-1)


def resize(width: int, height: int) -> tuple[Call, ...]:
    """Scale the picture that is open in Drawing."""
    return (
        pick_tool("Scale"),
        hand.await_element("Width", role="label", app="drawing"),
        hand.click(role="spin button", app="drawing", nth=0, at=(0.1, 0.5)),
        hand.press("ctrl+a"),
        hand.type(f"{width}\t"),
        hand.type(f"{height}\t"),
        apply_tool(),
    )


def mirror() -> tuple[Call, ...]:
    """Mirror the picture that is open in Drawing, left to right."""
    return (pick_tool("Rotate"), hand.click(role="push button", app="drawing", nth=-4), apply_tool())


def save_as(path: str, *, title: str = "Save picture as", keys: str = "ctrl+shift+s") -> tuple[Call, ...]:
    """Save under another name through the dialog that these keys open."""
    return (
        hand.press(keys),
        hand.await_window(title),
        hand.press("ctrl+a"),
        hand.type(f"{HOME}/{path}"),
        hand.press("Return"),
        hand.await_window(title, gone=True),
    )
