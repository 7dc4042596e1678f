"""Checks on what an archive holds."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from proctor.tasks.answers.assertions import Assertions
from proctor.tasks.answers.objections import objections
from proctor.tasks.answers.values import mentions, sought
from proctor.tasks.compare import different_lines
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short
from proctor.vocabulary.formats.visible import Look


@CHECKS.register
def archive_format(of: Seen, form: str) -> Finding:
    """An archive has this format, whatever its name: `zip`, `tar`, `tar.gz`, `tar.bz2`, `tar.xz`."""
    return right() if of["format"] == form else wrong(f"{of['path']} is a {of['format']} archive, expected {form}.")


@CHECKS.register
def archive_holds(
    of: Seen,
    files: Annotated[dict[str, str | None], Field(min_length=1)],
    exactly: bool = True,
    top: str = "",
    flat: bool = False,
) -> Finding:
    """An archive holds these files with these texts (None: any), and nothing else if `exactly`.

    Ignores folders, order and packing. With `top`, a folder of that name may stand above the files, within whichever
    others, or above some of them, or be missing: what counts is what unpacking it brings. One that is to be `flat` has
    no folders in it, empty ones included. Texts are compared as by `text_is`.
    """
    folders = [member["name"] for member in of["members"] if member["kind"] == "folder" and member["name"] != "."]
    surplus = [f"{of['path']} should not hold the folder {name}." for name in folders] if flat else []
    return unless([*_different_members(of, files, exactly, top), *surplus])


@CHECKS.register
def same_archive(of: Seen, other: Seen, names_only: bool = False, besides: list[str] | None = None) -> Finding:
    """An archive has the files of another, byte for byte, or `names_only`; folders do not count.

    Of files whose names end as in `besides` only the names are compared.
    """
    mine, theirs = (
        {each["name"]: each for each in side["members"] if each["kind"] != "folder"} for side in (of, other)
    )
    problems = [f"{of['path']} does not hold {name}." for name in sorted(theirs.keys() - mine.keys())]
    problems += [f"{of['path']} should not hold {name}." for name in sorted(mine.keys() - theirs.keys())]
    loose = tuple(besides or ())
    if not theirs:
        problems.append(f"{other['path']} holds nothing to compare with.")
    return unless(
        problems
        + [
            f"{name} in {of['path']} is not what it should be."
            for name in sorted(mine.keys() & theirs.keys())
            if not names_only and not (loose and name.lower().endswith(loose)) and not _equal(mine[name], theirs[name])
        ]
    )


@CHECKS.register
def archive_lacks(of: Seen, names: Annotated[list[str], Field(min_length=1)]) -> Finding:
    """An archive has no members with these names, in any folder."""
    wanted = set(names)
    found = [member["name"] for member in of["members"] if member["name"].rpartition("/")[2] in wanted]
    return unless(f"{of['path']} should not hold {name}." for name in found)


@CHECKS.register
def archive_member_is(of: Seen, name: str, text: str) -> Finding:
    """One member of an archive has this text, compared as by `text_is`."""
    return unless(_different_members(of, {name: text}, False, ""))


@CHECKS.register
def archive_member_line(
    of: Seen, name: str, words: Annotated[list[str], Field(min_length=1)], not_any_of: list[str] | None = None
) -> Finding:
    """One member of an archive is a line with these whole words, in any case, and no wrong ones.

    What else the line says does not matter unless it denies them.
    """
    found = [member for member in of["members"] if member["name"].rpartition("/")[2] == name and "text" in member]
    if len(found) != 1:
        return wrong(f"{of['path']} holds {len(found)} short texts {name}, expected one.")
    lines = [line for line in found[0]["text"].splitlines() if line.strip()]
    said, label = " ".join(lines), f"{name} in {of['path']}"
    problems = [f"{label} has {len(lines)} lines, expected one."] if len(lines) != 1 else []
    reading, wanted = Assertions(said), [sought(word) for word in words]
    problems += [f"{label} {each}" for one in wanted for each in objections(reading, one, beside=wanted)]
    return unless(problems + [f"{label} says '{word}' too." for word in not_any_of or () if mentions(said, word)])


def _files_by_name(of: Look) -> dict[str, Look]:
    return {each["name"]: each for each in of["members"] if each["kind"] != "folder"}


def _equal(one: Look, two: Look) -> bool:
    known = [each.get("digest") or each.get("target") for each in (one, two)]
    return one["kind"] == two["kind"] and known[0] is not None and known[0] == known[1]


def _different_members(of: dict[str, Any], files: dict[str, str | None], exactly: bool, top: str) -> Iterator[str]:
    path = of["path"]
    if exactly and of.get("comment"):
        yield f"{path} has a comment in it, {short(of['comment'])}."
    if exactly and of.get("unlisted"):
        yield f"{path} still has {of['unlisted']} bytes in it that are on no list."
    listed = [member for member in of["members"] if member["kind"] != "folder"]
    names = _below(top, [member["name"] for member in listed])
    found = dict(zip(names, listed, strict=True))
    for name, times in Counter(names).items():
        if times > 1:
            yield f"{path} holds {name} {times} times."
    for name, text in files.items():
        if name not in found:
            yield f"{path} does not hold {name}."
        else:
            yield from _different_member(path, name, found[name], text)
    if exactly:
        yield from (f"{path} should not hold {name}." for name in sorted(found.keys() - files.keys()))


def _different_member(path: str, name: str, member: dict[str, Any], text: str | None) -> Iterator[str]:
    label = f"{name} in {path}"
    if member["kind"] != "file":
        yield f"{label} is a {member['kind']}, not a file."
    elif member.get("locked"):
        yield f"{label} is locked with a password."
    elif text is not None and "text" not in member:
        yield f"{label} is not a short text."
    elif text is not None:
        yield from different_lines(label, member["text"], text)


def _below(top: str, names: list[str]) -> list[str]:
    """Return the names as they stand below the folder that was packed, or that all of them lie in."""
    if not top:
        return names
    shared = posixpath.commonpath([posixpath.dirname(name) for name in names]) if names else ""
    return [_inside(top, shared, name) for name in names]


def _inside(top: str, shared: str, name: str) -> str:
    folders = name.split("/")[:-1]
    if top in folders:
        return "/".join(name.split("/")[folders.index(top) + 1 :])
    return name.removeprefix(f"{shared}/") if shared else name
