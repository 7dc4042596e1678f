"""Checks on open pages and bookmarks as other suites put them: addresses compare loosely."""

from __future__ import annotations

import itertools
import re
from typing import Annotated, Literal
from urllib.parse import parse_qs

from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short
from proctor.vocabulary.apps.browsers.checks import split_address
from proctor.vocabulary.apps.browsers.parse_files import TOOLBAR

_SCHEME = re.compile(r"^https?://(?:www\.)?", re.IGNORECASE)


@CHECKS.register
def page_in_front(of: Seen, url: str) -> Finding:
    """The front page is this one, ignoring `http`, `https`, `www.` and a trailing slash.

    Of `see.page_address`.
    """
    same = _loose(of["text"]) == _loose(url)
    return right() if same else wrong(f"{of['path']} is {short(of['text'])}, expected {url}.")


@CHECKS.register
def page_asks(of: Seen, values: dict[str, str]) -> Finding:
    """The front page's address has these values in its query string (of `see.page_address`)."""
    held = parse_qs(split_address(of["text"]).query)
    return unless(
        f"{of['path']} has {short(found)} for {key!r}, expected {short(value)}."
        for key, value in values.items()
        if (found := held.get(key, [""])[0]) != value
    )


@CHECKS.register
def open_pages_are(of: Seen, urls: list[str]) -> Finding:
    """The tabs show exactly these pages, in any order.

    Whatever `http`, `https`, `www.` and a slash at the end.
    """
    shown, wanted = [_loose(tab["url"]) for tab in of["tabs"]], [_loose(url) for url in urls]
    missing = [f"No tab shows {url}." for url in urls if _loose(url) not in shown]
    extra = [f"A tab shows {tab['url']}." for tab in of["tabs"] if _loose(tab["url"]) not in wanted]
    return unless(
        missing + extra or ([] if len(shown) == len(wanted) else [f"{len(shown)} tabs are open, not {len(wanted)}."])
    )


@CHECKS.register
def open_pages_include(of: Seen, urls: list[str]) -> Finding:
    """Tabs show these pages, among others.

    Whatever `http`, `https`, `www.` and a slash at the end.
    """
    shown = [_loose(tab["url"]) for tab in of["tabs"]]
    return unless(f"No tab shows {url}." for url in urls if _loose(url) not in shown)


@CHECKS.register
def bookmarks_bar_is(of: Seen, folders: list[str] | None = None, urls: list[str] | None = None) -> Finding:
    """The bookmarks bar holds exactly these folders, or exactly these addresses, in any order."""
    bar = _bar(of)
    problems = []
    for wanted, held in ((folders, _names(bar)), (urls, [entry["url"] for entry in bar["bookmarks"]])):
        if wanted is not None and set(wanted) != set(held):
            problems.append(f"The bookmarks bar holds {short(', '.join(held) or 'nothing')}, expected {wanted}.")
    return unless(problems)


@CHECKS.register
def bookmark_folder_is(
    of: Seen, folder: str, urls: Annotated[list[list[str]], Field(min_length=1, max_length=20)]
) -> Finding:
    """A folder on the bookmarks bar has one address of each of these groups, and no other."""
    found = [each for each in _bar(of)["folders"] if each["name"] == folder]
    if not found:
        return wrong(f"There is no folder {short(folder)} on the bookmarks bar.")
    held = {entry["url"] for entry in found[0]["bookmarks"]}
    extra = [f"{short(url)} is in {folder}, and should not be." for url in held - set(itertools.chain(*urls))]
    missing = [f"None of {short(', '.join(group))} is in {folder}." for group in urls if not held & set(group)]
    many = [
        f"More than one of {short(', '.join(group))} is in {folder}." for group in urls if len(held & set(group)) > 1
    ]
    return unless(extra + missing + many)


@CHECKS.register
def extension_loaded(of: Seen, path: str) -> Finding:
    """An extension was loaded from this folder (of `see.web_extensions`)."""
    held = [each["path"] for each in of["extensions"]]
    return right() if path in held else wrong(f"No extension was loaded from {path}.")


@CHECKS.register
def extensions_include(of: Seen, names: list[str]) -> Finding:
    """Extensions of these names are installed, among others (of `see.web_extensions`)."""
    held = {each["name"] for each in of["extensions"]}
    return unless(f"The extension {short(name)} is not installed." for name in names if name not in held)


@CHECKS.register
def experiments_are(of: Seen, names: list[str]) -> Finding:
    """Exactly these experiments of Chromium are set, in this order (of its `Local State`)."""
    browser = of["data"].get("browser") if isinstance(of["data"], dict) else None
    held = (browser or {}).get("enabled_labs_experiments") or []
    found = [str(each).partition("@")[0] for each in held]
    return right() if found == names else wrong(f"The experiments {short(', '.join(found) or 'none')} are set.")


@CHECKS.register
def browser_look_is(
    of: Seen, looks: Annotated[list[Literal["light", "dark", "system"]], Field(min_length=1)]
) -> Finding:
    """The browser itself has one of these looks (of `see.browser_look`)."""
    return right() if of["look"] in looks else wrong(f"{of['path']} is {of['look']}, expected {' or '.join(looks)}.")


def _bar(of: Seen) -> Seen:
    return next((each for each in of["folders"] if each["name"] == TOOLBAR), {"folders": [], "bookmarks": []})


def _names(folder: Seen) -> list[str]:
    return [each["name"] for each in folder["folders"]]


def _loose(url: object) -> str:
    return _SCHEME.sub("", str(url).strip()).rstrip("/")
