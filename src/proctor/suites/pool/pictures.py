"""Subtasks on pictures in KolourPaint.

What is known of a picture is its size, its colour and its mark: a square in one of its corners. Those of the beginning
have it in white in the upper left corner; `corner` and `mark` say where it is otherwise.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from proctor.errors import SpecError
from proctor.graphs.compose.equip import COLOURS, MARK
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import base, close_window, full, new_path, open_file, quote_path
from proctor.suites.parts.ways import by_hand, by_pillow, repaint
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss, Way

Content = dict[str, Any]

DEMAND = "Creativity/Digital Content Creation/Image Editing"
FORMATS: dict[str, Literal["PNG", "JPEG", "BMP"]] = {".png": "PNG", ".jpg": "JPEG", ".bmp": "BMP"}
MIRRORED = {"left": "right", "right": "left"}
FLIPPED = {"upper": "lower", "lower": "upper"}
TURNED = {
    "upper left": "upper right",
    "upper right": "lower right",
    "lower right": "lower left",
    "lower left": "upper left",
}
"""Where each corner is after a quarter turn to the right."""


def content_of_picture(resource: Resource) -> Content:
    """Return what is known of a picture that is painted by the rules.

    Raises:
        SpecError: It shows something else.
    """
    content = resource.content
    if not isinstance(content, dict) or not {"width", "height", "colour"} <= set(content):
        raise SpecError(f"nobody knows what {resource.value} looks like", remedy="give it another picture")
    return {
        "corner": "upper left",
        "mark": MARK,
        **content,
        "colour": COLOURS.get(content["colour"], content["colour"]),
    }


def plain(content: Content) -> Content:
    """Return what is known of a picture in short: its colour's name, and no mark in its usual place."""
    names = {code: name for name, code in COLOURS.items()}
    known = {**content, "colour": names.get(content["colour"], content["colour"])}
    usual = {"corner": "upper left", "mark": MARK}
    return {key: value for key, value in known.items() if usual.get(key) != value}


def looks(picture: Resource) -> Call:
    """Return the check that a picture is as its content says, and of the format its name ends with."""
    known, seen = content_of_picture(picture), see.picture(picture.value)
    return expect.all_of(
        [
            expect.picture_format(seen, FORMATS[ending_of(picture)]),
            expect.picture_size(seen, known["width"], known["height"]),
            expect.picture_marked(seen, known["colour"], known["mark"], known["corner"]),
        ]
    )


def ending_of(resource: Resource) -> str:
    """Return what a file's name ends with."""
    return f".{base(resource).rpartition('.')[2]}"


class _PaintedOver(Subtask):
    """A copy of a picture is changed in KolourPaint as a whole."""

    app = "kolourpaint"
    takes = {"source": "image"}
    gives = {"picture": "image"}
    demand = DEMAND
    version = 2
    words: ClassVar[tuple[str, ...]]
    """What the copy is called after."""

    @abstractmethod
    def draw_change(self, content: Content, draw: Draw) -> tuple[Content, dict[str, str]]:
        """Return what the copy looks like, and the parameters."""

    @abstractmethod
    def change(self, bound: Bound) -> tuple[Call, ...]:
        """Return the moves that change the open picture."""

    @abstractmethod
    def painted_so(self, bound: Bound) -> str:
        """Return the expression of Pillow that changes a `picture` so."""

    @abstractmethod
    def keys(self, bound: Bound) -> tuple[Call, ...]:
        """Return the moves that change the open picture by another way than its menus."""

    @abstractmethod
    def mistaken(self, bound: Bound) -> dict[str, str]:
        """Return expressions of Pillow that do something else, each by what goes wrong."""

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        # Other formats make KolourPaint warn of what they lose.
        if ending_of(source) != ".png":
            raise SpecError(f"{source.value} is not a PNG", remedy="give it another picture")
        content, params = self.draw_change(content_of_picture(source), draw)
        path = new_path(draw, theme, "Pictures", self.words, ".png")
        return Bound(takes=takes, gives={"picture": Resource("image", path, plain(content))}, params=params)

    def work(self, bound: Bound) -> Work:
        source, picture = bound.takes["source"], bound.gives["picture"]
        shown = open_file("kolourpaint", source)
        saved = (
            hand.press("ctrl+shift+s"),
            hand.await_window("Save Image As"),
            hand.press("ctrl+a"),
            hand.type(full(picture)),
            hand.press("Return"),
            hand.await_window("Save Image As", gone=True),
            hand.await_saved(picture.value),
            *close_window(base(picture)),
        )
        return Work(
            moves=(*shown, *self.change(bound), *saved),
            check=looks(picture),
            near_misses=(NearMiss(name="copied unchanged", moves=(*shown, *saved)),),
            other_ways=(
                by_pillow("by Python", source.value, picture.value, self.painted_so(bound)),
                by_hand("by keys", *shown, *self.keys(bound), *saved),
            ),
            cheats=(*_never_painted(source, picture, self.painted_so(bound)), *self._mistakes(bound)),
        )

    def _mistakes(self, bound: Bound) -> tuple[Way, ...]:
        source, picture = bound.takes["source"].value, bound.gives["picture"].value
        return tuple(by_pillow(name, source, picture, change) for name, change in self.mistaken(bound).items())


