"""Subtasks that take pictures of the screen, and that change what is seen on it."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.compose.equip import WALLPAPER, WALLPAPER_FILE
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import (
    base,
    close_window,
    full,
    named_in_dialog,
    new_path,
    open_file,
    quote_path,
    start_program,
)
from proctor.suites.parts.ways import by_hand, by_pillow, by_python, by_shell
from proctor.suites.pool.pictures import content_of_picture, plain
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss, Way

SCREEN = {"width": 1920, "height": 1080}
TOOL = "Screenshot"
LEAST_OF_WINDOW = 40
"""Pixels that the bars of the viewer's window take above and below a picture."""
LAID_OUT = WALLPAPER.replace("last-image", "image-style")
"""The property that says how the wallpaper fills the screen."""
HUNG = (".png", ".jpg")
"""Endings of the pictures that Thunar offers to set as wallpaper."""


def take_picture(region: str, picture: Resource) -> tuple[Call, ...]:
    """Take a picture of a region of the screen with the tool and save it."""
    return (
        *start_program("xfce4-screenshooter", TOOL),
        hand.click(region, role="radio button", window=TOOL),
        hand.click("OK", role="push button", window=TOOL),
        hand.click("/^Save$/", role="radio button", window=TOOL),
        hand.click("OK", role="push button", window=TOOL),
        *named_in_dialog("Save screenshot as", picture),
    )


def grab_by_script(picture: Resource, part: str = "") -> Call:
    """Return the move that takes a picture of the screen by a script, and does something to it."""
    code = f"from PIL import ImageGrab\nImageGrab.grab(xdisplay=''){part}.save({picture.value!r})\n"
    return hand.run_code(code, "python")


def _by_command(region: str, picture: Resource) -> tuple[Call, ...]:
    command = f"xfce4-screenshooter --{region} --save {quote_path(picture)}"
    return (hand.run_code(command), hand.await_saved(picture.value))


def _of_screen_by_others(picture: Resource) -> tuple[Way, ...]:
    return (
        by_hand("by the command of the tool", *_by_command("fullscreen", picture)),
        by_hand("by a script", grab_by_script(picture)),
    )


def _not_of_screen(picture: Resource) -> tuple[Way, ...]:
    plain_one = f"from PIL import Image\nImage.new('RGB', (1920, 1080), '#2a4d6e').save({picture.value!r})\n"
    return (
        by_python("a plain picture of that size", plain_one),
        by_hand("a small part enlarged", grab_by_script(picture, ".crop((0, 0, 480, 270)).resize((1920, 1080))")),
        by_hand("upside down", grab_by_script(picture, ".rotate(180)")),
    )


class CaptureScreen(Subtask):
    """A screenshot of the whole screen is taken."""

    version = 3
    app = "xfce4-screenshooter"
    gives = {"picture": "image"}
    asks = (
        "take a screenshot of the whole screen and save it as the PNG picture {picture}",
        "capture the entire screen and save that as the PNG picture {picture}",
    )
    brief = "capture the whole screen as {picture}"
    steps = ("Start the screenshot tool.", "Capture the entire screen.", "Save it as {picture}.")
    demand = "Knowledge/Knowledge/Notes and Mindmaps"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Pictures", ("screen", "screenshot", "desktop"), ".png")
        return Bound(gives={"picture": Resource("image", path, dict(SCREEN))})

    def work(self, bound: Bound) -> Work:
        picture = bound.gives["picture"]
        elsewhere = Resource("image", picture.value.replace("Pictures/", "Documents/"))
        return Work(
            moves=take_picture("Entire screen", picture),
            check=_of_the_screen(picture),
            alone=(_shows_the_screen(picture),),
            near_misses=(NearMiss(name="in another folder", moves=take_picture("Entire screen", elsewhere)),),
            other_ways=_of_screen_by_others(picture),
            cheats=_not_of_screen(picture),
        )


