"""Cases of LibreOffice Impress: pictures, tables, sound, transitions, slides."""

from __future__ import annotations

import io
from typing import Any

import av
import numpy as np
from pptx.util import Cm, Pt

from proctor.tasks.shelves import hand
from tests.foreign.case import Case, case, moves, shell
from tests.foreign.documents import become, deck, leave, picture, runs_of
from tests.foreign.workshop import Workshop, open_again

DESK = "/home/user/Desktop"
PLAN = [("Plans", "Spring"), ("Features", ""), ("Dates", "May"), ("Costs", "Little"), ("People", "Four"), ("End", "1")]


def with_picture(number: int, top: float = 12.0) -> Any:
    """Return a presentation with a picture on one slide."""
    made = deck(*PLAN)
    made.slides[number - 1].shapes.add_picture(io.BytesIO(picture()), Cm(3), Cm(top), Cm(6), Cm(4))
    return made


def pictures_of(slide: Any) -> list[Any]:
    """Return the pictures on a slide."""
    return [shape for shape in slide.shapes if shape.shape_type == 13]


def become_by_basic(shop: Workshop, name: str, start: Any, right: str, wrong: str) -> Case:
    """Return the case of a presentation that LibreOffice changes, where no expected one is at hand."""
    saved = shop.office(start)
    satisfied, near_miss = (leave(f"{DESK}/{name}", shop.basic(saved, code, name)) for code in (right, wrong))
    return Case(satisfied, near_miss, {name: saved}, one_sitting=True)


@case("osworld", "21760ecb")
@case("osmap", "21760ecb")
def slides_that_dissolve(shop: Workshop) -> Case:
    into = """page = doc.DrawPages(0)
page.TransitionType = com.sun.star.animations.TransitionType.{}
page.TransitionSubtype = {}"""
    return become_by_basic(
        shop,
        "Ch4 Video Effect.pptx",
        deck(*PLAN),
        into.format("DISSOLVE", 0),
        into.format("FADE", "com.sun.star.animations.TransitionSubType.CROSSFADE"),
    )


@case("osworld", "39be0d19")
def a_table_of_five_rows(shop: Workshop) -> Case:
    def add(made: Any, rows: int, columns: int) -> None:
        made.slides[1].shapes.add_table(rows, columns, Cm(3), Cm(6), Cm(18), Cm(6))

    return become(
        shop,
        f"{DESK}/41_3.pptx",
        ["41_3_Gold.pptx"],
        lambda: deck(*PLAN),
        lambda made: add(made, 5, 2),
        lambda made: add(made, 2, 5),
    )


@case("osworld", "455d3c66")
@case("osmap", "455d3c66")
def a_slide_as_png(shop: Workshop) -> Case:
    name = "wssf-project-plan-on-a-page"
    made = shop.office(with_picture(1))
    drawn = shop.office(made, f"{name}.pptx", "png")
    convert = "cd Desktop; soffice --headless -env:UserInstallation=file:///tmp/own --convert-to {} --outdir /tmp/one"
    return Case(
        satisfied=shell(f"{convert.format('png')} {name}.pptx; cp /tmp/one/{name}.png res.png"),
        # Another slide.
        near_miss=shell(
            f"{convert.format('pdf')} {name}.pptx; pdftoppm -f 4 -l 4 -png /tmp/one/{name}.pdf /tmp/one/p; "
            "cp /tmp/one/p*.png res.png"
        ),
        files={f"{name}.pptx": made, f"{name}.png": drawn, "res_gold.png": drawn},
    )


@case("osworld", "5d901039")
@case("osmap", "5d901039")
def a_picture_as_cover(shop: Workshop) -> Case:
    def start() -> Any:
        made = deck(("", ""), *PLAN)
        columbus = io.BytesIO(picture("brown", (400, 300)))
        made.slides[0].shapes.add_picture(columbus, Cm(2), Cm(2), Cm(8), Cm(6))
        return made

    def stretch(made: Any, share: float) -> None:
        [shape] = pictures_of(made.slides[0])
        shape.width, shape.height = int(made.slide_width * share), int(made.slide_height * share)
        shape.left, shape.top = (made.slide_width - shape.width) // 2, (made.slide_height - shape.height) // 2

    name = "CPD_Background_Investigation_Process"
    return become(
        shop,
        f"{DESK}/{name}.pptx",
        [f"{name}_Original.pptx"],
        start,
        lambda made: stretch(made, 1.0),
        # In the middle, and not as large as the slide.
        lambda made: stretch(made, 0.8),
        gold=lambda made: None,
    )


@case("osworld", "9ec204e4")
@case("osmap", "9ec204e4")
def the_last_two_slides_twice(shop: Workshop) -> Case:
    name = "MLA_Workshop_061X_Works_Cited"
    start = deck(*PLAN)
    double = "doc.duplicate(doc.DrawPages(4))\ndoc.duplicate(doc.DrawPages(6))"
    saved = shop.office(start)

    def order(content: bytes) -> bytes:
        made = open_again(start, content)
        listed = made.slides._sldIdLst
        listed.insert(5, listed[6])
        return shop.office(made)

    doubled = shop.basic(saved, double, f"{name}.pptx")
    return Case(
        satisfied=leave(f"{DESK}/{name}.pptx", order(doubled)),
        # Each copy behind its own.
        near_miss=leave(f"{DESK}/{name}.pptx", doubled),
        files={
            f"{name}.pptx": saved,
            **dict.fromkeys([f"{name}_Gold.pptx", f"{name}_Gold_all_fonts.pptx"], order(shop.basic(start, double))),
        },
        one_sitting=True,
    )


