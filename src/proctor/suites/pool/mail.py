"""Subtasks on mail in Thunderbird; sent letters are kept in the inbox too, so that all of them are in one list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.suites.core.mail_moves import send
from proctor.suites.pool.doing import base, ended, full, lines_of, named, named_in_dialog, started
from proctor.tasks.call import Call
from proctor.tasks.checks import expect
from proctor.tasks.draw import Draw
from proctor.tasks.graph.equip import MAIL_ADDRESS, mail_desk
from proctor.tasks.graph.resource import Resource
from proctor.tasks.graph.subtask import Bound, Subtask, Work
from proctor.tasks.graph.theme import Theme
from proctor.tasks.moves import hand
from proctor.tasks.probes import see
from proctor.tasks.task import NearMiss

EMAILING = "Office/Communication/Emailing"
TOPICS = ("Parking", "Tickets", "Catering", "Cleaning", "Delivery", "Insurance", "Posters", "Seating")
MONTHS = ("April", "May", "June", "July")
WINDOW = "Mozilla Thunderbird"
STARTED = started("thunderbird", "Inbox", timeout_sec=90)
FIRST_START = (
    ".thunderbird/main/ImapMail/localhost/msgFilterRules.dat",
    ".thunderbird/main/Mail/Local Folders/Trash",
    ".thunderbird/main/Mail/Local Folders/Unsent Messages",
    ".thunderbird/main/abook.sqlite",
    "thunderbird",
)
"""What Thunderbird writes when it is started for the first time."""
LONGEST_LINE = 70
"""Longer lines are broken on the way."""


class SendAMail(Subtask):
    """A short letter is written and sent."""

    app = "thunderbird"
    gives = {"letter": "letter"}
    asks = (
        'send an e-mail to {address} with the subject "{letter}" and the text "{line}"',
        'write to {address} by e-mail: the subject is "{letter}" and the text is "{line}"',
    )
    steps = (
        "Start Thunderbird and write a new message to {address}.",
        'Enter "{letter}" as the subject and "{line}" as the text.',
        "Send it and quit Thunderbird.",
    )
    demand = EMAILING
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = draw.choice(("Please call me back", "All is arranged", "We still need two volunteers", "See you there"))
        letter = Resource("letter", _subject(draw, theme), [line])
        return Bound(gives={"letter": letter}, params={"line": line, "address": _address(draw)})

    def work(self, bound: Bound) -> Work:
        letter, address = bound.gives["letter"], bound.params["address"]
        written = (*_addressed(letter, address), *_into_body(), hand.type(bound.params["line"]))
        return Work(
            moves=(*written, *send(), *_quit()),
            check=expect.letter_is(see.posted_mail(), letter.value, [address], letter.content),
            near_misses=(NearMiss(name="without the text", moves=(*_addressed(letter, address), *send())),),
            expected=FIRST_START,
            setup=mail_desk(),
        )


class MailAFile(Subtask):
    """A file is sent as an attachment."""

    app = "thunderbird"
    takes = {"source": "file"}
    gives = {"letter": "letter"}
    asks = (
        'mail {source} as an attachment to {address} with the subject "{letter}"',
        'send an e-mail with the subject "{letter}" to {address} and attach {source}',
    )
    steps = (
        "Start Thunderbird and write a new message to {address}.",
        'Enter "{letter}" as the subject and attach {source}.',
        "Send it and quit Thunderbird.",
    )
    demand = EMAILING
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        letter = Resource("letter", _subject(draw, theme))
        return Bound(takes=takes, gives={"letter": letter}, params={"address": _address(draw)})

    def work(self, bound: Bound) -> Work:
        return _posted(bound.gives["letter"], bound.params["address"], [bound.takes["source"]])


class MailTwoFiles(Subtask):
    """Two files are sent as attachments of one letter."""

    app = "thunderbird"
    takes = {"first": "file", "second": "file"}
    gives = {"letter": "letter"}
    alike = ("first", "second")
    asks = (
        'mail {first} and {second} together to {address} in one e-mail with the subject "{letter}"',
        'attach {first} and {second} to one e-mail with the subject "{letter}" and send it to {address}',
    )
    steps = (
        "Start Thunderbird and write a new message to {address}.",
        'Enter "{letter}" as the subject and attach {first} and {second}.',
        "Send it and quit Thunderbird.",
    )
    demand = EMAILING
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        letter = Resource("letter", _subject(draw, theme))
        return Bound(takes=takes, gives={"letter": letter}, params={"address": _address(draw)})

    def work(self, bound: Bound) -> Work:
        files = [bound.takes["first"], bound.takes["second"]]
        return _posted(bound.gives["letter"], bound.params["address"], files)


class PasteIntoAMail(Subtask):
    """What is on the clipboard is sent as the text of a letter."""

    app = "thunderbird"
    takes = {"clip": "clipboard_text"}
    gives = {"letter": "letter"}
    asks = (
        'paste {clip} into an e-mail with the subject "{letter}" and send it to {address} with no other text',
        'send {address} an e-mail with the subject "{letter}" whose text is {clip} and nothing else',
    )
    steps = (
        "Start Thunderbird and write a new message to {address}.",
        'Enter "{letter}" as the subject and paste {clip} as the text.',
        "Send it and quit Thunderbird.",
    )
    demand = EMAILING
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = takes["clip"].value.splitlines()
        if not lines or any(len(line) > LONGEST_LINE or line.startswith((">", " ")) for line in lines):
            raise SpecError("that is no plain text to send", remedy="hand it something else")
        letter = Resource("letter", _subject(draw, theme), lines)
        return Bound(takes=takes, gives={"letter": letter}, params={"address": _address(draw)})

    def work(self, bound: Bound) -> Work:
        letter, address = bound.gives["letter"], bound.params["address"]
        pasted = (*_addressed(letter, address), *_into_body(), hand.press("ctrl+v"))
        return Work(
            moves=(*pasted, *send(), *_quit()),
            check=expect.letter_is(see.posted_mail(), letter.value, [address], letter.content),
            near_misses=(NearMiss(name="nothing pasted", moves=(*_addressed(letter, address), *send())),),
            expected=FIRST_START,
            setup=mail_desk(),
        )


class AnswerALetter(Subtask):
    """A letter is answered."""

    app = "thunderbird"
    takes = {"source": "letter"}
    gives = {"letter": "letter"}
    asks = (
        'reply to {source} with the text "{line}" and leave the subject as "{letter}"',
        'answer {source} in Thunderbird by writing "{line}" and keep "{letter}" as the subject',
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
        answer = (*_opened(source), hand.press("ctrl+r"), hand.await_window("Write: Re:", timeout_sec=40))
        written = (*answer, *_into_body(), hand.type(line))
        post = see.posted_mail()
        return Work(
            moves=(*written, *send(), *_quit()),
            check=expect.all_of(
                [
                    expect.letter_is(post, letter.value, lines=[line]),
                    expect.letter_answers(post, see.mailbox(MAIL_ADDRESS), letter.value, source.value),
                ]
            ),
            near_misses=(
                NearMiss(
                    name="a new letter instead",
                    moves=(
                        *_addressed(letter, "dana.moss@lanternpost.example"),
                        *_into_body(),
                        hand.type(line),
                        *send(),
                    ),
                ),
            ),
            expected=FIRST_START,
            setup=mail_desk(),
        )


class ForwardALetter(Subtask):
    """A letter is passed on to somebody else."""

    app = "thunderbird"
    takes = {"source": "letter"}
    gives = {"letter": "letter"}
    asks = (
        'forward {source} to {address} and leave the subject as "{letter}"',
        'pass {source} on by e-mail to {address} under the subject "{letter}"',
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
        return Bound(takes=takes, gives={"letter": letter}, params={"address": _address(draw)})

    def work(self, bound: Bound) -> Work:
        source, letter, address = bound.takes["source"], bound.gives["letter"], bound.params["address"]
        forward = (*_opened(source), hand.press("ctrl+l"), hand.await_window("Write: Fwd:", timeout_sec=40))
        addressed = (*forward, *_recipient(address))
        post = see.posted_mail()
        return Work(
            moves=(*addressed, *send(), *_quit()),
            check=expect.all_of(
                [
                    expect.letter_is(post, letter.value, [address]),
                    expect.letter_holds(post, letter.value, lines_of(source)),
                ]
            ),
            near_misses=(NearMiss(name="a new letter instead", moves=(*_addressed(letter, address), *send())),),
            expected=FIRST_START,
            setup=mail_desk(),
        )


class CopyFromALetter(Subtask):
    """The first line of a letter goes to the clipboard."""

    app = "thunderbird"
    takes = {"source": "letter"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "copy the first line of the text of {source} in Thunderbird to the clipboard",
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
        as_new = (*_opened(source), hand.press("ctrl+e"), hand.await_window("Write:", timeout_sec=40), *_into_body())
        line = (hand.press("shift+End"), hand.press("ctrl+c"))
        left = (hand.press("ctrl+w"), hand.await_window("Write:", gone=True))
        return Work(
            moves=(*as_new, *line, *left, *_quit()),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            near_misses=(NearMiss(name="the whole text", moves=(*as_new, hand.press("ctrl+a"), hand.press("ctrl+c"))),),
            expected=FIRST_START,
            setup=mail_desk(),
        )


class PrintALetter(Subtask):
    """A letter becomes a PDF."""

    app = "thunderbird"
    takes = {"source": "letter"}
    gives = {"pdf": "pdf"}
    asks = (
        "print {source} from Thunderbird to a PDF {pdf}",
        "open {source} in Thunderbird and save it through the print dialog as the PDF {pdf}",
    )
    steps = ("Start Thunderbird and open {source}.", "Print it with the destination Save to PDF to {pdf}.", "Quit.")
    demand = EMAILING
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        # What else stands on the page, such as the date, is not known before.
        path = named(draw, theme, "Documents", ("letter", "mail", "correspondence"), ".pdf")
        return Bound(takes=takes, gives={"pdf": Resource("pdf", path)})

    def work(self, bound: Bound) -> Work:
        source, pdf = bound.takes["source"], bound.gives["pdf"]
        says = source.content if isinstance(source.content, list) else []
        asked = (*_opened(source), hand.press("ctrl+p"))
        button = {"name": "/^Save$/", "role": "push button"}
        return Work(
            moves=(*asked, hand.click(**button, timeout_sec=40), *named_in_dialog("Save As", pdf), *_quit()),
            check=expect.pdf_has_text(see.pdf(pdf.value), [source.value, *says]),
            near_misses=(NearMiss(name="not saved", moves=(*asked, hand.await_element(**button, timeout_sec=40))),),
            expected=FIRST_START,
            setup=mail_desk(),
        )


def _subject(draw: Draw, theme: Theme) -> str:
    return f"{draw.choice(TOPICS)} for {theme.title} on {draw.randint(2, 28)} {draw.choice(MONTHS)}"


def _address(draw: Draw) -> str:
    place = draw.choice(("alderbooks", "cobaltdesign", "galesports", "kitetoys"))
    return f"{draw.person().lower().replace(' ', '.')}@{place}.example"


def _posted(letter: Resource, address: str, files: Sequence[Resource]) -> Work:
    """Return the work of sending files with a letter."""
    addressed = _addressed(letter, address)
    attached = tuple(move for file in files for move in _attached(file))
    post = see.posted_mail()
    held = [expect.letter_brings(post, see.digest(file.value), letter.value) for file in files]
    last = _attached(files[-1]) if len(files) > 1 else ()
    return Work(
        moves=(*addressed, *attached, *send(), *_quit()),
        check=expect.all_of([expect.letter_is(post, letter.value, [address], files=[base(f) for f in files]), *held]),
        near_misses=(NearMiss(name="not all attached", moves=(*addressed, *last, *send())),),
        expected=FIRST_START,
        setup=mail_desk(),
    )


def _addressed(letter: Resource, address: str) -> tuple[Call, ...]:
    """Begin a new letter: whom it is for and what it is about."""
    return (
        *STARTED,
        hand.click("New Message", role="push button", window="Inbox", timeout_sec=40),
        hand.await_window("Write:", timeout_sec=40),
        *_recipient(address),
        hand.type_into(letter.value, "Subject", role="entry", window="Write:"),
    )


def _recipient(address: str) -> tuple[Call, ...]:
    return (
        hand.click("/^To/", role="entry", window="Write:", timeout_sec=40),
        hand.type(address),
        hand.press("Return"),
    )


def _into_body() -> tuple[Call, ...]:
    # The window is there before its text takes the keys; below the text a click is in no word.
    return (
        hand.click("Message body", role="document web", window="Write:", at=(0.5, 0.9), timeout_sec=40),
        hand.press("ctrl+Home"),
    )


def _attached(file: Resource) -> tuple[Call, ...]:
    return (
        hand.press("ctrl+shift+a"),
        hand.await_window("Attach File(s)", timeout_sec=40),
        hand.type(full(file)),
        hand.click("Open", role="push button", window="Attach File(s)", timeout_sec=40),
        hand.await_window("Attach File(s)", gone=True),
    )


def _opened(letter: Resource) -> tuple[Call, ...]:
    """Start Thunderbird and choose a letter in the list, by its whole subject."""
    return (
        *STARTED,
        hand.click(f"/^{re.escape(letter.value)}$/", role="static", window="Inbox", timeout_sec=40),
        hand.await_element(letter.value, role="document web", timeout_sec=40),
    )


def _quit() -> tuple[Call, ...]:
    return ended(WINDOW, "thunderbird")
