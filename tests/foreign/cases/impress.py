"""Cases of LibreOffice Impress: texts and their looks."""

from __future__ import annotations

from typing import Any

from pptx.dml.color import RGBColor
from pptx.enum.text import PP_ALIGN
from pptx.util import Cm, Pt

from tests.foreign.case import Case, case
from tests.foreign.documents import become, body_of, deck, paint, runs_of, type_in
from tests.foreign.workshop import Workshop

DESK = "/home/user/Desktop"
CLUB = ("Our club", "Find a field", "Buy a ball", "Ask the others")
LONG = [(f"Part {at}", f"First point of {at}", f"Second point of {at}") for at in range(1, 15)]


def colour(value: str, *shapes: Any) -> None:
    """Colour all letters of shapes."""
    for run in runs_of(*shapes):
        run.font.color.rgb = RGBColor.from_string(value)


@case("osworld", "04578141")
def yellow_red_and_green(shop: Workshop) -> Case:
    def start() -> Any:
        made = deck(("Signals",))
        for at, text in enumerate(["Wait", "Stop", "Go"]):
            box = made.slides[0].shapes.add_textbox(Cm(3), Cm(5 + 4 * at), Cm(12), Cm(2))
            box.text_frame.text = text
        return made

    def paint_boxes(made: Any, *colours: str) -> None:
        boxes = [shape for shape in made.slides[0].shapes if not shape.is_placeholder or shape.text_frame.text == ""]
        boxes = [shape for shape in boxes if shape.text_frame.text in ("Wait", "Stop", "Go")]
        for box, value in zip(sorted(boxes, key=lambda box: box.top), colours, strict=True):
            colour(value, box)

    return become(
        shop,
        f"{DESK}/45_2.pptx",
        ["45_2_Gold.pptx", "45_2_Gold_all_fonts.pptx"],
        start,
        lambda made: paint_boxes(made, "FFFF00", "FF0000", "00FF00"),
        # Dark red.
        lambda made: paint_boxes(made, "FFFF00", "C00000", "00FF00"),
    )


@case("osworld", "08aced46")
def a_title_on_the_right(shop: Workshop) -> Case:
    def entitle(made: Any, side: PP_ALIGN) -> None:
        title = made.slides[1].shapes.title
        type_in(title, "Note")
        title.text_frame.paragraphs[0].alignment = side

    return become(
        shop,
        f"{DESK}/22_6.pptx",
        ["22_6_Gold.pptx", "22_6_Gold2.pptx"],
        lambda: deck(("Begin", "one"), ("", "two")),
        lambda made: entitle(made, PP_ALIGN.RIGHT),
        lambda made: entitle(made, PP_ALIGN.LEFT),
    )


@case("osworld", "15aece23")
def a_title_at_the_bottom(shop: Workshop) -> Case:
    def move(made: Any, top: float) -> None:
        title = made.slides[1].shapes.title
        left, width, height = title.left, title.width, title.height
        title.left, title.top, title.width, title.height = left, Cm(top), width, height

    return become(
        shop,
        f"{DESK}/134_2.pptx",
        ["134_2_Original.pptx"],
        lambda: deck(("Begin", "one"), ("Product Comparison", "two")),
        lambda made: move(made, 15.5),
        lambda made: move(made, 4),
        gold=lambda made: None,
    )


@case("osworld", "3161d64e")
def two_sizes_of_letters(shop: Workshop) -> Case:
    def size(made: Any, *points: int) -> None:
        for shape, value in zip(made.slides[13].shapes, points, strict=True):
            for run in runs_of(shape):
                run.font.size = Pt(value)

    return become(
        shop,
        f"{DESK}/45_1.pptx",
        ["45_1_Gold.pptx"],
        lambda: deck(*LONG),
        lambda made: size(made, 60, 28),
        lambda made: size(made, 28, 60),
    )


@case("osworld", "358aa0a7")
@case("osmap", "358aa0a7")
def one_font_everywhere(shop: Workshop) -> Case:
    def change(made: Any, last: int) -> None:
        for slide in list(made.slides)[:last]:
            for run in runs_of(*slide.shapes):
                run.font.name = "Liberation Sans Narrow"

    return become(
        shop,
        f"{DESK}/note-taking-strategies.pptx",
        ["note-taking-strategies_Gold.pptx"],
        lambda: deck(*LONG[:4]),
        lambda made: change(made, 4),
        # Not on the last slide.
        lambda made: change(made, 3),
        given="note-taking-strategies.file",
    )


