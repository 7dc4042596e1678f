"""Subtasks on pages in Zim that go out as web pages."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import close_window, full, lines_of, new_path, quote_path, start_program
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.suites.pool.notes import READING, plain_lines, read_text
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss, Way

NOTEBOOK = "Notes"
HOME_TEXT = "Everything in one place."
SETUP = (make.notebook(NOTEBOOK, {"Home": f"{HOME_TEXT}\n"}),)
KEPT = (expect.note_is(see.notebook(NOTEBOOK), "Home", HOME_TEXT),)
WORDS = re.compile(r"(?!\w+[.)] )[\w ,.:!?()-]+")
"""What stays as it is in Zim, which makes links, lists and looks of other marks."""


def wiki_lines(lines: Sequence[str]) -> list[str]:
    """Return lines that a page of Zim shows as they are.

    Raises:
        SpecError: It would make something else of them.
    """
    if not all(WORDS.fullmatch(line) for line in lines):
        raise SpecError("Zim would make something else of these lines", remedy="give it something else")
    return plain_lines(lines)


def open_page(name: str) -> tuple[Call, ...]:
    """Begin a new page, with the cursor below its heading."""
    return start_program(f"zim {NOTEBOOK} {shlex.quote(name)}", f"{name} - {NOTEBOOK}")


def export_page(page: Resource) -> tuple[Call, ...]:
    """Export the page that is shown as a web page, and close Zim."""
    return (
        hand.press("ctrl+s"),
        hand.menu(["File", "Export..."]),
        hand.await_window("Export"),
        hand.click("Single page", role="radio button", window="Export"),
        # By keys: while the dialog grows under the pointer, its button takes no click.
        hand.press("alt+f"),
        hand.await_element("(2/3)", role="label", window="Export"),
        hand.press("alt+f"),
        hand.await_element("(3/3)", role="label", window="Export"),
        hand.type_into(full(page), role="text", window="Export"),
        hand.click("OK", role="push button", window="Export"),
        hand.await_file(page.value),
        hand.await_element("Export completed", role="label"),
        hand.press("Return"),
        hand.await_window("Export", gone=True),
        *close_window(NOTEBOOK),
    )


def shows(page: Resource, name: str, lines: Sequence[str]) -> Call:
    """Return the check that a web page has the name and the lines of a page in Zim.

    No other page of the notebook was exported with it.
    """
    exported, seen = see.text(page.value), see.page(page.value)
    return expect.all_of(
        [
            expect.text_matches(exported, rf"(^|>)\s*{re.escape(name)}\s*(<|$)"),
            expect.has_lines(seen, [*lines], together=True),
            expect.text_lacks(seen, [HOME_TEXT]),
            expect.note_is(see.notebook(NOTEBOOK), name, "\n".join(lines)),
        ]
    )


def _by_others(page: Resource, name: str, lines: Sequence[str]) -> tuple[Way, ...]:
    return (
        by_shell(
            "the page by the shell, exported by Zim's command", _note_command(name, lines), _export_command(name, page)
        ),
        by_hand(
            "pasted line by line, exported by its command",
            *open_page(name),
            hand.run_code(f"printf '%s\\n' {shlex.join(lines)} | xclip -selection clipboard > /dev/null 2>&1"),
            *(hand.press("ctrl+v"), hand.press("ctrl+s"), *close_window(NOTEBOOK)),
            hand.run_code(_export_command(name, page)),
        ),
    )


def _by_cheating(page: Resource, name: str, lines: Sequence[str]) -> tuple[Way, ...]:
    body = "".join(f"<p>{line}</p>" for line in lines)
    html = f"echo '<html><body><h1>{name}</h1>{body}</body></html>' > {quote_path(page)}"
    return (
        by_shell("a web page without any page in Zim", html),
        by_shell("a web page beside an empty page", _note_command(name, [""]), html),
        by_shell(
            "the text of the page as it is",
            _note_command(name, lines),
            f"cp {shlex.quote(_file(name))} {quote_path(page)}",
        ),
        by_shell("the first word alone", _note_command(name, lines[0].split()[:1]), _export_command(name, page)),
        by_shell("nothing to be seen on it", _note_command(name, lines), html.replace("<body>", "<body hidden>")),
        by_shell(
            "another page with it", _note_command(name, lines), html.replace("</body>", f"<p>{HOME_TEXT}</p></body>")
        ),
    )


def _file(name: str) -> str:
    return f"{NOTEBOOK}/{name.replace(' ', '_')}.txt"


def _note_command(name: str, lines: Sequence[str]) -> str:
    """Return the command that writes a page as Zim keeps it."""
    head = ["Content-Type: text/x-zim-wiki", "Wiki-Format: zim 0.6", "", f"====== {name} ======"]
    return f"printf '%s\\n' {shlex.join([*head, *lines])} > {shlex.quote(_file(name))}"


def _export_command(name: str, page: Resource) -> str:
    return f"zim --export --format=html --output={quote_path(page)} {NOTEBOOK} {shlex.quote(name)} > /dev/null 2>&1"


def page_name(draw: Draw, theme: Theme) -> str:
    """Draw the name of a new page, such as `Harwood bake sale 47`."""
    if theme.part:
        return f"{theme.part[:1].upper()}{theme.part[1:]}"
    return f"{theme.place} {theme.occasion.replace('é', 'e')} {draw.randint(2, 99)}"


class PublishAText(Subtask):
    """A text becomes a page in Zim, which is exported for the web."""

    version = 4
    app = "zim"
    takes = {"source": "text_file"}
    gives = {"page": "web_page"}
    asks = (
        'copy the lines of {source} to a new page "{name}" in Zim and export just that page as an HTML file {page}',
        'make a page "{name}" with the lines of {source} in Zim, and export only that page as a web page {page}',
    )
    tied = True
    brief = 'put {source} on a Zim page "{name}" and export just that as {page}'
    steps = (
        "Open {source} in Mousepad and read it.",
        'Start Zim, make a new page "{name}" and type the same lines.',
        "Export just this page as HTML to {page} and close Zim.",
    )
    demand = "Knowledge/Knowledge/Information Organization"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        wiki_lines(lines_of(takes["source"]))
        page = Resource("web_page", new_path(draw, theme, "Documents", ("page", "site", "online"), ".html"))
        return Bound(takes=takes, gives={"page": page}, params={"name": page_name(draw, theme)})

    def work(self, bound: Bound) -> Work:
        source, page, name = bound.takes["source"], bound.gives["page"], bound.params["name"]
        lines = lines_of(source)

        def write_page(lines: Sequence[str]) -> tuple[Call, ...]:
            return (*open_page(name), hand.type("\n".join(lines)))

        return Work(
            moves=(*read_text(source), *write_page(lines), *export_page(page)),
            check=shows(page, name, lines),
            alone=KEPT,
            near_misses=(
                NearMiss(name="the last line forgotten", moves=(*write_page(lines[:-1]), *export_page(page))),
                NearMiss(name="not exported", moves=(*write_page(lines), hand.press("ctrl+s"))),
            ),
            other_ways=_by_others(page, name, lines),
            cheats=_by_cheating(page, name, lines),
            expected=(f"{NOTEBOOK}/**", *READING),
            setup=SETUP,
        )


class PublishTheClipboard(Subtask):
    """What is on the clipboard becomes a page in Zim, which is exported for the web."""

    version = 4
    app = "zim"
    takes = {"clip": "clipboard_text"}
    gives = {"page": "web_page"}
    asks = (
        'paste the text on the clipboard into a new page "{name}" in Zim and export just that page as an HTML file '
        "{page}",
        'make a page "{name}" in Zim with the text on the clipboard, and export only that page as a web page {page}',
    )
    tied = True
    brief = 'paste {clip} into a Zim page "{name}" and export just that as {page}'
    steps = (
        'Start Zim and make a new page "{name}".',
        "Paste the clipboard below its heading.",
        "Export just this page as HTML to {page} and close Zim.",
    )
    demand = "Knowledge/Knowledge/Information Organization"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        wiki_lines(takes["clip"].value.split("\n"))
        page = Resource("web_page", new_path(draw, theme, "Documents", ("posting", "bulletin"), ".html"))
        return Bound(takes=takes, gives={"page": page}, params={"name": page_name(draw, theme)})

    def work(self, bound: Bound) -> Work:
        clip, page, name = bound.takes["clip"], bound.gives["page"], bound.params["name"]
        pasted = (*open_page(name), hand.press("ctrl+v"))
        return Work(
            moves=(*pasted, *export_page(page)),
            check=shows(page, name, clip.value.split("\n")),
            alone=KEPT,
            near_misses=(
                NearMiss(
                    name="something else on it",
                    moves=(*open_page(name), hand.type("Coming soon"), *export_page(page)),
                ),
            ),
            other_ways=_by_others(page, name, clip.value.split("\n")),
            cheats=_by_cheating(page, name, clip.value.split("\n")),
            expected=(f"{NOTEBOOK}/**",),
            setup=SETUP,
        )
