"""Setup steps that make books to read: PDF and EPUB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated
from xml.sax.saxutils import escape

from pydantic import Field

from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.formats.pack import pack

Lines = list[str]
LINE_HEIGHT = 16
MOST_LINES = 44
"""As many lines as fit on a page."""
WIDTH, HEIGHT = 595, 842
"""A4 in points."""


class Chapter(PlainModel):
    """A chapter of an e-book."""

    title: str
    paragraphs: tuple[str, ...] = ()


@SETUP.register
def pdf(
    context: SetupContext,
    path: str,
    pages: Annotated[list[Lines], Field(min_length=1)],
    outline: dict[str, int] | None = None,
) -> None:
    """Write a PDF of pages of text lines; `outline` gives the page, from 1, of each title."""
    context.computer.write_file(path, pdf_bytes(pages, outline or {}))


def pdf_bytes(pages: Sequence[Lines], outline: dict[str, int]) -> bytes:
    """Return a PDF document; the first line of each page stands larger, as a heading."""
    first_page, first_title = 5, 5 + 2 * len(pages)
    kids = " ".join(f"{first_page + 2 * place} 0 R" for place in range(len(pages)))
    contents = " /Outlines 4 0 R /PageMode /UseOutlines" if outline else ""
    last_title = first_title + len(outline) - 1
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R{contents} >>".encode(),
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Type /Outlines /First {first_title} 0 R /Last {last_title} 0 R /Count {len(outline)} >>".encode()
        if outline
        else b"<< >>",
    ]
    for place, lines in enumerate(pages):
        drawn = _page(lines)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {first_page + 2 * place + 1} 0 R >>".encode()
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n".encode() + drawn + b"\nendstream")
    for place, (title, page) in enumerate(outline.items()):
        number = first_title + place
        around = f" /Prev {number - 1} 0 R" if place else ""
        around += f" /Next {number + 1} 0 R" if number < last_title else ""
        target = f"[{first_page + 2 * (page - 1)} 0 R /Fit]"
        objects.append(f"<< /Title ({_escape(title)}) /Parent 4 0 R /Dest {target}{around} >>".encode("cp1252"))
    return _assemble(objects)


def _page(lines: Lines) -> bytes:
    if len(lines) > MOST_LINES:
        raise ValueError(f"{len(lines)} lines do not fit on a page; {MOST_LINES} do")
    rest = " ".join(f"({_escape(line)}) Tj T*" for line in lines[1:])
    heading = f"({_escape(lines[0])}) Tj T*" if lines else ""
    drawn = f"BT {LINE_HEIGHT} TL 72 780 Td /F1 16 Tf {heading} /F1 12 Tf {rest} ET"
    return drawn.encode("cp1252")


def _assemble(objects: Sequence[bytes]) -> bytes:
    data = b"%PDF-1.4\n"
    offsets = []
    for number, held in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n".encode() + held + b"\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    return (
        data
        + (
            f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
            f"startxref\n{len(data)}\n%%EOF\n"
        ).encode()
    )


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


@SETUP.register
def epub(
    context: SetupContext, path: str, title: str, author: str, chapters: Annotated[list[Chapter], Field(min_length=1)]
) -> None:
    """Write an e-book."""
    context.computer.write_file(path, epub_bytes(title, author, chapters))


def epub_bytes(title: str, author: str, chapters: Sequence[Chapter]) -> bytes:
    """Return an e-book as an EPUB 3 archive."""
    names = [f"chapter{number}.xhtml" for number in range(1, len(chapters) + 1)]
    listed = list(zip(names, chapters, strict=True))
    manifest = "".join(
        f'<item id="c{place}" href="{name}" media-type="application/xhtml+xml"/>' for place, name in enumerate(names)
    )
    spine = "".join(f'<itemref idref="c{place}"/>' for place in range(len(names)))
    links = "".join(f'<li><a href="{name}">{escape(chapter.title)}</a></li>' for name, chapter in listed)
    package = (
        '<?xml version="1.0" encoding="utf-8"?>\n<package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        'unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="id">urn:book:{escape(title.casefold().replace(" ", "-"))}</dc:identifier>'
        f"<dc:title>{escape(title)}</dc:title><dc:creator>{escape(author)}</dc:creator><dc:language>en</dc:language>"
        '<meta property="dcterms:modified">2026-03-02T08:00:00Z</meta></metadata><manifest>'
        f'<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>{manifest}</manifest>'
        f"<spine>{spine}</spine></package>"
    )
    container = (
        '<?xml version="1.0"?>\n<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles>'
        "</container>"
    )
    contents = f'<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol>{links}</ol></nav>'
    files: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": container,
        "book/package.opf": package,
        "book/nav.xhtml": _xhtml("Contents", contents),
    }
    for name, chapter in listed:
        paragraphs = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in chapter.paragraphs)
        files[f"book/{name}"] = _xhtml(chapter.title, f"<h1>{escape(chapter.title)}</h1>{paragraphs}")
    return pack(files)


def _xhtml(title: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head>'
        f"<title>{escape(title)}</title></head><body>{body}</body></html>"
    )
