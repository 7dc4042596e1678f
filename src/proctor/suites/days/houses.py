"""Days at home and in clubs: a family, a theatre group, the secretary of a club, a teacher."""

from __future__ import annotations

from proctor.suites.parts.day_desk import DayDesk
from proctor.suites.parts.day_kinds import (
    backup,
    bill,
    birthday,
    clash,
    hand_over,
    open_bank,
    promise,
    release,
    secret,
    shopping_list,
    sign_up,
)
from proctor.suites.parts.days import day, twins
from proctor.tasks.draw import Draw
from proctor.tasks.task import Draft

EVERYTHING = ("chromium", "hexchat", "lxterminal")
SERVICES = ("chat", "web")


def _family(draw: Draw, first: bool) -> Draft:
    desk = open_bank(draw)
    pieces = [
        shopping_list(desk, first),
        shopping_list(desk, not first),
        sign_up(desk, not first),
        birthday(desk, first),
        bill(desk, first),
        promise(desk, not first),
    ]
    return day(
        desk, pieces, care="I keep our household together: lists, bills, and what we go to. We go to everything."
    )


FAMILY = twins(
    "family-desk",
    "A morning at the desk of a family.",
    _family,
    apps=EVERYTHING,
    demand="Life/Shopping/Ordering",
    services=SERVICES,
)


def _theatre(draw: Draw, first: bool) -> Draft:
    desk = DayDesk(draw, site="stage", title="Stage Door")
    pieces = [
        sign_up(desk, first),
        release(desk, not first),
        birthday(desk, first),
        promise(desk, not first),
        secret(desk, first),
        clash(desk, not first),
    ]
    return day(desk, pieces, care="I look after a theatre group; I want to be on the list of whatever is put on.")


THEATRE = twins(
    "theatre-group",
    "A morning of somebody who looks after a theatre group.",
    _theatre,
    apps=EVERYTHING,
    demand="Entertainment/Network Platform/Community",
    services=SERVICES,
)


def _club(draw: Draw, first: bool) -> Draft:
    desk = DayDesk(draw, site="club", title="Rowing Club")
    pieces = [
        sign_up(desk, first),
        sign_up(desk, not first),
        promise(desk, first),
        birthday(desk, not first),
        shopping_list(desk, first),
        secret(desk, not first),
    ]
    return day(desk, pieces, care="I am the secretary of a rowing club and take part in everything that it puts on.")


CLUB = twins(
    "club-secretary",
    "A morning of a club's secretary.",
    _club,
    apps=EVERYTHING,
    demand="Life/Public Services/Public Space",
    services=SERVICES,
)


def _teacher(draw: Draw, first: bool) -> Draft:
    desk = DayDesk(draw, site="school", title="Teachers' Page")
    pieces = [
        hand_over(desk, not first),
        shopping_list(desk, first),
        birthday(desk, not first),
        sign_up(desk, not first),
        promise(desk, first),
        backup(desk, first),
    ]
    return day(desk, pieces, care="I teach geography; whatever the school puts on, I want to be on the list.")


TEACHER = twins(
    "teacher",
    "A morning of a teacher.",
    _teacher,
    apps=EVERYTHING,
    demand="Knowledge/Knowledge/Information Organization",
    services=SERVICES,
)
