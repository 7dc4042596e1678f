"""What happens while somebody is at work, and how it is noticed."""

from __future__ import annotations

from proctor.suites.parts.post import Owner
from proctor.tasks.call import Call
from proctor.tasks.events import Event, When
from proctor.tasks.shelves import expect, make, see

SHOWN_SEC = 20.0
"""How long a notification stays on the screen."""


def happens(name: str, once: Call, *steps: Call) -> Event:
    """Return an event that comes once a check holds; the verdict depends on it."""
    return Event(name=name, do=steps, when=When(check=once), needed=True)


def is_open(title: str) -> Call:
    """Return the check that a window with this in its title is open."""
    return expect.window_open(see.windows(), title)


def is_edited(path: str, before: str) -> Call:
    """Return the check that a text is being changed: in Mousepad, or in the file itself."""
    name = path.rpartition("/")[2].replace(".", "\\.")
    return expect.any_of(
        [
            is_open(f"/^\\*.*{name} - Mousepad/"),
            expect.none_of([expect.text_is(see.text(path), before)], "It is as it was."),
        ]
    )


def shared_notice(what: str) -> Call:
    """Return the step that shows what somebody did in a shared folder."""
    return make.notification("Shared folder", what, SHOWN_SEC)


def letter_arrives(owner: Owner, letter: dict[str, str]) -> tuple[Call, Call]:
    """Return the steps that deliver a letter and show that it is there."""
    sender = letter["from"].partition(" <")[0]
    said = make.notification("New email", f"{sender}: {letter['subject']}", SHOWN_SEC)
    return make.mail_delivered(owner.address, [letter]), said


def says(who: str, where: str, text: str) -> tuple[Call, Call]:
    """Return the steps by which somebody says something in a chat, and it shows."""
    said = make.chat_say([{"who": who, "to": where, "text": text}])
    return said, make.notification(where, f"{who}: {text}", SHOWN_SEC)
