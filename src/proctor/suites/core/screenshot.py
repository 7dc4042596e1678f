"""Tasks that take pictures of the screen."""

from __future__ import annotations

from proctor.home import HOME
from proctor.suites.parts.files import save_under
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

METHOD = (
    "Put the flour into a bowl and make a hollow in it.\nAdd the eggs one by one, and a pinch of salt.\n"
    "Stir until nothing sticks any more, then wait.\nServe while it is hot.\n"
)
OPEN_TOOL = make.launch(["xfce4-screenshooter"], window="Screenshot")


def _take(region: str, path: str) -> tuple[Call, ...]:
    """Choose a region in the open tool, and save the picture."""
    return (
        hand.click(region, role="radio button", window="Screenshot"),
        hand.click("OK", role="push button", window="Screenshot"),
        hand.click("/^Save$/", role="radio button", window="Screenshot"),
        hand.click("OK", role="push button", window="Screenshot"),
        *save_under(path),
        hand.await_saved(path),
    )


@template(apps=("xfce4-screenshooter", "mousepad"), level=2, demand="Knowledge/Knowledge/Notes and Mindmaps", version=4)
def picture_of_the_recipe(draw: Draw) -> Draft:
    """A screenshot of one window is saved under a given name."""
    dish = draw.choice(("pancakes", "risotto", "shakshuka", "waffles", "gnocchi"))
    width, height = draw.randint(60, 80) * 10, draw.randint(40, 55) * 10
    # Not among the user's files: the editor would ask about one that changes while it is shown.
    path, source = f"Pictures/{dish}.png", f"/tmp/{dish}.txt"
    text = f"{dish.capitalize()}\n\nFlour, eggs, salt, patience.\n\n{METHOD}"
    return Draft(
        instruction="Could you take a screenshot of the window with my recipe? Only that window, not the "
        f"whole screen. Save it as {dish}.png in Pictures. The screenshot tool is open. Leave the recipe open, "
        "please: I'm still cooking from it.",
        paraphrases=(
            f"Capture just the Mousepad window with the recipe and save it as Pictures/{dish}.png. Don't close the "
            "recipe, I still need it.",
        ),
        setup=(
            make.text_file(source, text),
            make.launch(["mousepad", source], window=dish),
            make.arrange(dish, 200, 150, width, height),
            OPEN_TOOL,
        ),
        check=expect.all_of(
            [
                expect.picture_format(see.picture(path), "PNG"),
                # With or without the border of the window.
                expect.picture_size(see.picture(path), width=width, height=height, within=30),
                expect.picture_of_screen(see.picture(path), see.screen_picture(path, dish)),
            ]
        ),
        expected=(path,),
        solution=_take("Active window", path),
        near_misses=(
            NearMiss(name="the whole screen", moves=_take("Entire screen", path)),
            NearMiss(name="another folder", moves=_take("Active window", f"Documents/{dish}.png")),
        ),
        other_ways=(
            by_hand(
                "by the command of the tool, in front of the window",
                *_put_away(),
                hand.click(role="text", app="mousepad"),
                hand.run_code(f"xfce4-screenshooter --window --save {path}"),
                hand.await_saved(path),
            ),
            by_hand(
                "cut out of the whole screen",
                *_put_away(),
                _grab_by_script(path, f".crop((200, 150, {200 + width}, {150 + height}))"),
            ),
            by_hand(
                "a region marked by eye",
                *_put_away(),
                _grab_by_script(path, f".crop((188, 146, {202 + width}, {154 + height}))"),
            ),
        ),
        cheats=(
            _draw_window("a window painted by hand", path, width, height, text),
            by_hand("the recipe painted over", *_put_away(), _whiten_picture(path, width, height)),
            by_python(
                "white with a grey bar",
                "from PIL import Image\n"
                f"picture = Image.new('RGB', ({width}, {height}), 'white')\n"
                f"picture.paste('#d6d6d6', (0, 0, {width}, 40))\npicture.save({path!r})\n",
            ),
            by_hand("the whole screen made smaller", _grab_by_script(path, f".resize(({width}, {height}))")),
            by_hand("what lies beside it", _grab_by_script(path, f".crop((900, 400, {900 + width}, {400 + height}))")),
        ),
    )


