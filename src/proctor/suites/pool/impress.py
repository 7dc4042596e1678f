"""Subtasks on presentations in LibreOffice Impress."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.decks_by_code import deck_made, with_page, with_picture
from proctor.suites.parts.office import (
    IMPRESS,
    Moves,
    choose_file,
    exported_as_pdf,
    fit_to_type,
    merely_copied,
    office,
    quit_office,
    saved_as,
)
from proctor.suites.parts.packages import repack_by_code
from proctor.suites.parts.pdfs import written_pdf
from proctor.suites.parts.programs import lines_of, new_path, quote_path
from proctor.suites.parts.ways import by_hand, by_python, by_shell, repaint
from proctor.suites.parts.writer import convert_document
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss, Way

PRESENTATION = "Office/Documentation/Presentation"
MOST_LINES = 8
"""More do not fit on a slide."""

PICTURED = "pictured"
"""Of a slide: whether a picture was put on it, which may cover what it says."""

Deck = list[dict[str, object]]


def _deck(slides: Resource) -> Deck:
    """Return what each slide says: its title, and the points below it.

    Presentations that are there from the beginning have lines: the title on the first slide, the points on the second.
    """
    content = slides.content
    if isinstance(content, list) and content and all(isinstance(slide, dict) for slide in content):
        return [dict(slide) for slide in content]
    title, *points = lines_of(slides)
    return [{"title": title}, {"title": "Overview", "bullets": points}]


def _texts(slides: Resource) -> Deck:
    """Return what each slide says, without whether a picture lies on it."""
    return [{name: said for name, said in slide.items() if name != PICTURED} for slide in _deck(slides)]


def _slides(draw: Draw, theme: Theme, words: tuple[str, ...], deck: Deck) -> Resource:
    return Resource("slides", new_path(draw, theme, "Documents", words, ".odp"), deck)


def _says(slides: Resource) -> Call:
    seen = see.slides(slides.value)
    told = expect.slides_are(seen, _texts(slides))
    return expect.all_of([told, expect.slides_hidden(seen, []), expect.slides_format(seen, "odp")])


def _made_by_others(slides: Resource) -> tuple[Way, ...]:
    return (
        by_hand("by Python", deck_made(slides.value, _texts(slides))),
        by_hand("by Python, with a subtitle", deck_made(slides.value, _texts(slides), "subtitle")),
    )


def _made_wrong(slides: Resource, **decks: Deck) -> tuple[Way, ...]:
    """Return cheats that make another presentation, each named after what is wrong with it."""
    return tuple(by_hand(name.replace("_", " "), deck_made(slides.value, deck)) for name, deck in decks.items())


def _new(*texts: str) -> Moves:
    """Begin a presentation and type into the places for text on its first slide, one after the other."""
    typed = (move for text in texts for move in (hand.press("ctrl+Return"), hand.type(text)))
    return (*office(IMPRESS), *typed, *_put_down())


def _put_down() -> Moves:
    """Stop typing, and let go of the frame that was typed into."""
    return (hand.press("Escape"), hand.press("Escape"))


class MakeATitleSlide(Subtask):
    """A presentation with one slide is made."""

    app = "libreoffice-impress"
    gives = {"slides": "slides"}
    asks = (
        'make a presentation {slides} with one slide that has the title "{title}" and "{below}" below it',
        'start a presentation {slides} with a single slide titled "{title}" that says "{below}" underneath',
    )
    brief = 'make a one-slide presentation {slides} titled "{title}" with "{below}" underneath'
    steps = (
        "Start LibreOffice Impress.",
        'Type "{title}" as the title of the first slide and "{below}" below it.',
        "Save it as the presentation {slides} and close Impress.",
    )
    demand = PRESENTATION
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        title = f"{draw.choice(('Welcome to', 'Plans for', 'A day in', 'Looking back at'))} {theme.place}"
        if theme.part:
            title = theme.hint("title", draw, f"About {theme.title}")
        below = theme.hint("below", draw, f"A talk by {theme.person}")
        slides = _slides(draw, theme, ("talk", "show", "lecture"), [{"title": title, "bullets": [below]}])
        return Bound(gives={"slides": slides}, params={"title": title, "below": below})

    def work(self, bound: Bound) -> Work:
        slides = bound.gives["slides"]
        title, below = bound.params["title"], bound.params["below"]
        return Work(
            moves=(*_new(title, below), *saved_as(slides), *quit_office()),
            check=_says(slides),
            near_misses=(NearMiss(name="the title only", moves=(*_new(title), *saved_as(slides))),),
            other_ways=_made_by_others(slides),
            cheats=_made_wrong(
                slides,
                the_wrong_way_round=[{"title": below, "bullets": [title]}],
                on_two_slides=[{"title": title}, {"title": below}],
                all_in_the_title=[{"title": f"{title} {below}"}],
            ),
        )


class TurnATextIntoASlide(Subtask):
    """The lines of a text become a slide."""

    app = "libreoffice-impress"
    takes = {"source": "text_file"}
    gives = {"slides": "slides"}
    asks = (
        "make a presentation {slides} with one slide that has the first line of {source} as its title and the "
        "other lines below",
        "put {source} on the only slide of a new presentation {slides}, with the first line as the title and "
        "the rest below",
    )
    brief = "put {source} on one slide, first line as title, as {slides}"
    steps = (
        "Look at {source} and start LibreOffice Impress.",
        "Type its first line as the title of the first slide and the other lines below it.",
        "Save it as the presentation {slides} and close Impress.",
    )
    demand = PRESENTATION
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        title, *points = lines_of(takes["source"])
        if not 0 < len(points) < MOST_LINES:
            raise SpecError(f"{takes['source'].value} does not fit on a slide", remedy="give it something else")
        fit_to_type([title, *points])
        slides = _slides(draw, theme, ("slide", "poster", "board"), [{"title": title, "bullets": points}])
        return Bound(takes=takes, gives={"slides": slides})

    def work(self, bound: Bound) -> Work:
        slides = bound.gives["slides"]
        title, points = slides.content[0]["title"], slides.content[0]["bullets"]
        return Work(
            moves=(*_new(title, "\n".join(points)), *saved_as(slides), *quit_office()),
            check=_says(slides),
            near_misses=(NearMiss(name="the title only", moves=(*_new(title), *saved_as(slides))),),
            other_ways=_made_by_others(slides),
            cheats=_made_wrong(
                slides,
                the_last_line_forgotten=[{"title": title, "bullets": points[:-1]}],
                in_another_order=[{"title": title, "bullets": points[::-1]}],
                a_slide_for_each_line=[{"title": each} for each in (title, *points)],
            ),
        )


class ExportSlides(Subtask):
    """A presentation becomes a PDF."""

    app = "libreoffice-impress"
    takes = {"source": "slides"}
    gives = {"pdf": "pdf"}
    asks = (
        "export {source} from Impress as a PDF to {pdf}",
        "make a PDF {pdf} of the slides in {source}",
    )
    brief = "export {source} as the PDF {pdf}"
    steps = ("Open {source} in LibreOffice Impress.", "Export it as a PDF to {pdf}.", "Close Impress.")
    demand = PRESENTATION
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Documents", ("slides", "handouts", "to-print"), ".pdf")
        return Bound(takes=takes, gives={"pdf": Resource("pdf", path, _deck(takes["source"]))})

    def work(self, bound: Bound) -> Work:
        source, pdf = bound.takes["source"], bound.gives["pdf"]
        seen = see.pdf(pdf.value)
        pages = [[slide["title"], *slide.get("bullets", ())] for slide in pdf.content]
        free = [not slide.get(PICTURED) for slide in pdf.content]
        said = [expect.pdf_has_text(seen, lines, page=page) for page, lines in enumerate(pages, 1) if free[page - 1]]
        if not said:
            said = [expect.pdf_has_text(seen, [str(pages[0][0]).split()[0]], page=1)]
        return Work(
            moves=(*office(IMPRESS, source), *exported_as_pdf(IMPRESS, pdf), *quit_office()),
            check=expect.all_of([expect.pdf_pages(seen, len(pdf.content)), *said]),
            near_misses=(NearMiss(name="just copied under the new name", moves=merely_copied(source, pdf)),),
            other_ways=(
                by_hand("by the command line", *convert_document(source.value, pdf.value)),
                by_python("by Python", written_pdf(pdf.value, *pages)),
            ),
            cheats=(
                by_python("all on one page", written_pdf(pdf.value, [line for page in pages for line in page])),
                by_python("the first slide alone", written_pdf(pdf.value, pages[0])),
                by_python("from last to first", written_pdf(pdf.value, *pages[::-1])),
                by_python("empty pages", written_pdf(pdf.value, *([] for _ in pages))),
            ),
        )


class AddASlide(Subtask):
    """A copy of a presentation gets a last slide."""

    app = "libreoffice-impress"
    takes = {"source": "slides"}
    gives = {"slides": "slides"}
    asks = (
        'add a last slide with just the title "{title}" to {source} and save that as {slides}',
        'save a copy of {source} as {slides} with one more slide at the end that has the title "{title}" and '
        "nothing else",
    )
    brief = 'add a last slide titled "{title}" to {source} as {slides}'
    steps = (
        "Open {source} in LibreOffice Impress.",
        'Add a slide at the end and type "{title}" as its title.',
        "Save it as {slides} and close Impress.",
    )
    demand = PRESENTATION
    version = 4

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        title = draw.choice(("Questions", "Thank you", f"See you in {theme.place}", "Next steps"))
        title = theme.hint("title", draw, title)
        deck = _deck(takes["source"])
        slides = _slides(draw, theme, ("longer", "with-ending", "extended"), [*deck, {"title": title}])
        return Bound(takes=takes, gives={"slides": slides}, params={"title": title})

    def work(self, bound: Bound) -> Work:
        source, slides, title = bound.takes["source"], bound.gives["slides"], bound.params["title"]
        deck = _texts(slides)
        added = (
            hand.press("End"),
            hand.press("ctrl+m"),
            hand.press("ctrl+Return"),
            hand.type(title),
            *_put_down(),
        )
        return Work(
            moves=(*office(IMPRESS, source), *added, *saved_as(slides), *quit_office()),
            check=_says(slides),
            copies={slides.value: source.value},
            near_misses=(NearMiss(name="copied unchanged", moves=merely_copied(source, slides)),),
            other_ways=(
                by_hand(
                    "in its package",
                    repack_by_code(source.value, with_page({"title": title}, len(deck)), to=slides.value),
                ),
                by_hand(
                    "copied first, and changed in place",
                    hand.run_code(f"cp {quote_path(source)} {quote_path(slides)}"),
                    repack_by_code(slides.value, with_page({"title": title}, len(deck))),
                ),
            ),
            cheats=(
                by_hand("written anew, without its layout", deck_made(slides.value, deck)),
                *_made_wrong(
                    slides,
                    at_the_beginning=[deck[-1], *deck[:-1]],
                    twice=[*deck, deck[-1]],
                    with_more_on_it=[*deck[:-1], {"title": title, "bullets": ["More"]}],
                    nothing_else_left=deck[-1:],
                ),
                by_hand(
                    "in the original too",
                    repack_by_code(source.value, with_page({"title": title}, len(deck))),
                    hand.run_code(f"cp {quote_path(source)} {quote_path(slides)}"),
                ),
            ),
        )


class PutAPictureOnTheFirstSlide(Subtask):
    """A copy of a presentation gets a picture."""

    app = "libreoffice-impress"
    takes = {"source": "slides", "picture": "image"}
    gives = {"slides": "slides"}
    asks = (
        "put {picture} on the first slide of {source} and save that as {slides}",
        "insert {picture} into the first slide of {source} and save the result as {slides}",
    )
    brief = "put {picture} on the first slide of {source} as {slides}"
    steps = (
        "Open {source} in LibreOffice Impress.",
        "Insert {picture} into its first slide.",
        "Save it as {slides} and close Impress.",
    )
    demand = PRESENTATION
    version = 4

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        first, *others = _deck(takes["source"])
        deck = [{**first, PICTURED: True}, *others]
        slides = _slides(draw, theme, ("illustrated", "with-picture", "decorated"), deck)
        return Bound(takes=takes, gives={"slides": slides})

    def work(self, bound: Bound) -> Work:
        source, picture, slides = bound.takes["source"], bound.takes["picture"], bound.gives["slides"]
        insert = (
            hand.click("Image", role="push button", app="soffice", timeout_sec=40),
            *choose_file(IMPRESS, "Insert Image", picture, "Open"),
            *_put_down(),
        )
        shown = expect.picture_on_slide(see.slides(slides.value), 1, see.picture(picture.value))
        return Work(
            moves=(*office(IMPRESS, source), *insert, *saved_as(slides), *quit_office()),
            check=expect.all_of([_says(slides), shown]),
            copies={slides.value: source.value},
            near_misses=(NearMiss(name="copied unchanged", moves=merely_copied(source, slides)),),
            other_ways=(
                by_hand("in its package", with_picture(source.value, slides.value, picture.value, 1)),
                by_hand(
                    "saved anew, as what is pasted is",
                    repaint(picture.value, "/tmp/anew.png", "picture.convert('RGBA')", "compress_level=1"),
                    with_picture(source.value, slides.value, "/tmp/anew.png", 1),
                ),
                by_hand(
                    "in its package, saved again by the command line",
                    with_picture(source.value, "/tmp/shown.odp", picture.value, 1),
                    *convert_document("/tmp/shown.odp", slides.value),
                ),
            ),
            cheats=(
                by_hand("on the second slide", with_picture(source.value, slides.value, picture.value, 2)),
                by_hand(
                    "as small as a dot",
                    with_picture(source.value, slides.value, picture.value, 1, size=("0.1cm", "0.1cm")),
                ),
                by_hand("another picture", _ANOTHER, with_picture(source.value, slides.value, "/tmp/another.png", 1)),
                by_shell(
                    "put into the package, shown nowhere",
                    f"cp {quote_path(source)} {quote_path(slides)}",
                    f"zip -q {quote_path(slides)} {quote_path(picture)}",
                ),
            ),
        )


_ANOTHER = hand.run_code(
    "from PIL import Image\nImage.new('RGB', (64, 48), 'red').save('/tmp/another.png')\n", "python"
)