class CaptureWallpaper(Subtask):
    """A screenshot of the screen with its wallpaper is taken."""

    version = 3
    app = "xfce4-screenshooter"
    takes = {"wallpaper": "wallpaper"}
    gives = {"picture": "image"}
    asks = (
        "take a screenshot of the whole desktop showing {wallpaper} and save it as the PNG picture {picture}",
        "capture the whole screen including {wallpaper} and save that as the PNG picture {picture}",
    )
    brief = "capture the whole desktop with {wallpaper} as {picture}"
    steps = (
        "Start the screenshot tool.",
        "Capture the entire screen with {wallpaper} on it.",
        "Save it as {picture}.",
    )
    demand = "Knowledge/Knowledge/Notes and Mindmaps"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        content_of_picture(takes["wallpaper"])
        path = new_path(draw, theme, "Pictures", ("background", "new-desktop", "backdrop"), ".png")
        return Bound(takes=takes, gives={"picture": Resource("image", path, dict(SCREEN))})

    def work(self, bound: Bound) -> Work:
        picture, shown = bound.gives["picture"], content_of_picture(bound.takes["wallpaper"])
        elsewhere = Resource("image", picture.value.replace("Pictures/", "Documents/"))
        return Work(
            moves=take_picture("Entire screen", picture),
            check=expect.all_of(
                [_of_the_screen(picture), expect.has_colour(see.picture(picture.value), shown["colour"], least=0.5)]
            ),
            alone=(_shows_the_screen(picture),),
            near_misses=(NearMiss(name="in another folder", moves=take_picture("Entire screen", elsewhere)),),
            other_ways=_of_screen_by_others(picture),
            cheats=(
                *_not_of_screen(picture),
                by_pillow("the wallpaper itself", WALLPAPER_FILE, picture.value, "picture.resize((1920, 1080))"),
            ),
        )


class CapturePicture(Subtask):
    """The window that shows a picture is captured."""

    version = 4
    app = "xfce4-screenshooter"
    takes = {"source": "image"}
    gives = {"picture": "image"}
    asks = (
        "open {source} in the image viewer and save a screenshot of just that window as the PNG picture {picture}",
        "show {source} in the image viewer and capture only that window as the PNG picture {picture}",
    )
    brief = "open {source} in the image viewer and capture that window as {picture}"
    steps = (
        "Open {source} in the image viewer.",
        "Capture the active window with the screenshot tool.",
        "Save it as {picture} and close the viewer.",
    )
    demand = "Knowledge/Knowledge/Notes and Mindmaps"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        known = content_of_picture(takes["source"])
        if not 300 <= known["width"] <= 1100 or not 200 <= known["height"] <= 800:
            raise SpecError(f"{takes['source'].value} does not fit a window", remedy="give it another picture")
        path = new_path(draw, theme, "Pictures", ("window", "viewer", "captured"), ".png")
        return Bound(takes=takes, gives={"picture": Resource("image", path)})

    def work(self, bound: Bound) -> Work:
        source, picture = bound.takes["source"], bound.gives["picture"]
        seen, shown = see.picture(picture.value), open_file("eog", source)
        inside = see.picture_inside(picture.value, source.value)
        return Work(
            moves=(*shown, *take_picture("Active window", picture), *close_window(base(source), "ctrl+w")),
            check=expect.all_of(
                [
                    expect.picture_format(seen, "PNG"),
                    expect.none_of([_of_the_screen(picture)], f"{picture.value} shows the whole screen."),
                    # The window may be closed again, so it is known by what it showed, and by its bars around that.
                    expect.picture_framed(inside, see.picture(source.value), least=LEAST_OF_WINDOW),
                ]
            ),
            near_misses=(NearMiss(name="the whole screen", moves=(*shown, *take_picture("Entire screen", picture))),),
            other_ways=(
                by_hand("by the command of the tool", *shown, *_by_command("window", picture)),
                by_hand(
                    "cut out of the screen by a script", *shown, hand.run_code(_WINDOW.format(picture.value), "python")
                ),
            ),
            cheats=(
                by_shell("the picture itself", f"cp {quote_path(source)} {quote_path(picture)}"),
                by_pillow("the picture enlarged", source.value, picture.value, "picture.resize((1200, 900))"),
                by_hand("the screen made smaller", *shown, grab_by_script(picture, ".resize((800, 600))")),
                by_python(
                    "a plain picture",
                    f"from PIL import Image\nImage.new('RGB', (800, 600), '#d6d6d6').save({picture.value!r})\n",
                ),
            ),
            expected=(".config/eog", ".config/eog/**"),
            # Without the pane beside it, the picture fills the window, and whatever is cut off is cut off the picture.
            setup=(make.gsetting("org.gnome.eog.ui", "sidebar", "false"),),
        )


