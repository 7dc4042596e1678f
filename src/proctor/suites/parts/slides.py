"""What tasks on presentations share."""

from __future__ import annotations

from typing import Any

from proctor.tasks.call import Call
from proctor.tasks.shelves import make

Slides = list[dict[str, Any]]


def open_slides(path: str, slides: Slides) -> tuple[Call, ...]:
    """Make a presentation and open it."""
    return (make.slides(path, slides), make.open_in_office(path))


def hide_slide(number: int) -> str:
    """Return the expression that hides a slide of a presentation."""
    looks = '<style:drawing-page-properties presentation:visibility="hidden"/>'
    style = f'<style:style style:name="gone" style:family="drawing-page">{looks}</style:style>'
    body = f"<office:automatic-styles>{style}</office:automatic-styles><office:body>"
    page = f'draw:name="page{number}"'
    return f"text.replace('<office:body>', {body!r}).replace({page!r}, {page!r} + ' draw:style-name=\"gone\"')"
