"""Days in offices: a press office, a planner of rooms, a project lead, a housing association."""

from __future__ import annotations

from proctor.suites.parts.day_desk import DayDesk
from proctor.suites.parts.day_kinds import (
    backup,
    bill,
    birthday,
    clash,
    hand_over,
    new_account,
    open_bank,
    promise,
    refund,
    release,
    secret,
)
from proctor.suites.parts.days import day, twins
from proctor.tasks.draw import Draw
from proctor.tasks.task import Draft

CHAT_AND_FILES = ("hexchat", "lxterminal")


def _press(draw: Draw, first: bool) -> Draft:
    desk = DayDesk(draw)
    pieces = [
        release(desk, first),
        release(desk, not first),
        secret(desk, not first),
        promise(desk, first),
        birthday(desk, not first),
        backup(desk, first),
    ]
    return day(desk, pieces, care="I run the press office of the town, and on time is what people like about us.")


PRESS = twins(
    "press-office",
    "A morning in a press office.",
    _press,
    apps=CHAT_AND_FILES,
    demand="Office/Communication/Messaging",
)


def _rooms(draw: Draw, first: bool) -> Draft:
    desk = DayDesk(draw)
    pieces = [
        clash(desk, first),
        clash(desk, not first),
        hand_over(desk, first),
        secret(desk, not first),
        promise(desk, first),
        birthday(desk, not first),
    ]
    return day(desk, pieces, care="I plan the rooms of our house; nobody shall stand in front of a door that is taken.")


ROOMS = twins(
    "room-planner",
    "A morning of somebody who plans rooms.",
    _rooms,
    apps=CHAT_AND_FILES,
    demand="Office/Schedule/Calendar",
)


def _project(draw: Draw, first: bool) -> Draft:
    desk = DayDesk(draw)
    pieces = [
        hand_over(desk, first),
        hand_over(desk, not first),
        promise(desk, not first),
        clash(desk, first),
        release(desk, not first),
        secret(desk, first),
    ]
    return day(desk, pieces, care="I lead a project of ten people, who must be able to rely on what I say.")


PROJECT = twins(
    "project-lead",
    "A morning of somebody who leads a project.",
    _project,
    apps=CHAT_AND_FILES,
    demand="Office/Documentation/Writing",
)


def _association(draw: Draw, first: bool) -> Draft:
    desk = open_bank(draw)
    pieces = [
        bill(desk, first),
        new_account(desk, not first),
        refund(desk, not first),
        hand_over(desk, first),
        promise(desk, first),
        clash(desk, not first),
    ]
    return day(desk, pieces, care="I keep the books and the common room of our housing association.")


HOUSING = twins(
    "housing-association",
    "A morning at a housing association.",
    _association,
    apps=("chromium", *CHAT_AND_FILES),
    demand="Life/Public Services/Citizen Service",
    services=("chat", "web"),
)