@case("osworld", "ac9bb6cb")
@case("osmap", "ac9bb6cb")
def numbers_in_red(shop: Workshop) -> Case:
    name = "saa-format-guide.pptx"
    shown = "For at = 0 To 5\ndoc.DrawPages(at).IsPageNumberVisible = True\nNext"
    start = shop.basic(shop.office(deck(*PLAN)), shown, name)
    code = """For each_master = 0 To doc.MasterPages.Count - 1
master = doc.MasterPages(each_master)
For at = 0 To master.Count - 1
If master(at).ShapeType = "com.sun.star.presentation.{}Shape" Then
letters = master(at).createTextCursor()
letters.gotoStart(False)
letters.gotoEnd(True)
letters.CharColor = RGB(255, 0, 0)
End If
Next
Next
For at = 0 To doc.DrawPages.Count - 1
doc.DrawPages(at).IsPageNumberVisible = True
Next"""
    satisfied, near_miss = (shop.basic(start, code.format(kind), name) for kind in ("SlideNumber", "DateTime"))
    # The date in red is no number.
    return Case(leave(f"{DESK}/{name}", satisfied), leave(f"{DESK}/{name}", near_miss), {name: start}, one_sitting=True)


def tune() -> bytes:
    """Return three seconds of a rising tone as MP3."""
    held = io.BytesIO()
    rate = 44_100
    with av.open(held, "w", format="mp3") as file:
        stream = file.add_stream("mp3", rate=rate, layout="mono")
        at = np.arange(3 * rate) / rate
        waves = (np.sin(2 * np.pi * (220 + 110 * at) * at) * 9000).astype(np.int16)
        frame = av.AudioFrame.from_ndarray(waves[None, :], format="s16", layout="mono")
        frame.sample_rate = rate
        for packet in (*stream.encode(frame), *stream.encode(None)):
            file.mux(packet)
    return held.getvalue()


@case("osworld", "c59742c0")
@case("osmap", "c59742c0")
def a_tune_on_the_first_slide(shop: Workshop) -> Case:
    sound = tune()
    name = "Mady_and_Mia_Baseball.pptx"
    saved = shop.office(deck(*PLAN))

    def put(number: int) -> bytes:
        made = open_again(deck(), saved)
        place = made.slides[number - 1].shapes
        place.add_movie(io.BytesIO(sound), Cm(3), Cm(10), Cm(3), Cm(3), mime_type="audio/mpeg")
        return shop.office(made)

    return Case(
        satisfied=leave(f"{DESK}/{name}", put(1)),
        near_miss=leave(f"{DESK}/{name}", put(2)),
        files={name: saved, "Baseball.mp3": sound},
        one_sitting=True,
    )


@case("osworld", "c82632a4")
def a_small_picture(shop: Workshop) -> Case:
    def add(made: Any, size: float) -> None:
        made.slides[1].shapes.add_picture(io.BytesIO(picture()), Cm(10), Cm(10), Cm(size), Cm(size))

    made = become(
        shop,
        f"{DESK}/31_2.pptx",
        ["31_2_Gold.pptx"],
        lambda: deck(*PLAN),
        lambda made: add(made, 1),
        # One inch.
        lambda made: add(made, 2.54),
    )
    return Case(made.satisfied, made.near_miss, {**made.files, "none.png": picture()}, one_sitting=True)


@case("osworld", "e4ef0baf")
def a_high_picture_and_large_letters(shop: Workshop) -> Case:
    def change(made: Any, points: int, high: bool) -> None:
        [shape] = pictures_of(made.slides[2])
        shape.width, shape.height = (shape.width, Cm(20)) if high else (Cm(20), shape.height)
        for run in runs_of(*made.slides[5].shapes):
            run.font.size = Pt(points)

    return become(
        shop,
        f"{DESK}/42_2.pptx",
        ["42_2_Gold.pptx", "42_2_Gold_all_fonts.pptx"],
        lambda: with_picture(3, 2.0),
        lambda made: change(made, 40, True),
        # Wide instead of high.
        lambda made: change(made, 40, False),
    )


@case("osworld", "ed43c15f")
def a_picture_at_the_top(shop: Workshop) -> Case:
    def change(made: Any, top: float) -> None:
        [shape] = pictures_of(made.slides[1])
        shape.top = Cm(top)
        for slide in list(made.slides)[:2]:
            for run in runs_of(*slide.shapes):
                run.font.underline = True

    return become(
        shop,
        f"{DESK}/43_1.pptx",
        ["43_1_Gold.pptx"],
        lambda: with_picture(2),
        lambda made: change(made, 0.5),
        # Hardly higher than it was.
        lambda made: change(made, 11),
        # There it is where it was, and must be higher than that.
        gold=lambda made: change(made, 12),
    )


@case("osworld", "ef9d12bd")
@case("osmap", "ef9d12bd")
def the_panel_is_back(shop: Workshop) -> Case:
    view = [hand.press("F10"), hand.press("Right", times=2)]
    return Case(
        satisfied=moves(*view, hand.press("Down", times=11), hand.press("Return")),
        # The panel on the right instead.
        near_miss=moves(hand.press("ctrl+F5")),
    )
