"""Probes that look closely at files, on a computer in memory: what is there is told, what is not is a fault."""

from __future__ import annotations

import base64
import io
import zipfile
from typing import Any

import openpyxl
import pytest
from PIL import Image, ImageDraw, ImageFont
from pptx import Presentation
from pptx.util import Mm

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.vocabulary.apps.desktop.probes import BACKDROP, picture_text, wallpaper
from proctor.vocabulary.desktop.checks.files import same_digests
from proctor.vocabulary.desktop.checks.screen import text_on_screen
from proctor.vocabulary.desktop.probes.files import folder_digests
from proctor.vocabulary.desktop.probes.screen import screen_size
from proctor.vocabulary.formats.archives.probes import archived_file, archived_pdf
from proctor.vocabulary.formats.data.checks_of_rules import json_covers
from proctor.vocabulary.formats.data.probes import yaml
from proctor.vocabulary.formats.documents.checks_of_pdf import like_pdf, pdf_holds, pdf_reaches_down, same_drawn_pages
from proctor.vocabulary.formats.documents.probes import drawn_pdf, given_drawn_pdf, given_pdf, pdf_margins
from proctor.vocabulary.formats.letters.probes import first_letter, mail_file
from proctor.vocabulary.formats.pictures.probes import measured_picture, pictures_in
from proctor.vocabulary.formats.slides.checks_of_twins import grounds_near, paragraphs_struck
from proctor.vocabulary.formats.slides.parse_as_written import slides_as_written
from proctor.vocabulary.formats.slides.probes import slide_picture, slide_sound
from proctor.vocabulary.formats.spreadsheets.checks_of_twins import cells_say, last_row_is
from proctor.vocabulary.formats.spreadsheets.parse import read_spreadsheet
from proctor.vocabulary.formats.spreadsheets.probes import workbook
from tests.tasks.answering import AnsweringComputer, said

LETTER = b"From: a@b.example\nTo: me@b.example\nSubject: %s\n\nHello\n"


def saved(made: Any) -> bytes:
    held = io.BytesIO()
    made.save(held)
    return held.getvalue()


def picture(colour: str = "red") -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (30, 20), colour).save(held, "PNG")
    return held.getvalue()


def slides() -> bytes:
    made = Presentation()
    shapes = made.slides.add_slide(made.slide_layouts[6]).shapes
    shapes.add_picture(io.BytesIO(picture()), 0, 0, Mm(30), Mm(20))
    return saved(made)


