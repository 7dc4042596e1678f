"""Cases of OS-MAP's first level: a course of actions is prescribed, and a document is what it leads to."""

from __future__ import annotations

from typing import Any

import pptx

from proctor.actions.action import Click, Move
from proctor.suites.parts.writer import menu
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.shelves import hand
from proctor.vocabulary.desktop.where import Where
from tests.foreign.case import Act, Case, case, moves, then, write
from tests.foreign.documents import deck, letter, paint
from tests.foreign.workshop import Workshop

DESK = "/home/user/Desktop"
TITLE = hand.click("PlaceHolder 1", role="panel", at=(0.1, 0.5))
SAVE = hand.press("ctrl+s")


def hover(name: str) -> Act:
    """Return an act that leads the pointer to an entry of a menu, which opens another."""

    def act(context: MoveContext) -> None:
        x, y = Where(name=name, role="menu").on(context.computer).wait().box.center
        context.do(Move(x=x, y=y))

    return act


def click_at(x: int, y: int, times: int = 1) -> Act:
    """Return an act that clicks at a place, where no element has a name."""
    return lambda context: [context.do(Click(x=x, y=y)) for _ in range(times)]


def pick(name: str) -> Call:
    """Click a slide in the pane at the left, which is called by its title there."""
    return hand.click(f"/^{name}$/", role="panel", within={"role": "document frame", "name": "Slides View"})


def titles(*names: str) -> Any:
    """Return a presentation with nothing but titles."""
    made = pptx.Presentation()
    for name in names:
        made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = name
    return made


@case("osmap", "l1_add_right_aligned_title")
def a_title_at_the_right(shop: Workshop) -> Case:
    given = shop.office(deck(("Agenda", "Words"), ("", "To remember")))
    note = """title = doc.DrawPages(1).getByIndex(0)
title.String = "Note"
title.CharHeight = 18
title.ParaAdjust = com.sun.star.style.ParagraphAdjust.RIGHT"""
    begun = (pick("Slide 2"), TITLE, hand.type("Note"))
    return Case(
        satisfied=moves(*begun, hand.press("ctrl+r"), SAVE),
        # In the middle.
        near_miss=moves(*begun, hand.press("ctrl+e"), SAVE),
        files={"22_6.pptx": given, "22_6_Gold.pptx": shop.basic(given, note, "22_6.pptx")},
    )


# Where, and how large, is LibreOffice's own choice when its window fills the screen.
_TABLE = """doc.CurrentController.setCurrentPage(doc.DrawPages(1))
Dim size(1) As New com.sun.star.beans.PropertyValue
size(0).Name = "Columns"
size(0).Value = 2
size(1).Name = "Rows"
size(1).Value = 5
dispatcher = createUnoService("com.sun.star.frame.DispatchHelper")
dispatcher.executeDispatch(doc.CurrentController.Frame, ".uno:InsertTable", "", 0, size())
table = doc.DrawPages(1).getByIndex(1)
Dim place As New com.sun.star.awt.Point
place.X = 5694
place.Y = 4556
table.setPosition(place)
Dim large As New com.sun.star.awt.Size
large.Width = 14098
large.Height = 9998
table.setSize(large)"""


@case("osmap", "l1_insert_table")
def a_table_of_features(shop: Workshop) -> Case:
    given = shop.office(titles("Product", "Features"))
    more = hand.click(role="spin button", window="Insert Table", nth=0, at=(0.9, 0.5))
    begun = (pick("Features"), *menu("Insert", "Table..."), hand.type("2"))
    end = (hand.click("OK", role="push button"), SAVE)
    return Case(
        satisfied=moves(*begun, more, more, more, *end),
        near_miss=moves(*begun, more, more, *end),
        files={"41_3.pptx": given, "41_3_Gold.pptx": shop.basic(given, _TABLE, "41_3.pptx")},
    )


@case("osmap", "l1_change_background")
def a_green_ground(shop: Workshop) -> Case:
    made = deck(("Garden", "Beans"))
    given = shop.office(made)
    paint(made.slides[0], "00A933")

    def chosen(colour: str) -> tuple[Call, ...]:
        return (
            *menu("Slide", "Slide Properties..."),
            hand.click("Background", role="page tab"),
            hand.click("/^Color$/", role="toggle button"),
            hand.click(colour, role="list item"),
            hand.click("OK", role="push button"),
            SAVE,
        )

    return Case(
        satisfied=moves(*chosen("Green")),
        near_miss=moves(*chosen("Blue")),
        files={"214_9.pptx": given, "214_9_Gold.pptx": shop.office(made)},
    )