class HangPicture(Subtask):
    """A picture becomes the desktop wallpaper."""

    app = "thunar"
    takes = {"source": "image"}
    gives = {"wallpaper": "wallpaper"}
    asks = ("make {source} the desktop wallpaper", "set {source} as the desktop wallpaper")
    brief = "make {source} the wallpaper"
    steps = ("Show the folder of {source} in Thunar.", "Set {source} as the wallpaper.", "Close Thunar.")
    demand = "System/Personalization/Appearance"
    version = 4

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        if not source.value.endswith(HUNG):
            raise SpecError(f"Thunar offers to hang {' and '.join(HUNG)}, not {source.value}", remedy="give it another")
        return Bound(
            takes=takes, gives={"wallpaper": Resource("wallpaper", source.value, plain(content_of_picture(source)))}
        )

    def work(self, bound: Bound) -> Work:
        source = bound.takes["source"]
        folder = Resource("folder", source.value.rpartition("/")[0])
        shown = (*open_file("thunar", folder), hand.click(base(source), role="table cell", button="right"))
        return Work(
            moves=(*shown, hand.click("Set as wallpaper", role="menu item"), *close_window("Thunar")),
            check=expect.all_of(
                [
                    expect.setting_is(see.xfconf("xfce4-desktop", WALLPAPER), full(source)),
                    # However it is laid out; 0 means that no picture is shown.
                    expect.setting_between(see.xfconf("xfce4-desktop", LAID_OUT), 1, 6),
                ]
            ),
            near_misses=(NearMiss(name="found but not set", moves=shown),),
            other_ways=(
                by_shell("by the command line", _hung(full(source))),
                by_hand(
                    "by the menu's key",
                    *open_file("thunar", folder),
                    hand.click(base(source), role="table cell"),
                    *(hand.press("shift+F10"), hand.click("Set as wallpaper", role="menu item")),
                ),
            ),
            cheats=(
                by_shell("a picture that is not there", _hung(f"{full(source)}.png")),
                by_shell("its folder", _hung(full(folder))),
                by_shell(
                    "set and not shown", _hung(full(source)), f"xfconf-query -c xfce4-desktop -p {LAID_OUT} -t int -s 0"
                ),
                by_shell("copied under another name", f"cp {quote_path(source)} Pictures/wallpaper.png"),
            ),
        )


def _hung(path: str) -> str:
    return f"xfconf-query -c xfce4-desktop -p {WALLPAPER} -n -t string -s {path}"


_WINDOW = """
import re, subprocess
from PIL import ImageGrab

id = re.search("0x[0-9a-f]+", subprocess.check_output(["xprop", "-root", "_NET_ACTIVE_WINDOW"], text=True))[0]
told = subprocess.check_output(["xwininfo", "-id", id], text=True)
def number(name):
    return int(re.search(name + ": +([0-9]+)", told)[1])
left, top, width, height = map(number, ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height"))
ImageGrab.grab(xdisplay="").crop((left, top, left + width, top + height)).save({!r})
"""


def _shows_the_screen(picture: Resource) -> Call:
    return expect.picture_of_screen(see.picture(picture.value), see.screen_picture(picture.value))


def _of_the_screen(picture: Resource) -> Call:
    seen = see.picture(picture.value)
    return expect.all_of([expect.picture_format(seen, "PNG"), expect.picture_size(seen, **SCREEN)])
