"""Presentations made and changed by Python, without a window: ways to do tasks and to cheat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from proctor.suites.parts.packages import package_made
from proctor.tasks.call import Call
from proctor.tasks.shelves import hand

_KIND = "application/vnd.oasis.opendocument.presentation"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_SPACES = " ".join(
    [
        *(f'xmlns:{name}="{_OASIS}:{name}:1.0"' for name in ("office", "style", "text", "presentation", "manifest")),
        f'xmlns:draw="{_OASIS}:drawing:1.0"',
        f'xmlns:svg="{_OASIS}:svg-compatible:1.0"',
        'xmlns:xlink="http://www.w3.org/1999/xlink"',
    ]
)
Deck = Sequence[Mapping[str, object]]


def deck_made(path: str, deck: Deck, below: str = "outline") -> Call:
    """Write a presentation: each slide has a title, and points in an outline or a subtitle."""
    pages = "".join(_page(page, number, below) for number, page in enumerate(deck, start=1))
    return package_made(path, _KIND, f"<office:presentation>{pages}</office:presentation>", _SPACES)


def with_page(deck_page: Mapping[str, object], number: int) -> str:
    """Return the expression that adds a slide at the end of a presentation."""
    return f"text.replace('</office:presentation>', {_page(deck_page, number)!r} + '</office:presentation>')"


_PICTURE = """
import zipfile

with zipfile.ZipFile({source!r}) as package:
    parts = {{name: package.read(name) for name in package.namelist()}}
pages = parts["content.xml"].decode().split("</draw:page>")
pages[{page} - 1] += {frame!r}
entry = '<manifest:file-entry manifest:full-path="Pictures/added.png" manifest:media-type="image/png"/>'
end = "</manifest:manifest>"
new = {{
    "content.xml": "</draw:page>".join(pages),
    "META-INF/manifest.xml": parts["META-INF/manifest.xml"].decode().replace(end, entry + end),
    "Pictures/added.png": open({picture!r}, "rb").read(),
}}
with zipfile.ZipFile({target!r}, "w") as package:
    for name, data in {{**parts, **new}}.items():
        package.writestr(name, data)
"""


def with_picture(source: str, target: str, picture: str, page: int, size: tuple[str, str] = ("8cm", "6cm")) -> Call:
    """Put a picture on one of the slides of a copy of a presentation."""
    frame = (
        f'<draw:frame svg:x="2cm" svg:y="9cm" svg:width="{size[0]}" svg:height="{size[1]}">'
        '<draw:image xlink:href="Pictures/added.png" xlink:type="simple"/></draw:frame>'
    )
    code = _PICTURE.format(source=source, target=target, picture=picture, page=page, frame=frame)
    return hand.run_code(code, "python")


def _page(page: Mapping[str, Any], number: int, below: str = "outline") -> str:
    lines = [f"<text:p>{escape(point)}</text:p>" for point in page.get("bullets", ())]
    points = "".join(f"<text:list-item>{line}</text:list-item>" for line in lines)
    title = f"<text:p>{escape(page['title'])}</text:p>"
    listed = f"<text:list>{points}</text:list>" if points and below == "outline" else "".join(lines) or "<text:p/>"
    return f'<draw:page draw:name="page{number}">{_frame("title", 1, title)}{_frame(below, 5, listed)}</draw:page>'


def _frame(kind: str, top: int, held: str) -> str:
    return (
        f'<draw:frame presentation:class="{kind}" svg:x="2cm" svg:y="{top}cm" svg:width="20cm" svg:height="3cm">'
        f"<draw:text-box>{held}</draw:text-box></draw:frame>"
    )
