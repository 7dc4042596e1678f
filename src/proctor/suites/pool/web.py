"""Subtasks in web browsers: pages are saved, printed, copied from and filled in."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from proctor.errors import SpecError
from proctor.graphs.compose.contents import lines_about, rows_about
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.pages import fill_in, form, link, page, post_form, send
from proctor.suites.parts.pdfs import written_pdf
from proctor.suites.parts.programs import (
    close_slowly,
    full,
    lines_of,
    named_in_dialog,
    new_path,
    open_file,
    quote_path,
    start_program,
)
from proctor.suites.parts.ways import by_hand, by_python, by_shell, to_clipboard, typed_and_copied
from proctor.suites.parts.writer import convert_document
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss, Way

RETRIEVAL = "Knowledge/Knowledge/Data Retrieval"
CHROMIUM = (make.browser_profile("chromium", settings={"printing.print_header_footer": False}),)
_EDGES = [f"print_{edge}{side}" for edge in ("header", "footer") for side in ("left", "center", "right")]
_NO_EDGES = {f"print.{printer}{edge}": "" for printer in ("", "printer_Mozilla_Save_to_PDF.") for edge in _EDGES}
FIREFOX = (make.browser_profile("firefox", settings=_NO_EDGES),)
"""Both print nothing but the page."""
FIREFOX_CLOSED = close_slowly("Mozilla Firefox", "firefox-esr")
CHROMIUM_CLOSED = close_slowly("Chromium", "chromium", "alt+F4")
LONGEST_LINE = 70
"""Longer lines may be broken on the page."""


class SaveAPageOfASite(Subtask):
    """A page of a web site is saved."""

    app = "chromium"
    gives = {"page": "web_page"}
    asks = (
        "save the page at {address} as the web page {page}",
        "visit {address} in Chromium and save that page as {page}",
    )
    brief = "save the page {address} as {page}"
    steps = ("Open {address} in Chromium.", "Save the page as {page}.", "Close Chromium.")
    demand = RETRIEVAL
    version = 3
    services = ("web",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        topic = theme.hint("address", draw, draw.choice(("directions", "opening hours", "programme", "rules")))
        lines = lines_about(topic, draw, theme)
        path = new_path(draw, theme, "Downloads", ("notice", "from-the-web", "saved-page"), ".html")
        address = f"http://{_host(draw, theme)}/{topic.replace(' ', '-')}.html"
        return Bound(gives={"page": Resource("web_page", path, lines)}, params={"address": address})

    def work(self, bound: Bound) -> Work:
        saved, address = bound.gives["page"], bound.params["address"]
        host, at = address.removeprefix("http://").split("/")
        title, *lines = saved.content
        body = "".join(f"<p>{line}</p>\n" for line in lines)
        head = f"<!DOCTYPE html>\n<html><head><meta charset='utf-8'><title>{title}</title></head>\n"
        files = {f"/{at}": f"{head}<body>\n<h1>{title}</h1>\n{body}</body></html>\n"}
        front = {"/": page("Welcome", f"<p>{link(title, f'/{at}')}</p>")}
        return Work(
            moves=(*_show_page(address, title), hand.press("ctrl+s"), *_save_as(saved), *CHROMIUM_CLOSED),
            check=expect.lines_are(see.page(saved.value), saved.content),
            near_misses=(
                NearMiss(
                    name="another page of the site",
                    moves=(*_show_page(f"http://{host}/", "Welcome"), hand.press("ctrl+s"), *_save_as(saved)),
                ),
            ),
            other_ways=(
                by_python("by Python", _fetch_code(address, saved)),
                by_hand(
                    "by the link on the front page",
                    *_show_page(f"http://{host}/", "Welcome"),
                    *(hand.click(title, role="link"), hand.await_window(title)),
                    *(hand.press("ctrl+s"), *_save_as(saved)),
                ),
            ),
            cheats=(
                by_shell("its heading alone", f"echo '<html><h1>{title}</h1></html>' > {quote_path(saved)}"),
                by_shell("its text, no page", f"printf '%s\\n' {shlex.join(saved.content)} > {quote_path(saved)}"),
                by_python("the front page by Python", _fetch_code(f"http://{host}/", saved)),
                by_shell(
                    "a page that leads there",
                    f"echo '<html><a href=\"{address}\">{title}</a></html>' > {quote_path(saved)}",
                ),
            ),
            setup=(*CHROMIUM, make.web_site(host, "Notices", front, files=files)),
        )


class DownloadATable(Subtask):
    """A table that a web site offers is downloaded under a given name."""

    version = 3
    app = "chromium"
    gives = {"table": "table_file"}
    asks = (
        "download the {topic} that {address} links to as the CSV file {table}",
        "get the {topic} from the site {address} and save it as the CSV file {table}",
    )
    brief = "download the {topic} at {address} as {table}"
    steps = ("Open {address} in Chromium.", "Save what the link {topic} leads to as {table}.", "Close Chromium.")
    demand = RETRIEVAL
    services = ("web",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        topic = draw.choice(("price list", "stock list", "booking list"))
        rows = rows_about(theme.table if theme.part else topic, draw)
        topic = theme.part or topic
        path = new_path(draw, theme, "Downloads", ("table", "figures", "from-the-site"), ".csv")
        params = {"topic": topic, "address": f"http://{_host(draw, theme)}/"}
        return Bound(gives={"table": Resource("table_file", path, rows)}, params=params)

    def work(self, bound: Bound) -> Work:
        table, address, topic = bound.gives["table"], bound.params["address"], bound.params["topic"]
        text = "".join(",".join(map(str, row)) + "\n" for row in table.content)
        last_year = "".join(",".join(map(str, row)) + "\n" for row in table.content[:-1])
        files = {"/now.csv": text, "/old.csv": last_year}
        old = f"{topic} of last year"
        front = {"/": page("Welcome", f"<p>{link(topic, '/now.csv')}</p>", f"<p>{link(old, '/old.csv')}</p>")}

        def download_as(name: str) -> tuple[Call, ...]:
            linked = hand.click(f"/^{name}$/", role="link", button="right")
            return (*_show_page(address, "Welcome"), linked, hand.press("k"), *_save_as(table))

        return Work(
            moves=(*download_as(topic), *CHROMIUM_CLOSED),
            check=expect.csv_rows(see.csv(table.value), table.content),
            near_misses=(NearMiss(name="last year's", moves=download_as(old)),),
            other_ways=(
                by_python("by Python", _fetch_code(f"{address}now.csv", table)),
                by_hand(
                    "downloaded as it is called, then renamed",
                    *_show_page(address, "Welcome"),
                    *(hand.click(f"/^{topic}$/", role="link"), hand.await_saved("Downloads/now.csv")),
                    hand.run_code(f"mv Downloads/now.csv {quote_path(table)}"),
                ),
            ),
            cheats=(
                by_python("last year's by Python", _fetch_code(f"{address}old.csv", table)),
                by_python("the page that leads to it", _fetch_code(address, table)),
                by_shell("its headings alone", f"echo 'Item,Number,Price' > {quote_path(table)}"),
            ),
            setup=(*CHROMIUM, make.web_site(address.split("/")[2], "Lists", front, files=files)),
        )


class PrintAWebPage(Subtask):
    """A web page in a file becomes a PDF."""

    app = "chromium"
    takes = {"source": "web_page"}
    gives = {"pdf": "pdf"}
    asks = (
        "print {source} from Chromium to a PDF {pdf}",
        "open {source} in Chromium and use its print dialog to make the PDF {pdf}",
    )
    brief = "print {source} to the PDF {pdf}"
    steps = ("Open {source} in Chromium.", "Print it to {pdf}, with Save as PDF as the destination.", "Close Chromium.")
    demand = RETRIEVAL
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Documents", ("printout", "web-print", "on-paper"), ".pdf")
        return Bound(takes=takes, gives={"pdf": Resource("pdf", path, _plain(takes["source"]))})

    def work(self, bound: Bound) -> Work:
        source, pdf = bound.takes["source"], bound.gives["pdf"]
        shown = hand.await_element(pdf.content[-1], role="static", timeout_sec=40)
        asked = (*open_file("chromium", source, "Chromium"), shown, hand.press("ctrl+p"))
        button: dict[str, Any] = {"name": "Save", "role": "push button", "window": "Print"}
        return Work(
            moves=(*asked, hand.click(**button, timeout_sec=40), *_save_as(pdf), *CHROMIUM_CLOSED),
            check=expect.pdf_lines_are(see.pdf(pdf.value), pdf.content),
            near_misses=(NearMiss(name="not saved", moves=(*asked, hand.await_element(**button, timeout_sec=40))),),
            other_ways=_printed_by_others(pdf),
            cheats=_hardly_printed(source, pdf),
            setup=CHROMIUM,
        )


class PasteIntoAGuestBook(Subtask):
    """What is on the clipboard is entered in the guest book of a web site."""

    app = "chromium"
    takes = {"clip": "clipboard_text"}
    gives = {"message": "message"}
    asks = (
        'enter {clip} in the guest book at {address} under the title "{message}"',
        'fill in the guest book at {address} with the title "{message}" and with {clip} as the text',
    )
    brief = 'enter {clip} in the guest book at {address} with the title "{message}"'
    steps = (
        "Open {address} in Chromium.",
        'Enter "{message}" as the title and paste {clip} as the text.',
        "Press Sign and close Chromium.",
    )
    demand = "Entertainment/Network Platform/Community"
    version = 2
    services = ("web",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        text = takes["clip"].value
        if not text.strip() or "\n" in text:
            raise SpecError("that is not a plain line to enter", remedy="give it something else")
        greeting = draw.choice(("Greetings", "A note", "Thanks"))
        title = f"{greeting} from {theme.person}" if theme.part else f"{greeting} from row {draw.randint(2, 99)}"
        params = {"address": f"http://{_host(draw, theme)}/"}
        return Bound(takes=takes, gives={"message": Resource("message", title, [text])}, params=params)

    def work(self, bound: Bound) -> Work:
        message, address = bound.gives["message"], bound.params["address"]
        host = address.split("/")[2]
        book = form("/sign", "Sign", {"title": "Title", "text": "Text"})
        front = {"/": page("Guest book", book)}
        forms = {"/sign": {"kind": "entry", "needed": ["title"]}}
        entered = (*_show_page(address, "Guest book"), *fill_in({"Title": message.value}))

        def sign_book(title: str, text: str) -> str:
            return post_form(f"http://{host}/sign", {"title": title, "text": text})

        pasted = (*entered, hand.click("Text", role="entry"), hand.press("ctrl+v"))
        return Work(
            moves=(*pasted, *send("Sign"), *CHROMIUM_CLOSED),
            check=expect.site_record(
                see.site_records(host, "entry"), {"title": message.value, "text": message.content[0]}
            ),
            near_misses=(NearMiss(name="without the text", moves=(*entered, *send("Sign"))),),
            other_ways=(
                by_python("by a script", sign_book(message.value, message.content[0])),
                by_hand(
                    "typed, sent by the Return key",
                    *_show_page(address, "Guest book"),
                    *fill_in({"Text": message.content[0], "Title": message.value}),
                    *(hand.press("Return"), hand.await_element("Thank you", role="heading")),
                ),
            ),
            cheats=(
                by_python("twice", 2 * sign_book(message.value, message.content[0])),
                by_python("all in the title", sign_book(f"{message.value} {message.content[0]}", "")),
                by_python("the wrong way round", sign_book(message.content[0], message.value)),
                by_python("with more words", sign_book(message.value, f"{message.content[0]} or something else")),
            ),
            setup=(*CHROMIUM, make.web_site(host, "Neighbours", front, forms=forms)),
        )


class CopyTheHeadingOfAPage(Subtask):
    """The first line of a web page goes to the clipboard."""

    app = "firefox"
    takes = {"source": "web_page"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "copy the first line of {source} in Firefox to the clipboard",
        "open {source} in Firefox and put just its first line on the clipboard",
    )
    brief = "copy the first line of the web page {source}"
    steps = ("Open {source} in Firefox.", "Select its first line and copy it to the clipboard.", "Quit Firefox.")
    demand = RETRIEVAL
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = _plain(takes["source"])[0]
        return Bound(takes=takes, gives={"clip": Resource("clipboard_text", line, [line])})

    def work(self, bound: Bound) -> Work:
        source, clip = bound.takes["source"], bound.gives["clip"]
        shown = _in_firefox(source)
        # What is found on the page stays selected, whatever it is made of.
        found = (hand.press("ctrl+f"), hand.type(clip.value), hand.press("Return"), hand.press("Escape"))
        return Work(
            moves=(*shown, *found, hand.press("ctrl+c"), *FIREFOX_CLOSED),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            near_misses=(NearMiss(name="the whole page", moves=(*shown, hand.press("ctrl+a"), hand.press("ctrl+c"))),),
            other_ways=(
                to_clipboard("by the command line", f"sed -n 's/.*<h1>\\(.*\\)<.h1>.*/\\1/p' {quote_path(source)}"),
                typed_and_copied("typed into an editor", clip.value),
            ),
            cheats=(
                to_clipboard("with its marks", f"grep '<h1>' {quote_path(source)}"),
                to_clipboard("the whole file", f"cat {quote_path(source)}"),
            ),
            setup=FIREFOX,
        )


class PrintATextFile(Subtask):
    """A text file becomes a PDF."""

    app = "firefox"
    takes = {"source": "text_file"}
    gives = {"pdf": "pdf"}
    asks = (
        "print {source} from Firefox to a PDF {pdf}",
        "open {source} in Firefox and use its print dialog to save it as the PDF {pdf}",
    )
    brief = "print {source} to the PDF {pdf}"
    steps = ("Open {source} in Firefox.", "Print it to {pdf}, with Save to PDF as the destination.", "Quit Firefox.")
    demand = RETRIEVAL
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        if not source.value.endswith(".txt"):
            raise SpecError(f"Firefox does not show {source.value}", remedy="give it a plain text")
        path = new_path(draw, theme, "Documents", ("print", "paper-copy", "printed-text"), ".pdf")
        return Bound(takes=takes, gives={"pdf": Resource("pdf", path, _plain(source))})

    def work(self, bound: Bound) -> Work:
        source, pdf = bound.takes["source"], bound.gives["pdf"]
        asked = (*_in_firefox(source), hand.press("ctrl+p"))
        button: dict[str, Any] = {"name": "Save", "role": "push button"}
        saved = (hand.click(**button, timeout_sec=40), *named_in_dialog("Save As", pdf))
        return Work(
            moves=(*asked, *saved, *FIREFOX_CLOSED),
            check=expect.pdf_lines_are(see.pdf(pdf.value), pdf.content),
            near_misses=(NearMiss(name="not saved", moves=(*asked, hand.await_element(**button, timeout_sec=40))),),
            other_ways=_printed_by_others(pdf),
            cheats=_hardly_printed(source, pdf),
            setup=FIREFOX,
        )


def _fetch_code(address: str, file: Resource) -> str:
    """Return code that keeps what is found at an address."""
    return f"import urllib.request\nurllib.request.urlretrieve({address!r}, {file.value!r})\n"


def _printed_by_others(pdf: Resource) -> tuple[Way, ...]:
    return (
        by_hand(
            "its text by the command line",
            hand.run_code(f"printf '%s\\n' {shlex.join(pdf.content)} > /tmp/page.txt"),
            *convert_document("/tmp/page.txt", pdf.value),
        ),
        by_python("by Python", written_pdf(pdf.value, pdf.content)),
    )


def _hardly_printed(source: Resource, pdf: Resource) -> tuple[Way, ...]:
    return (
        by_python("in white on white", written_pdf(pdf.value, pdf.content, grey=1.0)),
        by_python("without its last line", written_pdf(pdf.value, pdf.content[:-1])),
        by_shell("only renamed", f"cp {quote_path(source)} {quote_path(pdf)}"),
    )


def _host(draw: Draw, theme: Theme) -> str:
    """Draw the name of a site that no other subtask has."""
    return f"{theme.place.lower()}-{draw.randint(100, 9999)}.example"


def _plain(resource: Resource) -> list[str]:
    """Return lines that stand on a page as they are written; raises SpecError where they do not."""
    lines = [line for line in lines_of(resource) if line.strip()]
    if not lines or any(line != " ".join(line.split()) or len(line) > LONGEST_LINE for line in lines):
        raise SpecError(f"{resource.value} has no plain lines", remedy="give it something else")
    return lines


def _show_page(address: str, title: str) -> tuple[Call, ...]:
    return start_program(f"chromium {address}", title, timeout_sec=40)


def _in_firefox(resource: Resource) -> tuple[Call, ...]:
    # Its window is there before the page is.
    *_, last = _plain(resource)
    return (
        *start_program(f"firefox {resource.value}", "Mozilla Firefox", timeout_sec=60),
        hand.await_element(text=last, app="Firefox", timeout_sec=40),
    )


def _save_as(resource: Resource) -> tuple[Call, ...]:
    """Give a file its whole name in Chromium's dialog, whose button nothing but its key leads to."""
    return (
        hand.await_window("Save File"),
        hand.press("ctrl+a"),
        hand.type(full(resource)),
        hand.await_window("Save File"),
        hand.press("alt+s"),
        hand.await_window("Save File", gone=True),
        hand.await_saved(resource.value),
    )
