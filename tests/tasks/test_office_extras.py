"""What an office document has beyond its content: each thing that is added makes another model of it."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from proctor.tasks.inside.merge import merge
from proctor.tasks.inside.words import in_words, is_at
from proctor.vocabulary.formats.documents.odt_looks import looks_of_table
from proctor.vocabulary.formats.documents.parse import read_document
from proctor.vocabulary.formats.office.blocks import DocumentBlock, Paper, Slide
from proctor.vocabulary.formats.office.parse_noise import changed_by_saving
from proctor.vocabulary.formats.office.write_odf import odp, odt
from proctor.vocabulary.formats.office.write_ooxml import docx
from proctor.vocabulary.formats.slides.parse import read_slides
from proctor.vocabulary.formats.spreadsheets.parse import read_spreadsheet
from proctor.vocabulary.formats.spreadsheets.spec import SheetSpec
from proctor.vocabulary.formats.spreadsheets.write import ods

Read = Callable[[bytes, str], dict[str, Any]]
SHEET = Paper(blocks=(DocumentBlock(text="Hello world."),))
SLIDES = odp([Slide(title="One", bullets=("a", "b")), Slide(title="Two", bullets=("c",))])
SHEETS = ods([SheetSpec(name="Order", rows=(("Item", "Price"), ("a", 3)))])
TEXT, WORD = odt(SHEET), docx(SHEET)
AUTO = "<office:automatic-styles>"
PAGE = '<draw:page draw:name="page1"'


def page_with(properties: str, inside: str = "") -> list[tuple[str, str, str]]:
    """Return the edits that give the first slide these properties."""
    made = f"<style:drawing-page-properties {properties}>{inside}</style:drawing-page-properties>"
    styles = f'{AUTO}<style:style style:name="dpX" style:family="drawing-page">{made}</style:style>'
    return [
        ("content.xml", "<office:body>", f"{styles}</office:automatic-styles><office:body>"),
        ("content.xml", PAGE, f'{PAGE} draw:style-name="dpX"'),
    ]


def letters_with(properties: str) -> list[tuple[str, str, str]]:
    """Return the edits that set the first paragraph with these properties of its letters."""
    made = f'<style:style style:name="X" style:family="paragraph"><style:text-properties {properties}/></style:style>'
    return [
        ("content.xml", AUTO, AUTO + made),
        ("content.xml", r"<text:p[^>]*>Hello", '<text:p text:style-name="X">Hello'),
    ]


def at_end(tag: str, added: str) -> list[tuple[str, str, str]]:
    return [("content.xml", f"</{tag}>", f"{added}</{tag}>")]


def changed(data: bytes, edits: list[tuple[str, str, str]]) -> bytes:
    """Return a packed document in which patterns were replaced, each once."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    for part, pattern, new in edits:
        text, count = re.subn(pattern, new, parts[part].decode(), count=1, flags=re.DOTALL)
        assert count, f"{pattern} is nowhere in {part}"
        parts[part] = text.encode()
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as package:
        for name, held in parts.items():
            package.writestr(name, held)
    return written.getvalue()


def told(read: Read, path: str, before: bytes, after: bytes) -> list[str]:
    """Return in words what differs, but for what changes by saving."""
    one, two = read(before, path), read(after, path)
    quiet = changed_by_saving(two)
    return [
        part.text for part in in_words([each for each in merge(one, two).differences if not is_at(each.place, quiet)])
    ]


SHOW, BOOK, PAPER, LETTER = (
    (read_slides, "a.odp", SLIDES),
    (read_spreadsheet, "a.ods", SHEETS),
    (read_document, "a.odt", TEXT),
    (read_document, "a.docx", WORD),
)
ROW = r"(<table:table-row>.*?</table:table-row>)"
ENDLESS = '<presentation:settings presentation:endless="true"/>'
LINK = '<text:p><text:a xlink:href="http://x/">a</text:a></text:p>'
DEEPER = "<text:list><text:list-item><text:p>b</text:p></text:list-item></text:list>"
HEADING = r"<table:table-header-rows>\1</table:table-header-rows>"
GROUND = '<w:background w:color="FF0000"/>'
SETTINGS = r"(<w:settings[^>]*>)"


