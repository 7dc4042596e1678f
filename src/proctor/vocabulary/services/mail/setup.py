"""Setup steps that start a mail service with accounts and letters in them."""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, getaddresses
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from proctor.errors import SpecError
from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.services.inside import run_inside

INSIDE = Path(__file__).parent / "inside"
Text = Annotated[str, Field(min_length=1)]
AddressText = Annotated[str, Field(pattern=r"^[a-z0-9._-]+@[a-z0-9.-]+$")]


class Attachment(PlainModel):
    """A file that comes with a letter: a text, or any content as base64."""

    name: Text
    text: str = ""
    base64: str = ""
    type: str = "application/octet-stream"


class Letter(BaseModel):
    """One message of a mailbox; people are written as `Name <address>` or as an address alone."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    sender: Text = Field(alias="from")
    to: Text
    cc: str = ""
    subject: str
    date: datetime | None = None
    """By the computer's clock where it names no zone, which is UTC; without one, a letter is sent when it arrives."""
    text: str
    id: str = ""
    """Its Message-ID without brackets; made from the rest where none is given."""
    reply_to_id: str = ""
    attachments: list[Attachment] = []
    read: bool = True
    starred: bool = False


class MailAccount(PlainModel):
    """A mailbox with a password."""

    address: AddressText
    password: Text
    name: str = ""
    folders: dict[str, list[Letter]] = {}
    """By name, a dot between a folder and one inside it; the usual ones (Drafts, Sent, ...) are always there."""


@SETUP.register_before_use
def mail_service(context: SetupContext, accounts: Annotated[list[MailAccount], Field(min_length=1)]) -> None:
    """Start a mail server on loopback (IMAP on 143, SMTP on 587) that keeps these accounts."""
    known: dict[str, object] = {}
    for account in accounts:
        folders = {"INBOX": [], **account.folders}
        letters = {
            name: [pack_letter(each) for each in with_dates(context, folder)] for name, folder in folders.items()
        }
        known[account.address] = {"password": account.password, "folders": letters}
    plan = {"settings": (INSIDE / "dovecot.conf").read_text(), "accounts": known}
    run_inside(context, INSIDE / "mail_server.py", plan, root=True)


@SETUP.register
def mail_delivered(
    context: SetupContext, address: AddressText, letters: Annotated[list[Letter], Field(min_length=1)]
) -> None:
    """Deliver emails to the inbox of an account of the mail service, which must be running."""
    order = {"address": address, "letters": [pack_letter(letter) for letter in with_dates(context, letters)]}
    run_inside(context, INSIDE / "mail_deliver.py", order, root=True)


def with_dates(context: SetupContext, letters: list[Letter]) -> list[Letter]:
    """Give letters that have none the date of now, by the computer's clock."""
    if all(letter.date for letter in letters):
        return letters
    now = datetime.fromtimestamp(int(context.command(["date", "+%s"]).stdout), UTC)
    return [letter if letter.date else letter.model_copy(update={"date": now}) for letter in letters]


def letter_bytes(letter: Letter) -> bytes:
    """Return a letter as it travels."""
    message = EmailMessage()
    message["From"] = _people(letter.sender)
    message["To"] = _people(letter.to)
    if letter.cc:
        message["Cc"] = _people(letter.cc)
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(_moment(letter))
    message["Message-ID"] = f"<{letter.id or _id(letter)}>"
    if letter.reply_to_id:
        message["In-Reply-To"] = message["References"] = f"<{letter.reply_to_id}>"
    message.set_content(letter.text)
    for number, attachment in enumerate(letter.attachments):
        data = base64.b64decode(attachment.base64) if attachment.base64 else attachment.text.encode()
        kind, _, form = attachment.type.partition("/")
        message.add_attachment(data, maintype=kind, subtype=form, filename=attachment.name)
        if number == 0:
            # Drawn at random otherwise; the same letter is to be the same, byte for byte.
            message.set_boundary(f"=-{hashlib.sha256(letter.text.encode()).hexdigest()[:24]}")
    return message.as_bytes().replace(b"\n", b"\r\n")


def pack_letter(letter: Letter) -> dict[str, object]:
    """Return a letter as the service takes it in."""
    flags = ("F" if letter.starred else "") + ("S" if letter.read else "")
    data = base64.b64encode(letter_bytes(letter)).decode()
    return {"data": data, "flags": flags, "seconds": int(_moment(letter).timestamp())}


def _moment(letter: Letter) -> datetime:
    if letter.date is None:
        raise SpecError(f"the letter {letter.subject!r} has no date", remedy="give it one")
    return letter.date if letter.date.tzinfo else letter.date.replace(tzinfo=UTC)


def _id(letter: Letter) -> str:
    parts = (letter.sender, letter.to, letter.subject, letter.date.isoformat() if letter.date else "", letter.text)
    domain = getaddresses([letter.sender])[0][1].partition("@")[2]
    return f"{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:20]}@{domain or 'localhost'}"


def _people(text: str) -> tuple[Address, ...]:
    found = getaddresses([text])
    if not all(address.count("@") == 1 for _, address in found):
        raise SpecError(f"{text!r} does not name people with addresses", remedy="write Name <name@place.org>, ...")
    return tuple(Address(name, *address.split("@")) for name, address in found)
