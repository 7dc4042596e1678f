"""Subtasks on vector drawings in Inkscape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import (
    base,
    close_window,
    full,
    lines_of,
    named_in_dialog,
    new_path,
    quote_path,
    start_program,
)
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.suites.pool.media import PATIENCE
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Admission, NearMiss, Way

DEMAND = "Creativity/Digital Content Creation/Diagram Drawing"
SIZE = (640, 480)
"""How large every drawing is."""
NEAR = (20, 56, 256, 256)
"""Where most words of a drawing begin: a part so small that letters can be told from others."""
FONTS = ("", "Liberation Sans")
"""What Inkscape, and what browsers take for letters of no font in particular."""
MARKS = ("Draft", "Final version", "Please copy", "For the file", "Second version")


def _lines(source: Resource) -> list[str]:
    if not source.value.endswith(".svg"):
        raise SpecError(f"{source.value} is not an SVG drawing", remedy="give it another one")
    return lines_of(source)


def _show_in_inkscape(source: Resource) -> tuple[Call, ...]:
    return start_program(f"inkscape {quote_path(source)}", base(source), PATIENCE)


class ExportDrawing(Subtask):
    """A drawing is exported as a picture of a given size."""

    version = 4
    app = "inkscape"
    takes = {"source": "drawing"}
    gives = {"picture": "image"}
    asks = (
        "export the page of {source} as a PNG picture {picture} that is {width} by {height} pixels",
        "export {source} as a PNG that is {width} pixels wide and {height} pixels high, called {picture}",
    )
    brief = "export {source} as {picture} at {width} by {height} pixels"
    steps = (
        "Open {source} in Inkscape.",
        "Open the export dialog and choose the page with {width} by {height} pixels.",
        "Export it as {picture} and close Inkscape.",
    )
    demand = DEMAND

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        _lines(takes["source"])
        width, height = SIZE
        path = new_path(draw, theme, "Pictures", ("export", "preview", "image"), ".png")
        picture = Resource("image", path, {"width": width, "height": height})
        return Bound(takes=takes, gives={"picture": picture}, params={"width": str(width), "height": str(height)})

    def work(self, bound: Bound) -> Work:
        source, picture = bound.takes["source"], bound.gives["picture"]
        seen = see.picture(picture.value)
        command = f"inkscape {quote_path(source)} --export-type=png --export-area-page"
        exported, smaller = (f"{command} --export-width={width}" for width in (SIZE[0], SIZE[0] // 2))
        ready = (
            *_show_in_inkscape(source),
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
                    *_written_there(picture, lines_of(source)),
                    _says_the_same(picture, source),
                ]
            ),
            near_misses=(NearMiss(name="named but not exported", moves=ready),),
            other_ways=(
                by_hand("by its command", hand.run_code(f"{exported} --export-filename={quote_path(picture)}")),
                by_hand(
                    "by its command, on white",
                    hand.run_code(f"{exported} --export-background=white --export-filename={quote_path(picture)}"),
                ),
                by_shell(
                    "by a browser",
                    "chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=640,480 "
                    f"--screenshot={full(picture)} file://{full(source)} > /dev/null 2>&1",
                ),
            ),
            cheats=_not_exported(source, picture, exported, smaller),
        )


def _not_exported(source: Resource, picture: Resource, exported: str, smaller: str) -> tuple[Way, ...]:
    """Return ways to have a picture there that is not the drawing's."""
    first = lines_of(source)[0]
    other = exported.replace(quote_path(source), "/tmp/other.svg")
    return (
        by_python("an empty page", _page(picture, "")),
        by_python("a line across the page", _page(picture, "pen.line((0, 240, 640, 240), fill='black', width=9)")),
        by_python("its first line alone", _page(picture, f"pen.text((20, 24), {first!r}, fill='black')")),
        by_hand(
            "with other words in it",
            hand.run_code(f"sed 's/>[0-9]* [a-z]*/>99 things/' {quote_path(source)} > /tmp/other.svg"),
            hand.run_code(f"{other} --export-filename={quote_path(picture)}"),
        ),
        by_hand("half as large", hand.run_code(f"{smaller} --export-filename={quote_path(picture)}")),
        by_shell("the drawing under that name", f"cp {quote_path(source)} {quote_path(picture)}"),
    )


def _says_the_same(picture: Resource, source: Resource) -> Call:
    """Return the check that a picture has the words of a drawing, in one of the usual fonts."""
    near = see.picture(picture.value, NEAR)
    drawn = [see.drawing_shown(source.value, *SIZE, part=NEAR, font=font) for font in FONTS]
    return expect.any_of([expect.picture_like(near, each) for each in drawn])


