"""Checks on single letters among those that were sent, found by their subject."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose, plain
from proctor.vocabulary.services.mail.checks import (
    answered_by,
    is_letter,
    letter_problems,
    not_from_its_account,
    whole_text,
)

MOST_SIGNED = 4
"""Lines of a signature, which stands below two dashes."""
_GREETING = re.compile(r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))(?: [\w'.-]+){0,3}[,!:]?")
_FAREWELL = re.compile(
    r"(?:(?:with )?(?:best|kind|kindest|warm) (?:regards|wishes)|regards|best|cheers|thanks|many thanks|thank you|"
    r"(?:yours )?sincerely|yours|yours (?:truly|faithfully)|see you(?: soon)?)[,.!]?"
)


@CHECKS.register
def letter_is(
    of: Seen,
    subject: str,
    to: list[str] | None = None,
    lines: list[str] | None = None,
    files: list[str] | None = None,
    letters: bool = False,
    courtesy: bool = False,
) -> Finding:
    """One email with this subject was sent, to exactly these people, with these lines and files.

    Its own words count, without what it quotes or forwards and without a signature below two dashes; blanks at the
    ends of lines and empty lines do not matter. What is not given may be anything, but for files: without them none
    came with it. With `letters`, whole letters may, which is another way to forward them. With `courtesy`, a greeting
    above the lines and a farewell with the writer's name below them do not count, nor does the sign at their end.
    """
    found = _with_subject(of, subject)
    if len(found) != 1:
        return _not_one(found, subject)
    (letter,) = found
    label = f"The email {subject!r}"
    problems = not_from_its_account(letter)
    if to is not None and letter["recipients"] != sorted({address.lower() for address in to}):
        problems.append(f"{label} went to {', '.join(letter['recipients']) or 'nobody'}, expected {', '.join(to)}.")
    said, wanted = _without_signature(_lines(letter["own"])), _lines("\n".join(lines or []))
    same = said == wanted or (courtesy and _without_stops(_plainly(said, letter["sender"])) == _without_stops(wanted))
    if lines is not None and not same:
        problems.append(f"{label} says {' / '.join(said)!r}, expected {' / '.join(lines)!r}.")
    attached = sorted(file["name"] for file in letter["attachments"] if not (letters and is_letter(file)))
    if attached != sorted(files or []):
        expected = _list_files(sorted(files or []))
        problems.append(f"{label} has the attachments: {_list_files(attached)}; expected: {expected}.")
    return unless(problems)


@CHECKS.register
def mail_to(
    of: Seen,
    to: list[str],
    cc: list[str] | None = None,
    says: list[str] | None = None,
    never: list[str] | None = None,
    holds: list[str] | None = None,
    attached: dict[str, str] | None = None,
    about: str = "",
    brings: Seen = None,
) -> Finding:
    """Of all emails that were sent, exactly one went to exactly these people, and it satisfies the rest.

    It is judged as by `mail_sent`; with `brings` it has a file equal to this one (of `see.digest`) with it. Where
    `about` is given, only those count that have one of its words (`rent|flat`) in their subject or text.
    """
    everybody = sorted({address.lower() for address in [*to, *(cc or [])]})
    found = [
        letter
        for letter in of["letters"]
        if letter["recipients"] == everybody
        and (not about or any(loose(word) in loose(whole_text(letter)) for word in about.split("|")))
    ]
    if len(found) != 1:
        what = f" about {about.replace('|', ' or ')}" if about else ""
        return wrong(f"{len(found)} emails were sent to {', '.join(everybody)}{what}, expected one.")
    (letter,) = found
    problems = [*letter_problems(letter, to, cc, "", says, never, holds, attached)]
    if brings is not None and brings["sha256"] not in {file["sha256"] for file in letter["attachments"]}:
        problems.append(f"The email {letter['subject']!r} does not have {brings['path']} with it as it is.")
    return unless(problems)


@CHECKS.register
def only_mail_to(of: Seen, people: list[str]) -> Finding:
    """No email was sent to anybody but these people."""
    known = {address.lower() for address in people}
    return unless(
        f"The email {letter['subject']!r} went to {', '.join(sorted(others))}, who should get none."
        for letter in of["letters"]
        if (others := set(letter["recipients"]) - known)
    )


@CHECKS.register
def no_mail_lost(of: Seen) -> Finding:
    """Every email that a world began with is still in some folder other than the trash (of `see.lost_mail`)."""
    return unless(f"The email {letter['subject']!r} of {letter['folder']} is gone." for letter in of["lost"])


@CHECKS.register
def letters_sent(of: Seen, count: Annotated[int, Field(ge=0)]) -> Finding:
    """This many emails were sent in all, whatever they are."""
    found = [letter["subject"] for letter in of["letters"]]
    listed = f": {', '.join(map(repr, found))}" if found else ""
    return right() if len(found) == count else wrong(f"{len(found)} emails were sent{listed}; expected {count}.")


@CHECKS.register
def letter_answers(of: Seen, mailbox: Seen, subject: str, answered: str) -> Finding:
    """An email with this subject was sent in reply to the one with that subject in a mailbox.

    It went to whom that one is from, and to nobody else; an answer to a letter of one's own goes where that went.
    """
    known = {letter["id"]: letter for letter in _with_subject(mailbox, answered) if letter["id"]}
    answers = [letter for letter in _with_subject(of, subject) if answered_by(letter) in known]
    if not answers:
        return wrong(f"No email {subject!r} answers the email {answered!r}.")
    if any(_goes_back(letter, known[answered_by(letter)]) for letter in answers):
        return right()
    went = ", ".join(answers[0]["recipients"]) or "nobody"
    return wrong(f"The email {subject!r} went to {went}, not to whom the email {answered!r} is from.")


@CHECKS.register
def letter_holds(of: Seen, subject: str, lines: list[str]) -> Finding:
    """An email with this subject has each of these lines, even if quoted, forwarded or attached."""
    found = _with_subject(of, subject)
    if len(found) != 1:
        return _not_one(found, subject)
    inside = [file.get("text", "") for file in found[0]["attachments"] if is_letter(file)]
    held = _without_quotes("\n".join([found[0]["text"], *inside]))
    missing = [line for line in lines if not set(_without_quotes(line)) <= set(held)]
    return unless(f"The email {subject!r} does not have the line {line!r}." for line in missing)


@CHECKS.register
def letter_brings(of: Seen, file: Seen, subject: str) -> Finding:
    """An email with this subject was sent with a file equal to this one (of `see.digest`)."""
    sent = {attached["sha256"] for letter in _with_subject(of, subject) for attached in letter["attachments"]}
    return right() if file["sha256"] in sent else wrong(f"No email {subject!r} has {file['path']} attached unchanged.")


def _goes_back(answer: Any, answered: Any) -> bool:
    """Tell whether an answer goes to whom a letter is from, or, to oneself, where it went."""
    senders, receivers = ({address.lower() for address in answered[key]} for key in ("from", "to"))
    return set(answer["recipients"]) == (senders - {answer["sender"]} or receivers)


def _with_subject(of: Any, subject: str) -> list[Any]:
    return [letter for letter in of["letters"] if loose(letter["subject"]) == loose(subject)]


def _not_one(found: list[object], subject: str) -> Finding:
    return wrong(f"{len(found)} emails {subject!r} were sent, expected one.")


def _list_files(names: list[str]) -> str:
    return ", ".join(names) or "no file"


def _without_quotes(text: str) -> list[str]:
    return [line.lstrip("> ") for line in _lines(text)]


def _without_signature(lines: list[str]) -> list[str]:
    mark = lines.index("--") if "--" in lines else len(lines)
    return lines[:mark] if len(lines) - mark - 1 <= MOST_SIGNED else lines


def _plainly(lines: list[str], sender: str) -> list[str]:
    """Return what a letter says between a greeting, or its beginning, and a farewell, or its end."""
    names = set(re.split(r"[^a-z]+", sender.partition("@")[0].lower()))
    said = lines[1:] if lines and _GREETING.fullmatch(lines[0].lower()) else list(lines)
    if len(said) > 1 and set(said[-1].lower().rstrip(".,").split()) <= names:
        said.pop()
    if len(said) > 1 and _FAREWELL.fullmatch(said[-1].lower()):
        said.pop()
    return said


def _without_stops(lines: list[str]) -> list[str]:
    return [line.rstrip(".! ") for line in lines]


def _lines(text: str) -> list[str]:
    return [plain(line) for line in text.splitlines() if line.strip()]
