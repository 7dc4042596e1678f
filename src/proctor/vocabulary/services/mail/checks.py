"""Checks on mailboxes, folders and letters that were sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from proctor.tasks.answers.acceptance import accepted_part, not_accepted
from proctor.tasks.answers.assertions import Assertions
from proctor.tasks.answers.letters import made_up_facts, wrong_counts
from proctor.tasks.answers.objections import objections
from proctor.tasks.answers.values import mentions, missing_words, sought
from proctor.tasks.compare import different_lines
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose, plain

Mark = Literal["read", "starred", "answered", "draft", "forwarded"]
Letter = Mapping[str, Any]


@CHECKS.register
def message_in(of: Seen, subject: str, sender: str = "", times: int = 1) -> Finding:
    """A folder has exactly this many emails with this subject (and sender), whatever their flags."""
    found = len(list(_letters_like(of, subject, sender)))
    wanted = "once" if times == 1 else f"{times} times"
    return right() if found == times else wrong(f"{_about(of, subject)} is there {found} times, expected {wanted}.")


@CHECKS.register
def no_message(of: Seen, subject: str, sender: str = "") -> Finding:
    """A folder has no email with this subject (and sender)."""
    found = len(list(_letters_like(of, subject, sender)))
    return wrong(f"{_about(of, subject)} is still there.") if found else right()


@CHECKS.register
def mailbox_holds(
    of: Seen, subjects: list[str], texts: dict[str, str] | None = None, files: dict[str, list[str]] | None = None
) -> Finding:
    """A folder has emails with exactly these subjects, in any order, whatever their flags.

    By subject, `texts` are what they say, and `files` the names of what came with them.
    """
    found, wanted = Counter(letter["subject"] for letter in of["letters"]), Counter(subjects)
    missing = [f"{_about(of, subject)} is missing." for subject in (wanted - found).elements()]
    extra = [f"{_about(of, subject)} should not be there." for subject in (found - wanted).elements()]
    other = [
        f"{_about(of, letter['subject'])} does not say what it said."
        for letter in of["letters"]
        if letter["subject"] in (texts or {}) and plain((texts or {})[letter["subject"]]) != plain(letter["text"])
    ]
    emptied = [
        f"{_about(of, letter['subject'])} no longer has its attachments."
        for letter in of["letters"]
        if letter["subject"] in (files or {}) and (files or {})[letter["subject"]] != _names(letter)
    ]
    return unless(missing + extra + other + emptied)


@CHECKS.register
def messages_marked(of: Seen, mark: Mark, subjects: list[str]) -> Finding:
    """Of all emails in a folder, exactly those with these subjects have a flag."""
    problems = [
        f"{_about(of, subject)} is not in the folder."
        for subject in set(subjects) - {letter["subject"] for letter in of["letters"]}
    ]
    for letter in of["letters"]:
        has, wanted = mark in letter["marks"], letter["subject"] in subjects
        if has != wanted:
            problems.append(f"{_about(of, letter['subject'])} is {'not ' if wanted else ''}{mark}.")
    return unless(problems)


@CHECKS.register
def mail_folder_exists(of: Seen, folder: str) -> Finding:
    """An account has a folder with exactly this name."""
    return right() if folder in of["folders"] else wrong(f"The account {of['account']} has no folder {folder!r}.")


@CHECKS.register
def nothing_sent(of: Seen) -> Finding:
    """No email was sent."""
    return unless(f"An email {letter['subject']!r} was sent to {_to(letter)}." for letter in of["letters"])


@CHECKS.register
def mail_sent(
    of: Seen,
    to: list[str],
    cc: list[str] | None = None,
    subject: str = "",
    says: list[str] | None = None,
    never: list[str] | None = None,
    holds: list[str] | None = None,
    attached: dict[str, str] | None = None,
    lacks: list[str] | None = None,
) -> Finding:
    """Exactly one email was sent, to exactly these people, and it satisfies the rest.

    `says` and `never` are about the letter's own words, `holds` also about what it quotes or forwards, and `lacks`
    about all of that and its files; `never` is not about what it declines ("Monday does not suit me"). Case, spacing
    and line breaks are ignored; figures, times and dates are found in any usual form, and only as a whole. `attached`
    gives the SHA-256 of each file by name, or an empty text where only its name counts.
    Any subject will do unless one is given.
    """
    if len(of["letters"]) != 1:
        return wrong(f"{len(of['letters'])} emails were sent, expected one.")
    (letter,) = of["letters"]
    told = words_beyond(letter, lacks or [])
    return unless([*letter_problems(letter, to, cc, subject, says, never, holds, attached), *told])


@CHECKS.register
def replied_to(
    of: Seen,
    id: str,
    to: list[str],
    says: list[str] | None = None,
    never: list[str] | None = None,
    accepts: list[str] | None = None,
    counts: dict[str, int] | None = None,
) -> Finding:
    """Exactly one letter was sent in reply to the one with this Message-ID, to exactly these people.

    Its words are judged as by `mail_sent`; what it `accepts` it says too, and does not decline. `counts` gives how many
    of something there are, by the words for it (`boxes|cartons`): where the letter says a number of those, it is this.
    """
    if len(of["letters"]) != 1:
        return wrong(f"{len(of['letters'])} emails were sent, expected one.")
    letter = of["letters"][0]
    problems = (
        [] if answered_by(letter) == id else [f"The email {letter['subject']!r} is not a reply to the right one."]
    )
    refused = not_accepted(letter["own"], accepts or [])
    problems += [f"The email {letter['subject']!r} does not accept {words!r}." for words in refused]
    for words in wrong_counts(letter["own"], counts or {}):
        number, name = (counts or {})[words], words.partition("|")[0]
        problems.append(f"The email {letter['subject']!r} does not say {number} of {name!r}.")
    return unless([*problems, *letter_problems(letter, to, None, "", says, never, None, None)])


@CHECKS.register
def letter_file_says(of: Seen, file: str, text: str) -> Finding:
    """Every sent file of this name has this text, whatever blanks end lines or text."""
    files = [found for letter in of["letters"] for found in letter["attachments"] if found["name"] == file]
    if not files:
        return wrong(f"No file {file!r} was sent.")
    if not all("text" in found for found in files):
        return wrong(f"The file {file!r} that was sent is not a short text.")
    label = f"The file {file!r} that was sent"
    return unless(line for found in files for line in different_lines(label, found["text"], text))


def words_beyond(letter: Letter, lacks: list[str]) -> list[str]:
    """Return what a letter or its files contain of what they should not."""
    files = "\n".join(file.get("text", "") for file in letter["attachments"])
    beyond = sorted(set(lacks) - set(missing_words(f"{whole_text(letter)}\n{files}", lacks)))
    return [f"The email {letter['subject']!r} contains {words!r} and should not." for words in beyond]


def letter_problems(
    letter: Letter,
    to: list[str],
    cc: list[str] | None,
    subject: str,
    says: list[str] | None,
    never: list[str] | None,
    holds: list[str] | None,
    attached: dict[str, str] | None,
) -> Iterator[str]:
    """Yield how a letter that was sent differs from what it should be."""
    label = f"The email {letter['subject']!r}"
    yield from not_from_its_account(letter)
    everybody = sorted({address.lower() for address in [*to, *(cc or [])]})
    if letter["recipients"] != everybody:
        yield f"{label} went to {_to(letter)}, expected {', '.join(everybody)}."
    if sorted(letter["cc"]) != sorted(cc or []):
        yield f"{label} has {', '.join(letter['cc']) or 'nobody'} in copy, expected {', '.join(cc or []) or 'nobody'}."
    if not letter["subject"].strip():
        yield f"An email to {_to(letter)} has no subject."
    if subject and loose(letter["subject"]) != loose(subject):
        yield f"{label} should have the subject {subject!r}."
    yield from (f"{label} {problem}" for problem in _not_said(letter["own"], says or []))
    yield from (f"{label} says {words!r} and should not." for words in _words_said(letter["own"], never or []))
    yield from (f"{label} does not hold {words!r}." for words in missing_words(whole_text(letter), holds or []))
    if holds and not missing_words(rest := _passed_on(letter), holds):
        made_up = made_up_facts(letter["own"], "\n".join([rest, *(says or [])]))
        yield from (f"{label} says {words!r}, which is not in what it passes on." for words in made_up)
    if attached is not None:
        yield from _wrong_files(label, letter["attachments"], attached)


def _not_said(own: str, says: list[str]) -> Iterator[str]:
    """Yield what a letter's own words do not assert, of what they should; `a|b` means either."""
    reading = Assertions(own)
    beside = [sought(way) for words in says for way in words.split("|")]
    for words in says:
        yield from min((objections(reading, sought(way), beside=beside) for way in words.split("|")), key=len)


