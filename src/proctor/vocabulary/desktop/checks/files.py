"""Checks on plain files and folders."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.tasks.findings import Fault, Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def file_exists(of: Seen) -> Finding:
    """There is a regular file at the path."""
    return _is(of, "file")


@CHECKS.register
def folder_exists(of: Seen) -> Finding:
    """There is a folder at the path."""
    return _is(of, "folder")


@CHECKS.register_for_faults
def nothing_there(of: Seen) -> Finding:
    """There is nothing at a path, or no longer."""
    if isinstance(of, Fault):
        return right() if of.kind == "absent" else wrong(f"{of.why}.")
    return wrong(f"{of['path']} is still there.")


@CHECKS.register
def size_between(of: Seen, least: Annotated[int, Field(ge=0)], most: int) -> Finding:
    """A file has a number of bytes in a range, both ends included."""
    size = of["size"]
    return right() if least <= size <= most else wrong(f"{of['path']} has {size} bytes, expected {least} to {most}.")


@CHECKS.register
def is_executable(of: Seen) -> Finding:
    """The owner may run a file, and read it: a script that cannot be read cannot be run."""
    needed = ((0o100, "run"), (0o400, "read"))
    return unless(f"{of['path']} may not be {done}." for bit, done in needed if not of["mode"] & bit)


@CHECKS.register
def is_read_only(of: Seen) -> Finding:
    """Nobody may write to a file, its owner included."""
    return wrong(f"{of['path']} may be written to.") if of["mode"] & 0o222 else right()


@CHECKS.register
def is_writable(of: Seen) -> Finding:
    """The owner may write to a file."""
    return right() if of["mode"] & 0o200 else wrong(f"{of['path']} may not be written to.")


@CHECKS.register
def mode_is(of: Seen, mode: Annotated[str, Field(pattern="^[0-7]{3}$")]) -> Finding:
    """A file has exactly these permissions, such as `640`."""
    found = f"{of['mode'] & 0o777:03o}"
    return right() if found == mode else wrong(f"{of['path']} has the permissions {found}, expected {mode}.")


@CHECKS.register
def folder_holds(
    of: Seen,
    exactly: list[str] | None = None,
    at_least: list[str] | None = None,
    none_of: list[str] | None = None,
    hidden: bool = False,
) -> Finding:
    """A folder has exactly these names, or at least these, and none of those.

    The order does not matter.

    Names that start with a dot do not count for `exactly` unless `hidden` is set.
    """
    names = [entry["name"] for entry in of["entries"]]
    visible = [name for name in names if hidden or not any(part.startswith(".") for part in name.split("/"))]
    needed = {*(exactly or ()), *(at_least or ())}
    problems = [f"{of['path']} has no {name}." for name in sorted(needed - {*names})]
    problems += [f"{of['path']} still has {name}." for name in sorted({*(none_of or ())} & {*names})]
    if exactly is not None:
        extra = sorted({*visible} - needed - {*(none_of or ())})
        problems += [f"{of['path']} holds {name}, which should not be there." for name in extra]
    return unless(problems)


@CHECKS.register
def link_to(of: Seen, target: str) -> Finding:
    """A symbolic link has this target, as written; a trailing slash does not matter."""
    same = of["target"].rstrip("/") == target.rstrip("/")
    return right() if same else wrong(f"{of['path']} leads to {of['target']}, expected {target}.")


@CHECKS.register
def unchanged(of: Seen) -> Finding:
    """A file is, byte for byte, what it was when the task began (of `see.digest`)."""
    if of["before"] is None:
        return wrong(f"{of['path']} did not exist when the task began.")
    return right() if of["sha256"] == of["before"] else wrong(f"{of['path']} was changed.")


@CHECKS.register
def same_content(of: Seen, other: Seen) -> Finding:
    """Two files are equal byte for byte (of `see.digest`), and neither is a hard link to the other."""
    if of["sha256"] != other["sha256"]:
        return wrong(f"{of['path']} is not the same as {other['path']}.")
    # Both then have other names, and none of what these tasks begin with has.
    linked = of.get("links", 1) > 1 and other.get("links", 1) > 1
    return wrong(f"{of['path']} is another name of {other['path']}, not a copy.") if linked else right()


@CHECKS.register
def not_linked(of: Seen) -> Finding:
    """A file is a file of its own (of `see.digest`): not a hard link to another."""
    return wrong(f"{of['path']} is another name of some file, not a copy.") if of.get("links", 1) > 1 else right()


@CHECKS.register
def digest_is(of: Seen, sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]) -> Finding:
    """A file has exactly this content, given by its SHA-256."""
    return right() if of["sha256"] == sha256 else wrong(f"{of['path']} does not have the expected content.")


@CHECKS.register
def not_kept_elsewhere(of: Seen) -> Finding:
    """The former content of some files is nowhere else, not even hidden (of `see.copies`)."""
    return unless(f"What {path} held is in {place} now." for path, places in of["copies"].items() for place in places)


@CHECKS.register
def nothing_changed(of: Seen) -> Finding:
    """None of the user's files was created, changed or deleted (of `see.changes`)."""
    return unless(f"{path} was {kind}." for kind in ("created", "changed", "deleted") for path in of[kind])


def _is(of: Seen, kind: str) -> Finding:
    names = {"file": "a file", "folder": "a folder", "link": "a link", "other": "a pipe or device"}
    return right() if of["kind"] == kind else wrong(f"{of['path']} is {names[of['kind']]}, not {names[kind]}.")


@CHECKS.register
def same_digests(of: Seen, other: Seen) -> Finding:
    """Two folders have files with the same content, whatever their names (of `see.folder_digests`)."""
    if not other["digests"]:
        return wrong(f"{other['path']} holds nothing to compare with.")
    return right() if of["digests"] == other["digests"] else wrong(f"{of['path']} does not hold what it should.")