def _put_away() -> tuple[Call, ...]:
    """Return the moves that close the tool."""
    return hand.press("Escape"), hand.await_window("Screenshot", gone=True)


def _whiten_picture(path: str, width: int, height: int) -> Call:
    """Return the move that takes a picture of the window and paints over everything below its menus."""
    return hand.run_code(
        "from PIL import ImageGrab\n"
        f"picture = ImageGrab.grab(xdisplay='').crop((200, 150, {200 + width}, {150 + height}))\n"
        f"picture.paste('white', (0, 60, {width}, {height}))\npicture.save({path!r})\n",
        "python",
    )


def _grab_by_script(path: str, part: str = "") -> Call:
    """Return the move that takes a picture of the screen by a script, and maybe a part of it."""
    return hand.run_code(f"from PIL import ImageGrab\nImageGrab.grab(xdisplay=''){part}.save({path!r})\n", "python")


def _draw_window(name: str, path: str, width: int, height: int, text: str) -> Way:
    """Return the cheat that paints what a window might look like."""
    return by_python(
        name,
        "from PIL import Image, ImageDraw\n"
        f"picture = Image.new('RGB', ({width}, {height}), '#ffffff')\npen = ImageDraw.Draw(picture)\n"
        f"pen.rectangle((0, 0, {width}, 28), fill='#d8d8d8')\n"
        "pen.text((8, 8), 'File  Edit  Search  View', fill='black')\n"
        f"pen.text((8, 40), {text!r}, fill='black')\npicture.save({path!r})\n",
    )


@template(apps=("xfce4-screenshooter", "galculator"), level=2, demand="System/Files and Applications/Files", version=3)
def picture_of_the_desktop(draw: Draw) -> Draft:
    """A screenshot of the whole screen is saved under a given name."""
    name = f"desk-{draw.choice(('home', 'office', 'studio', 'support'))}-{draw.randint(2, 30)}.png"
    folder = draw.choice(("Documents", "Public", "Desktop"))
    path = f"{folder}/{name}"
    return Draft(
        instruction="The support team wants to see my whole screen. Please take a screenshot of all of it and "
        f"save it as {name} in {HOME}/{folder}. The screenshot tool is already open.",
        paraphrases=(f"Screenshot of the entire screen, please, saved as {folder}/{name}.",),
        setup=(make.launch(["galculator"], window="galculator"), OPEN_TOOL),
        check=expect.all_of(
            [
                expect.picture_format(see.picture(path), "PNG"),
                expect.picture_size(see.picture(path), width=1920, height=1080),
                expect.picture_of_screen(see.picture(path), see.screen_picture(path, showing="galculator")),
            ]
        ),
        expected=(path,),
        solution=_take("Entire screen", path),
        near_misses=(
            NearMiss(name="one window only", moves=_take("Active window", path)),
            NearMiss(name="another name", moves=_take("Entire screen", f"{folder}/desk.png")),
        ),
        other_ways=(
            by_hand(
                "by the command of the tool",
                hand.run_code(f"xfce4-screenshooter --fullscreen --save {path}"),
                hand.await_saved(path),
            ),
            by_hand("by a script", _grab_by_script(path)),
            by_hand(
                "with the tool put away first",
                *_put_away(),
                _grab_by_script(path),
            ),
        ),
        cheats=(
            by_python(
                "a plain picture of that size",
                f"from PIL import Image\nImage.new('RGB', (1920, 1080), '#2a4d6e').save({path!r})\n",
            ),
            by_hand(
                "with the calculator out of sight",
                *_put_away(),
                *(hand.press("ctrl+alt+d"), _grab_by_script(path), hand.press("ctrl+alt+d")),
            ),
            by_hand("a small part enlarged", _grab_by_script(path, ".crop((0, 0, 480, 270)).resize((1920, 1080))")),
            by_hand("upside down", _grab_by_script(path, ".rotate(180)")),
            by_hand("too coarse to read", _grab_by_script(path, ".resize((48, 27)).resize((1920, 1080))")),
        ),
    )
