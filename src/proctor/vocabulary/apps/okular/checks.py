"""Checks on bookmarks in documents."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.tasks.findings import Finding, unless
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS

Page = Annotated[int, Field(ge=1)]


@CHECKS.register
def bookmarks_are(of: Seen, pages: list[Page]) -> Finding:
    """A document has bookmarks on exactly these pages, whatever their titles."""
    held = [mark["page"] for mark in of["bookmarks"]]
    problems = [f"{of['path']} has no bookmark on page {page}." for page in pages if page not in held]
    problems += [f"{of['path']} should have no bookmark on page {page}." for page in held if page not in pages]
    return unless(problems)


@CHECKS.register
def bookmark_titled(of: Seen, page: Page, title: str) -> Finding:
    """The bookmark of a page has this title, whatever the case."""
    held = [mark["title"] for mark in of["bookmarks"] if mark["page"] == page]
    if not held:
        return unless([f"{of['path']} has no bookmark on page {page}."])
    same = any(each.casefold() == title.casefold() for each in held)
    return unless([] if same else [f"The bookmark on page {page} is called '{held[0]}', expected '{title}'."])