@case("osworld", "4ed5abd0")
def black_titles_underlined(shop: Workshop) -> Case:
    def start() -> Any:
        made = deck(*LONG[:6])
        for slide in made.slides:
            colour("0000FF", slide.shapes.title)
        return made

    def change(made: Any, *numbers: int) -> None:
        for number in numbers:
            title = made.slides[number - 1].shapes.title
            colour("000000", title)
            for run in runs_of(title):
                run.font.underline = True

    return become(
        shop,
        f"{DESK}/4_1.pptx",
        ["4_1_Gold.pptx", "4_1_Gold_all_fonts.pptx"],
        start,
        lambda made: change(made, 2, 3, 5),
        lambda made: change(made, 2, 3, 4),
    )


@case("osworld", "550ce7e7")
def lines_that_are_done(shop: Workshop) -> Case:
    def strike(made: Any, *lines: int) -> None:
        paragraphs = body_of(made.slides[0]).text_frame.paragraphs
        for line in lines:
            for run in paragraphs[line - 1].runs:
                run.font._element.set("strike", "sngStrike")

    return become(
        shop,
        f"{DESK}/New_Club_Spring_2018_Training.pptx",
        ["New_Club_Spring_2018_Training_with_strike.data", "New_Club_Spring_2018_Training_Gold_all_fonts_1.pptx"],
        lambda: deck(CLUB),
        lambda made: strike(made, 1, 2),
        lambda made: strike(made, 2, 3),
        given="New_Club_Spring_2018_Training.data",
    )


@case("osworld", "57667013")
def yellow_letters_on_one_slide(shop: Workshop) -> Case:
    def change(made: Any, number: int) -> None:
        colour("FFFF00", *made.slides[number - 1].shapes)

    return become(
        shop,
        f"{DESK}/1_2.pptx",
        ["1_2_Gold.pptx", "1_2_Gold_all_fonts.pptx"],
        lambda: deck(*LONG[:6]),
        lambda made: change(made, 5),
        # Slides counted from nought.
        lambda made: change(made, 6),
    )


@case("osworld", "5c1a6c3d")
def bold_with_a_large_title(shop: Workshop) -> Case:
    def change(made: Any, whole: bool) -> None:
        slide = made.slides[0]
        for run in runs_of(*(slide.shapes if whole else [slide.shapes.title])):
            run.font.bold = True
        for run in runs_of(slide.shapes.title):
            run.font.size, run.font.underline = Pt(44), True

    return become(
        shop,
        f"{DESK}/39_2.pptx",
        ["39_2_Gold.pptx", "39_2_Gold_all_fonts.pptx"],
        lambda: deck(CLUB, ("Later", "more")),
        lambda made: change(made, True),
        # The title only.
        lambda made: change(made, False),
    )


@case("osworld", "7dbc52a6")
def the_title_as_a_note_and_bold(shop: Workshop) -> Case:
    def change(made: Any, bold: bool) -> None:
        slide = made.slides[1]
        slide.notes_slide.notes_text_frame.text = slide.shapes.title.text_frame.text
        for run in runs_of(slide.shapes.title):
            run.font.bold = bold or None

    return become(
        shop,
        f"{DESK}/164_3.pptx",
        ["164_3_Gold.pptx"],
        lambda: deck(CLUB, ("Summer plans", "Swim", "Run")),
        lambda made: change(made, True),
        lambda made: change(made, False),
    )


@case("osworld", "841b50aa")
def a_note_and_a_purple_ground(shop: Workshop) -> Case:
    def change(made: Any, note: str) -> None:
        made.slides[0].notes_slide.notes_text_frame.text = note
        paint(made.slides[0], "800080")

    return become(
        shop,
        f"{DESK}/181_2.pptx",
        ["181_2_Gold.pptx"],
        lambda: deck(("What we build", "A program for phones")),
        lambda made: change(made, "APP"),
        lambda made: change(made, "App"),
    )


