"""Presentations: both formats are written and read alike, hostile files are refused, and checks judge by meaning."""

from __future__ import annotations

import hashlib
import io
import zipfile
from typing import Any

import pytest
from PIL import Image

from proctor import open_computer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.tasks.findings import CannotSee, Finding
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.formats.office.blocks import Slide
from proctor.vocabulary.formats.office.write_odf import odp
from proctor.vocabulary.formats.office.write_ooxml import pptx
from proctor.vocabulary.formats.pack import pack
from proctor.vocabulary.formats.pictures.parse import describe
from proctor.vocabulary.formats.slides import checks, probes
from proctor.vocabulary.formats.slides import setup as slides_setup
from proctor.vocabulary.formats.slides.parse import read_slides

WRITERS = {"odp": odp, "pptx": pptx}
SLIDES = (
    Slide(title="Welcome & hello", bullets=("One", "Two")),
    Slide(title="Plans", bullets=("Three",), notes="Speak slowly."),
    Slide(title="Empty"),
)
CONTENT = [checks.SlideContent(title=each.title, bullets=each.bullets, notes=each.notes) for each in SLIDES]
both = pytest.mark.parametrize("form", WRITERS)


def seen(form: str = "odp", *slides: Slide) -> dict[str, Any]:
    return read_slides(WRITERS[form](slides or SLIDES), f"a.{form}")


def fails(finding: Finding, *words: str) -> bool:
    text = " ".join(finding.feedback)
    return finding.score == 0 and bool(text) and all(word in text for word in words)


def changed(of: dict[str, Any], place: int, **held: Any) -> dict[str, Any]:
    slides = list(of["slides"])
    slides[place] = {**slides[place], **held}
    return {**of, "slides": slides}


@both
def test_the_same_content_gives_the_same_bytes(form: str) -> None:
    assert WRITERS[form](SLIDES, "T") == WRITERS[form](SLIDES, "T")


@both
def test_what_is_written_is_read(form: str) -> None:
    of = seen(form)
    assert checks.slides_are(of, CONTENT).feedback == ()
    assert checks.slides_format(of, form).passed
    assert checks.slide_layout(of, 1, "title and content").passed


@both
def test_setup_and_probes(form: str) -> None:
    path = f"Documents/a.{form}"
    with FakeComputer() as computer:
        slides_setup.slides(SetupContext(computer), path, list(SLIDES))
        computer.baseline()
        slides_setup.slides(SetupContext(computer), path, list(SLIDES[:1]))
        assert checks.slide_count(probes.slides(ProbeContext(computer), path), 1).passed
        assert checks.slide_count(probes.slides_before(ProbeContext(computer), path), 3).passed
        with pytest.raises(CannotSee):
            probes.slides_before(ProbeContext(computer), "Documents/none.odp")
        with pytest.raises(SpecError):
            slides_setup.slides(SetupContext(computer), "a.txt", list(SLIDES))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no archive",
        pack({"content.xml": "<broken"}),
        pack({"content.xml": "<a/>"}),
        pack({"ppt/presentation.xml": "<a/>"}),
        odp(SLIDES)[:-100],
    ],
    ids=["empty", "text", "broken", "no slides", "no presentation", "cut off"],
)
def test_broken_files_are_unreadable(data: bytes) -> None:
    with pytest.raises(CannotSee) as caught:
        read_slides(data, "a.odp")
    assert caught.value.fault.kind == "unreadable"


def test_a_slide_that_is_listed_and_missing() -> None:
    with zipfile.ZipFile(io.BytesIO(pptx(SLIDES))) as archive:
        files: dict[str, bytes | str] = {name: archive.read(name) for name in archive.namelist()}
    del files["ppt/slides/slide2.xml"]
    with pytest.raises(CannotSee, match="lacks 1"):
        read_slides(pack(files), "a.pptx")


