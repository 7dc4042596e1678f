"""Checks on single letters among those that were sent, found by their subject, whatever else was sent."""

from __future__ import annotations

from typing import Any

from proctor.tasks.finding import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def letter_is(
    of: Seen,
    subject: str,
    to: list[str],
    lines: list[str] | None = None,
    files: list[str] | None = None,
    answers: str = "",
) -> Finding:
    """One letter with this subject was sent, to exactly these people, with these files and no others.

    Its own words, without what it quotes or forwards, are exactly these lines; blanks at their ends and empty lines do
    not matter, and without `lines` any words will do. `answers` is the subject of the letter that it must be a reply
    to, by its number rather than by its words.
    """
    found = _with_subject(of, subject)
    if len(found) != 1:
        return wrong(f"{len(found)} letters {subject!r} were sent, expected one.")
    (letter,) = found
    label = f"The letter {subject!r}"
    problems = []
    if letter["recipients"] != sorted({address.lower() for address in to}):
        problems.append(f"{label} went to {', '.join(letter['recipients']) or 'nobody'}, expected {', '.join(to)}.")
    if lines is not None and _lines(letter["own"]) != _lines("\n".join(lines)):
        problems.append(f"{label} says {' / '.join(_lines(letter['own']))!r}, expected {' / '.join(lines)!r}.")
    attached = sorted(file["name"] for file in letter["attachments"])
    if attached != sorted(files or []):
        problems.append(f"{label} has with it {', '.join(attached) or 'no file'}, expected {files or 'none'}.")
    if answers and not letter["in_reply_to"]:
        problems.append(f"{label} is no reply to {answers!r}.")
    return unless(problems)


@CHECKS.register
def letter_holds(of: Seen, subject: str, lines: list[str]) -> Finding:
    """One letter with this subject was sent that has each of these lines in it, be it quoted or forwarded."""
    found = _with_subject(of, subject)
    if len(found) != 1:
        return wrong(f"{len(found)} letters {subject!r} were sent, expected one.")
    held = [line.lstrip("> ") for line in _lines(found[0]["text"])]
    return unless(f"The letter {subject!r} does not have the line {line!r}." for line in lines if line not in held)


@CHECKS.register
def letter_brings(of: Seen, file: Seen, subject: str) -> Finding:
    """A letter with this subject was sent with a file that is equal, byte for byte, to this one (of `see.digest`)."""
    sent = {attached["sha256"] for letter in _with_subject(of, subject) for attached in letter["attachments"]}
    return right() if file["sha256"] in sent else wrong(f"No letter {subject!r} has {file['path']} with it as it is.")


def _with_subject(of: Any, subject: str) -> list[Any]:
    return [letter for letter in of["letters"] if _plain(letter["subject"]) == _plain(subject)]


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
