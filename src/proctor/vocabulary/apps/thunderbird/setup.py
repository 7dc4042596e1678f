"""Setup steps that configure Thunderbird for an account and for calendars, and open it."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from urllib.parse import quote

from proctor.computers.computer import Computer
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.services.calendar.setup import COLOURS, REALM, calendar_path
from proctor.vocabulary.services.calendar.setup import PORT as CALENDAR_PORT
from proctor.vocabulary.services.inside import run_inside
from proctor.vocabulary.services.mail.setup import AddressText

HERE = Path(__file__).parent
FOLDER = ".thunderbird"
PROFILE = f"{FOLDER}/main"
PROFILES = """[Profile0]
Name=main
IsRelative=1
Path=main
Default=1

[General]
StartWithLastProfile=1
Version=2

[InstallFDC34C9F024745EB]
Default=main
Locked=1
"""
"""Names the profile for the installation in /usr/lib/thunderbird, whose number is made from that path."""
WINDOW = {"chrome://messenger/content/messenger.xhtml": {"messengerWindow": {"sizemode": "maximized"}}}
STILL = {"widget.gtk.overlay-scrollbars.enabled": False, "ui.prefersReducedMotion": 1, "ui.caretBlinkTime": 0}
"""Nothing that fades or blinks, as in every other application here."""
PATIENCE_SEC = 60.0
NO_LETTERS = "No message found"
"""What stands in an empty folder in place of the list."""


@SETUP.register_before_use
def thunderbird(
    context: SetupContext,
    address: AddressText,
    password: str,
    person: str,
    calendars: list[str] | None = None,
    show: str = "mail",
) -> None:
    """Open Thunderbird, configured for a mail account and for calendars of the calendar service.

    The account's password is saved, and is the same for both services; `show` is `mail` or `calendar`.
    """
    titles = calendars or []
    computer = context.computer
    _configure(context, address, password, account_settings(address, person, titles))
    # Its window moves while it fetches the letters, so that waiting for the screen would take longer than for these.
    computer.launch(["thunderbird"], wait=False)
    computer.wait_for(_idle, what="Thunderbird at rest with its inbox", timeout_sec=PATIENCE_SEC)
    if show == "calendar":
        computer.locate(role="push button", name="Calendar (Ctrl+3)").click()
        computer.locate(role="push button", name="New Event").wait(PATIENCE_SEC)
    if titles:
        computer.wait_for(partial(_has_fetched, titles=titles), what="the calendars' events", timeout_sec=PATIENCE_SEC)
    computer.settle()


@SETUP.register_before_use
def thunderbird_account(context: SetupContext, address: AddressText, password: str, person: str) -> None:
    """Configure Thunderbird for a mail account, its password saved, without opening it.

    All letters, arrived and sent, stand in one list, newest first.
    """
    inbox = f"imap://{quote(address, safe='')}@localhost/INBOX"
    together = {
        "mail.identity.id1.fcc_folder": inbox,
        "mail.identity.id1.fcc_folder_picker_mode": "1",
        "mailnews.default_view_flags": 0,
        "mailnews.default_sort_order": 2,
    }
    _configure(context, address, password, {**_account(address, person), **together})


def _configure(context: SetupContext, address: str, password: str, settings: dict[str, object]) -> None:
    for path, text in profile_files(settings).items():
        context.computer.write_file(path, text.encode())
    places = ["imap://localhost", "smtp://localhost"]
    logins = [{"place": place, "realm": place, "user": address, "password": password} for place in places]
    server = f"http://localhost:{CALENDAR_PORT}"
    logins.append({"place": server, "realm": REALM, "user": address, "password": password})
    home = context.command(["sh", "-c", "pwd"]).stdout.strip()
    run_inside(
        context,
        HERE / "inside" / "thunderbird_logins.py",
        {"profile": f"{home}/{PROFILE}", "logins": logins},
        libraries="/usr/lib/thunderbird",
    )


def profile_files(settings: dict[str, object]) -> dict[str, str]:
    """Return the files of a profile with these settings, by their paths in the home folder."""
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in {**STILL, **settings}.items()]
    written = (HERE / "thunderbird.js").read_text() + "".join(lines)
    return {
        f"{PROFILE}/prefs.js": written,
        f"{FOLDER}/profiles.ini": PROFILES,
        f"{PROFILE}/xulstore.json": json.dumps(WINDOW),
    }


def account_settings(address: str, person: str, calendars: list[str]) -> dict[str, object]:
    """Return the settings of an account of the mail service and of calendars of the calendar service."""
    return {**_account(address, person), **_calendars(calendars, address)}


def _has_fetched(computer: Computer, titles: list[str]) -> bool:
    """Tell whether every calendar was asked for, and for its events where it has any."""
    # The service notes both.
    said = computer.run(
        ["sh", "-c", "cat /run/calendars/log; find /run/calendars/store -name '*.ics'"], root=True
    ).stdout
    for path in map(calendar_path, titles):
        asked = len(re.findall(rf'"REPORT /[^/]+/{path}/ ', said))
        if asked < (2 if f"/{path}/" in said.partition("/run/calendars/store")[2] else 1):
            return False
    return True


def _idle(computer: Computer) -> bool:
    """Tell whether the list of letters is there and the status line says nothing any more."""
    if not any(window.title.startswith("Inbox") for window in computer.windows()):
        return False
    nodes = [node for node in computer.tree().nodes if node.showing]
    said = [node.name for node in nodes if node.role == "label" and node.name.endswith("…")]
    return not said and any(node.role == "tree table" or NO_LETTERS in (node.name, node.text) for node in nodes)


def _account(address: str, person: str) -> dict[str, object]:
    server, post = "mail.server.server1", "mail.smtpserver.smtp1"
    return {
        "mail.account.account1.identities": "id1",
        "mail.account.account1.server": "server1",
        "mail.identity.id1.fullName": person,
        "mail.identity.id1.useremail": address,
        "mail.identity.id1.smtpServer": "smtp1",
        "mail.identity.id1.valid": True,
        f"{server}.type": "imap",
        f"{server}.hostname": "localhost",
        f"{server}.port": 143,
        f"{server}.userName": address,
        f"{server}.name": address,
        f"{server}.authMethod": 3,
        f"{server}.socketType": 0,
        "mail.smtpservers": "smtp1",
        "mail.smtp.defaultserver": "smtp1",
        f"{post}.hostname": "localhost",
        f"{post}.port": 587,
        f"{post}.authMethod": 3,
        f"{post}.try_ssl": 0,
        f"{post}.username": address,
    }


def _calendars(titles: list[str], address: str) -> dict[str, object]:
    settings: dict[str, object] = {}
    keys = [f"00000000-0000-4000-8000-{number:012}" for number in range(1, len(titles) + 1)]
    for number, (title, key) in enumerate(zip(titles, keys, strict=True)):
        prefix = f"calendar.registry.{key}"
        settings |= {
            f"{prefix}.type": "caldav",
            f"{prefix}.uri": f"http://localhost:{CALENDAR_PORT}/{address}/{calendar_path(title)}/",
            f"{prefix}.name": title,
            f"{prefix}.username": address,
            f"{prefix}.color": COLOURS[number % len(COLOURS)],
            # What is cached is first asked for a quarter of a minute after the start.
            f"{prefix}.cache.enabled": False,
            f"{prefix}.calendar-main-in-composite": True,
            f"{prefix}.calendar-main-default": number == 0,
            f"{prefix}.imip.identity.key": "id1",
        }
    if keys:
        settings["calendar.list.sortOrder"] = " ".join(keys)
    return settings