def _words_said(own: str, never: list[str]) -> list[str]:
    """Return what a letter's own words say though they should not; what they decline does not count."""
    reading, taken = Assertions(own), accepted_part(own)
    # A day or an hour that it names in passing is no figure.
    return [
        words
        for words in sorted(never)
        if any(
            reading.tells(way) if (way := sought(each)).kind == "number" else mentions(taken, each)
            for each in words.split("|")
        )
    ]


def _passed_on(letter: Letter) -> str:
    """Return what a letter quotes, forwards or has with it, without its own words."""
    own = {plain(line) for line in letter["own"].splitlines() if line.strip()}
    return "\n".join(line for line in whole_text(letter).splitlines() if plain(line) not in own)


def not_from_its_account(letter: Letter) -> list[str]:
    """Return what is wrong with a letter that names another sender than the account it came from."""
    account = letter.get("account")
    if not account or (said := letter["from"]) == [account]:
        return []
    return [f"The email {letter['subject']!r} says it is from {', '.join(said) or 'nobody'}, not from {account}."]


def answered_by(letter: Letter) -> str:
    """Return the id of the letter that one answers, or of a thread's last where only that is named."""
    return str(letter["in_reply_to"] or "".join(list(letter.get("references", ()))[-1:]))


def whole_text(letter: Letter) -> str:
    """Return the text of a letter with that of letters inside it, which is another way to forward."""
    letters = [file for file in letter["attachments"] if is_letter(file)]
    inside = [file.get("text", "") for file in letters]
    return "\n".join([letter["subject"], letter["text"], *inside])


