"""Writes mails into the folders that the mail service serves."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable
from datetime import UTC
from pathlib import Path

from proctor.vocabulary.services.mail.setup import Attachment, Letter, letter_bytes
from proctor.worlds.views.desk import LaidDesk, Mail

USUAL = ("Drafts", "Sent", "Junk", "Trash", "Archives")


def write_mailbox(desk: LaidDesk, top: Path) -> None:
    """Write a mailbox as Dovecot keeps it: a folder for the account, one file for each mail."""
    box = top / "store" / desk.life.owner.contact.address / "Maildir"
    by_event = {mail.event: mail for mail in desk.mails}
    answered = {mail.answers for mail in desk.mails if mail.folder == "Sent"}
    folders = list(dict.fromkeys(["INBOX", *USUAL, *sorted(mail.folder for mail in desk.mails)]))
    for name in folders:
        folder = box if name == "INBOX" else box / f".{name}"
        for part in ("cur", "new", "tmp"):
            (folder / part).mkdir(parents=True)
        for number, mail in enumerate(_of(desk.mails, name)):
            _put(folder, number, mail, by_event, mail.event in answered)
    (box / "subscriptions").write_text("".join(f"{name}\n" for name in folders if name != "INBOX"))


def mail_bytes(mail: Mail, by_event: dict[str, Mail]) -> bytes:
    """Return a mail as it travelled."""
    answers = by_event[mail.answers].id if mail.answers in by_event else ""
    enclosures = [
        Attachment(name=each.name, base64=base64.b64encode(each.data).decode(), type=each.type)
        for each in mail.enclosures
    ]
    # Not validated again: all of it was made here.
    letter = Letter.model_construct(
        sender=mail.sender, to=mail.to, cc=mail.cc, subject=mail.subject, date=mail.at, text=f"{mail.text}\n",
        id=mail.id, reply_to_id=answers,
        attachments=enclosures, read=mail.read, starred=mail.starred,
    )  # fmt: skip
    return letter_bytes(letter)


def _of(mails: Iterable[Mail], folder: str) -> list[Mail]:
    return [mail for mail in mails if mail.folder == folder]


def _put(folder: Path, number: int, mail: Mail, by_event: dict[str, Mail], answered: bool) -> None:
    seconds = int(mail.at.replace(tzinfo=UTC).timestamp())
    flags = ("F" if mail.starred else "") + ("R" if answered else "") + ("S" if mail.read else "")
    file = folder / "cur" / f"{seconds}.{number:05}.desktop:2,{flags}"
    file.write_bytes(mail_bytes(mail, by_event))
    os.utime(file, (seconds, seconds))
