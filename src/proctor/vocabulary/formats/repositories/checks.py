"""Checks on git repositories."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.tasks.compare import different_lines
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def repository_clean(of: Seen) -> Finding:
    """Nothing is changed, staged or new since the last commit; ignored files do not count."""
    return unless(f"{entry['path']} in {of['path']} is not committed." for entry in of["status"])


@CHECKS.register
def repository_status(of: Seen, paths: list[str]) -> Finding:
    """Exactly these files are changed, staged or new since the last commit."""
    found = {entry["path"] for entry in of["status"]}
    missing = [f"{path} in {of['path']} should still be uncommitted, and is not." for path in set(paths) - found]
    extra = [f"{path} in {of['path']} should not have uncommitted changes." for path in found - set(paths)]
    return unless(sorted(missing) + sorted(extra))


@CHECKS.register
def branch_is(of: Seen, branch: str) -> Finding:
    """A repository is on this branch, which exists and has commits."""
    if of["branch"] == branch and branch in of["branches"]:
        return right()
    empty = "" if of["branch"] in of["branches"] else ", which is empty"
    where = "on no branch" if of["branch"] is None else f"on branch {of['branch']}{empty}"
    return wrong(f"{of['path']} is {where}, expected {branch}.")


@CHECKS.register
def branches_are(of: Seen, branches: Annotated[list[str], Field(min_length=1)]) -> Finding:
    """A repository has exactly these branches, in any order."""
    lost = [f"{of['path']} has no branch {name}." for name in branches if name not in of["branches"]]
    more = [f"{of['path']} should not have a branch {name}." for name in of["branches"] if name not in branches]
    return unless(lost + more)


@CHECKS.register
def tag_exists(of: Seen, tag: str) -> Finding:
    """A repository has this tag."""
    return right() if tag in of["tags"] else wrong(f"{of['path']} has no tag {tag}; its tags: {of['tags']}.")


@CHECKS.register
def last_commit(
    of: Seen, subject: str | None = None, files: list[str] | None = None, before: list[str] | None = None
) -> Finding:
    """The last commit has this first line and exactly these files, and follows these commits.

    `before` is the whole history before it, newest first. Blanks around first lines, their case and a full stop at
    their end do not matter.
    """
    commits = of["commits"]
    if not commits:
        return wrong(f"{of['path']} has no commits.")
    problems = []
    said = [commit["subject"] for commit in commits]
    if subject is not None and _loose(said[0]) != _loose(subject):
        problems.append(f"The last commit in {of['path']} says '{said[0]}', expected '{subject}'.")
    if files is not None and sorted(of["changed"]) != sorted(files):
        changed = _list_names(of["changed"])
        problems.append(f"The last commit in {of['path']} changed {changed}, expected {_list_names(files)}.")
    if before is not None and said[1:] != before:
        come = _list_names(said[1:])
        problems.append(f"Before the last commit in {of['path']} come {come}, expected {_list_names(before)}.")
    return unless(problems)


@CHECKS.register
def history_is(of: Seen, subjects: list[str]) -> Finding:
    """The commits have exactly these first lines, newest first."""
    said = [commit["subject"] for commit in of["commits"]]
    if said == subjects:
        return right()
    return wrong(f"The commits in {of['path']} are {_list_names(said)}, expected {_list_names(subjects)}.")


@CHECKS.register
def commits_include(of: Seen, subjects: Annotated[list[str], Field(min_length=1)]) -> Finding:
    """Commits with these first lines are part of the current branch, in any order."""
    said = {commit["subject"] for commit in of["commits"]}
    return unless(
        f"The commit '{line}' is not part of what {of['path']} is on." for line in subjects if line not in said
    )


@CHECKS.register
def branch_merged(of: Seen) -> Finding:
    """A branch, as it was, is part of the repository's current branch (of `see.merged`)."""
    missing = f"The branch {of['branch']} as it was is not part of what {of['path']} is on."
    return right() if of["merged"] else wrong(missing)


@CHECKS.register
def branch_unmoved(of: Seen) -> Finding:
    """A branch is still at the commit of the task's beginning (of `see.branch_place`)."""
    same = of["now"] == of["tip"]
    return right() if same else wrong(f"The branch {of['branch']} of {of['path']} is not where it was.")


@CHECKS.register
def file_at_head(of: Seen, path: str, text: str | None = None, exactly: bool = False) -> Finding:
    """The last commit holds a file, with this text if one is given, compared as by `text_is`."""
    if path not in of["files"]:
        return wrong(f"The last commit in {of['path']} does not hold {path}.")
    found = of["files"][path]
    if text is None:
        return right()
    if found is None:
        return wrong(f"{path} in the last commit of {of['path']} is not a short text.")
    return unless(different_lines(f"{path} in the last commit of {of['path']}", found, text, exactly=exactly))


def _loose(line: str) -> str:
    return line.strip().rstrip(".").casefold()


def _list_names(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names) or "nothing"
