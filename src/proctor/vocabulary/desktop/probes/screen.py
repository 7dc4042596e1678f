"""Probes that look at the screen: windows, controls, the terminal, and what can be read there."""

from __future__ import annotations

import functools
import importlib
import math
from typing import Any

from proctor.errors import MissingExtra
from proctor.observations.xml import tag
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.shelves import PROBES
from proctor.tasks.words import Sought, matches

MOST_TEXT = 20_000
"""Characters of one control's text that are kept."""
TOLD_STATES = frozenset(
    {"checked", "selected", "focused", "expanded", "pressed", "enabled", "editable", "indeterminate"}
)
"""States of a control that mean something to a user."""

SAME_ROW = 8
"""Pixels by which the upper edges of two pieces of text on one line may differ."""


@PROBES.register
def windows(context: ProbeContext) -> dict[str, Any]:
    """The open windows, bottom to top: title, application, position, whether active or minimised."""
    listed = [
        {
            "title": window.title,
            "app": window.app,
            "box": list(window.box),
            "active": window.active,
            "minimised": window.minimised,
        }
        for window in context.computer.windows()
    ]
    return {"path": "the windows", "windows": listed}


@PROBES.register
def screen_size(context: ProbeContext) -> dict[str, object]:
    """The width and height of the screen in pixels."""
    width, height = context.computer.size
    return {"path": "the screen", "width": width, "height": height}


@PROBES.register_live()
def controls(context: ProbeContext, app: Sought | None = None, window: Sought | None = None) -> dict[str, object]:
    """The controls that are showing, of all applications, one of them or one window: names and texts."""
    listed = []
    for node in context.computer.tree().nodes:
        if node.showing and (node.name or node.text) and matches(app, node.app) and matches(window, node.window):
            control: dict[str, object] = {"role": node.role, "name": node.name, "text": node.text[:MOST_TEXT]}
            control["states"] = sorted(node.states & TOLD_STATES)
            if node.value is not None and math.isfinite(node.value.current):
                control["value"] = node.value.current
            listed.append(control)
    return {"path": "the controls on the screen", "controls": listed}


@PROBES.register_live()
def elements(context: ProbeContext) -> dict[str, object]:
    """Every element of the accessibility tree, with its parent, attributes and states."""
    listed = [
        {
            "tag": tag(node.role),
            "name": node.name,
            "text": node.text[:MOST_TEXT],
            "parent": node.parent,
            "attributes": dict(node.attributes),
            "states": sorted(node.states),
        }
        for node in context.computer.tree().nodes
    ]
    return {"path": "the elements of the screen", "elements": listed}


@PROBES.register_live()
def terminal(context: ProbeContext) -> dict[str, object]:
    """The text of the frontmost terminal; absent when none is open."""
    shown = context.computer.terminal()
    if shown is None:
        raise CannotSee("absent", "no terminal is open")
    return {"path": "The terminal", "text": shown}


@PROBES.register
def screen_text(context: ProbeContext) -> dict[str, object]:
    """The text that can be read in a screenshot, line by line, top to bottom."""
    picture = context.computer.screenshot(cursor=False).convert("RGB")
    return {"path": "The screen", "lines": list(read_lines(picture.tobytes(), picture.size))}


@functools.lru_cache(maxsize=2)
def read_lines(pixels: bytes, size: tuple[int, int]) -> tuple[str, ...]:
    """Return the lines in a picture; remembered, since reading takes seconds and judges look twice."""
    import numpy

    width, height = size
    picture = numpy.frombuffer(pixels, numpy.uint8).reshape(height, width, 3)[:, :, ::-1]
    # No text on a desktop stands on its head.
    found, _ = _reader()(picture, use_cls=False)
    pieces = sorted((round(box[0][1]), round(box[0][0]), words) for box, words, _ in found or [])
    return tuple(_in_reading_order(pieces))


def _in_reading_order(pieces: list[tuple[int, int, str]]) -> list[str]:
    """Return pieces of text, sorted by their upper edge, row by row from left to right."""
    rows: list[list[tuple[int, int, str]]] = []
    for piece in pieces:
        if rows and piece[0] - rows[-1][0][0] <= SAME_ROW:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [words for row in rows for _, _, words in sorted(row, key=lambda piece: piece[1])]


@functools.cache
def _reader() -> Any:
    try:
        library = importlib.import_module("rapidocr_onnxruntime")
    except ImportError as error:
        raise MissingExtra("reading text off the screen", "ocr") from error
    return library.RapidOCR()
