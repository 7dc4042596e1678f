"""Days at work: a bookkeeper, a shop, a laboratory, a machine room."""

from __future__ import annotations

from proctor.suites.parts.day_desk import DayDesk
from proctor.suites.parts.day_kinds import (
    backup,
    bill,
    birthday,
    clash,
    clear_out,
    hand_over,
    new_account,
    open_bank,
    refund,
    release,
    secret,
    shopping_list,
)
from proctor.suites.parts.days import day, twins
from proctor.tasks.draw import Draw
from proctor.tasks.task import Draft

EVERYTHING = ("chromium", "hexchat", "lxterminal")
CHAT_AND_FILES = ("hexchat", "lxterminal")
SERVICES = ("chat", "web")


def _books(draw: Draw, first: bool) -> Draft:
    desk = open_bank(draw)
    pieces = [
        bill(desk, first),
        bill(desk, not first),
        new_account(desk, first),
        new_account(desk, not first),
        refund(desk, first),
        secret(desk, not first),
    ]
    return day(desk, pieces, care="I keep the books of a workshop. What is due is paid on the day, and once.")


BOOKS = twins(
    "bookkeeper",
    "A morning of a bookkeeper.",
    _books,
    apps=EVERYTHING,
    demand="Life/Finance/Transaction Management",
    services=SERVICES,
)


def _shop(draw: Draw, first: bool) -> Draft:
    desk = open_bank(draw)
    pieces = [
        refund(desk, first),
        refund(desk, not first),
        bill(desk, not first),
        new_account(desk, first),
        shopping_list(desk, not first),
        release(desk, first),
    ]
    return day(desk, pieces, care="I own a shop. Customers get their due, and so do those who deliver to us.")


SHOP = twins(
    "shop-owner",
    "A morning of somebody who owns a shop.",
    _shop,
    apps=EVERYTHING,
    demand="Life/Shopping/Searching",
    services=SERVICES,
)


def _laboratory(draw: Draw, first: bool) -> Draft:
    desk = DayDesk(draw)
    pieces = [
        backup(desk, first),
        backup(desk, not first),
        clear_out(desk, first),
        clear_out(desk, not first),
        release(desk, first),
        secret(desk, not first),
        birthday(desk, first),
        shopping_list(desk, not first),
    ]
    return day(desk, pieces, care="I run a laboratory. Data must not get lost, and the disk must not fill up.")


LABORATORY = twins(
    "laboratory",
    "A morning in a laboratory.",
    _laboratory,
    apps=CHAT_AND_FILES,
    demand="System/Files and Applications/System Resources",
)


def _machines(draw: Draw, first: bool) -> Draft:
    desk = DayDesk(draw)
    pieces = [
        backup(desk, first),
        backup(desk, not first),
        clear_out(desk, first),
        clear_out(desk, not first),
        clash(desk, first),
        hand_over(desk, not first),
    ]
    return day(desk, pieces, care="I look after some of our machines, and after who gets to see what is on them.")


MACHINES = twins(
    "machine-room",
    "A morning of somebody who looks after machines.",
    _machines,
    apps=CHAT_AND_FILES,
    demand="System/Files and Applications/Files",
)
