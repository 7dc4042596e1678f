"""Probes that look at vector drawings: SVG files and Dia diagrams."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from pydantic import Field

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.drawings.parse import MOST_BYTES
from proctor.vocabulary.formats.drawings.parse_any import read_drawing
from proctor.vocabulary.formats.office.parse_noise import changed_by_saving
from proctor.vocabulary.formats.pictures.parse import describe
from proctor.vocabulary.formats.pictures.probes import Part

Pixels = Annotated[int, Field(ge=1, le=4000)]
DRAWN_SEC = 20
DRAW = """
import base64, gi, sys
gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf
loader = GdkPixbuf.PixbufLoader.new_with_type("svg")
loader.set_size(int(sys.argv[1]), int(sys.argv[2]))
loader.write(sys.stdin.buffer.read())
loader.close()
saved, data = loader.get_pixbuf().save_to_bufferv("png", [], [])
print(base64.b64encode(data).decode())
"""
"""Draws what comes in by the pipe, with the letters that the computer has."""


@PROBES.register_with(read_drawing, whole="file", noise=changed_by_saving)
def drawing(context: ProbeContext, path: str) -> dict[str, object]:
    """The shapes of an SVG or LibreOffice drawing, bottom to top: position, look and text of each."""
    return parsed(path, read_drawing, path, context.read(path, most=MOST_BYTES))


@PROBES.register_with(describe)
def drawing_shown(
    context: ProbeContext, path: str, width: Pixels, height: Pixels, part: Part | None = None, font: str = ""
) -> dict[str, object]:
    """What an SVG drawing, or a part of it, shows at this size, rendered by the computer itself.

    Pictures are compared with it; the part is given as for `picture`, and the font as one that programs may take for
    letters of no font in particular.
    """
    data = context.read(path, most=MOST_BYTES)
    data = data.replace(b"sans-serif", font.encode()) if font else data
    argv = ["timeout", str(DRAWN_SEC), "python3", "-I", "-c", DRAW, str(width), str(height)]
    made = context.run(argv, reader=True, input=data, timeout_sec=DRAWN_SEC + 10)
    try:
        picture = base64.b64decode(made.stdout.strip(), validate=True) if made.code == 0 else b""
    except binascii.Error:
        picture = b""
    if not picture:
        raise CannotSee("unreadable", f"{path} cannot be drawn: {made.stderr.strip()[-200:]}")
    return parsed(path, describe, path, picture, part)