@case("osmap", "l1_change_font")
def all_in_one_font(shop: Workshop) -> Case:
    # In several fonts, so that the box that names them is empty.
    made = letter("Dublin Zoo lies in Phoenix Park.", "It was opened in 1831.")
    made.paragraphs[1].runs[0].font.name = "Arial"
    begun = (hand.press("ctrl+a"), hand.click("Font Name", role="panel", at=(0.3, 0.5)))
    end = (hand.press("Return"), hand.click("/^Save$/", role="push button"))
    # At the top right, where a document is closed.
    return Case(
        satisfied=then(moves(*begun, hand.type("Times New Roman"), *end), click_at(1903, 65)),
        near_miss=then(moves(*begun, hand.type("Times"), *end), click_at(1903, 65)),
        files={"Dublin_Zoo_Intro.docx": shop.office(made)},
    )


@case("osmap", "l1_export_pdf")
def a_document_as_pdf(shop: Workshop) -> Case:
    made = shop.office(letter("Person", "A summary of the organisation."))
    name = "View_Person_Organizational_Summary"
    gold = shop.office(made, f"{name}.docx", "pdf")

    begun = hand.click("File", role="menu", within={"role": "menu bar", "app": "soffice"})
    choice = hand.click("Export Directly as PDF", role="menu item")
    save = (hand.click("Export", role="push button", window="/^Export$/"), hand.await_closed(f"{DESK}/{name}.pdf"))

    def exported(*rest: Call) -> Act:
        return then(moves(begun), hover("Export As"), moves(choice, *rest))

    return Case(
        satisfied=exported(*save),
        # Asked for, and not saved.
        near_miss=exported(),
        files={f"{name}.docx": made, "Constitution_Template_With_Guidelines_Gold.pdf": gold},
    )


@case("osmap", "l1_italic_to_14pt")
def larger_italics(shop: Workshop) -> Case:
    def start(size: int) -> Any:
        made = letter("A text with ", "Nothing here")
        run = made.paragraphs[0].add_run("slanted words")
        run.italic = True
        run.font.size = size * 12_700
        return made

    given, right, wrong, gold = shop.office_all([start(11), start(14), start(13), start(14)])
    path = f"{DESK}/Y22-2119-assign4.docx"

    # The dialog has its buttons elsewhere here, and boxes are not compared.
    def done(content: bytes) -> Act:
        return then(click_at(1500, 700, times=12), write(path, content))

    return Case(
        satisfied=done(right),
        near_miss=done(wrong),
        files={"Y22-2119-assign4.docx": given, "Y22-2119-assign4.docx_Gold.docx": gold},
    )


@case("osmap", "l1_change_bk_title")
def yellow_grounds_and_a_title(shop: Workshop) -> Case:
    made = titles("Welcome", "Introduction", "Ann", "Ben")
    # The box for their colour is there because they have one.
    for slide in (made.slides[2], made.slides[3]):
        paint(slide, "EEEEEE")
    given = shop.office(made)
    for slide in (made.slides[2], made.slides[3]):
        paint(slide, "FFFF00")
    # LibreOffice makes the apostrophe a typographical one.
    made.slides[1].shapes.title.text = "Let\u2019s start"
    # On its text, which is in the middle: elsewhere, a click selects the frame.
    title = hand.click("PlaceHolder 1", role="panel")
    box = hand.click("Light Gray 5", role="toggle button")
    paints = (box, hand.click("Yellow", role="list item"))

    def titled(text: str) -> tuple[Call, ...]:
        begun = (pick("Ann"), *paints, pick("Ben"), *paints, pick("Introduction"), title)
        return (*begun, hand.press("ctrl+a"), hand.type(text))

    return Case(
        satisfied=moves(*titled("Let's start")),
        near_miss=moves(*titled("Lets start")),
        files={"13_0.pptx": given, "13_0_Gold.pptx": shop.office(made)},
    )
