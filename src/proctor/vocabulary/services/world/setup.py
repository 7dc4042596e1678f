"""A setup step that lays a world on a desktop: its files, and its mail and calendar services."""

from __future__ import annotations

import io
import json
import re
import tarfile
from pathlib import Path
from typing import Any

from proctor.computers.images.folders import data_folder
from proctor.errors import SpecError
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.services.calendar import setup as calendar
from proctor.vocabulary.services.inside import run_inside
from proctor.vocabulary.services.mail import setup as mail

PASSWORD = "Lantern-512"
"""Of the account of whoever's world it is; their programs have it saved."""

NAME = re.compile(r"[a-z]+(-[1-9][0-9]*)?")


@SETUP.register_before_use
def world(
    context: SetupContext,
    name: str,
    made_from: str = "",
    letters: dict[str, list[mail.Letter]] | None = None,
    events: dict[str, list[calendar.CalendarEvent]] | None = None,
) -> None:
    """Lay a world on the desktop: files, settings, and the mail and calendar services of its owner.

    `made_from` is the start of the digest of what it must be made from. `letters` come to its mailbox, by folder, and
    `events` into its calendars, by title, beside those that are there.
    """
    folder = _find(name, made_from)
    address = next(path.name for path in (folder / "mail" / "store").iterdir())
    _unpack(context, folder / "home", ".", root=False)
    _unpack(context, folder / "mail", "/run/mail", root=True)
    _unpack(context, folder / "calendar", "/run/calendars", root=True)
    packed = {
        place: [mail.pack_letter(each) for each in mail.with_dates(context, listed)]
        for place, listed in (letters or {}).items()
    }
    plan: dict[str, Any] = {
        "settings": (mail.INSIDE / "dovecot.conf").read_text(),
        "accounts": {address: {"password": PASSWORD, "folders": packed}},
    }
    run_inside(context, mail.INSIDE / "mail_server.py", plan, root=True)
    run_inside(context, mail.INSIDE / "mail_list.py", {"do": "keep"}, root=True)
    plan = {
        "user": address,
        "password": PASSWORD,
        "settings": (calendar.INSIDE / "radicale.conf").read_text(),
        "calendars": [calendar.pack_calendar(title, listed, there=True) for title, listed in (events or {}).items()],
    }
    run_inside(context, calendar.INSIDE / "calendar_server.py", plan, root=True)


def _find(name: str, made_from: str) -> Path:
    if not NAME.fullmatch(name):
        raise SpecError(f"{name!r} is no world", remedy="see `proctor worlds list`")
    folder = data_folder() / "worlds" / name
    try:
        about: dict[str, Any] = json.loads((folder / "world.json").read_text())
    except (OSError, ValueError) as error:
        raise SpecError(f"the world {name!r} is not built", remedy=f"proctor worlds build {name}") from error
    if not str(about.get("sources", "")).startswith(made_from):
        raise SpecError(f"the world {name!r} is out of date", remedy=f"proctor worlds build {name}")
    return folder


def _unpack(context: SetupContext, source: Path, target: str, *, root: bool) -> None:
    """Put everything in a folder of ours into one inside, with its times."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(source, arcname=".", filter=_without_owner)
    script = 'mkdir -p "$0" && exec tar -x --no-same-owner --no-overwrite-dir -C "$0"'
    context.command(["sh", "-c", script, target], root=root, input=packed.getvalue())


def _without_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member