def packed(**files: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as target:
        for name, content in files.items():
            target.writestr(name, content)
    return held.getvalue()


def context(**files: bytes) -> ProbeContext:
    """Look at a computer with these files in its home folder; `__` stands for a slash."""
    computer = FakeComputer()
    computer.start()
    for name, content in files.items():
        computer.write_file(name.replace("__", "/"), content)
    return ProbeContext(computer)


def book(*rows: list[Any]) -> bytes:
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    return saved(made)


def test_files_are_looked_at_closely() -> None:
    seen = context(
        deck=slides(), book=book(["a"]), photo=picture(), data=b"a: 1", pack=packed(a=b"text"),
        folder__one=picture("blue"), folder__two=picture(), inbox=b"From - x\n" + LETTER % b"One",
        new__1=LETTER % b"First", new__2=LETTER % b"Second",
    )  # fmt: skip
    assert slide_picture(seen, "deck")["colours"][0]["colour"] == "#ff0000"
    assert workbook(seen, "book")["sheets"][0]["zoom"] == 100  # type: ignore[index]
    assert measured_picture(seen, "photo")["palette"] is False
    assert yaml(seen, "data")["data"] == {"a": 1}
    assert archived_file(seen, "pack", "a", "text")["text"] == "text"
    listed: Any = pictures_in(seen, "folder")["pictures"]
    assert [(each["name"], each["mean"][2]) for each in listed] == [("one", 255.0), ("two", 0.0)]
    assert [each["subject"] for each in mail_file(seen, "inbox")["letters"]] == ["One"]
    assert first_letter(seen, "new")["subject"] == "First"
    assert screen_size(seen)["width"] == seen.computer.size[0]


@pytest.mark.parametrize(
    "look",
    [
        lambda seen: slide_picture(seen, "deck", 2),
        lambda seen: slide_picture(seen, "deck", 1, True),
        lambda seen: slide_sound(seen, "deck"),
        lambda seen: workbook(seen, "deck"),
        lambda seen: measured_picture(seen, "none"),
        lambda seen: archived_file(seen, "pack", "b", "text"),
        lambda seen: archived_file(seen, "pack", "a", "picture"),
        lambda seen: archived_pdf(seen, "pack", "b"),
        lambda seen: first_letter(seen, "empty"),
        lambda seen: wallpaper(seen),
    ],
)
def test_what_is_not_there_is_a_fault(look: Any) -> None:
    with pytest.raises(CannotSee):
        look(context(deck=slides(), pack=packed(a=b"text"), empty__inside__x=b""))


CHANNEL = (
    '<?xml version="1.0"?><channel name="xfce4-desktop" version="1.0"><property name="backdrop" type="empty">'
    '<property name="screen0" type="empty"><property name="monitorVNC-0" type="empty">'
    '<property name="workspace0" type="empty"><property name="image-style" type="int" value="{style}"/>'
    '<property name="last-image" type="string" value="/home/user/a.png"/>'
    "</property></property></property></property></channel>"
)


def test_text_on_pictures_is_read() -> None:
    held, page = io.BytesIO(), Image.new("RGB", (600, 120), "white")
    ImageDraw.Draw(page).text((30, 30), "Harwood 2026", fill="black", font=ImageFont.load_default(48))
    page.save(held, "PNG")
    seen = picture_text(context(page=held.getvalue()), "page")
    assert text_on_screen(seen, "Harwood 2026").passed
    assert not text_on_screen(seen, "Harwood 2027").passed
    with pytest.raises(CannotSee):
        picture_text(context(page=b"none"), "page")


def test_the_wallpaper_is_the_picture_that_is_set() -> None:
    assert BACKDROP == "/backdrop/screen0/monitorVNC-0/workspace0"
    where = ".config/xfce4/xfconf/xfce-perchannel-xml/xfce4-desktop.xml"
    for style, shown in (("5", True), ("0", False)):
        computer = FakeComputer()
        computer.start()
        computer.write_file("a.png", picture("blue"))
        computer.write_file(where, CHANNEL.format(style=style).encode())
        if shown:
            assert wallpaper(ProbeContext(computer))["colours"][0]["colour"] == "#0000ff"
        else:
            with pytest.raises(CannotSee):
                wallpaper(ProbeContext(computer))


def test_folders_are_compared_by_what_they_hold() -> None:
    seen = context(one__a=b"1", one__in__b=b"2", two__x=b"2", two__y=b"1", three__a=b"1", none__in__in__x=b"3")
    one, two, three = (folder_digests(seen, name) for name in ("one", "two", "three"))
    assert same_digests(one, two).passed
    assert not same_digests(three, one).passed
    assert not same_digests(one, {"path": "none", "digests": []}).passed


def drawing(*colours: str) -> ProbeContext:
    """Look at a computer that draws every PDF file as these pages, and reads `Hello` in it."""

    def answer(argv: Any) -> Any:
        drawn = b"".join(picture(colour) for colour in colours)
        return said(base64.encodebytes(drawn).decode() if "pdftoppm" in argv[-1] else "Hello there you all\f")

    computer = AnsweringComputer(answer)
    computer.write_file("a.pdf", b"%PDF-1.4")
    computer.write_file("a.zip", packed(a=b"%PDF-1.4", b=b"no PDF"))
    return ProbeContext(computer)


PDF = base64.b64encode(b"%PDF-1.4").decode()


def test_pages_of_pdf_files_are_compared_as_they_look() -> None:
    mine = drawn_pdf(drawing("red", "blue"), "a.pdf")
    assert same_drawn_pages(mine, given_drawn_pdf(drawing("red", "blue"), PDF)).passed
    assert not same_drawn_pages(mine, given_drawn_pdf(drawing("red", "white"), PDF)).passed
    assert not same_drawn_pages(mine, given_drawn_pdf(drawing("red"), PDF)).passed
    with pytest.raises(CannotSee):
        given_drawn_pdf(drawing("red"), base64.b64encode(b"no PDF").decode())


def test_how_far_down_a_page_is_written() -> None:
    word = '<word xMin="50" yMin="{}" xMax="90" yMax="{}">Soup</word>'
    pages = [f'<page width="595" height="842">{word.format(100, 110)}{word.format(600, 742)}</page>'] * 2
    computer = AnsweringComputer(lambda argv: said("".join([*pages, '<page width="595" height="842"></page>'])))
    computer.write_file("a.pdf", b"%PDF-1.4")
    seen = pdf_margins(ProbeContext(computer), "a.pdf")
    assert [round(page["below"]) for page in seen["pages"]] == [100, 100, 842]
    assert pdf_reaches_down({**seen, "pages": seen["pages"][:2]}, 100.5).passed
    assert pdf_reaches_down(seen, 100.5).feedback == ("Page 3 of a.pdf ends 842 pt above its edge.",)
    assert not pdf_reaches_down({**seen, "pages": []}, 100).passed


def test_texts_of_pdf_files_may_have_a_share_to_reach() -> None:
    mine = archived_pdf(drawing(), "a.zip", "a")
    assert like_pdf(mine, given_pdf(drawing(), PDF), least=0.95).passed
    other = {"path": "b", "pages": ["Hello there you two"]}
    assert like_pdf(mine, other, least=0.7).passed
    assert like_pdf(mine, other, least=0.95).score == 0
    with pytest.raises(CannotSee):
        archived_pdf(drawing(), "a.zip", "b")


def test_pdf_files_say_what_stands_elsewhere() -> None:
    seen = {"path": "a.pdf", "pages": ["Name: Ann  Lee", "Grade A"]}
    assert pdf_holds(seen, {"path": "a.json", "data": {"Name": "Ann Lee", "Grade": "A"}}).passed
    assert not pdf_holds(seen, {"path": "a.json", "data": {"Name": "Bob"}}).passed
    assert not pdf_holds(seen, {"path": "a.json", "data": {}}).passed
    assert json_covers({"path": "b", "data": {"a": 1, "b": 2}}, {"path": "c", "data": {"a": 1}}).passed
    assert not json_covers({"path": "b", "data": {"a": 2}}, {"path": "c", "data": {"a": 1}}).passed
    assert not json_covers({"path": "b", "data": {"a": 2}}, {"path": "c", "data": []}).passed


def read(*rows: list[Any]) -> Any:
    return read_spreadsheet(book(*rows), "a.xlsx")


def test_cells_and_rows() -> None:
    seen = read(["City"], ["In Paris, France"], ["Rome"])
    assert cells_say(seen, "A2", [["Paris", "Lutetia"], ["Rome"]]).passed
    assert not cells_say(seen, "A2", [["Paris"], ["Athens"]]).passed
    assert not cells_say(seen, "A2", [["Paris"]], sheet="None").passed
    last = read(["Name", "Cited"], ["Yann", 12])
    assert last_row_is(last, ["yann", "12"], case=False).passed
    assert not last_row_is(last, ["yann", "12"]).passed
    assert not last_row_is(last, ["Name", "Cited"]).passed


def deck(*, struck: bool) -> Any:
    made = Presentation()
    box = made.slides.add_slide(made.slide_layouts[6]).shapes.add_textbox(0, 0, Mm(30), Mm(20))
    box.text_frame.text = "one\ntwo"
    if struck:
        box.text_frame.paragraphs[1].runs[0].font._element.set("strike", "sngStrike")
    return slides_as_written(saved(made), "a.pptx")


def test_paragraphs_on_slides_are_struck_through() -> None:
    assert paragraphs_struck(deck(struck=True), [1], [1], [2]).passed
    assert not paragraphs_struck(deck(struck=True), [1], [1], [1, 2]).passed
    assert not paragraphs_struck(deck(struck=False), [1], [1], [2]).passed
    assert not paragraphs_struck(deck(struck=True), [2], [1], [2]).passed


def test_grounds_are_near_a_colour() -> None:
    def grounds(*colours: str | None) -> Any:
        return {"path": "a.pptx", "slides": [{"background": colour} for colour in colours]}

    assert grounds_near(grounds("#0000ff", "#0000ff"), "#0000ff").passed
    assert grounds_near(grounds("#0000ff", "#ffff00"), "#0000ff").score == pytest.approx(0.5)
    assert grounds_near(grounds(None), "#0000ff").score == 0
    assert grounds_near(grounds(), "#0000ff").score == 0
