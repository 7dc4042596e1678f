"""Subtasks on vector drawings in Inkscape."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.composing.resource import Resource
from proctor.graphs.composing.subtask import Bound, Subtask, Work
from proctor.graphs.composing.theme import Theme
from proctor.suites.parts.programs import base, closed, full, lines_of, named, named_in_dialog, quoted, started
from proctor.suites.pool.media import PATIENCE
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss

DEMAND = "Creativity/Digital Content Creation/Diagram Drawing"
SIZE = (640, 480)
"""How large every drawing is."""
GREETINGS = ("Welcome", "See you there", "Entrance free", "Draft", "Please copy", "Thank you", "This way")


def _lines(source: Resource) -> list[str]:
    if not source.value.endswith(".svg"):
        raise SpecError(f"{source.value} is not an SVG drawing", remedy="hand it another one")
    return lines_of(source)


def _shown(source: Resource) -> tuple[Call, ...]:
    return started(f"inkscape {quoted(source)}", base(source), PATIENCE)


class ExportDrawing(Subtask):
    """A drawing is exported as a picture of a given size."""

    app = "inkscape"
    takes = {"source": "drawing"}
    gives = {"picture": "image"}
    asks = (
        "export the page of {source} as a PNG picture {picture} that is {width} by {height} pixels",
        "export {source} as a PNG that is {width} pixels wide and {height} pixels high, called {picture}",
    )
    steps = (
        "Open {source} in Inkscape.",
        "Open the export dialog and choose the page with {width} by {height} pixels.",
        "Export it as {picture} and close Inkscape.",
    )
    demand = DEMAND

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        _lines(takes["source"])
        width, height = SIZE
        path = named(draw, theme, "Pictures", ("export", "preview", "image"), ".png")
        picture = Resource("image", path, {"width": width, "height": height})
        return Bound(takes=takes, gives={"picture": picture}, params={"width": str(width), "height": str(height)})

    def work(self, bound: Bound) -> Work:
        source, picture = bound.takes["source"], bound.gives["picture"]
        seen = see.picture(picture.value)
        ready = (
            *_shown(source),
            hand.press("ctrl+shift+e"),
            hand.type_into(full(picture), role="text", app="inkscape"),
        )
        return Work(
            moves=(
                *ready,
                hand.click("/^Export$/", role="push button", app="inkscape"),
                hand.await_saved(picture.value),
                # What was exported last is noted in the drawing, which need not be saved for it.
                hand.press("ctrl+q"),
                hand.await_element("Close without saving", role="push button", app="inkscape"),
                hand.press("alt+w"),
                hand.await_window(base(source), gone=True),
            ),
            check=expect.all_of(
                [
                    expect.picture_format(seen, "PNG"),
                    expect.picture_size(seen, *SIZE),
                    # Not all of it is empty, and not all of it is full.
                    expect.has_colour(seen, "#ffffff", least=0.5, most=0.999, within=2),
                ]
            ),
            near_misses=(NearMiss(name="named but not exported", moves=ready),),
        )


class AddToDrawing(Subtask):
    """A line of text is added to a copy of a drawing."""

    app = "inkscape"
    takes = {"source": "drawing"}
    gives = {"drawing": "drawing"}
    asks = (
        'add the text "{text}" to {source} and save that as the SVG drawing {drawing}',
        'write "{text}" below the other text in {source} and save that as the SVG drawing {drawing}',
    )
    steps = (
        "Open {source} in Inkscape.",
        'Add "{text}" as a separate text.',
        "Save it as {drawing} and close Inkscape.",
    )
    demand = DEMAND

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = _lines(takes["source"])
        if len(lines) > 12:
            raise SpecError(f"{takes['source'].value} is full of text", remedy="hand it another one")
        text = draw.choice([text for text in GREETINGS if text not in lines])
        path = named(draw, theme, "Pictures", ("labelled", "sign", "plan"), ".svg")
        return Bound(takes=takes, gives={"drawing": Resource("drawing", path, [*lines, text])}, params={"text": text})

    def work(self, bound: Bound) -> Work:
        source, drawing = bound.takes["source"], bound.gives["drawing"]
        lines, seen = drawing.content, see.drawing(drawing.value)
        # Every text has a place of its own; a click on another one would go on with that.
        place = (0.45, round(0.66 + 0.04 * (len(lines) % 6), 2))
        ready = _shown(source)
        saved = (
            hand.press("ctrl+shift+s"),
            *named_in_dialog("Select file to save to", drawing),
            *closed(base(drawing)),
        )
        return Work(
            moves=(
                *ready,
                hand.press("F8"),
                hand.click(role="frame", app="inkscape", at=place),
                hand.type(bound.params["text"]),
                *saved,
            ),
            check=expect.all_of(
                [
                    *(expect.drawing_text(seen, line, times=lines.count(line)) for line in dict.fromkeys(lines)),
                    expect.drawing_count(seen, len(lines)),
                ]
            ),
            near_misses=(NearMiss(name="copied unchanged", moves=(*ready, *saved)),),
        )
