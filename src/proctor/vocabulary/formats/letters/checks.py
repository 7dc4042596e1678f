"""Checks on letters in files, and on the rules by which mail programs sort them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from proctor.tasks.findings import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short
from proctor.vocabulary.formats.visible import Look

FilterRule = dict[str, str | list[str]]
_LINE = re.compile(r'^(\w+)="(.*)"\s*$', re.MULTILINE)
_CONDITION = re.compile(r"(?:AND|OR) \((?:[^()\"\\]|\\.|\"(?:[^\"\\]|\\.)*\")*\)|\bALL\b")


@CHECKS.register
def mail_filters_agree(
    of: Seen, expect: list[FilterRule] | None = None, unexpect: list[FilterRule] | None = None
) -> Finding:
    """Thunderbird's filters, read from their file, contain each of these and none of those.

    A filter is given by what its lines say: `enabled`, `action`, `actionValue`, `condition` as a list.
    """
    held = list(_filters(of["text"]))
    missing = [f"{of['path']} has no filter {_rule_text(rule)}." for rule in expect or () if not _any_fits(held, rule)]
    return unless(
        missing
        + [f"{of['path']} has the filter {_rule_text(rule)}." for rule in unexpect or () if _any_fits(held, rule)]
    )


@CHECKS.register
def same_letters_kept(of: Seen, other: Seen, struck: bool = False, twice: bool = False) -> Finding:
    """A folder of a mail program has the emails of another; deleted ones count with `struck`.

    How often the same letter is there counts with `twice`.
    """
    mine, theirs = (Counter(_letters(each, struck)) for each in (of, other))
    if not twice:
        mine, theirs = Counter(set(mine)), Counter(set(theirs))
    problems = [f"{of['path']} lacks the letter {short(each[0])}." for each in (theirs - mine).elements()]
    return unless(
        problems + [f"{of['path']} should not hold the letter {short(each[0])}." for each in (mine - theirs).elements()]
    )


@CHECKS.register
def letter_reads(
    of: Seen,
    to: str = "",
    subject: str | None = None,
    body: str | None = None,
    how: Literal["equals", "contains"] = "equals",
    blanks: bool = True,
    files: list[str] | None = None,
) -> Finding:
    """An email to someone has this text; `files` are the SHA-256 of all its attachments."""
    problems = [f"The letter does not go to {to}."] * (bool(to) and to.lower() not in of["to"])
    if subject is not None and _plain(of["subject"], blanks) != _plain(subject, blanks):
        problems.append(f"The subject of the letter is {short(of['subject'])}, expected {short(subject)}.")
    if body is not None:
        held, wanted = _plain(of["text"], blanks), _plain(body, blanks)
        if held != wanted if how == "equals" else wanted not in held:
            problems.append(f"The letter does not say {short(body)}.")
    found = sorted(each["sha256"] for each in of["attachments"])
    if files is not None and found != sorted(files):
        problems.append(f"The letter has {len(found)} files with it, not those that are expected.")
    return unless(problems)


def _filters(text: str) -> Iterator[dict[str, list[str]]]:
    """Yield the filters in a file of Thunderbird's, by what their lines say."""
    found: dict[str, list[str]] = {}
    for key, value in _LINE.findall(text):
        if key == "name" and "name" in found:
            yield found
            found = {}
        plain = value.replace('\\"', '"')
        found.setdefault(key, []).extend(_CONDITION.findall(plain) if key == "condition" else [plain])
    if "name" in found:
        yield found


def _any_fits(held: list[dict[str, list[str]]], rule: FilterRule) -> bool:
    wanted = {key: sorted(value) if isinstance(value, list) else [value] for key, value in rule.items()}
    return any(all(sorted(each.get(key, ())) == value for key, value in wanted.items()) for each in held)


def _rule_text(rule: FilterRule) -> str:
    return short(", ".join(f"{key} {value}" for key, value in rule.items()))


def _letters(of: Look, struck: bool) -> Iterator[tuple[str, ...]]:
    for each in of["letters"]:
        if struck or not each["struck"]:
            yield _key(each)


def _key(letter: Look) -> tuple[str, ...]:
    brought = ",".join(sorted(f"{each['name']} {each['sha256']}" for each in letter["attachments"]))
    people = ",".join([*letter["from"], *letter["to"], *letter["cc"]])
    return str(letter["subject"]), str(letter["id"]), people, " ".join(str(letter["text"]).split()), brought


def _plain(text: str, blanks: bool) -> str:
    return text.replace("\r\n", "\n").strip() if blanks else " ".join(text.split())