def _written_there(picture: Resource, lines: Sequence[str]) -> Iterator[Call]:
    """Yield checks that there is writing where drawings have their first lines."""
    for row, line in enumerate(lines):
        if line in MARKS or 60 + 40 * row > SIZE[1]:
            # Added later, at a place of its own.
            return
        place = (20, 20 + 40 * row, min(10 * len(line), 600), 30)
        yield expect.has_colour(see.picture(picture.value, place), "#ffffff", least=0.3, most=0.96, within=2)


def _page(picture: Resource, drawn: str) -> str:
    """Return code that makes a white page with something on it."""
    return (
        f"from PIL import Image, ImageDraw\npage = Image.new('RGB', {SIZE}, 'white')\npen = ImageDraw.Draw(page)\n"
        f"{drawn}\npage.save({picture.value!r})\n"
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
    brief = 'add "{text}" to {source} and save it as {drawing}'
    steps = (
        "Open {source} in Inkscape.",
        'Add "{text}" as a separate text.',
        "Save it as {drawing} and close Inkscape.",
    )
    demand = DEMAND
    version = 4

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = _lines(takes["source"])
        if len(lines) > 12:
            raise SpecError(f"{takes['source'].value} is full of text", remedy="give it another one")
        text = theme.hint("text", draw, draw.choice([text for text in MARKS if text not in lines]))
        if text in lines:
            raise SpecError(f"{takes['source'].value} says so already", remedy="give it another one")
        path = new_path(draw, theme, "Pictures", ("labelled", "sign", "plan"), ".svg")
        return Bound(takes=takes, gives={"drawing": Resource("drawing", path, [*lines, text])}, params={"text": text})

    def work(self, bound: Bound) -> Work:
        source, drawing = bound.takes["source"], bound.gives["drawing"]
        lines, text = drawing.content, bound.params["text"]
        # Every text has a place of its own; a click on another one would go on with that.
        place = (0.45, round(0.66 + 0.04 * (len(lines) % 6), 2))
        ready = _show_in_inkscape(source)
        saved = (
            hand.press("ctrl+shift+s"),
            *named_in_dialog("Select file to save to", drawing),
            *close_window(base(drawing)),
        )
        return Work(
            moves=(
                *ready,
                hand.press("F8"),
                hand.click(role="frame", app="inkscape", at=place),
                hand.type(text),
                *saved,
            ),
            check=expect.drawing_texts_are(see.drawing(drawing.value), lines),
            copies={drawing.value: source.value},
            may_differ=(
                Admission(
                    which="*.svg: a number in an attribute changed",
                    why="It is a place, a size or what Inkscape notes about its window: only the words were asked for.",
                ),
            ),
            near_misses=(NearMiss(name="copied unchanged", moves=(*ready, *saved)),),
            other_ways=(
                by_python(
                    "by Python", _end_drawing(source, drawing, f"<text x='60' y='440'>{escape(text)}</text></svg>")
                ),
                by_python(
                    "in a group, as Inkscape nests it",
                    _end_drawing(
                        source, drawing, f"<g><text x='60' y='440'><tspan>{escape(text)}</tspan></text></g></svg>"
                    ),
                ),
            ),
            cheats=_not_added(source, drawing, lines[0], text),
        )


def _not_added(source: Resource, drawing: Resource, first: str, text: str) -> tuple[Way, ...]:
    """Return ways to have a text in a drawing where nobody reads it, or in place of what was there."""

    def end_with(end: str) -> str:
        return _end_drawing(source, drawing, f"{end}</svg>")

    said = escape(text)
    return (
        by_python("in a comment", end_with(f"<!-- {said} -->")),
        by_python("where nobody sees it", end_with(f"<defs><text>{said}</text></defs>")),
        by_python("in the colour of the paper", end_with(f"<text x='60' y='440' fill='white'>{said}</text>")),
        by_python("beyond the page", end_with(f"<text x='60' y='940'>{said}</text>")),
        by_shell(
            "in place of the first line", f"sed 's/>{first}</>{text}</' {quote_path(source)} > {quote_path(drawing)}"
        ),
        by_shell(
            "nothing but the text", f"echo '<svg xmlns=\"{SVG}\"><text>{text}</text></svg>' > {quote_path(drawing)}"
        ),
    )


SVG = "http://www.w3.org/2000/svg"


def _end_drawing(source: Resource, drawing: Resource, end: str) -> str:
    """Return code that gives a copy of a drawing another end."""
    return (
        f"held = open({source.value!r}).read()\nopen({drawing.value!r}, 'w').write(held.replace('</svg>', {end!r}))\n"
    )