def _never_painted(source: Resource, picture: Resource, change: str) -> tuple[Way, ...]:
    """Return cheats at any change of a picture."""
    size = (content_of_picture(picture)["width"], content_of_picture(picture)["height"])
    one_colour = f"Image.new('RGB', {size}, {content_of_picture(picture)['colour']!r})"
    return (
        by_pillow("all of one colour", source.value, picture.value, one_colour),
        by_pillow("another format under that name", source.value, picture.value, change, "'JPEG'"),
        by_hand(
            "the original changed as well",
            repaint(source.value, picture.value, change),
            hand.run_code(f"cp {quote_path(picture)} {quote_path(source)}"),
        ),
    )


class ScalePicture(_PaintedOver):
    """A copy of a picture is scaled to another size."""

    asks = (
        "make a copy of {source} scaled to {width} by {height} pixels and save it as {picture}",
        "scale {source} to a width of {width} and a height of {height} pixels and save that as {picture}",
    )
    brief = "scale {source} to {width} by {height} pixels as {picture}"
    steps = (
        "Open {source} in KolourPaint.",
        "Scale it to {width} by {height} pixels.",
        "Save it as {picture} and close KolourPaint.",
    )
    words = ("small", "resized", "scaled")

    def draw_change(self, content: Content, draw: Draw) -> tuple[Content, dict[str, str]]:
        fitting = [part for part in (0.25, 0.5, 0.75) if part * content["width"] >= 160]
        if not fitting:
            raise SpecError(
                f"a picture {content['width']} pixels wide is not to be scaled", remedy="give it another one"
            )
        part = draw.choice(fitting)
        width, height = round(part * content["width"]), round(part * content["height"])
        return {**content, "width": width, "height": height}, {"width": str(width), "height": str(height)}

    def change(self, bound: Bound) -> tuple[Call, ...]:
        return (
            hand.press("ctrl+e"),
            hand.await_window("Resize / Scale"),
            hand.type(f"{bound.params['width']}\t{bound.params['height']}"),
            # Twice, as the first may come while it still reckons with the numbers; it stays chosen.
            hand.press("alt+s"),
            hand.press("alt+s"),
            hand.press("Return"),
            hand.await_window("Resize / Scale", gone=True),
        )

    def painted_so(self, bound: Bound) -> str:
        return f"picture.resize(({bound.params['width']}, {bound.params['height']}))"

    def keys(self, bound: Bound) -> tuple[Call, ...]:
        # From the menu, and smoothly.
        return (
            hand.menu(["Image", "Resize / Scale..."]),
            hand.await_window("Resize / Scale"),
            hand.type(f"{bound.params['width']}\t{bound.params['height']}"),
            hand.press("alt+m"),
            hand.press("alt+m"),
            hand.press("Return"),
            hand.await_window("Resize / Scale", gone=True),
        )

    def mistaken(self, bound: Bound) -> dict[str, str]:
        width, height = bound.params["width"], bound.params["height"]
        return {
            "cut off instead of scaled": f"picture.crop((0, 0, {width}, {height}))",
            "the other way round": f"picture.resize(({height}, {width}))",
        }


class TurnPicture(_PaintedOver):
    """A copy of a picture is rotated by 90 degrees."""

    asks = (
        "rotate {source} by 90 degrees to the {way} and save that as {picture}",
        "make a copy of {source} rotated a quarter turn to the {way} and save it as the PNG picture {picture}",
    )
    brief = "rotate {source} to the {way} as {picture}"
    steps = (
        "Open {source} in KolourPaint.",
        "Rotate it by 90 degrees to the {way}.",
        "Save it as {picture} and close KolourPaint.",
    )
    words = ("turned", "rotated", "upright")

    def draw_change(self, content: Content, draw: Draw) -> tuple[Content, dict[str, str]]:
        way = draw.choice(("left", "right"))
        corner = content["corner"]
        for _ in range(1 if way == "right" else 3):
            corner = TURNED[corner]
        return {**content, "width": content["height"], "height": content["width"], "corner": corner}, {"way": way}

    def change(self, bound: Bound) -> tuple[Call, ...]:
        return (hand.menu(["Image", f"Rotate {bound.params['way'].capitalize()}"]),)

    def painted_so(self, bound: Bound) -> str:
        return f"picture.rotate({90 if bound.params['way'] == 'left' else -90}, expand=True)"

    def keys(self, bound: Bound) -> tuple[Call, ...]:
        return (hand.press(f"ctrl+shift+{bound.params['way'].capitalize()}"),)

    def mistaken(self, bound: Bound) -> dict[str, str]:
        return {
            "to the other side": f"picture.rotate({-90 if bound.params['way'] == 'left' else 90}, expand=True)",
            "squeezed instead of turned": "picture.resize((picture.height, picture.width))",
        }