class TestChecks:
    @both
    def test_titles_and_texts(self, form: str) -> None:
        of = seen(form)
        assert checks.slide_titles_are(of, ["Welcome & hello", "Plans", "Empty"]).passed
        assert fails(checks.slide_titles_are(of, ["Plans", "Welcome & hello", "Empty"]), "Plans")
        assert fails(checks.slide_titles_are(of, ["Welcome & hello", "Plans"]), "Empty")
        assert checks.slide_title(of, 2, "Plans").passed
        assert fails(checks.slide_title(of, 3, "Plans"), "Empty")
        assert fails(checks.slide_title(of, 4, "Plans"), "no slide 4")
        assert checks.slide_text_has(of, 1, ["Two", "hello"]).passed
        assert fails(checks.slide_text_has(of, 2, ["Two", "Three"]), "Two")
        assert checks.slide_text_lacks(of, 2, ["Two"]).passed
        assert fails(checks.slide_text_lacks(of, 1, ["Two"]), "Two")
        assert fails(checks.slide_text_lacks(of, 9, ["Two"]), "no slide 9")
        assert fails(checks.slide_count(of, 4), "3 slides")

    @both
    def test_notes(self, form: str) -> None:
        of = seen(form)
        assert checks.slide_notes_are(of, 2, "Speak  slowly.").passed
        assert fails(checks.slide_notes_are(of, 1, "Speak slowly."), "none")
        assert checks.notes_have(of, 2, "slowly").passed
        assert fails(checks.notes_have(of, 2, "fast"), "Speak slowly.")

    def test_whole_content(self) -> None:
        assert fails(checks.slides_are(seen("odp", *SLIDES[::-1]), CONTENT), "Welcome")
        assert fails(checks.slides_are(seen("odp", *SLIDES[:2]), CONTENT), "Empty")
        assert fails(checks.slides_are(changed(seen(), 1, notes=""), CONTENT), "Speak slowly.")
        assert checks.slides_are(changed(seen(), 0, texts=["One\nTwo"]), CONTENT).passed
        assert fails(checks.slides_are(changed(seen(), 0, texts=["One Two"]), CONTENT), "One Two")

    def test_background(self) -> None:
        of = changed(seen(), 0, background="#1f4e79")
        assert checks.slide_background(of, 1, "#204e78").passed
        assert fails(checks.slide_background(of, 1, "#ffffff"), "#1f4e79")
        assert fails(checks.slide_background(of, 2, "#1f4e79"), "none")

    def test_layout_transition_hidden_and_format(self) -> None:
        of = changed(seen(), 1, layout="title only", transition="fade", hidden=True)
        assert fails(checks.slide_layout(of, 2, "blank"), "title only")
        assert checks.slide_transition(of, 2).passed
        assert fails(checks.slide_transition(of, 1), "no transition")
        assert fails(checks.slide_transition(of, 5), "no slide 5")
        assert checks.slides_hidden(of, [2]).passed
        assert fails(checks.slides_hidden(of, [1]), "[2]")
        assert fails(checks.slides_format(of, "pptx"), "odp")

    def test_pictures(self) -> None:
        digest = {"path": "logo.png", "sha256": hashlib.sha256(b"x").hexdigest()}
        of = changed(seen(), 0, pictures=[{"name": "Pictures/1.png", "sha256": digest["sha256"]}])
        assert checks.picture_on_slide(of, 1, digest).passed
        assert fails(checks.picture_on_slide(of, 2, digest), "0 pictures")
        assert fails(checks.picture_on_slide(of, 8, digest), "no slide 8")

    @pytest.mark.parametrize(
        ("mode", "colour", "size", "right"),
        [
            ("RGB", "teal", "8cm", True),
            ("RGBA", "teal", "8cm", True),
            ("RGB", "navy", "8cm", False),
            ("RGB", "teal", "0.1cm", False),
        ],
    )
    def test_a_picture_is_the_same_however_it_is_saved(self, mode: str, colour: str, size: str, right: bool) -> None:
        shown, picture = io.BytesIO(), io.BytesIO()
        Image.new(mode, (40, 30), colour).save(shown, "PNG", compress_level=1)
        Image.new("RGB", (40, 30), "teal").save(picture, "PNG")
        frame = (
            f'<draw:frame svg:x="2cm" svg:y="9cm" svg:width="{size}" svg:height="6cm"><draw:image '
            'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="Pictures/1.png"/></draw:frame></draw:page>'
        )
        made = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(odp((Slide(title="One"),)))) as source, zipfile.ZipFile(made, "w") as target:
            for name in source.namelist():
                target.writestr(name, source.read(name).replace(b"</draw:page>", frame.encode()))
            target.writestr("Pictures/1.png", shown.getvalue())
        of = read_slides(made.getvalue(), "a.odp")
        wanted = describe("logo.png", picture.getvalue())
        assert checks.picture_on_slide(of, 1, wanted).passed is right


@pytest.mark.turns
@pytest.mark.sandbox("full")
@pytest.mark.slow
def test_libreoffice_agrees() -> None:
    """What is written comes out of LibreOffice as it was, in either format."""
    with open_computer("sandbox", image="full") as computer:
        slides_setup.slides(SetupContext(computer), "a.odp", list(SLIDES))
        for source, form in (("a.odp", "pptx"), ("out/a.pptx", "odp")):
            computer.run(["soffice", "--headless", "--convert-to", form, "--outdir", "out", source])
            of = probes.slides(ProbeContext(computer), f"out/a.{form}")
            assert checks.slides_are(of, CONTENT).feedback == ()
            assert checks.slides_format(of, form).passed