def is_letter(file: Letter) -> bool:
    """Tell whether an attachment is a letter, as mail programs attach it or as a file that holds one."""
    return bool(file["type"] == "message/rfc822" or file["name"].lower().endswith(".eml"))


def _wrong_files(label: str, found: list[Letter], wanted: Mapping[str, str]) -> Iterator[str]:
    names = Counter(file["name"] for file in found)
    for name in (names - Counter(list(wanted))).elements():
        yield f"{label} has the attachment {name!r} and should not."
    for name, digest in wanted.items():
        files = [file for file in found if file["name"] == name]
        if not files:
            yield f"{label} has no attachment {name!r}."
        elif digest and files[0]["sha256"] != digest:
            yield f"{label} has an attachment {name!r} with different content."


def _letters_like(of: Any, subject: str, sender: str) -> Iterator[Letter]:
    for letter in of["letters"]:
        if loose(letter["subject"]) == loose(subject) and (not sender or sender.lower() in letter["from"]):
            yield letter


def _names(letter: Letter) -> list[str]:
    return [file["name"] for file in letter["attachments"]]


def _about(of: Any, subject: str) -> str:
    label: str = of["mailbox"]
    return f"{label[:1].upper()}{label[1:]}: the email {subject!r}"


def _to(letter: Letter) -> str:
    return ", ".join(letter["recipients"]) or "nobody"
