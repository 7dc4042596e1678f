"""Cases of AgentStudio: presentations; some tasks stand there twice, with the slides open and without."""

from __future__ import annotations

import copy
import io
from typing import Any

from pptx.dml.color import RGBColor
from pptx.util import Cm, Pt

from tests.foreign.case import Case, case
from tests.foreign.documents import become, deck, leave, picture, runs_of
from tests.foreign.workshop import Workshop

SLIDES = "/home/user/agent_studio/slides"
CLUB = ("Our club", "Find a field", "Buy a ball", "Ask the others")
LONG = [(f"Part {at}", f"First point of {at}", f"Second point of {at}") for at in range(1, 7)]


def colour(value: str, *shapes: Any) -> None:
    """Colour all letters of shapes."""
    for run in runs_of(*shapes):
        run.font.color.rgb = RGBColor.from_string(value)


def underline(*shapes: Any) -> None:
    """Underline all letters of shapes."""
    for run in runs_of(*shapes):
        run.font.underline = True


def body_of(slide: Any) -> Any:
    """Return the text below the title, whatever number it has."""
    return list(slide.placeholders)[1]


@case("agentstudio", "392caf3b")
def underlined_and_dark_red(shop: Workshop) -> Case:
    def change(made: Any, value: str) -> None:
        slide = made.slides[0]
        underline(body_of(slide))
        colour(value, *slide.shapes)

    return become(
        shop, f"{SLIDES}/154_3.pptx", ["154_3_Gold.pptx"], lambda: deck(CLUB),
        lambda made: change(made, "A1467E"), lambda made: change(made, "FF0000"),
    )  # fmt: skip


@case("agentstudio", "3d7cf1db")
@case("agentstudio", "4ed5abd0")
def black_titles_underlined(shop: Workshop) -> Case:
    def start() -> Any:
        made = deck(*LONG)
        for slide in made.slides:
            colour("0000FF", slide.shapes.title)
        return made

    def change(made: Any, *numbers: int) -> None:
        for number in numbers:
            title = made.slides[number - 1].shapes.title
            colour("000000", title)
            underline(title)

    return become(
        shop, f"{SLIDES}/4_1.pptx", ["4_1_Gold.pptx"], start,
        lambda made: change(made, 2, 3, 5), lambda made: change(made, 2, 3, 4),
    )  # fmt: skip


@case("agentstudio", "7481a5c2")
@case("agentstudio", "7dbc52a6")
def the_title_as_a_note_and_bold(shop: Workshop) -> Case:
    def change(made: Any, bold: bool) -> None:
        slide = made.slides[1]
        slide.notes_slide.notes_text_frame.text = slide.shapes.title.text_frame.text
        for run in runs_of(slide.shapes.title):
            run.font.bold = bold or None

    return become(
        shop, f"{SLIDES}/164_3.pptx", ["164_3_Gold.pptx"], lambda: deck(CLUB, ("Summer plans", "Swim", "Run")),
        lambda made: change(made, True), lambda made: change(made, False),
    )  # fmt: skip


@case("agentstudio", "854007a1")
@case("agentstudio", "a669ef01")
def a_continuation_further_in(shop: Workshop) -> Case:
    lines = ("first point of sub topics", "continuation of the sub topics")

    def start() -> Any:
        made = deck(CLUB, CLUB, ("Outlines", *lines))
        body_of(made.slides[2]).text_frame.paragraphs[0].level = 1
        return made

    def indent(made: Any, level: int) -> None:
        body_of(made.slides[2]).text_frame.paragraphs[1].level = level

    def look_alike(made: Any) -> None:
        first, second = body_of(made.slides[2]).text_frame.paragraphs[:2]
        second._p.remove(second._p.pPr)
        second._p.insert(0, copy.deepcopy(first._p.pPr))
        for run in second.runs:
            run._r.remove(run._r.rPr)
            run._r.insert(0, copy.deepcopy(first.runs[0]._r.rPr))

    return become(
        shop, f"{SLIDES}/Writing-Outlines.pptx", ["Writing-Outlines_Gold.pptx"], start,
        look_alike, lambda made: indent(made, 2), gold=lambda made: indent(made, 1),
    )  # fmt: skip


