"""Mail by code: letters sent, and files taken out of letters, as a script of the account's owner would."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.tasks.call import Call
from proctor.tasks.shelves import hand

_SEND = """
import pathlib, smtplib
from email.message import EmailMessage

message = EmailMessage()
message["From"], message["To"], message["Subject"] = {address!r}, {to!r}, {subject!r}
if {cc!r}:
    message["Cc"] = {cc!r}
if {answers!r}:
    message["In-Reply-To"] = message["References"] = "<" + {answers!r} + ">"
message.set_content({text!r})
for path in {files!r}:
    file = pathlib.Path(path)
    message.add_attachment(file.read_bytes(), maintype="application", subtype="octet-stream", filename=file.name)
with smtplib.SMTP("localhost", 587) as client:
    client.login({address!r}, {password!r})
    client.send_message(message)
"""
_TAKE = """
import email, imaplib, pathlib
from email import policy

with imaplib.IMAP4("localhost", 143) as client:
    client.login({address!r}, {password!r})
    client.select("INBOX", readonly=True)
    _, found = client.search(None, "SUBJECT", '"' + {subject!r} + '"')
    _, data = client.fetch(found[0].split()[-1], "(BODY.PEEK[])")
message = email.message_from_bytes(data[0][1], policy=policy.default)
file = pathlib.Path({path!r})
file.parent.mkdir(parents=True, exist_ok=True)
file.write_bytes(next(iter(message.iter_attachments())).get_content())
"""


def letter_posted(
    address: str,
    password: str,
    to: Sequence[str],
    subject: str,
    text: str,
    *,
    cc: Sequence[str] = (),
    files: Sequence[str] = (),
    answers: str = "",
) -> Call:
    """Send a letter."""
    code = _SEND.format(
        address=address,
        password=password,
        to=", ".join(to),
        cc=", ".join(cc),
        subject=subject,
        text=text,
        files=[*files],
        answers=answers,
    )
    return hand.run_code(code, "python")


def attachment_saved(address: str, password: str, subject: str, path: str) -> Call:
    """Save the first file of the latest letter in the inbox with words in its subject."""
    code = _TAKE.format(address=address, password=password, subject=subject, path=path)
    return hand.run_code(code, "python")
