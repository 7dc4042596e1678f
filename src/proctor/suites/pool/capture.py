"""Subtasks that take pictures of the screen, and that change what is seen on it."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.composing.equip import WALLPAPER
from proctor.graphs.composing.resource import Resource
from proctor.graphs.composing.subtask import Bound, Subtask, Work
from proctor.graphs.composing.theme import Theme
from proctor.suites.parts.programs import base, closed, full, named, named_in_dialog, opened, started
from proctor.suites.pool.pictures import painted, plain
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss

SCREEN = {"width": 1920, "height": 1080}
TOOL = "Screenshot"
HUNG = (".png", ".jpg")
"""Endings of the pictures that Thunar offers to set as wallpaper."""


def taken(region: str, picture: Resource) -> tuple[Call, ...]:
    """Take a picture of a region of the screen with the tool and save it."""
    return (
        *started("xfce4-screenshooter", TOOL),
        hand.click(region, role="radio button", window=TOOL),
        hand.click("OK", role="push button", window=TOOL),
        hand.click("/^Save$/", role="radio button", window=TOOL),
        hand.click("OK", role="push button", window=TOOL),
        *named_in_dialog("Save screenshot as", picture),
    )


class CaptureScreen(Subtask):
    """A screenshot of the whole screen is taken."""

    app = "xfce4-screenshooter"
    gives = {"picture": "image"}
    asks = (
        "take a screenshot of the whole screen and save it as the PNG picture {picture}",
        "capture the entire screen and save that as the PNG picture {picture}",
    )
    steps = ("Start the screenshot tool.", "Capture the entire screen.", "Save it as {picture}.")
    demand = "Knowledge/Knowledge/Notes and Mindmaps"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = named(draw, theme, "Pictures", ("screen", "screenshot", "desktop"), ".png")
        return Bound(gives={"picture": Resource("image", path, dict(SCREEN))})

    def work(self, bound: Bound) -> Work:
        picture = bound.gives["picture"]
        elsewhere = Resource("image", picture.value.replace("Pictures/", "Documents/"))
        return Work(
            moves=taken("Entire screen", picture),
            check=_of_the_screen(picture),
            near_misses=(NearMiss(name="in another folder", moves=taken("Entire screen", elsewhere)),),
        )


class CaptureWallpaper(Subtask):
    """A screenshot of the screen with its wallpaper is taken."""

    app = "xfce4-screenshooter"
    takes = {"wallpaper": "wallpaper"}
    gives = {"picture": "image"}
    asks = (
        "take a screenshot of the whole desktop showing {wallpaper} and save it as the PNG picture {picture}",
        "capture the whole screen including {wallpaper} and save that as the PNG picture {picture}",
    )
    steps = (
        "Start the screenshot tool.",
        "Capture the entire screen with {wallpaper} on it.",
        "Save it as {picture}.",
    )
    demand = "Knowledge/Knowledge/Notes and Mindmaps"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        painted(takes["wallpaper"])
        path = named(draw, theme, "Pictures", ("background", "new-desktop", "backdrop"), ".png")
        return Bound(takes=takes, gives={"picture": Resource("image", path, dict(SCREEN))})

    def work(self, bound: Bound) -> Work:
        picture, shown = bound.gives["picture"], painted(bound.takes["wallpaper"])
        elsewhere = Resource("image", picture.value.replace("Pictures/", "Documents/"))
        return Work(
            moves=taken("Entire screen", picture),
            check=expect.all_of(
                [_of_the_screen(picture), expect.has_colour(see.picture(picture.value), shown["colour"], least=0.5)]
            ),
            near_misses=(NearMiss(name="in another folder", moves=taken("Entire screen", elsewhere)),),
        )


class CapturePicture(Subtask):
    """The window that shows a picture is captured."""

    app = "xfce4-screenshooter"
    takes = {"source": "image"}
    gives = {"picture": "image"}
    asks = (
        "open {source} in the image viewer and save a screenshot of just that window as the PNG picture {picture}",
        "show {source} in the image viewer and capture only that window as the PNG picture {picture}",
    )
    steps = (
        "Open {source} in the image viewer.",
        "Capture the active window with the screenshot tool.",
        "Save it as {picture} and close the viewer.",
    )
    demand = "Knowledge/Knowledge/Notes and Mindmaps"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        known = painted(takes["source"])
        if not 300 <= known["width"] <= 1100 or not 200 <= known["height"] <= 800:
            raise SpecError(f"{takes['source'].value} does not fit a window", remedy="hand it another picture")
        path = named(draw, theme, "Pictures", ("window", "viewer", "captured"), ".png")
        return Bound(takes=takes, gives={"picture": Resource("image", path)})

    def work(self, bound: Bound) -> Work:
        source, picture = bound.takes["source"], bound.gives["picture"]
        seen, shown = see.picture(picture.value), opened("eog", source)
        return Work(
            moves=(*shown, *taken("Active window", picture), *closed(base(source), "ctrl+w")),
            check=expect.all_of(
                [
                    expect.picture_format(seen, "PNG"),
                    expect.none_of([_of_the_screen(picture)], f"{picture.value} shows the whole screen."),
                    expect.has_colour(seen, painted(source)["colour"], least=0.15),
                ]
            ),
            near_misses=(NearMiss(name="the whole screen", moves=(*shown, *taken("Entire screen", picture))),),
            expected=(".config/eog", ".config/eog/**"),
        )


class HangPicture(Subtask):
    """A picture becomes the desktop wallpaper."""

    app = "thunar"
    takes = {"source": "image"}
    gives = {"wallpaper": "wallpaper"}
    asks = ("make {source} the desktop wallpaper", "set {source} as the desktop wallpaper")
    steps = ("Show the folder of {source} in Thunar.", "Set {source} as the wallpaper.", "Close Thunar.")
    demand = "System/Personalization/Appearance"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        if not source.value.endswith(HUNG):
            raise SpecError(f"Thunar offers to hang {' and '.join(HUNG)}, not {source.value}", remedy="hand it another")
        return Bound(takes=takes, gives={"wallpaper": Resource("wallpaper", source.value, plain(painted(source)))})

    def work(self, bound: Bound) -> Work:
        source = bound.takes["source"]
        folder = Resource("folder", source.value.rpartition("/")[0])
        shown = (*opened("thunar", folder), hand.click(base(source), role="table cell", button="right"))
        return Work(
            moves=(*shown, hand.click("Set as wallpaper", role="menu item"), *closed("Thunar")),
            check=expect.setting_is(see.xfconf("xfce4-desktop", WALLPAPER), full(source)),
            near_misses=(NearMiss(name="found but not set", moves=shown),),
        )


def _of_the_screen(picture: Resource) -> Call:
    seen = see.picture(picture.value)
    return expect.all_of([expect.picture_format(seen, "PNG"), expect.picture_size(seen, **SCREEN)])
