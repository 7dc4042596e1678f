"""What other mail and calendar programs would do, as Python code that speaks to the services."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from datetime import date

from proctor.suites.parts.post import Owner


def in_mailbox(owner: Owner, *lines: str) -> str:
    """Return code that opens the inbox as `box` and runs lines with a letter's `named(subject)`."""
    return textwrap.dedent(f"""\
        import imaplib
        box = imaplib.IMAP4("localhost")
        box.login({owner.address!r}, {owner.password!r})
        box.select("INBOX")
        def named(subject):
            return box.search(None, "SUBJECT", '"%s"' % subject)[1][0].split()[0]
        """) + "".join(f"{line}\n" for line in (*lines, "box.logout()"))


def star(*subjects: str) -> list[str]:
    """Return the lines that star letters."""
    return [f"box.store(named({subject!r}), '+FLAGS', '\\\\Flagged')" for subject in subjects]


def move(folder: str, *subjects: str) -> list[str]:
    """Return the lines that move letters from the inbox to a folder."""
    moved = []
    for subject in subjects:
        moved += [f"number = named({subject!r})", f"box.copy(number, {folder!r})"]
        moved += ["box.store(number, '+FLAGS', '\\\\Deleted')", "box.expunge()"]
    return moved


def copy(folder: str, *subjects: str) -> list[str]:
    """Return the lines that copy letters from the inbox to a folder."""
    return [f"box.copy(named({subject!r}), {folder!r})" for subject in subjects]


def delete(*subjects: str) -> list[str]:
    """Return the lines that delete letters for good."""
    gone = [f"box.store(named({subject!r}), '+FLAGS', '\\\\Deleted')" for subject in subjects]
    return [*gone, "box.expunge()"]


def post(
    owner: Owner,
    to: Sequence[str],
    subject: str,
    text: str,
    *,
    answers: str = "",
    forwards: Sequence[str] = (),
    html: bool = False,
) -> str:
    """Return code that sends a letter: an answer to another one, or with letters of the inbox."""
    lines = [
        "import email, email.policy, smtplib",
        "from email.message import EmailMessage",
        "letter = EmailMessage()",
        f"letter['From'], letter['To'], letter['Subject'] = {owner.in_letters!r}, {', '.join(to)!r}, {subject!r}",
        f"letter.set_content({text!r}, subtype={'html' if html else 'plain'!r})",
    ]
    lines += [f"letter['In-Reply-To'] = letter['References'] = '<{answers}>'"] if answers else []
    for each in forwards:
        lines += [
            f"held = box.fetch(named({each!r}), '(RFC822)')[1][0][1]",
            "letter.add_attachment(email.message_from_bytes(held, policy=email.policy.default))",
        ]
    lines += ["office = smtplib.SMTP('localhost', 587)", f"office.login({owner.address!r}, {owner.password!r})"]
    return in_mailbox(owner, *lines, "office.send_message(letter)", "office.quit()")


def enter(owner: Owner, calendar: str, title: str, day: date, start: str, end: str, place: str = "", *more: str) -> str:
    """Return code that puts an event into a calendar.

    `more` are lines of it, such as `RRULE:FREQ=DAILY`.
    """
    stamps = [f"{day:%Y%m%d}T{time.replace(':', '')}00Z" for time in (start, end)]
    located = [f"LOCATION:{place}"] if place else []
    uid = "-".join([*title.lower().split(), stamps[0].lower()])
    held = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//EN", "BEGIN:VEVENT", f"UID:{uid}"]
    held += ["DTSTAMP:20260312T090000Z", f"SUMMARY:{title}", f"DTSTART:{stamps[0]}", f"DTEND:{stamps[1]}"]
    held += [*located, *more, "END:VEVENT", "END:VCALENDAR", ""]
    text = "\r\n".join(held)
    return _in_calendar(owner, calendar) + f"asked('PUT', '{uid}.ics', {text!r})\n"


def drop(owner: Owner, calendar: str, title: str, day: date | None = None) -> str:
    """Return code that deletes the events of a title (and a day)."""
    stamp = f"{day:%Y%m%d}" if day else ""
    return _in_calendar(owner, calendar) + textwrap.dedent(f"""\
        for part in asked("GET", "").split("BEGIN:VEVENT")[1:]:
            if "SUMMARY:{title}\\r" in part and "DTSTART:{stamp}" in part:
                asked("DELETE", part.split("UID:")[1].split()[0] + ".ics")
        """)


def _in_calendar(owner: Owner, calendar: str) -> str:
    return textwrap.dedent(f"""\
        import base64, urllib.request
        word = base64.b64encode(b"{owner.address}:{owner.password}").decode()
        def asked(method, name, data=None):
            to = "http://localhost:5232/{owner.address}/{calendar.lower()}/" + name
            held = {{"Authorization": "Basic " + word, "Content-Type": "text/calendar"}}
            request = urllib.request.Request(to, data and data.encode(), held, method=method)
            return urllib.request.urlopen(request).read().decode()
        """)
