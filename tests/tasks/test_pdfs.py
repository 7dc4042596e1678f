"""PDF files: what can be read on their pages, and whether they say what was printed."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.vocabulary.formats.documents import checks_of_pdf, probes
from proctor.vocabulary.formats.documents.parse_pdf import legible, page_texts

LINES = ["Rota for the Harwood repair caf\u00e9", "4 tea", "12 folding tables"]
SAID = " ".join(LINES)


def test_joined_letters_of_a_pdf_are_read_as_letters() -> None:
    printed = "The o\ufb03ce  \ufb01nds\n  co\ufb00ee, \ufb02our, ba\ufb04es\n\fSecond\n\f"
    assert page_texts(printed) == ["The office finds coffee, flour, baffles", "Second"]
    assert page_texts("\f\f") == ["", ""]
    assert page_texts("") == []


def test_a_text_is_no_pdf() -> None:
    with FakeComputer() as computer:
        computer.write_file("a.pdf", b"hello")
        with pytest.raises(CannotSee, match="not a PDF"):
            probes.pdf(ProbeContext(computer), "a.pdf")


@pytest.mark.parametrize("drawn", ["caf\u00e9", "A"])
def test_drawings_that_are_none_are_told(drawn: str) -> None:
    with pytest.raises(CannotSee, match="cannot be drawn"):
        legible(["Hello"], "", drawn)


def test_words_that_do_not_show_are_left_out() -> None:
    page = Image.new("L", (500, 1000), 255)
    page.paste(0, (52, 52, 90, 58))  # something black where the first word is
    word = '<word xMin="{}" yMin="{}" xMax="{}" yMax="{}">{}</word>\n'
    boxes = '<page width="250" height="500">\n' + word.format(25, 25, 50, 35, "Caf&#233;")
    hidden, tiny = word.format(25, 60, 50, 70, "white"), word.format(26, 26, 29, 27, "tiny")
    file = io.BytesIO()
    page.save(file, "PNG")
    drawn = base64.b64encode(file.getvalue()).decode()
    assert legible(["Caf\u00e9  as printed"], f"{boxes}</page>", drawn) == ["Caf\u00e9  as printed"]
    assert legible(["Caf\u00e9 white tiny", "Two"], f"{boxes}{hidden}{tiny}</page>", drawn) == ["Caf\u00e9", "Two"]
    assert legible(["Caf\u00e9 white"], f"{boxes}{hidden}</page>", "") == ["Caf\u00e9 white"], "nothing was drawn"


@pytest.mark.parametrize(
    "pages",
    [
        [SAID],
        [" ".join(LINES[:2]), LINES[2]],
        [f"3/12/26, 9:30 AM {LINES[0]} {SAID} file:///home/user/Documents/rota.txt 1/1"],
        [f"harwood-repair-cafe-rota.txt Thu Mar 12 09:30:00 2026 1 {SAID} Page 1 of 1"],
        [f"Rota for the Har... 12.03.2026 {SAID}"],
    ],
)
def test_a_print_may_have_its_date_and_number(pages: list[str]) -> None:
    assert checks_of_pdf.pdf_lines_are({"path": "a.pdf", "pages": pages}, LINES).feedback == ()


@pytest.mark.parametrize(
    "pages",
    [
        [" ".join(LINES[:2])],
        [" ".join(reversed(LINES))],
        [f"{SAID} and so on"],
        [f"{SAID} {SAID}"],
        [SAID.replace("4 tea", "44 tea")],
        [SAID, "Minutes of another meeting"],
        [f"{SAID} {' '.join(map(str, range(90)))}"],
        [],
    ],
)
def test_a_print_says_nothing_else(pages: list[str]) -> None:
    assert not checks_of_pdf.pdf_lines_are({"path": "a.pdf", "pages": pages}, LINES).passed
