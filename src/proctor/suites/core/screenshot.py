"""Tasks that take pictures of the screen."""

from __future__ import annotations

from proctor.home import HOME
from proctor.suites.parts.files import save_under
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

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


@template(apps=("xfce4-screenshooter", "mousepad"), level=2, demand="Knowledge/Knowledge/Notes and Mindmaps", version=2)
def picture_of_the_recipe(draw: Draw) -> Draft:
    """A screenshot of one window is saved under a given name."""
    dish = draw.choice(("pancakes", "risotto", "shakshuka", "waffles", "gnocchi"))
    width, height = draw.randint(60, 80) * 10, draw.randint(40, 55) * 10
    path, source = f"Pictures/{dish}.png", f"Documents/{dish}.txt"
    return Draft(
        instruction="Could you take a screenshot of the window with my recipe? Only that window, not the "
        f"whole screen. Save it as {dish}.png in Pictures. The screenshot tool is open.",
        paraphrases=(f"Capture just the Mousepad window with the recipe and save it as Pictures/{dish}.png.",),
        setup=(
            make.text_file(source, f"{dish.capitalize()}\n\nFlour, eggs, salt, patience.\n"),
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
    )


@template(apps=("xfce4-screenshooter", "galculator"), level=2, demand="System/Files and Applications/Files", version=2)
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
                expect.picture_of_screen(see.picture(path), see.screen_picture(path)),
            ]
        ),
        expected=(path,),
        solution=_take("Entire screen", path),
        near_misses=(
            NearMiss(name="one window only", moves=_take("Active window", path)),
            NearMiss(name="another name", moves=_take("Entire screen", f"{folder}/desk.png")),
        ),
    )
