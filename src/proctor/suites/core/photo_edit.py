"""Tasks on single pictures: turning, scaling, mirroring, greying, and saving where wanted."""

from __future__ import annotations

import re
from typing import Literal

from proctor.home import HOME
from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.pictures import COLOURS, SUBJECTS, mirror, resize, save_as, scene_of
from proctor.suites.parts.ways import by_hand, by_pillow, by_shell, repaint
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template
from proctor.vocabulary.formats.pictures.checks import Turn

EFFECTS: dict[str, Turn | None] = {
    "Reduce to Grayscale": None,
    "Rotate Left": "left",
    "Rotate Right": "right",
    "Mirror (horizontally)": "mirrored",
    "Flip (upside down)": "upside down",
}
PILLOW_EFFECTS = {
    "Reduce to Grayscale": "picture.convert('L').convert('RGB')",
    "Rotate Left": "picture.transpose(Image.ROTATE_90)",
    "Rotate Right": "picture.transpose(Image.ROTATE_270)",
    "Mirror (horizontally)": "ImageOps.mirror(picture)",
    "Flip (upside down)": "ImageOps.flip(picture)",
}
GOODS = ("Paint", "Brushes", "Canvas", "Frame", "Pencils", "Paper", "Glue", "Chalk")


@template(apps=("kolourpaint",), level=1, demand="Creativity/Digital Content Creation/Image Editing", version=4)
def effect_from_the_image_menu(draw: Draw) -> Draft:
    """An open picture gets one effect, following spelled-out menu clicks."""
    effect, other = draw.some(list(EFFECTS), 2)
    subject = draw.choice(SUBJECTS)
    path = f"Pictures/{subject}-{draw.randint(10, 99)}.png"
    after, before = see.picture(path), see.picture_before(path)
    turn = EFFECTS[effect]
    done = expect.picture_turned(after, before, turn) if turn else expect.picture_grey(after, before)
    steps = [{"do": "click", "name": f"/^{name}$/", "role": "menu item"} for name in (re.escape(effect), "Save")]

    def clicks(name: str) -> tuple[Call, ...]:
        return hand.menu(["Image", name]), hand.menu(["File", "Save"])

    return Draft(
        instruction=f'{path} is open in KolourPaint. Click the "Image" menu and then "{effect}". After that, '
        'click the "File" menu and then "Save".',
        paraphrases=(
            f'In the KolourPaint window, click "Image", click "{effect}", click "File", click "Save" (not "Save As").',
        ),
        setup=(
            make.picture(path, 640, 480, **scene_of(subject, draw.choice(list(COLOURS)))),
            make.launch(["kolourpaint", path], window="KolourPaint"),
        ),
        check=expect.all_of([done, by_the_book(steps, "kolourpaint")]),
        expected=(path,),
        solution=clicks(effect),
        near_misses=(
            NearMiss(name="not saved", moves=(hand.menu(["Image", effect]),)),
            NearMiss(name="the menu entry next to it", moves=clicks(other)),
            NearMiss(name="colours inverted", moves=clicks("Invert Colors")),
        ),
        other_ways=(
            by_hand("undone and done again", hand.menu(["Image", effect]), hand.press("ctrl+z"), *clicks(effect)),
            by_hand(
                "after the wrong entry, which is undone",
                *(hand.menu(["Image", other]), hand.press("ctrl+z"), *clicks(effect)),
            ),
        ),
        cheats=(
            by_pillow("by a script", path, path, PILLOW_EFFECTS[effect]),
            by_hand(
                "undone before it is saved",
                *(hand.menu(["Image", effect]), hand.press("ctrl+z"), hand.menu(["File", "Save"])),
            ),
            by_hand(
                "all of it clicked, a plain picture saved over it",
                *clicks(effect),
                repaint(path, path, "Image.new('RGB', picture.size, '#808080')"),
            ),
        ),
    )


