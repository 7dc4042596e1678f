"""Subtasks on letters that are in the mailbox already, in Thunderbird."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.composing.equip import MAIL_ADDRESS, mail_desk
from proctor.graphs.composing.resource import Resource
from proctor.graphs.composing.subtask import Bound, Subtask, Work
from proctor.graphs.composing.theme import Theme
from proctor.suites.parts.programs import lines_of, named, named_in_dialog
from proctor.suites.parts.thunderbird import send
from proctor.suites.pool.mail import (
    EMAILING,
    FIRST_START,
    MONTHS,
    addressed_to,
    an_address,
    into_body,
    letter_opened,
    quitted,
    recipient,
)
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss


class AnswerALetter(Subtask):
    """An e-mail is answered."""

    app = "thunderbird"
    takes = {"source": "letter"}
    gives = {"letter": "letter"}
    asks = (
        'reply to {source} with the text "{line}" and leave the subject as "{letter}"',
        'answer {source} in Thunderbird with "{line}" and keep "{letter}" as the subject',
    )
    steps = (
        "Start Thunderbird, open {source} and reply to it.",
        'Write "{line}" and leave the subject as "{letter}".',
        "Send it and quit Thunderbird.",
    )
    demand = EMAILING
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        if source.value.startswith("Re:"):
            raise SpecError(f"{source.value} is an answer itself", remedy="hand it something else")
        line = f"{draw.choice(('Agreed', 'Thank you', 'That suits me'))}, until {draw.randint(2, 28)} {MONTHS[0]}"
        letter = Resource("letter", f"Re: {source.value}", None)
        return Bound(takes=takes, gives={"letter": letter}, params={"line": line})

    def work(self, bound: Bound) -> Work:
        source, letter, line = bound.takes["source"], bound.gives["letter"], bound.params["line"]
        answer = (*letter_opened(source), hand.press("ctrl+r"), hand.await_window("Write: Re:", timeout_sec=40))
        written = (*answer, *into_body(), hand.type(line))
        post = see.posted_mail()
        return Work(
            moves=(*written, *send(), *quitted()),
            check=expect.all_of(
                [
                    expect.letter_is(post, letter.value, lines=[line]),
                    expect.letter_answers(post, see.mailbox(MAIL_ADDRESS), letter.value, source.value),
                ]
            ),
            near_misses=(
                NearMiss(
                    name="a new e-mail instead",
                    moves=(
                        *addressed_to(letter, "dana.moss@lanternpost.example"),
                        *into_body(),
                        hand.type(line),
                        *send(),
                    ),
                ),
            ),
            expected=FIRST_START,
            setup=mail_desk(),
        )


class ForwardALetter(Subtask):
    """An e-mail is forwarded to somebody else."""

    app = "thunderbird"
    takes = {"source": "letter"}
    gives = {"letter": "letter"}
    asks = (
        'forward {source} to {address} and leave the subject as "{letter}"',
        'pass {source} on to {address} with the subject "{letter}"',
    )
    steps = (
        "Start Thunderbird, open {source} and forward it.",
        'Enter {address} and leave the subject as "{letter}".',
        "Send it and quit Thunderbird.",
    )
    demand = EMAILING
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        lines_of(source)
        letter = Resource("letter", f"Fwd: {source.value}")
        return Bound(takes=takes, gives={"letter": letter}, params={"address": an_address(draw)})

    def work(self, bound: Bound) -> Work:
        source, letter, address = bound.takes["source"], bound.gives["letter"], bound.params["address"]
        forward = (*letter_opened(source), hand.press("ctrl+l"), hand.await_window("Write: Fwd:", timeout_sec=40))
        addressed = (*forward, *recipient(address))
        post = see.posted_mail()
        return Work(
            moves=(*addressed, *send(), *quitted()),
            check=expect.all_of(
                [
                    expect.letter_is(post, letter.value, [address]),
                    expect.letter_holds(post, letter.value, lines_of(source)),
                ]
            ),
            near_misses=(NearMiss(name="a new e-mail instead", moves=(*addressed_to(letter, address), *send())),),
            expected=FIRST_START,
            setup=mail_desk(),
        )


class CopyFromALetter(Subtask):
    """The first line of an e-mail goes to the clipboard."""

    app = "thunderbird"
    takes = {"source": "letter"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "copy the first line of the text in {source} from Thunderbird to the clipboard",
        "open {source} in Thunderbird and put just the first line of its text on the clipboard",
    )
    steps = (
        "Start Thunderbird and open {source}.",
        "Select the first line of its text and copy it to the clipboard.",
        "Quit Thunderbird.",
    )
    demand = EMAILING
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = lines_of(takes["source"])[0]
        return Bound(takes=takes, gives={"clip": Resource("clipboard_text", line, [line])})

    def work(self, bound: Bound) -> Work:
        source, clip = bound.takes["source"], bound.gives["clip"]
        # As a new message the text has a cursor, so that keys select it.
        as_new = (
            *letter_opened(source),
            hand.press("ctrl+e"),
            hand.await_window("Write:", timeout_sec=40),
            *into_body(),
        )
        line = (hand.press("shift+End"), hand.press("ctrl+c"))
        left = (hand.press("ctrl+w"), hand.await_window("Write:", gone=True))
        return Work(
            moves=(*as_new, *line, *left, *quitted()),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            near_misses=(NearMiss(name="the whole text", moves=(*as_new, hand.press("ctrl+a"), hand.press("ctrl+c"))),),
            expected=FIRST_START,
            setup=mail_desk(),
        )


class PrintALetter(Subtask):
    """An e-mail becomes a PDF."""

    app = "thunderbird"
    takes = {"source": "letter"}
    gives = {"pdf": "pdf"}
    asks = (
        "print {source} from Thunderbird to a PDF {pdf}",
        "open {source} in Thunderbird and use the print dialog to save it as the PDF {pdf}",
    )
    steps = ("Start Thunderbird and open {source}.", "Print it to {pdf}, with Save to PDF as the destination.", "Quit.")
    demand = EMAILING
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        # What else stands on the page, such as the date, is not known before.
        path = named(draw, theme, "Documents", ("letter", "mail", "correspondence"), ".pdf")
        return Bound(takes=takes, gives={"pdf": Resource("pdf", path)})

    def work(self, bound: Bound) -> Work:
        source, pdf = bound.takes["source"], bound.gives["pdf"]
        says = source.content if isinstance(source.content, list) else []
        asked = (
            *letter_opened(source),
            hand.press("ctrl+p"),
            hand.await_element("/^Cancel$/", role="push button", timeout_sec=40),
        )
        # An attachment can be saved as well; the dialog comes last. Its place is clicked, since Thunderbird says at
        # times that the letter below lies above it.
        save = hand.click("/^Save$/", role="push button", nth=-1, at=(0.5, 0.5), timeout_sec=40)
        return Work(
            moves=(*asked, save, *named_in_dialog("Save As", pdf), *quitted()),
            check=expect.pdf_has_text(see.pdf(pdf.value), [source.value, *says]),
            near_misses=(NearMiss(name="not saved", moves=asked),),
            expected=FIRST_START,
            setup=mail_desk(),
        )
