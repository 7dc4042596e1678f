"""Subtasks on mail in Thunderbird.

Sent letters are kept in the inbox too, so that all of them are in one list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.equip import MAIL_ADDRESS, MAIL_OWNER, MAIL_PASSWORD, mail_desk
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.other_programs import post
from proctor.suites.parts.post import Owner
from proctor.suites.parts.programs import base, close_slowly, full, start_program
from proctor.suites.parts.thunderbird import send
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss, Way

EMAILING = "Office/Communication/Emailing"
TOPICS = ("Parking", "Tickets", "Catering", "Cleaning", "Delivery", "Insurance", "Posters", "Seating")
MONTHS = ("April", "May", "June", "July")
WINDOW = "Mozilla Thunderbird"
STARTED = start_program("thunderbird", "Inbox", timeout_sec=90)
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
OWNER = Owner(MAIL_OWNER, MAIL_ADDRESS, MAIL_PASSWORD)
ANOTHER = "lee.ward@lanternpost.example"
"""Somebody nobody asked to write to."""
ONE_LETTER = (expect.letters_sent(see.posted_mail(), 1),)
"""Where there is nothing else to send."""


class SendAMail(Subtask):
    """A short e-mail is written and sent."""

    app = "thunderbird"
    gives = {"letter": "sent_letter"}
    asks = (
        'send an e-mail to {address} with the subject "{letter}" and the text "{line}"',
        'write {address} an e-mail with the subject "{letter}" and the text "{line}"',
    )
    brief = 'mail "{line}" to {address}, subject "{letter}"'
    steps = (
        "Start Thunderbird and write a new message to {address}.",
        'Enter "{letter}" as the subject and "{line}" as the text.',
        "Send it and quit Thunderbird.",
    )
    demand = EMAILING
    version = 3
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = theme.remark(draw, ("Please call me back", "All is arranged", "We still need two volunteers"))
        letter = Resource("sent_letter", _subject(draw, theme), [line])
        return Bound(gives={"letter": letter}, params={"line": line, "address": an_address(draw)})

    def work(self, bound: Bound) -> Work:
        letter, address = bound.gives["letter"], bound.params["address"]
        written = (*addressed_to(letter, address), *into_body(), hand.type(bound.params["line"]))
        return Work(
            moves=(*written, *send(), *quit_thunderbird()),
            check=expect.letter_is(see.posted_mail(), letter.value, [address], letter.content),
            alone=ONE_LETTER,
            near_misses=(NearMiss(name="without the text", moves=(*addressed_to(letter, address), *send())),),
            other_ways=_written_by_others(letter, address),
            cheats=_written_wrong(letter, address),
            expected=FIRST_START,
            setup=mail_desk(),
        )


class MailAFile(Subtask):
    """A file is sent as an attachment."""

    app = "thunderbird"
    takes = {"source": "file"}
    gives = {"letter": "sent_letter"}
    asks = (
        'send {address} an e-mail with {source} attached and the subject "{letter}"',
        'send an e-mail with the subject "{letter}" to {address} and attach {source}',
    )
    brief = 'mail {source} to {address}, subject "{letter}"'
    steps = (
        "Start Thunderbird and write a new message to {address}.",
        'Enter "{letter}" as the subject and attach {source}.',
        "Send it and quit Thunderbird.",
    )
    demand = EMAILING
    version = 3
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        letter = Resource("sent_letter", _subject(draw, theme))
        return Bound(takes=takes, gives={"letter": letter}, params={"address": an_address(draw)})

    def work(self, bound: Bound) -> Work:
        return _send_work(bound.gives["letter"], bound.params["address"], [bound.takes["source"]])


class MailTwoFiles(Subtask):
    """Two files are sent as attachments to one e-mail."""

    app = "thunderbird"
    takes = {"first": "file", "second": "file"}
    gives = {"letter": "sent_letter"}
    alike = ("first", "second")
    asks = (
        'send {first} and {second} to {address} in one e-mail with the subject "{letter}"',
        'attach {first} and {second} to one e-mail with the subject "{letter}" and send it to {address}',
    )
    brief = 'mail {first} and {second} to {address}, subject "{letter}"'
    steps = (
        "Start Thunderbird and write a new message to {address}.",
        'Enter "{letter}" as the subject and attach {first} and {second}.',
        "Send it and quit Thunderbird.",
    )
    demand = EMAILING
    version = 3
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        letter = Resource("sent_letter", _subject(draw, theme))
        return Bound(takes=takes, gives={"letter": letter}, params={"address": an_address(draw)})

    def work(self, bound: Bound) -> Work:
        files = [bound.takes["first"], bound.takes["second"]]
        return _send_work(bound.gives["letter"], bound.params["address"], files)


class PasteIntoAMail(Subtask):
    """What is on the clipboard is sent as the text of an e-mail."""

    app = "thunderbird"
    takes = {"clip": "clipboard_text"}
    gives = {"letter": "sent_letter"}
    asks = (
        'paste {clip} into an e-mail with the subject "{letter}" and send it to {address} with no other text',
        'send {address} an e-mail with the subject "{letter}" and with {clip} as the only text',
    )
    brief = 'mail {clip} alone to {address}, subject "{letter}"'
    steps = (
        "Start Thunderbird and write a new message to {address}.",
        'Enter "{letter}" as the subject and paste {clip} as the text.',
        "Send it and quit Thunderbird.",
    )
    demand = EMAILING
    version = 3
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = takes["clip"].value.splitlines()
        if not lines or any(len(line) > LONGEST_LINE or line.startswith((">", " ")) for line in lines):
            raise SpecError("that is not plain text to send", remedy="give it something else")
        letter = Resource("sent_letter", _subject(draw, theme), lines)
        return Bound(takes=takes, gives={"letter": letter}, params={"address": an_address(draw)})

    def work(self, bound: Bound) -> Work:
        letter, address = bound.gives["letter"], bound.params["address"]
        pasted = (*addressed_to(letter, address), *into_body(), hand.press("ctrl+v"))
        return Work(
            moves=(*pasted, *send(), *quit_thunderbird()),
            check=expect.letter_is(see.posted_mail(), letter.value, [address], letter.content),
            alone=ONE_LETTER,
            near_misses=(NearMiss(name="nothing pasted", moves=(*addressed_to(letter, address), *send())),),
            other_ways=_written_by_others(letter, address),
            cheats=_written_wrong(letter, address),
            expected=FIRST_START,
            setup=mail_desk(),
        )


def _written_by_others(letter: Resource, address: str) -> tuple[Way, ...]:
    text = "\n".join(letter.content)
    html = "".join(f"<p>{line}</p>" for line in letter.content)
    return (
        by_python("by another program", post(OWNER, [address], letter.value, text)),
        by_python("by another program, as a web page", post(OWNER, [address], letter.value, html, html=True)),
        by_hand(
            "by keys, typed",
            *(*STARTED, hand.press("ctrl+n"), hand.await_window("Write:", timeout_sec=40)),
            *(*recipient(address), hand.type_into(letter.value, "Subject", role="entry", window="Write:")),
            *(*into_body(), hand.type(text), *send(), *quit_thunderbird()),
        ),
    )


def _written_wrong(letter: Resource, address: str) -> tuple[Way, ...]:
    text = "\n".join(letter.content)
    return (
        by_python("to somebody else as well", post(OWNER, [address, ANOTHER], letter.value, text)),
        by_python("twice", 2 * post(OWNER, [address], letter.value, text)),
        by_python("with more in it", post(OWNER, [address], letter.value, f"{text}\nOr something else\n")),
        by_python("all in the subject", post(OWNER, [address], " ".join([letter.value, *letter.content]), "")),
        by_python(
            "another letter besides",
            post(OWNER, [address], letter.value, text) + post(OWNER, [ANOTHER], f"About {letter.value}", text),
        ),
    )


def _sent_with(name: str, letter: Resource, to: Sequence[str], files: Sequence[str], called: str = "") -> Way:
    """Return a way that sends files by another program, maybe under another name."""
    attach = (
        f"for path in {[*files]!r}:\n"
        "    letter.add_attachment(open(path, 'rb').read(), maintype='application', subtype='octet-stream',\n"
        f"        filename={called!r} or path.rpartition('/')[2])\n"
    )
    before, sent, after = post(OWNER, to, letter.value, "").partition("office = smtplib")
    return by_python(name, before + attach + sent + after)


def _subject(draw: Draw, theme: Theme) -> str:
    if theme.part:
        return theme.heading
    return f"{draw.choice(TOPICS)} for {theme.title} on {draw.randint(2, 28)} {draw.choice(MONTHS)}"


def an_address(draw: Draw) -> str:
    """Draw somebody to write to."""
    place = draw.choice(("alderbooks", "cobaltdesign", "galesports", "kitetoys"))
    return f"{draw.person().lower().replace(' ', '.')}@{place}.example"


def _send_work(letter: Resource, address: str, files: Sequence[Resource]) -> Work:
    """Return the work of sending files with a letter."""
    addressed = addressed_to(letter, address)
    attached = tuple(move for file in files for move in _attach(file))
    posted = see.posted_mail()
    held = [expect.letter_brings(posted, see.digest(file.value), letter.value) for file in files]
    last = _attach(files[-1]) if len(files) > 1 else ()
    paths = [file.value for file in files]
    return Work(
        moves=(*addressed, *attached, *send(), *quit_thunderbird()),
        check=expect.all_of([expect.letter_is(posted, letter.value, [address], files=[base(f) for f in files]), *held]),
        alone=ONE_LETTER,
        near_misses=(NearMiss(name="not all attached", moves=(*addressed, *last, *send())),),
        other_ways=(
            _sent_with("by another program", letter, [address], paths),
            _sent_with("by another program, the last one first", letter, [f"Friend <{address}>"], paths[::-1]),
        ),
        cheats=(
            _sent_with("to somebody else as well", letter, [address, ANOTHER], paths),
            _sent_with("with one more file", letter, [address], [*paths, "/etc/hostname"]),
            by_hand(
                "an empty file of that name",
                hand.run_code(f"mkdir -p /tmp/{base(files[0])}.d && touch /tmp/{base(files[0])}.d/{base(files[0])}"),
                *_sent_with(
                    "emptied", letter, [address], [f"/tmp/{base(files[0])}.d/{base(files[0])}", *paths[1:]]
                ).moves,
            ),
            by_python("their names instead of them", post(OWNER, [address], letter.value, "\n".join(paths))),
        ),
        expected=FIRST_START,
        setup=mail_desk(),
    )


def addressed_to(letter: Resource, address: str) -> tuple[Call, ...]:
    """Begin a new letter: whom it is for and what it is about."""
    return (
        *STARTED,
        hand.click("New Message", role="push button", window="Inbox", timeout_sec=40),
        hand.await_window("Write:", timeout_sec=40),
        *recipient(address),
        hand.type_into(letter.value, "Subject", role="entry", window="Write:"),
    )


def recipient(address: str) -> tuple[Call, ...]:
    """Enter whom a letter is for."""
    return (
        hand.click("/^To/", role="entry", window="Write:", timeout_sec=40),
        hand.type(address),
        hand.press("Return"),
    )


def into_body() -> tuple[Call, ...]:
    """Put the cursor into the text of a letter."""
    # The window is there before its text takes the keys; below the text a click is in no word.
    return (
        hand.click("Message body", role="document web", window="Write:", at=(0.5, 0.9), timeout_sec=40),
        hand.press("ctrl+Home"),
    )


def _attach(file: Resource) -> tuple[Call, ...]:
    return (
        hand.press("ctrl+shift+a"),
        hand.await_window("Attach File(s)", timeout_sec=40),
        hand.type(full(file)),
        hand.click("Open", role="push button", window="Attach File(s)", timeout_sec=40),
        hand.await_window("Attach File(s)", gone=True),
    )


def letter_opened(letter: Resource) -> tuple[Call, ...]:
    """Start Thunderbird and choose a letter in the list, by its whole subject."""
    return (
        *STARTED,
        hand.click(f"/^{re.escape(letter.value)}$/", role="static", window="Inbox", timeout_sec=40),
        hand.await_element(letter.value, role="document web", timeout_sec=40),
    )


def quit_thunderbird() -> tuple[Call, ...]:
    """Quit Thunderbird and wait until it has ended."""
    return close_slowly(WINDOW, "thunderbird")
