"""Moves in Thunderbird that the mail and calendar tasks share."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.tasks.call import Call
from proctor.tasks.shelves import hand

START, END = ({"role": "section", "name": title} for title in ("Start:", "End:"))
OPEN_CALENDAR = (
    hand.click("Calendar (Ctrl+3)", role="push button"),
    hand.await_element("New Event", role="push button"),
)


def open_letter(subject: str) -> tuple[Call, ...]:
    """Click a letter in the list and wait until it is shown."""
    return (hand.click(subject, role="table row"), hand.await_element(subject, role="document web"))


def reply(
    text: str, *, keys: str = "ctrl+r", button: str = "", below: bool = False, alone: bool = False
) -> tuple[Call, ...]:
    """Answer the letter that is shown: above what is quoted, below it, or without it."""
    begin = hand.click(button, role="push button") if button else hand.press(keys)
    end = (hand.press("ctrl+End"), hand.press("Return")) if below else ()
    all_of_it = (hand.press("ctrl+a"),) if alone else ()
    return (begin, hand.await_window("Write: Re:"), *into_body(), *end, *all_of_it, hand.type(text), *send())


def forward(address: str) -> tuple[Call, ...]:
    """Pass on the letter that is shown, without sending it yet."""
    return (hand.press("ctrl+l"), hand.await_window("Write: Fwd:"), *address_to([address]))


def send() -> tuple[Call, ...]:
    """Send the letter that is being written."""
    return (hand.press("ctrl+Return"), hand.await_window("Write:", gone=True))


def write(to: Sequence[str], subject: str, text: str) -> tuple[Call, ...]:
    """Write a new letter, without sending it yet."""
    return (
        hand.press("ctrl+n"),
        hand.await_window("Write:"),
        *address_to(to),
        hand.type_into(subject, "Subject", role="entry", window="Write:"),
        *into_body(),
        hand.type(text),
    )


def address_to(to: Sequence[str]) -> tuple[Call, ...]:
    """Say who the letter that is being written goes to."""
    entered = (move for address in to for move in (hand.type(address), hand.press("Return")))
    return (hand.click("/^To/", role="entry", window="Write:"), *entered)


def into_body() -> tuple[Call, ...]:
    """Go to the beginning of the text of the letter that is being written."""
    # The window is there before its text takes the keys; below the text a click is in no word.
    return (
        hand.click("Message body", role="document web", window="Write:", at=(0.5, 0.9)),
        hand.press("ctrl+Home"),
    )


def attach(path: str) -> tuple[Call, ...]:
    """Attach a file to the letter that is being written."""
    return (
        hand.press("ctrl+shift+a"),
        hand.await_element("Attach File(s)", role="file chooser"),
        hand.type(path),
        hand.press("Return"),
        hand.await_element("Attach File(s)", role="file chooser", gone=True),
    )


def save_attachment(path: str) -> tuple[Call, ...]:
    """Save the one file that came with the letter that is shown."""
    return (
        hand.click("Save", role="push button", window="Inbox"),
        hand.await_element("Save Attachment", role="file chooser"),
        hand.press("ctrl+a"),
        hand.type(path),
        hand.press("Return"),
        hand.await_file(path),
    )


def move_letter(subject: str) -> tuple[Call, ...]:
    """Move a letter through its menu into the last folder of the account, which is the user's own."""
    return (
        hand.click(subject, role="table row", button="right"),
        hand.await_element("Move To", role="menu"),
        hand.press("m"),
        hand.press("Down", times=2),
        hand.press("Right"),
        hand.press("Up"),
        hand.press("Return"),
        hand.await_element(subject, role="table row", gone=True),
    )


def delete_letter(subject: str) -> tuple[Call, ...]:
    """Delete a letter."""
    return (*open_letter(subject), hand.press("Delete"), hand.await_element(subject, role="table row", gone=True))


def empty_inbox() -> tuple[Call, ...]:
    """Delete every letter of the folder that is shown."""
    return (
        hand.click(role="table row", nth=0),
        hand.press("ctrl+a"),
        hand.press("Delete"),
        hand.await_element(role="table row", gone=True),
    )


def new_event(
    title: str,
    day: str,
    start: str,
    end: str,
    *,
    place: str = "",
    more: Sequence[Call] = (),
) -> tuple[Call, ...]:
    """Enter an event in the calendar that is chosen; `day` is `3/17/26`."""
    located = (hand.type_into(place, "Location:", role="entry"),) if place else ()
    return (
        hand.press("ctrl+i"),
        hand.await_window("New Event:"),
        hand.await_element("Title:", role="entry", timeout_sec=40),
        hand.type(title),
        *located,
        *times(day, start, end),
        *more,
        hand.click("Save and Close"),
        hand.await_window("New Event:", gone=True),
    )


def times(day: str, start: str, end: str) -> tuple[Call, ...]:
    """Enter day, start and end of the event that is being edited."""
    return (
        hand.type_into(day, role="entry", within=START, nth=0),
        hand.press("Tab"),
        hand.type_into(start, role="entry", within=START, nth=1),
        hand.press("Tab"),
        hand.type_into(end, role="entry", within=END, nth=1),
        hand.press("Tab"),
    )


def edit_event(title: str, row: str) -> tuple[Call, ...]:
    """Open the first event found in the next seven days for editing; `row` is a pattern of its line."""
    return (
        hand.type_into(title, "contain", role="entry"),
        hand.click(row, role="table row", count=2),
        hand.click("Edit", role="push button", window=title, timeout_sec=20),
        hand.await_window("Edit Event"),
        hand.await_element("Title:", role="entry", timeout_sec=40),
    )


def save_event() -> tuple[Call, ...]:
    """Save the event that is being edited."""
    return (hand.click("Save and Close"), hand.await_window("Edit Event", gone=True))


def delete_event(title: str, row: str) -> tuple[Call, ...]:
    """Delete an event of the next seven days and say yes to the question."""
    return (
        hand.type_into(title, "contain", role="entry"),
        hand.click(row, role="table row"),
        hand.press("Delete"),
        hand.click("Yes", role="push button", window="Delete Event"),
        hand.await_window("Delete Event", gone=True),
    )


def run_program(command: str, window: str) -> tuple[Call, ...]:
    """Start a program by its name, as with Alt+F2 and a command line."""
    return (
        hand.press("alt+F2"),
        hand.await_window("Application Finder"),
        hand.type(f"{command}\n"),
        hand.await_window(window),
    )
