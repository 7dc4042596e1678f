"""Subtasks on letters that are in the mailbox already, in Thunderbird."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from proctor.graphs.compose.equip import CORRESPONDENT, MAIL_ADDRESS, mail_desk
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.other_programs import delete, in_mailbox, post
from proctor.suites.parts.pdfs import written_pdf
from proctor.suites.parts.programs import lines_of, named_in_dialog, new_path, quote_path
from proctor.suites.parts.thunderbird import send
from proctor.suites.parts.ways import by_hand, by_python, by_shell, to_clipboard, typed_and_copied
from proctor.suites.parts.writer import convert_document
from proctor.suites.pool.mail import (
    ANOTHER,
    EMAILING,
    FIRST_START,
    MONTHS,
    ONE_LETTER,
    OWNER,
    addressed_to,
    an_address,
    into_body,
    letter_opened,
    quit_thunderbird,
    recipient,
)
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Admission, NearMiss


class AnswerALetter(Subtask):
    """An e-mail is answered."""

    version = 5
    app = "thunderbird"
    takes = {"source": "letter"}
    gives = {"letter": "sent_letter"}
    asks = (
        'reply to {source} with the text "{line}" and leave the subject as "{letter}"',
        'answer {source} in Thunderbird with "{line}" and keep "{letter}" as the subject',
    )
    brief = 'reply "{line}" to {source}, keeping the subject "{letter}"'
    steps = (
        "Start Thunderbird, open {source} and reply to it.",
        'Write "{line}" and leave the subject as "{letter}".',
        "Send it and quit Thunderbird.",
    )
    demand = EMAILING
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        source = takes["source"]
        line = f"{draw.choice(('Agreed', 'Thank you', 'That suits me'))}, until {draw.randint(2, 28)} {MONTHS[0]}"
        line = theme.hint("line", draw, line)
        letter = Resource("sent_letter", f"Re: {source.value}", None)
        return Bound(takes=takes, gives={"letter": letter}, params={"line": line})

    def work(self, bound: Bound) -> Work:
        source, letter, line = bound.takes["source"], bound.gives["letter"], bound.params["line"]
        answer = (*letter_opened(source), hand.press("ctrl+r"), hand.await_window("Write: Re:", timeout_sec=40))
        written = (*answer, *into_body(), hand.type(line))
        posted = see.posted_mail()
        return Work(
            moves=(*written, *send(), *quit_thunderbird()),
            check=expect.all_of(
                [
                    expect.letter_is(posted, letter.value, lines=[line], courtesy=True),
                    expect.letter_answers(posted, see.mailbox(MAIL_ADDRESS), letter.value, source.value),
                ]
            ),
            alone=(*ONE_LETTER, *_is_in_inbox(source)),
            may_differ=_its_copy(letter),
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
            other_ways=(
                by_python("by another program", _answer_code(source, letter, line)),
                by_python(
                    "by another program, quoting it", _answer_code(source, letter, f"{line}\n\n> {source.value}\n")
                ),
                by_python(
                    "with a greeting", _answer_code(source, letter, f"Hi Dana,\n\n{line}\n\nBest regards,\nRobin\n")
                ),
            ),
            cheats=(
                by_python("to somebody else as well", _answer_code(source, letter, line, ANOTHER)),
                by_python("named so, and no answer", post(OWNER, [DANA], letter.value, line)),
                by_python("answered twice", 2 * _answer_code(source, letter, line)),
                by_python("with more in it", _answer_code(source, letter, f"{line}, or not")),
                by_python(
                    "and what it answers deleted",
                    _answer_code(source, letter, line) + in_mailbox(OWNER, *delete(source.value)),
                ),
            ),
            expected=FIRST_START,
            setup=mail_desk(),
        )


DANA = CORRESPONDENT.partition("<")[2].rstrip(">")


def _its_copy(letter: Resource) -> tuple[Admission, ...]:
    """Admit whatever becomes of the copy of a letter that the mail server keeps."""
    kind = letter.value.partition(" ")[0]
    why = "The letter counts as it left; nobody asks for a copy of it."
    return tuple(Admission(which=f"mailbox(*: {which}", why=why) for which in ("taken back", f"letters: '{kind} *"))


def _is_in_inbox(letter: Resource) -> tuple[Call, ...]:
    """Return the check that a letter is still in the inbox."""
    return (expect.message_in(see.mailbox(MAIL_ADDRESS, "INBOX"), letter.value),)


def _answer_code(source: Resource, letter: Resource, text: str, *others: str) -> str:
    """Return code that answers a letter, as another mail program would."""
    found = in_mailbox(
        OWNER,
        f"held = email.message_from_bytes(box.fetch(named({source.value!r}), '(RFC822)')[1][0][1])",
        "id = held['Message-ID']",
    )
    before, sent, after = post(OWNER, [DANA, *others], letter.value, text).partition("office = smtplib")
    return "import email\n" + found + before + "letter['In-Reply-To'] = letter['References'] = id\n" + sent + after


class ForwardALetter(Subtask):
    """An e-mail is forwarded to somebody else."""

    version = 5
    app = "thunderbird"
    takes = {"source": "letter"}
    gives = {"letter": "sent_letter"}
    asks = (
        'forward {source} to {address} and leave the subject as "{letter}"',
        'pass {source} on to {address} with the subject "{letter}"',
    )
    brief = 'forward {source} to {address} as "{letter}"'
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
        letter = Resource("sent_letter", f"Fwd: {source.value}")
        return Bound(takes=takes, gives={"letter": letter}, params={"address": an_address(draw)})

    def work(self, bound: Bound) -> Work:
        source, letter, address = bound.takes["source"], bound.gives["letter"], bound.params["address"]
        says = lines_of(source)
        forward = (*letter_opened(source), hand.press("ctrl+l"), hand.await_window("Write: Fwd:", timeout_sec=40))
        addressed = (*forward, *recipient(address))
        posted = see.posted_mail()
        return Work(
            moves=(*addressed, *send(), *quit_thunderbird()),
            check=expect.all_of(
                [
                    expect.letter_is(posted, letter.value, [address], letters=True),
                    expect.letter_holds(posted, letter.value, says),
                ]
            ),
            alone=(*ONE_LETTER, *_is_in_inbox(source)),
            may_differ=_its_copy(letter),
            near_misses=(NearMiss(name="a new e-mail instead", moves=(*addressed_to(letter, address), *send())),),
            other_ways=(
                by_python("as an attachment, by another program", _passed_on(letter, [address], source)),
                by_python(
                    "in its text, by another program",
                    post(OWNER, [address], letter.value, "\n".join(["-------- Forwarded Message --------", *says])),
                ),
            ),
            cheats=(
                by_python("to somebody else as well", _passed_on(letter, [address, ANOTHER], source)),
                by_python("its subject alone", post(OWNER, [address], letter.value, source.value)),
                by_python("its first line alone", post(OWNER, [address], letter.value, f"{says[0]}\n")),
                by_python("twice", 2 * _passed_on(letter, [address], source)),
            ),
            expected=FIRST_START,
            setup=mail_desk(),
        )


def _passed_on(letter: Resource, to: Sequence[str], source: Resource) -> str:
    return post(OWNER, to, letter.value, "See the letter.", forwards=[source.value])


class CopyFromALetter(Subtask):
    """The first line of an e-mail goes to the clipboard."""

    app = "thunderbird"
    takes = {"source": "letter"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "copy the first line of the text in {source} from Thunderbird to the clipboard",
        "open {source} in Thunderbird and put just the first line of its text on the clipboard",
    )
    brief = "copy the first line of {source}"
    steps = (
        "Start Thunderbird and open {source}.",
        "Select the first line of its text and copy it to the clipboard.",
        "Quit Thunderbird.",
    )
    demand = EMAILING
    version = 3
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
            moves=(*as_new, *line, *left, *quit_thunderbird()),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            alone=(expect.nothing_sent(see.posted_mail()), *_is_in_inbox(source)),
            near_misses=(NearMiss(name="the whole text", moves=(*as_new, hand.press("ctrl+a"), hand.press("ctrl+c"))),),
            other_ways=(
                by_python("by another program", _copy_code(source, "splitlines()[0]")),
                typed_and_copied("typed into an editor", clip.value),
            ),
            cheats=(
                by_python("everything by another program", _copy_code(source, "strip()")),
                by_python("its last line", _copy_code(source, "strip().splitlines()[-1]")),
                to_clipboard("who it is from", f"echo {DANA}"),
            ),
            expected=FIRST_START,
            setup=mail_desk(),
        )


def _copy_code(source: Resource, part: str) -> str:
    """Return code that puts a part of a letter's text on the clipboard."""
    return "import email, subprocess\n" + in_mailbox(
        OWNER,
        f"held = email.message_from_bytes(box.fetch(named({source.value!r}), '(RFC822)')[1][0][1])",
        f"words = held.get_payload(decode=True).decode().{part}",
        "subprocess.run(['xclip', '-selection', 'clipboard'], input=words.encode(), stdout=subprocess.DEVNULL)",
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
    brief = "print {source} to the PDF {pdf}"
    steps = ("Start Thunderbird and open {source}.", "Print it to {pdf}, with Save to PDF as the destination.", "Quit.")
    demand = EMAILING
    version = 3
    services = ("mail",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        # What else stands on the page, such as the date, is not known before.
        path = new_path(draw, theme, "Documents", ("letter", "mail", "correspondence"), ".pdf")
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
            moves=(*asked, save, *named_in_dialog("Save As", pdf), *quit_thunderbird()),
            check=expect.pdf_has_text(see.pdf(pdf.value), [source.value, *says]),
            alone=(expect.nothing_sent(see.posted_mail()), *_is_in_inbox(source)),
            near_misses=(NearMiss(name="not saved", moves=asked),),
            other_ways=(
                by_python("by Python", written_pdf(pdf.value, [f"Subject: {source.value}", "", *says])),
                by_hand(
                    "by the command line, as a text",
                    hand.run_code(f"printf '%s\\n' {shlex.join([source.value, *says])} > /tmp/letter.txt"),
                    *convert_document("/tmp/letter.txt", pdf.value),
                ),
            ),
            cheats=(
                by_python("its subject alone", written_pdf(pdf.value, [source.value])),
                by_python("without its last line", written_pdf(pdf.value, [source.value, *says[:-1]])),
                by_shell(
                    "a text under that name", f"printf '%s\\n' {shlex.join([source.value, *says])} > {quote_path(pdf)}"
                ),
            ),
            expected=FIRST_START,
            setup=mail_desk(),
        )