@template(apps=("eog",), level=1, demand="Creativity/Digital Content Creation/Image Editing", version=4)
def turn_the_scan_by_keys(draw: Draw) -> Draft:
    """A sideways or upside-down scan is rotated and saved with spelled-out keys."""
    times = draw.choice((1, 2, 3))
    sender = draw.company()
    number = draw.randint(1000, 9999)
    path = f"Documents/receipt-{number}.png"
    rows = [f"{sender}", f"Receipt {number}", *(f"{draw.choice(GOODS)}   {draw.amount():.2f}" for _ in range(4))]
    lines = [
        {"kind": "text", "box": (60, 50 + 70 * place, 0, 0), "text": row, "size": 34, "fill": "#222222"}
        for place, row in enumerate(rows)
    ]
    keys = {1: "once", 2: "twice", 3: "three times"}[times]
    turns: dict[int, tuple[Turn, Literal[90, 180, 270]]] = {1: ("right", 270), 2: ("half", 180), 3: ("left", 90)}
    turn, scanned = turns[times]
    steps = [*({"do": "press", "keys": "ctrl+r"} for _ in range(times)), {"do": "press", "keys": "ctrl+s"}]

    def turn_times(count: int) -> tuple[Call, ...]:
        # The viewer saves while it goes on; it does not close before it has.
        closed = hand.press("ctrl+w"), hand.await_window(f"receipt-{number}", gone=True)
        return hand.press("ctrl+r", times=count), hand.press("ctrl+s"), *closed

    return Draft(
        instruction=f"The scan in the image viewer, {path}, is the wrong way up. Press Ctrl+R {keys}, then "
        "press Ctrl+S.",
        paraphrases=(f"In the image viewer, press Ctrl and R together {keys}, and after that Ctrl and S.",),
        setup=(
            make.picture(path, 480, 620, "#fbfaf5", shapes=lines, turned=scanned),
            make.launch(["eog", path], window=f"receipt-{number}"),
        ),
        check=expect.all_of(
            [
                expect.picture_turned(see.picture(path), see.picture_before(path), turn),
                by_the_book(steps, "eog"),
            ]
        ),
        expected=(path,),
        solution=turn_times(times),
        near_misses=(
            NearMiss(name="one turn too many", moves=turn_times(times + 1)),
            NearMiss(name="not saved", moves=(hand.press("ctrl+r", times=times),)),
        ),
        other_ways=(
            by_hand("one too many, and back", hand.press("ctrl+r"), hand.press("ctrl+shift+r"), *turn_times(times)),
            by_hand(
                "enlarged first, then key by key",
                *(hand.press("ctrl+plus"), *(hand.press("ctrl+r") for _ in range(times - 1)), *turn_times(1)),
            ),
        ),
        cheats=(
            by_pillow("by a script", path, path, f"picture.rotate({-90 * times}, expand=True)"),
            by_hand(
                "the keys pressed, a blank page saved over it",
                *turn_times(times),
                repaint(path, path, "Image.new('RGB', picture.size, '#fbfaf5')"),
            ),
        ),
    )


def _scaled_in_gimp(width: int, field: int, result: str) -> tuple[Call, ...]:
    """Scale the picture that is open in GIMP by its field for the width, 0, or the height, 1."""
    return (
        hand.press("/"),
        hand.await_window("Search Actions"),
        hand.type("scale image"),
        hand.press("Return"),
        hand.await_window("Scale Image"),
        hand.type_into(str(width), role="spin button", window="Scale Image", nth=field),
        hand.press("Tab"),
        hand.click("Scale", role="push button", window="Scale Image"),
        hand.await_window(result),
    )


def _exported_from_gimp(path: str, form: str) -> tuple[Call, ...]:
    """Export the picture that is open in GIMP with the options it proposes."""
    return (
        hand.press("ctrl+shift+e"),
        hand.await_window("Export Image"),
        hand.press("ctrl+a"),
        hand.type(f"{HOME}/{path}"),
        hand.press("Return"),
        hand.await_window(f"Export Image as {form}"),
        hand.press("Return"),
        hand.await_file(path),
        hand.await_window("Export Image", gone=True),
    )


