"""Writes PDF files: text and tables on A4; same content, same bytes."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import repeat

WIDE, HIGH, MARGIN = 595, 842, 62
FULL_WIDTH = WIDE - 2 * MARGIN
_PLAIN = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 "
    "278 278 584 584 584 556 "
    "1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 "
    "611 278 278 278 469 556 "
    "333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 "
    "500 334 260 334 584"
)
_BOLD = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 "
    "333 333 584 584 584 611 "
    "975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 "
    "611 333 278 333 584 556 "
    "333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 "
    "500 389 280 389 584"
)
WIDTHS = {False: tuple(map(int, _PLAIN.split())), True: tuple(map(int, _BOLD.split()))}


def width(text: str, size: float, bold: bool = False) -> float:
    """Return how wide a text is in points."""
    return sum(map(_letter_width, text, repeat(bold))) * size / 1000


@cache
def _letter_width(letter: str, bold: bool) -> int:
    return WIDTHS[bold][ord(letter) - 32] if 32 <= ord(letter) < 127 else 556


def wrap(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """Return a text as lines that are no wider than the room."""
    lines: list[str] = []
    for part in text.split("\n"):
        line = ""
        for word in part.split(" "):
            longer = f"{line} {word}" if line else word
            if line and width(longer, size, bold) > room:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


@dataclass
class Pdf:
    """A document that is written from the top down."""

    title: str
    footer: str = ""
    pages: list[list[str]] = field(default_factory=lambda: [[]])
    y: float = HIGH - MARGIN

    def break_page(self) -> None:
        """Go on at the top of a new page."""
        self.pages.append([])
        self.y = HIGH - MARGIN

    def room(self, high: float) -> None:
        """Go to a new page where this much is not left."""
        if self.y - high < MARGIN + 20:
            self.break_page()

    def put(self, x: float, y: float, text: str, size: float = 10.5, bold: bool = False, right: bool = False) -> None:
        """Put a text at a place; to the left of it with `right`."""
        x -= width(text, size, bold) if right else 0
        font = "F2" if bold else "F1"
        written = text.encode("cp1252", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        self.pages[-1].append(f"BT /{font} {size:g} Tf {x:.2f} {y:.2f} Td ({written.decode('cp1252')}) Tj ET")

    def rule(self, x: float, wide: float, y: float, thick: float = 0.6) -> None:
        """Draw a line from left to right."""
        self.pages[-1].append(f"{thick:g} w {x:.2f} {y:.2f} m {x + wide:.2f} {y:.2f} l S")

    def box(self, x: float, y: float, wide: float, high: float, grey: float) -> None:
        """Fill an area."""
        self.pages[-1].append(f"{grey:g} g {x:.2f} {y:.2f} {wide:.2f} {high:.2f} re f 0 g")

    def space(self, high: float) -> None:
        """Leave something free."""
        self.y -= high

    def paragraph(self, text: str, size: float = 10.5, bold: bool = False, indent: float = 0, after: float = 7) -> None:
        """Write a paragraph over as many lines and pages as it takes."""
        for line in wrap(text, size, WIDE - 2 * MARGIN - indent, bold):
            self.room(size * 1.4)
            self.y -= size * 1.4
            self.put(MARGIN + indent, self.y, line, size, bold)
        self.y -= after

    def table(
        self, rows: Sequence[Sequence[str]], columns: Sequence[float], numbers: Sequence[int] = (), size: float = 9.5
    ) -> None:
        """Write a table: widths of its columns, and which hold numbers; the first row is its head."""
        for place, row in enumerate(rows):
            cells = [wrap(text, size, wide - 6, place == 0) for text, wide in zip(row, columns, strict=True)]
            high = max(map(len, cells)) * size * 1.35 + 5
            self.room(high)
            if place == 0:
                self.box(MARGIN, self.y - high, sum(columns), high, 0.92)
            x = float(MARGIN)
            for column, (lines, wide) in enumerate(zip(cells, columns, strict=True)):
                for number, line in enumerate(lines):
                    right = column in numbers
                    self.put(
                        x + (wide - 4 if right else 4),
                        self.y - size * 1.25 - number * size * 1.35,
                        line,
                        size,
                        place == 0,
                        right,
                    )
                x += wide
            self.y -= high
            self.rule(MARGIN, sum(columns), self.y, 0.3)
        self.y -= 10

    def data(self) -> bytes:
        """Return the file."""
        for number, page in enumerate(self.pages, 1):
            foot = f"{self.footer}   {number} / {len(self.pages)}".strip()
            written = foot.encode("cp1252", "replace").decode("cp1252").replace("(", "\\(").replace(")", "\\)")
            page.append(f"BT /F1 8 Tf {(WIDE - width(foot, 8)) / 2:.2f} 34 Td ({written}) Tj ET")
        kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(len(self.pages)))
        title = self.title.encode("ascii", "replace").decode().replace("(", "").replace(")", "")
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>".encode(),
            *(
                f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()
                for name in ("Helvetica", "Helvetica-Bold")
            ),
        ]
        for number, page in enumerate(self.pages):
            fonts = "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >>"
            objects.append(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDE} {HIGH}] {fonts} /Contents "
                f"{6 + 2 * number} 0 R >>".encode()
            )
            stream = zlib.compress("\n".join(page).encode("cp1252"), 6)
            objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(stream) + stream + b"\nendstream")
        objects.append(f"<< /Title ({title}) /Producer (Office) >>".encode())
        return _file(objects)


def _file(objects: Sequence[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + each + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        len(objects),
        start,
    )
    return bytes(out)