@case("osworld", "8979838c")
def a_purple_ground_and_the_title_as_a_note(shop: Workshop) -> Case:
    def change(made: Any, ground: str) -> None:
        slide = made.slides[0]
        slide.notes_slide.notes_text_frame.text = slide.shapes.title.text_frame.text
        if ground:
            paint(slide, ground)

    return become(
        shop,
        f"{DESK}/186_3.pptx",
        ["186_3_Gold.pptx"],
        lambda: deck(("Winter plans", "Ski", "Read")),
        lambda made: change(made, "800080"),
        lambda made: change(made, ""),
    )


@case("osworld", "a434992a")
def small_and_orange_on_red(shop: Workshop) -> Case:
    def change(made: Any, ground: str) -> None:
        content = body_of(made.slides[0])
        colour("FF8000", content)
        for run in runs_of(content):
            run.font.size = Pt(12)
        paint(made.slides[0], ground)

    return become(
        shop,
        f"{DESK}/16_2.pptx",
        ["16_2_Gold.pptx"],
        lambda: deck(CLUB),
        lambda made: change(made, "FF0000"),
        # The ground takes the colour of the letters.
        lambda made: change(made, "FF8000"),
    )


@case("osworld", "af2d657a")
def a_title_in_another_font(shop: Workshop) -> Case:
    def entitle(made: Any, font: str | None) -> None:
        title = made.slides[0].shapes.title
        type_in(title, "Happy Family")
        title.text_frame.paragraphs[0].runs[0].font.name = font

    return become(
        shop,
        f"{DESK}/9_1.pptx",
        ["9_1_Gold.pptx"],
        lambda: deck(("", "Mother", "Father"), ("More", "Aunt")),
        lambda made: entitle(made, "Microsoft JhengHei"),
        lambda made: entitle(made, None),
    )


@case("osworld", "b8adbc24")
def a_title_like_the_one_before(shop: Workshop) -> Case:
    def start() -> Any:
        made = deck(("Shopping", "In town"), ("", "On line"))
        colour("C00000", made.slides[0].shapes.title)
        return made

    def entitle(made: Any, value: str) -> None:
        title = made.slides[1].shapes.title
        type_in(title, "Online Shopping")
        if value:
            colour(value, title)

    return become(
        shop,
        f"{DESK}/189_4.pptx",
        ["189_4_Gold.pptx"],
        start,
        lambda made: entitle(made, "C00000"),
        lambda made: entitle(made, ""),
    )


@case("osworld", "edb61b14")
def the_last_slide_in_another_font(shop: Workshop) -> Case:
    def change(made: Any, font: str) -> None:
        for run in runs_of(*list(made.slides)[-1].shapes):
            run.font.name = font

    return become(
        shop,
        f"{DESK}/24_8.pptx",
        ["24_8_Gold.pptx"],
        lambda: deck(*LONG[:5]),
        lambda made: change(made, "Times New Roman"),
        # Impress would write the usual stand-in, Liberation Serif, as Times New Roman.
        lambda made: change(made, "Georgia"),
    )


@case("osworld", "f23acfd2")
def one_point_more(shop: Workshop) -> Case:
    def add(made: Any, level: int) -> None:
        frame = body_of(made.slides[0]).text_frame
        for paragraph in frame.paragraphs:
            properties = paragraph._p.get_or_add_pPr()
            for old in list(properties):
                if old.tag.rpartition("}")[2].startswith("bu"):
                    properties.remove(old)
            if level:
                properties.insert(0, properties.makeelement(f"{{{_A}}}buChar", {"char": "•"}))
                properties.set("marL", "342900")
                properties.set("indent", "-342900")

    def start() -> Any:
        made = deck(("Without points", "A text that has none"))
        paragraph = body_of(made.slides[0]).text_frame.paragraphs[0]
        properties = paragraph._p.get_or_add_pPr()
        properties.insert(0, properties.makeelement(f"{{{_A}}}buNone", {}))
        properties.set("marL", "0")
        properties.set("indent", "0")
        return made

    def type_it(made: Any) -> None:
        run = body_of(made.slides[0]).text_frame.paragraphs[0].runs[0]
        run.text = f"• {run.text}"

    return become(
        shop,
        f"{DESK}/69_4.pptx",
        ["69_4_Gold.pptx", "69_4_Gold2.pptx", "69_4_Gold_all_fonts_1.pptx", "69_4_Gold_all_fonts_2.pptx"],
        start,
        lambda made: add(made, 1),
        # A typed sign is no point of a list.
        type_it,
    )


_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