class MirrorPicture(_PaintedOver):
    """A copy of a picture is mirrored left to right."""

    asks = (
        "mirror {source} left to right and save that as {picture}",
        "make a copy of {source} that is mirrored horizontally and save it as the PNG picture {picture}",
    )
    brief = "mirror {source} horizontally as {picture}"
    steps = (
        "Open {source} in KolourPaint.",
        "Mirror it horizontally.",
        "Save it as {picture} and close KolourPaint.",
    )
    words = ("mirrored", "mirror", "reversed")

    def draw_change(self, content: Content, draw: Draw) -> tuple[Content, dict[str, str]]:
        height, side = content["corner"].split()
        return {**content, "corner": f"{height} {MIRRORED[side]}"}, {}

    def change(self, bound: Bound) -> tuple[Call, ...]:
        return (hand.menu(["Image", "Mirror (horizontally)"]),)

    def painted_so(self, bound: Bound) -> str:
        return "ImageOps.mirror(picture)"

    def keys(self, bound: Bound) -> tuple[Call, ...]:
        # Upside down and then turned by half.
        return (hand.press("ctrl+f"), hand.press("ctrl+shift+Right", times=2))

    def mistaken(self, bound: Bound) -> dict[str, str]:
        return {"upside down": "ImageOps.flip(picture)", "turned by half": "picture.rotate(180)"}


class FlipPicture(_PaintedOver):
    """A copy of a picture is flipped upside down."""

    asks = (
        "flip {source} upside down and save that as {picture}",
        "make a copy of {source} that is flipped vertically and save it as the PNG picture {picture}",
    )
    brief = "flip {source} vertically as {picture}"
    steps = (
        "Open {source} in KolourPaint.",
        "Flip it upside down.",
        "Save it as {picture} and close KolourPaint.",
    )
    words = ("flipped", "upside-down", "flip")

    def draw_change(self, content: Content, draw: Draw) -> tuple[Content, dict[str, str]]:
        height, side = content["corner"].split()
        return {**content, "corner": f"{FLIPPED[height]} {side}"}, {}

    def change(self, bound: Bound) -> tuple[Call, ...]:
        return (hand.menu(["Image", "Flip (upside down)"]),)

    def painted_so(self, bound: Bound) -> str:
        return "ImageOps.flip(picture)"

    def keys(self, bound: Bound) -> tuple[Call, ...]:
        return (hand.press("ctrl+f"),)

    def mistaken(self, bound: Bound) -> dict[str, str]:
        return {"left to right": "ImageOps.mirror(picture)", "turned by half": "picture.rotate(180)"}


class InvertPicture(_PaintedOver):
    """The colours in a copy of a picture are inverted."""

    asks = (
        "invert the colours of {source} and save that as {picture}",
        "make a copy of {source} with inverted colours and save it as the PNG picture {picture}",
    )
    brief = "invert {source} as {picture}"
    steps = (
        "Open {source} in KolourPaint.",
        "Invert its colours.",
        "Save it as {picture} and close KolourPaint.",
    )
    words = ("negative", "inverted", "inverse")

    def draw_change(self, content: Content, draw: Draw) -> tuple[Content, dict[str, str]]:
        return {**content, "colour": _opposite(content["colour"]), "mark": _opposite(content["mark"])}, {}

    def change(self, bound: Bound) -> tuple[Call, ...]:
        return (hand.menu(["Image", "Invert Colors"]),)

    def painted_so(self, bound: Bound) -> str:
        return "ImageOps.invert(picture.convert('RGB'))"

    def keys(self, bound: Bound) -> tuple[Call, ...]:
        return (hand.press("ctrl+i"),)

    def mistaken(self, bound: Bound) -> dict[str, str]:
        return {
            "in shades of grey": "ImageOps.invert(picture.convert('L'))",
            "red and blue exchanged": "Image.merge('RGB', picture.convert('RGB').split()[::-1])",
        }


def _opposite(colour: str) -> str:
    return f"#{0xFFFFFF - int(colour[1:], 16):06x}"