@pytest.mark.parametrize(
    ("form", "edits", "words"),
    [
        (
            SHOW,
            page_with('presentation:transition-type="automatic" presentation:duration="PT3S"'),
            "slide One: runs on after added ('PT3S')",
        ),
        (SHOW, page_with("", '<presentation:sound xlink:href="boom.wav"/>'), "slide One: sound added ('boom.wav')"),
        (SHOW, page_with('presentation:background-visible="false"'), "without master"),
        (SHOW, at_end("office:presentation", ENDLESS), "extra settings added"),
        (SHOW, at_end("draw:page", "<office:annotation><text:p>hm</text:p></office:annotation>"), "comment hm added"),
        (SHOW, [("content.xml", 'draw:name="page1"', 'draw:name="Intro"')], "name added"),
        (SHOW, [("content.xml", "<text:p>a</text:p>", LINK)], ""),
        (
            SHOW,
            [("content.xml", "<text:p>b</text:p>", DEEPER)],
            "",
        ),
        (BOOK, [("content.xml", ROW, r"<table:table-row-group>\1</table:table-row-group>")], "groups added"),
        (BOOK, [("content.xml", ROW, HEADING)], "groups added"),
        (BOOK, [("content.xml", 'table:name="Order"', 'table:name="Order" table:print="false"')], "not printed"),
        (
            BOOK,
            at_end(
                "office:spreadsheet",
                '<table:database-ranges><table:database-range><table:filter><table:filter-condition table:value="a"/>'
                "</table:filter></table:database-range></table:database-ranges>",
            ),
            "extra filter condition added",
        ),
        (
            BOOK,
            at_end(
                "office:spreadsheet",
                '<table:data-pilot-tables><table:data-pilot-table table:name="p"/></table:data-pilot-tables>',
            ),
            "extra data pilot table added",
        ),
        (
            BOOK,
            [
                (
                    "content.xml",
                    "<office:spreadsheet>",
                    "<office:spreadsheet><table:calculation-settings>"
                    '<table:null-date table:date-value="1904-01-01"/></table:calculation-settings>',
                )
            ],
            "extra null date added",
        ),
        (PAPER, letters_with('fo:text-transform="uppercase"'), "changed"),
        (PAPER, letters_with('style:text-position="super 58%"'), "changed"),
        (PAPER, letters_with('fo:letter-spacing="1cm"'), "changed"),
        (LETTER, [("word/settings.xml", SETTINGS, r"\1<w:trackRevisions/>")], "settings added"),
        (
            LETTER,
            [("word/settings.xml", SETTINGS, r'\1<w:documentProtection w:edit="readOnly" w:enforcement="1"/>')],
            "settings added",
        ),
        (LETTER, [("word/document.xml", "<w:body>", f"{GROUND}<w:body>")], "settings added"),
        (LETTER, [("word/document.xml", "<w:cols [^>]*/>", '<w:cols w:num="2"/>')], "columns added"),
    ],
)
def test_what_is_added_is_told(form: tuple[Read, str, bytes], edits: list[tuple[str, str, str]], words: str) -> None:
    read, path, data = form
    found = told(read, path, data, changed(data, edits))
    assert found and words in " ".join(found)


@pytest.mark.parametrize(
    ("form", "edits"),
    [
        (SHOW, at_end("office:presentation", '<presentation:settings presentation:mouse-visible="false"/>')),
        (SHOW, page_with('presentation:background-visible="true" presentation:display-footer="false"')),
        (BOOK, [("content.xml", "<office:body>", "<office:scripts/><office:body>")]),
        (
            BOOK,
            [
                (
                    "content.xml",
                    "<office:spreadsheet>",
                    '<office:spreadsheet><table:calculation-settings table:case-sensitive="false"'
                    ' table:automatic-find-labels="false" table:use-wildcards="true"/>',
                )
            ],
        ),
    ],
)
def test_what_programs_write_by_themselves_is_not(
    form: tuple[Read, str, bytes], edits: list[tuple[str, str, str]]
) -> None:
    read, path, data = form
    assert told(read, path, data, changed(data, edits)) == []


def test_a_row_more_that_looks_like_the_others_is_no_other_look() -> None:
    cells = {"A1": {"border": "thin"}, "A2": {"border": "thin"}, "B1": {"ground": "#ff0000"}}
    row = {"border": {side: "thin" for side in ("bottom", "left", "right")}}
    before, after = looks_of_table(cells), looks_of_table({**cells, "A3": row})
    assert before["look"] == {"border": "thin"} and set(before["looks"]) == {"B1"}
    assert after == before
