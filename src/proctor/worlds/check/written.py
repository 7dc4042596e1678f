"""Reads a world as it was written: mailbox, calendars, account, files, cards."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from functools import cached_property
from html import unescape
from pathlib import Path

from proctor.worlds.stores.home import CARDS, LEDGER

_TEXTS = (".txt", ".md", ".py", ".csv")
_PACKED = {".odt": "content.xml", ".odp": "content.xml", ".ods": "content.xml", ".docx": "word/document.xml"}


@dataclass(frozen=True)
class Received:
    """A mail as it lies in the mailbox."""

    id: str
    answers: str
    at: datetime
    sender: str
    """The address alone."""
    subject: str
    text: str
    enclosures: Mapping[str, bytes]
    folder: str

    @property
    def event(self) -> str:
        """What it shows, by its id."""
        return self.id.partition("@")[0]

    @property
    def own_text(self) -> str:
        """What it says itself, without what it quotes and without the line above that."""
        lines = [line for line in self.text.splitlines() if not line.startswith(">")]
        return "\n".join(line for line in lines if not re.match(r"On .* wrote:$", line))


@dataclass(frozen=True)
class Dated:
    """An entry of a calendar."""

    uid: str
    summary: str
    place: str
    start: datetime
    end: datetime
    changes: int


@dataclass(frozen=True)
class StatementLine:
    """A line of a statement."""

    day: date
    payee: str
    memo: str
    amount: float
    balance: float


class WrittenWorld:
    """A world on the disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.author = json.loads((folder / "author.json").read_text())
        self.events: dict[str, dict[str, object]] = {each["id"]: each for each in self.author["events"]}
        self.planted = {name for name, each in self.events.items() if each.get("plant")}
        self.last = date.fromisoformat(self.author["to"])

    @cached_property
    def mails(self) -> list[Received]:
        """All mails, in their order."""
        found = [_read_mail(path) for path in sorted(self.folder.glob("mail/store/*/Maildir/**/cur/*"))]
        return sorted(found, key=lambda mail: (mail.at, mail.id))

    @cached_property
    def entries(self) -> dict[str, Dated]:
        """All entries of all calendars by their ids."""
        texts = [path.read_text() for path in sorted(self.folder.glob("calendar/store/collection-root/*/*/*.ics"))]
        return {entry.uid: entry for entry in map(read_entry, texts)}

    @cached_property
    def files(self) -> list[Path]:
        """All files that people made or keep, without those of programs."""
        return sorted(
            path
            for path in self.home.rglob("*")
            if path.is_file() and not path.relative_to(self.home).parts[0].startswith(".")
        )

    @cached_property
    def lines(self) -> list[StatementLine]:
        """The lines of all statements in their order; each statement begins with what was on the account."""
        found = []
        for path in sorted(self.home.glob("Documents/Bank/*/*.csv")):
            for row in csv.DictReader(io.StringIO(path.read_text()), delimiter=";"):
                amount = float(row["Amount"]) if row["Amount"] else 0.0
                found.append(
                    StatementLine(
                        date.fromisoformat(row["Date"]), row["Payee"], row["Purpose"], amount, float(row["Balance"])
                    )
                )
        return found

    @cached_property
    def ledger(self) -> list[tuple[date, float, str]]:
        """The lines of the household book: day, amount, purpose."""
        text = (self.home / LEDGER).read_text()
        rows = re.findall(r'<ope date="(\d+)" amount="([-0-9.]+)" account="\d+"(.*?)/>', text)
        return [
            (date.fromordinal(int(day)), float(amount), unescape("".join(re.findall(r'wording="([^"]*)"', more))))
            for day, amount, more in rows
        ]

    @cached_property
    def cards(self) -> dict[str, str]:
        """The cards of people by their names."""
        text = (self.home / CARDS).read_text()
        return {re.findall(r"FN:(.*)", card)[0].strip(): card for card in text.split("END:VCARD") if "FN:" in card}

    def text_of(self, path: Path) -> str:
        """Return what a file says, as far as it is text."""
        if path.suffix in _TEXTS:
            return path.read_text()
        if path.suffix in _PACKED:
            with zipfile.ZipFile(path) as archive:
                marked = archive.read(_PACKED[path.suffix]).decode()
            broken = re.sub(r"</(text:p|text:h|w:p|table:table-cell)>|<(text:line-break|w:br)/>", "\n", marked)
            return unescape(re.sub(r"<[^>]+>", "", re.sub(r"<text:s/>|<text:tab/>", " ", broken)))
        return pdf_text(path.read_bytes()) if path.suffix == ".pdf" else ""


def pdf_text(data: bytes) -> str:
    """Return the texts of a PDF that was written here, line by line."""
    found = []
    for stream in re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL):
        drawn = zlib.decompress(stream).decode("cp1252")
        found += [re.sub(r"\\(.)", r"\1", text) for text in re.findall(r"Td \((.*?)\) Tj ET", drawn)]
    return "\n".join(found)


def read_entry(text: str) -> Dated:
    """Return the entry in an iCalendar text."""
    lines = text.replace("\r\n", "\n").replace("\n ", "").split("\n")
    values = dict(line.partition(":")[::2] for line in lines if ":" in line)
    start, end = (
        next(_moment(value) for name, value in values.items() if name.startswith(kind)) for kind in ("DTSTART", "DTEND")
    )
    return Dated(
        values["UID"],
        _plain(values["SUMMARY"]),
        _plain(values.get("LOCATION", "")),
        start,
        end,
        int(values.get("SEQUENCE", 0)),
    )


def _moment(value: str) -> datetime:
    return datetime.strptime(value, "%Y%m%dT%H%M%SZ" if "T" in value else "%Y%m%d")


def _plain(text: str) -> str:
    return re.sub(r"\\([\\;,])", r"\1", text)


def _read_mail(path: Path) -> Received:
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    enclosures = {part.get_filename() or "": part.get_payload(decode=True) for part in message.iter_attachments()}
    return Received(
        str(message["Message-ID"]).strip("<>"), str(message["In-Reply-To"] or "").strip("<>"),
        parsedate_to_datetime(str(message["Date"])).replace(tzinfo=None), message["From"].addresses[0].addr_spec,
        str(message["Subject"]),
        str(body.get_content()) if body else "", {name: data for name, data in enclosures.items() if isinstance(data,
        bytes)},
        path.parent.parent.name,
    )  # fmt: skip