@case("agentstudio", "9adcaecf")
def a_picture_at_the_top(shop: Workshop) -> Case:
    def start() -> Any:
        made = deck(("Before", "one"), ("After", "two"))
        made.slides[1].shapes.add_picture(io.BytesIO(picture()), Cm(4), Cm(9), Cm(6), Cm(4))
        return made

    def move(made: Any, top: float) -> None:
        for slide in made.slides:
            underline(*slide.shapes)
        [found] = [shape for shape in made.slides[1].shapes if shape.shape_type == 13]
        found.top = Cm(top)

    return become(
        shop, f"{SLIDES}/43_1.pptx", ["43_1_Gold.pptx"], start,
        lambda made: move(made, 0), lambda made: move(made, 12),
        # What is compared with has the picture where it was.
        gold=lambda made: [underline(*slide.shapes) for slide in made.slides],
    )  # fmt: skip


@case("agentstudio", "bc0872e2")
@case("agentstudio", "a097acff")
def slides_saved_as_others(shop: Workshop) -> Case:
    name = "Secrets-of-Monetizing-Video.pptx"
    saved, other = shop.office_all([deck(*LONG), deck(*LONG[:5])])
    path = f"{SLIDES}/pre.pptx"
    return Case(leave(path, saved), leave(path, other), {name: saved}, one_sitting=True)


@case("agentstudio", "db4492d5")
@case("agentstudio", "39be0d19")
def a_table_of_five_rows(shop: Workshop) -> Case:
    def table(made: Any, rows: int, columns: int) -> None:
        made.slides[1].shapes.add_table(rows, columns, Cm(4), Cm(6), Cm(16), Cm(8))

    return become(
        shop, f"{SLIDES}/41_3.pptx", ["41_3_Gold.pptx"], lambda: deck(CLUB, ("Features",)),
        lambda made: table(made, 5, 2), lambda made: table(made, 2, 5),
    )  # fmt: skip


@case("agentstudio", "f5b74786")
def a_title_in_another_font(shop: Workshop) -> Case:
    def entitle(made: Any, font: str | None) -> None:
        title = made.slides[0].shapes.title
        title.text_frame.text = "Happy Family"
        title.text_frame.paragraphs[0].runs[0].font.name = font

    return become(
        shop, f"{SLIDES}/9_1.pptx", ["9_1_Gold.pptx"], lambda: deck(("", "Mother", "Father"), ("More", "Aunt")),
        lambda made: entitle(made, "Times New Roman"), lambda made: entitle(made, None),
    )  # fmt: skip


@case("agentstudio", "ac1b39ff")
def a_table_at_the_bottom(shop: Workshop) -> Case:
    def start() -> Any:
        made = deck(CLUB, CLUB, ("Product Comparison",))
        made.slides[2].shapes.add_table(3, 2, Cm(4), Cm(4), Cm(14), Cm(4))
        return made

    def move(made: Any, top: float) -> None:
        [found] = [shape for shape in made.slides[2].shapes if shape.has_table]
        found.top = Cm(top)

    return become(
        shop, f"{SLIDES}/55_10.pptx", ["55_10_Original.pptx"], start,
        lambda made: move(made, 14.5), lambda made: move(made, 1), gold=lambda made: None,
    )  # fmt: skip


@case("agentstudio", "c82632a4")
def a_picture_of_one_centimetre(shop: Workshop) -> Case:
    def add(made: Any, wide: float) -> None:
        made.slides[1].shapes.add_picture(io.BytesIO(picture("blue", (90, 90))), Cm(3), Cm(3), Cm(wide), Cm(wide))

    made = become(
        shop, f"{SLIDES}/31_2.pptx", ["31_2_Gold.pptx"], lambda: deck(*LONG[:3]),
        lambda made: add(made, 1), lambda made: add(made, 1.6),
    )  # fmt: skip
    files = {**made.files, "none.png": picture("blue", (90, 90))}
    return Case(made.satisfied, made.near_miss, files, one_sitting=True)


@case("agentstudio", "e4ef0baf")
def a_larger_picture_and_larger_letters(shop: Workshop) -> Case:
    def start() -> Any:
        made = deck(*LONG)
        made.slides[2].shapes.add_picture(io.BytesIO(picture()), Cm(2), Cm(2), Cm(6), Cm(6))
        return made

    def change(made: Any, points: int) -> None:
        [found] = [shape for shape in made.slides[2].shapes if shape.shape_type == 13]
        found.width = found.height = Cm(20)
        for run in runs_of(*made.slides[5].shapes):
            run.font.size = Pt(points)

    return become(
        shop, f"{SLIDES}/42_2.pptx", ["42_2_Gold.pptx"], start,
        lambda made: change(made, 40), lambda made: change(made, 44),
    )  # fmt: skip
