"""Checks on books, bookmarks, clocks of the world and the results of code."""

from __future__ import annotations

from difflib import SequenceMatcher

from proctor.tasks.findings import Finding, right, unless, wrong
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


@CHECKS.register
def like_book(of: Seen, other: Seen) -> Finding:
    """How similar an e-book is to another: the shares of its text and its names are the score."""
    pages, wanted = ("\n".join(each["chapters"]).split() for each in (of, other))
    if not wanted:
        return wrong(f"{other['path']} has no text to compare with.")
    one, two = (" ".join(each[name] for name in ("title", "author", "language")).casefold() for each in (of, other))
    share = 1.0 if pages == wanted else SequenceMatcher(None, pages, wanted, autojunk=False).ratio()
    share *= 1.0 if one == two else SequenceMatcher(None, one, two, autojunk=False).ratio()
    return right() if share == 1 else Finding(min(round(share, 6), 0.999999), (f"{of['path']} is not the book.",))
