"""Checks on books, bookmarks, clocks of the world and the results of code."""

from __future__ import annotations

from proctor.tasks.findings import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS


@CHECKS.register
def book_is(of: Seen, title: str | None = None, author: str | None = None, chapters: int | None = None) -> Finding:
    """An e-book has this title, this author and this many chapters, where given."""
    wanted = {"title": title, "author": author}
    problems = [
        f"The {name} of {of['path']} is '{of[name]}', expected '{value}'."
        for name, value in wanted.items()
        if value is not None and of[name].casefold() != value.casefold()
    ]
    if chapters is not None and len(of["chapters"]) != chapters:
        problems.append(f"{of['path']} has {len(of['chapters'])} chapters, expected {chapters}.")
    return unless(problems)
