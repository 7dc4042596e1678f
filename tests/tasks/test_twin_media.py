"""Recordings, films, books and archives beside others, and files looked at inside archives."""

from __future__ import annotations

import io
import math
import struct
import tarfile
import wave
import zipfile
from typing import Any

import docx
import pytest
from PIL import Image

from proctor.tasks.findings import CannotSee, Finding
from proctor.vocabulary.formats.archives.checks import same_archive
from proctor.vocabulary.formats.archives.parse import look_into
from proctor.vocabulary.formats.archives.parse_members import look_at_member, member_copy
from proctor.vocabulary.formats.books.checks import like_book
from proctor.vocabulary.formats.books.parse import epub_content
from proctor.vocabulary.formats.books.setup import Chapter, epub_bytes
from proctor.vocabulary.formats.film.checks import film_like
from proctor.vocabulary.formats.rules import ValueRule
from proctor.vocabulary.formats.sound.checks import sound_like, tags_agree
from proctor.vocabulary.formats.sound.parse import listen


def tones(*hertz: float, loud: float = 9000, late: float = 0.0) -> bytes:
    held, rate = io.BytesIO(), 8000
    with wave.open(held, "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(bytes(2 * round(late * rate)))
        for pitch in hertz:
            samples = (round(loud * math.sin(2 * math.pi * pitch * at / rate)) for at in range(rate))
            file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return held.getvalue()


def heard(data: bytes) -> Any:
    return listen("a.wav", data)


def tagged(**tags: str) -> Any:
    return {"path": "a.mp3", "tags": tags}


TUNE = (440.0, 660.0, 550.0)
QUEEN = {
    "title": ValueRule(method="re.I", ref="^happy"),
    "artist": ValueRule(method="eq", ref="Queen"),
}


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (sound_like(heard(tones(*TUNE)), heard(tones(*TUNE))), True),
        (sound_like(heard(tones(*TUNE, loud=3000)), heard(tones(*TUNE))), True),
        (sound_like(heard(tones(*TUNE, late=0.1)), heard(tones(*TUNE))), True),
        (sound_like(heard(tones(440, 660)), heard(tones(*TUNE))), False),
        (sound_like(heard(tones(550, 660, 440)), heard(tones(*TUNE))), False),
        (tags_agree(tagged(title="Happy day", artist="Queen"), QUEEN), True),
        (tags_agree(tagged(title="Happy day", artist="King"), QUEEN), False),
        (tags_agree(tagged(title="Happy day"), QUEEN), False),
    ],
)
def test_recordings(finding: Finding, right: bool) -> None:
    assert finding.passed is right, finding.feedback


def film(*colours: list[float]) -> Any:
    return {"path": "a.mp4", "seconds": float(len(colours)), "colours": list(colours)}


RED, BLUE = [250.0, 0.0, 0.0], [0.0, 0.0, 250.0]


@pytest.mark.parametrize(
    ("mine", "right"),
    [
        (film(RED, BLUE, RED), True),
        (film([240.0, 4.0, 0.0], BLUE, RED), True),
        (film(RED, RED, RED), False),
        (film(RED), False),
    ],
)
def test_films(mine: Any, right: bool) -> None:
    assert film_like(mine, film(RED, BLUE, RED)).passed is right


def book(title: str, *texts: str) -> Any:
    chapters = [Chapter(title=f"Chapter {place}", paragraphs=(text,)) for place, text in enumerate(texts)]
    return epub_content(epub_bytes(title, "A. Writer", chapters), "a.epub")


def test_books() -> None:
    wanted = book("Pass through", "It was late.", "And then it rained.")
    assert like_book(book("Pass through", "It was late.", "And then it rained."), wanted).passed
    assert 0.5 < like_book(book("Pass through", "It was late.", "And then it snowed."), wanted).score < 1
    assert 0.5 < like_book(book("Pass by", "It was late.", "And then it rained."), wanted).score < 1
    with pytest.raises(CannotSee):  # the original took what is no archive for equal
        epub_content(b"no book", "a.epub")


def zipped(**files: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(f"in/{name}", data)
    return held.getvalue()


def tarred(**files: bytes) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as target:
        for name, data in files.items():
            about = tarfile.TarInfo(f"./in/{name}")
            about.size = len(data)
            target.addfile(about, io.BytesIO(data))
    return held.getvalue()


def into(data: bytes) -> Any:
    return look_into("a.zip", data)


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (same_archive(into(zipped(a=b"1", b=b"2")), into(zipped(b=b"2", a=b"1"))), True),
        (same_archive(into(tarred(a=b"1", b=b"2")), into(zipped(a=b"1", b=b"2"))), True),
        (same_archive(into(zipped(a=b"1")), into(zipped(a=b"1", b=b"2"))), False),
        (same_archive(into(zipped(a=b"1", b=b"2", c=b"3")), into(zipped(a=b"1", b=b"2"))), False),
        (same_archive(into(zipped(a=b"1", b=b"x")), into(zipped(a=b"1", b=b"2"))), False),
        (same_archive(into(zipped(a=b"1", b=b"x")), into(zipped(a=b"1", b=b"2")), names_only=True), True),
        (same_archive(into(zipped(a=b"x")), into(zipped(a=b"2")), besides=["a"]), True),
        (same_archive(into(zipped()), into(zipped())), False),
    ],
)
def test_archives(finding: Finding, right: bool) -> None:
    assert finding.passed is right, finding.feedback


def letter(text: str) -> bytes:
    made, held = docx.Document(), io.BytesIO()
    made.add_paragraph(text)
    made.save(held)
    return held.getvalue()


def picture() -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(held, "PNG")
    return held.getvalue()


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_files_inside_archives_are_looked_at(pack: Any) -> None:
    data = pack(text=b"Hello", letter=letter("Dear all"), tune=tones(440), picture=picture())
    assert look_at_member("a.zip", data, "in/text", "text")["text"] == "Hello"
    assert look_at_member("a.zip", data, "in/letter", "document")["blocks"][0]["text"] == "Dear all"
    assert look_at_member("a.zip", data, "in/tune", "sound")["pitch"][2] == pytest.approx(440, abs=3)
    assert look_at_member("a.zip", data, "in/picture", "picture")["colours"][0]["colour"] == "#ff0000"
    assert member_copy("a.zip", data, "in/text") == "SGVsbG8="
    with pytest.raises(CannotSee):
        look_at_member("a.zip", data, "in/none", "text")
    with pytest.raises(CannotSee):
        look_at_member("a.zip", data, "in/text", "document")
