"""Writes the home folder: files, and the stores of the programs that stand there."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

from proctor.vocabulary.apps.browsers.profiles import Bookmark
from proctor.vocabulary.apps.chromium.profile import CHROMIUM_PROFILE, CHROMIUM_SETTINGS, chromium_bookmarks, nest
from proctor.vocabulary.apps.gtg.parse import GTG_FILE
from proctor.vocabulary.apps.gtg.setup import GTG_BACKENDS, Todo, gtg_xml
from proctor.vocabulary.apps.hexchat.setup import HEXCHAT
from proctor.vocabulary.apps.homebank.setup import BankAccount, Transaction, homebank_xml
from proctor.vocabulary.apps.thunderbird.setup import PROFILE, account_settings, profile_files
from proctor.vocabulary.services.chat.setup import NETWORK
from proctor.worlds.stores.databases import address_book, history
from proctor.worlds.views.dates import CALENDARS
from proctor.worlds.views.desk import LaidDesk
from proctor.worlds.writers.vcf import cards

LEDGER = "Documents/Money/household.xhb"
CARDS = "Documents/contacts.vcf"
ACCOUNT = "Meridian Bank"
FOLDERS = ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Templates", "Videos")


def write_home(desk: LaidDesk, top: Path) -> None:
    """Write everything that is to appear in the home folder."""
    for name in FOLDERS:
        (top / name).mkdir(parents=True)
    for file in desk.files:
        _put(top / file.path, file.data, file.at)
    now = datetime.combine(desk.life.last, datetime.min.time())
    for path, data in {**_programs(desk), CARDS: cards(desk.cards).encode(), LEDGER: _ledger(desk).encode()}.items():
        _put(top / path, data, now)


def ledger_lines(desk: LaidDesk) -> list[Transaction]:
    """Return the account as the household book has it."""
    return [
        Transaction(
            date=each.at.date(),
            amount=each.amount,
            account=ACCOUNT,
            payee=each.payee,
            category=each.category,
            memo=each.memo,
        )
        for each in desk.bookings
    ]


def log_lines(desk: LaidDesk, channel: str) -> str:
    """Return what was said in a channel as HexChat logs it."""
    lines, day = [], None
    for said in desk.said:
        if said.channel != channel:
            continue
        if said.at.date() != day:
            day = said.at.date()
            lines.append(f"**** BEGIN LOGGING AT {said.at:%a %b %d %H:%M:%S %Y}\n")
        lines.append(f"{said.at:%b %d %H:%M:%S} <{said.who}>\t{said.text}")
    return "\n".join(lines) + "\n"


def _ledger(desk: LaidDesk) -> str:
    return homebank_xml(LEDGER, [BankAccount(name=ACCOUNT, initial=desk.opening)], ledger_lines(desk), [], [])


def _programs(desk: LaidDesk) -> dict[str, bytes]:
    me = desk.life.owner.contact
    folders: dict[str, list[Bookmark]] = {}
    loose: list[Bookmark] = []
    for title, url, folder in desk.bookmarks:
        (folders.setdefault(folder, []) if folder else loose).append(Bookmark(title=title, url=url, folder=folder))
    todos = [Todo(title=each.title, tags=(each.tag,), due=each.due, done=each.done) for each in desk.errands]
    channels = list(dict.fromkeys(said.channel for said in desk.said))
    texts = {
        **profile_files(account_settings(me.address, me.name, list(CALENDARS))),
        f"{CHROMIUM_PROFILE}/Preferences": json.dumps(nest(CHROMIUM_SETTINGS)),
        f"{CHROMIUM_PROFILE}/Bookmarks": chromium_bookmarks(folders, loose),
        GTG_FILE: gtg_xml(todos),
        ".config/gtg/backends.conf": GTG_BACKENDS,
        **{f"{HEXCHAT}/logs/{NETWORK}/{channel}.log": log_lines(desk, channel) for channel in channels},
    }
    databases = {f"{PROFILE}/abook.sqlite": address_book(desk.cards), f"{CHROMIUM_PROFILE}/History": history(desk.seen)}
    return {**{path: text.encode() for path, text in texts.items()}, **databases}


def _put(path: Path, data: bytes, at: datetime) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    seconds = at.replace(tzinfo=UTC).timestamp()
    os.utime(path, (seconds, seconds))