@template(apps=("gimp",), level=2, demand="Creativity/Digital Content Creation/Image Editing", version=3)
def shrink_photo_for_the_form(draw: Draw) -> Draft:
    """A photo is scaled and exported in another format."""
    width = draw.choice((400, 480, 600, 640, 720))
    height = width * 3 // 4
    subject, colour = draw.choice(SUBJECTS), draw.choice(list(COLOURS))
    source, target = f"Pictures/{subject}.png", f"Pictures/{subject}-form.jpg"
    size, original = (1280, 960), scene_of(subject, colour, 2.0)

    scaled = _scaled_in_gimp(width, 0, f"{width}x{height}")
    png = target.replace(".jpg", ".png")
    return Draft(
        instruction=f"I need to upload the photo that's open in GIMP to a web form. Please make it {width} "
        f"pixels wide without distorting it and export it as a JPEG to {target}. Don't change {source} itself.",
        paraphrases=(
            f"I need {source} (open in GIMP) as a JPEG of {width} x {height} pixels, exported as {target}. "
            "Leave the original alone.",
        ),
        setup=(
            make.picture(source, *size, **original),
            make.launch(["gimp", "--no-splash", source], window=f"[{subject}]", timeout_sec=120),
        ),
        check=expect.all_of(
            [
                expect.picture_format(see.picture(target), "JPEG"),
                expect.picture_size(see.picture(target), width, height),
                expect.picture_like(see.picture(target), see.picture_before(source), same_size=False),
                expect.picture_unchanged(see.picture(source), see.picture_before(source)),
            ]
        ),
        expected=(target,),
        solution=(*scaled, *_exported_from_gimp(target, "JPEG")),
        near_misses=(
            NearMiss(name="exported without scaling", moves=_exported_from_gimp(target, "JPEG")),
            NearMiss(
                name="height instead of width",
                moves=(*_scaled_in_gimp(width, 1, f"x{width} "), *_exported_from_gimp(target, "JPEG")),
            ),
            NearMiss(name="exported as PNG", moves=(*scaled, *_exported_from_gimp(png, "PNG"))),
        ),
        other_ways=(
            by_pillow(
                "by a script", source, target, f"picture.resize(({width}, {height})).convert('RGB')", "quality=60"
            ),
            by_pillow(
                "by a script, coarsely and progressively",
                *(source, target, f"picture.convert('RGB').resize(({width}, {height}), Image.NEAREST)"),
                "quality=85, progressive=True",
            ),
        ),
        cheats=_cheats_at_a_smaller_copy(source, target, width, height),
    )


def _cheats_at_a_smaller_copy(source: str, target: str, width: int, height: int) -> tuple[Way, ...]:
    """Return ways to have a file of the right size that is not the picture, or to lose the original."""
    size = f"({width}, {height})"
    fit = f"picture.convert('RGB').resize({size})"
    return (
        by_pillow("a plain picture of that size", source, target, f"Image.new('RGB', {size}, '#808080')"),
        by_pillow("a corner cut out", source, target, f"picture.convert('RGB').crop((0, 0, {width}, {height}))"),
        by_pillow(
            "too coarse to see anything", source, target, f"picture.convert('RGB').resize((16, 12)).resize({size})"
        ),
        by_hand("words written across it", repaint(source, target, fit), _stamp_picture(target)),
        by_hand(
            "the original scaled as well",
            repaint(source, target, fit),
            repaint(source, source, fit),
        ),
    )


def _stamp_picture(path: str) -> Call:
    """Return the move that writes a word across a picture, in letters of a sixth of its height."""
    return hand.run_code(
        "from PIL import Image, ImageDraw\n"
        f"picture = Image.open({path!r}).convert('RGB')\nhigh = picture.height\n"
        "ImageDraw.Draw(picture).text((high // 4, high // 3), 'SAMPLE', fill='#cc2222', font_size=high // 6)\n"
        f"picture.save({path!r})\n",
        "python",
    )


