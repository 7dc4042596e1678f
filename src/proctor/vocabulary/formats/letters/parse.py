"""Letters as plain data: what an e-mail says, read from its bytes without trusting them."""

from __future__ import annotations

import email
import email.policy
import hashlib
import re
from email.message import EmailMessage, Message
from email.utils import getaddresses

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.formats.text.parse_pages import PageText

MOST_TEXT = 200_000
SHORT_TEXT = 20_000
"""Attachments in plain text up to this length are given in full."""
_QUOTED = re.compile(r"^\s*(>.*|On .{4,120} wrote:|[^.!?,;]{2,60} wrote(?: on .{4,60})?:)\s*$")
_WRAPPED = re.compile(r"^[ \t]*On .{4,120}\n.{0,120}wrote:[ \t]*$", re.MULTILINE)
"""The line above what is quoted, broken because it is long."""
_OTHERS_FOLLOW = re.compile(
    r"^\s*[-_=*]{2,} ?(?:Forwarded|Original|Quoted) (?:Message|E?-?mail|Letter)(?: follows)?:? ?[-_=*]{2,}\s*$|"
    r"^\s*Begin forwarded message:\s*$|^From: .+\n(?:(?:Sent|Date|To|Cc|Subject): .*(?:\n|\Z)){2,}",
    re.MULTILINE | re.IGNORECASE,
)
"""Below it is the letter that is answered or forwarded, without a sign before its lines."""


def preload() -> None:
    """Read a letter, so that all that reading takes is loaded."""
    letter(
        b"From: a <a@b.example>\nSubject: =?utf-8?q?x?=\nDate: Thu, 12 Mar 2026 09:30:00 +0000\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/html\n\n<p>x\n'
        b"--x\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=y\n\neA==\n--x--\n"
    )


def letter(data: bytes) -> dict[str, object]:
    """Return a letter as plain data; raises CannotSee for one that is not a letter."""
    try:
        return _letter(data)
    except CannotSee:
        raise
    except Exception as error:  # the library fails in many ways on headers made to break it
        raise CannotSee("unreadable", f"a letter cannot be read: {type(error).__name__}: {error}") from error


def _letter(data: bytes) -> dict[str, object]:
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    text = _body(message)
    return {
        "id": _bare(message["Message-ID"]),
        "in_reply_to": _bare(message["In-Reply-To"]),
        "references": re.findall(r"<([^<>\s]+)>", str(message["References"] or "")),
        "from": _people(message, "From"),
        "to": _people(message, "To"),
        "cc": _people(message, "Cc"),
        "bcc": _people(message, "Bcc"),
        "subject": str(message["Subject"] or ""),
        "date": str(message["Date"] or ""),
        "text": text,
        "own": own_words(text),
        "reply_to": _people(message, "Reply-To"),
        "priority": str(message["X-Priority"] or message["Importance"] or ""),
        "receipt": _people(message, "Disposition-Notification-To"),
        "forms": sorted({part.get_content_subtype() for part in message.walk() if _is_text(part)}),
        "attachments": [_attachment(part) for part in message.iter_attachments()],
    }


def _is_text(part: Message) -> bool:
    return part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment"


def own_words(text: str) -> str:
    """Return what a letter says itself, without what it quotes or forwards."""
    above = _OTHERS_FOLLOW.split(text, maxsplit=1)[0]
    lines = _WRAPPED.sub("", above).split("\n")
    return "\n".join(line for line in lines if not _QUOTED.match(line)).strip()


def _body(message: EmailMessage) -> str:
    # Where a letter comes in both forms, mail programs show the page.
    part = message.get_body(("html", "plain"))
    if part is None:
        return ""
    text = str(part.get_content()).replace("\r\n", "\n")[:MOST_TEXT]
    if part.get_content_subtype() == "html":
        return _Text().text_of(text)
    return _unwrap(text) if part.get_param("format") == "flowed" else text


def _unwrap(text: str) -> str:
    """Join the lines that a mail program broke for the way (RFC 3676)."""
    joined: list[str] = []
    for line in text.split("\n"):
        before = joined[-1] if joined else ""
        if before.endswith(" ") and before != "-- " and before.startswith(">") == line.startswith(">"):
            joined[-1] = before + re.sub(r"^>+ ?", "", line).removeprefix(" ")
        else:
            joined.append(line.removeprefix(" "))
    return "\n".join(joined)


class _Text(PageText):
    """Collects the text of a page; what a letter quotes gets the sign that plain letters have."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.depth += tag == "blockquote"
        super().handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "blockquote" and self.depth > 0
        super().handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            mark = "> " if self.depth else ""
            self.parts.append("".join(f"\n{mark}{line}" if mark else line for line in data.split("\n")))


def _attachment(part: EmailMessage) -> dict[str, object]:
    content = part.get_payload(decode=True)
    data = content if isinstance(content, bytes) else part.as_bytes()
    if part.get_content_maintype() == "text" and str(part["Content-Transfer-Encoding"] or "").lower() != "base64":
        # On the way all lines of a text end alike; whoever saves it gets those it had.
        data = data.replace(b"\r\n", b"\n")
    found = {
        "name": part.get_filename() or "",
        "type": part.get_content_type(),
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    if len(data) <= SHORT_TEXT:
        try:
            found["text"] = data.decode()
        except UnicodeDecodeError:
            return found
    return found


def _people(message: EmailMessage, header: str) -> list[str]:
    found = getaddresses([str(value) for value in message.get_all(header, [])])
    return [address.lower() for _, address in found if address]


def _bare(value: object) -> str:
    return str(value or "").strip().strip("<>")