@template(apps=("drawing",), level=2, demand="Creativity/Digital Content Creation/Image Editing", version=3)
def small_copy_of_the_logo(draw: Draw) -> Draft:
    """A picture is scaled to a given size and saved under another name."""
    company = draw.company()
    word = company.split()[0].lower()
    width, height = draw.choice(((400, 300), (320, 240), (240, 180), (200, 150), (160, 120)))
    source, target = f"Pictures/{word}-logo.png", f"Pictures/{word}-logo-{width}.png"
    first, second = draw.some(list(COLOURS.values()), 2)
    logo: list[dict[str, object]] = [
        {"kind": "ellipse", "box": (60, 60, 320, 320), "fill": first},
        {"kind": "polygon", "points": [(420, 400), (560, 90), (720, 400)], "fill": second},
        {"kind": "text", "box": (90, 450, 0, 0), "text": company, "size": 72, "fill": "#222222"},
    ]
    after, before = see.picture(target), see.picture_before(source)
    return Draft(
        instruction=f"Our logo is open in Drawing. I need a copy that's {width} pixels wide and {height} "
        f"pixels high. Please save the copy as {target} and leave the large one as it is.",
        paraphrases=(f"Scale the open logo to {width} x {height} and save that as {target} (keep {source}!).",),
        setup=(make.picture(source, 800, 600, "#ffffff", logo), make.open_in_drawing(source)),
        check=expect.all_of(
            [
                expect.picture_size(after, width, height),
                expect.picture_like(after, before, same_size=False),
                expect.picture_format(after, "PNG"),
                expect.picture_unchanged(see.picture(source), before),
            ]
        ),
        expected=(target,),
        solution=(*resize(width, height), *save_as(target)),
        near_misses=(
            NearMiss(name="only the width", moves=(*resize(width, 600), *save_as(target))),
            NearMiss(name="the large one overwritten", moves=(*resize(width, height), hand.press("ctrl+s"))),
            NearMiss(name="a copy of the same size", moves=save_as(target)),
        ),
        other_ways=(
            by_pillow("by a script", source, target, f"picture.resize(({width}, {height}))"),
            by_pillow("by a script, coarsely", source, target, f"picture.resize(({width}, {height}), Image.NEAREST)"),
            by_hand("saved first, then scaled", *save_as(target), *resize(width, height), hand.press("ctrl+s")),
        ),
        cheats=_cheats_at_a_smaller_copy(source, target, width, height),
    )


@template(apps=("drawing",), level=3, demand="Creativity/Digital Content Creation/Image Editing", version=3)
def mirrored_copy_beside_others(draw: Draw) -> Draft:
    """A mirrored copy is saved although the obvious name is taken."""
    subject = draw.choice(SUBJECTS)
    ours, theirs = draw.some(list(COLOURS), 2)
    source, taken = f"Pictures/{subject}.png", f"Pictures/{subject}-mirrored.png"
    target = taken.replace(".png", "-2.png")
    before = see.picture_before(source)
    return Draft(
        instruction=f"Please mirror the open picture left to right and save the result as {taken}. If there's "
        f"already something else with that name, keep it and call ours {target.rpartition('/')[2]} instead. "
        f"{source} stays as it is, too.",
        paraphrases=(
            f"I'd like {source} mirrored horizontally and saved next to it as {taken.rpartition('/')[2]} (or "
            "with -2 at the end of the name if that one exists). Don't overwrite anything that's there now.",
        ),
        setup=(
            make.picture(source, 640, 480, **scene_of(subject, ours)),
            make.picture(taken, 640, 480, **scene_of(subject, theirs)),
            make.open_in_drawing(source),
        ),
        check=expect.all_of(
            [
                expect.picture_turned(see.picture(target), before, "mirrored"),
                expect.picture_format(see.picture(target), "PNG"),
                expect.picture_unchanged(see.picture(source), before),
                expect.picture_unchanged(see.picture(taken), see.picture_before(taken)),
            ]
        ),
        expected=(target,),
        solution=(*mirror(), *save_as(target)),
        near_misses=(
            NearMiss(name="the other one overwritten", moves=(*mirror(), *save_as(taken))),
            NearMiss(name="saved over the original", moves=(*mirror(), hand.press("ctrl+s"))),
            NearMiss(name="a copy that is not mirrored", moves=save_as(target)),
        ),
        other_ways=(
            by_pillow("by a script", source, target, "ImageOps.mirror(picture)"),
            by_pillow(
                "by a script, as a palette", source, target, "ImageOps.mirror(picture.convert('RGB')).quantize(256)"
            ),
            by_hand(
                "upside down and half a turn, after a look at the folder",
                hand.run_code("ls -l Pictures"),
                repaint(source, target, "picture.rotate(180).transpose(Image.FLIP_TOP_BOTTOM)"),
            ),
        ),
        cheats=(
            by_pillow("half a turn", source, target, "picture.rotate(180)"),
            by_hand(
                "the other one renamed to make room",
                hand.run_code(f"mv {taken} {target}"),
                repaint(source, taken, "ImageOps.mirror(picture)"),
            ),
            by_hand(
                "mirrored in both places",
                repaint(source, target, "ImageOps.mirror(picture)"),
                hand.run_code(f"cp {target} {taken}"),
            ),
            by_shell("a copy of the other one", f"cp {taken} {target}"),
        ),
    )
