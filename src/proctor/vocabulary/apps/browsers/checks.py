"""Checks on web browsers; addresses compare whatever the case of the host and a slash at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import SplitResult, urlsplit, urlunsplit

from proctor.tasks.compare import beyond
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import loose


@CHECKS.register
def tab_open(of: Seen, url: str) -> Finding:
    """A tab shows this page."""
    shown = [tab["url"] for tab in of["tabs"]]
    there = _plain(url) in map(_plain, shown)
    return right() if there else wrong(f"No tab shows {url}; open: {', '.join(shown) or 'none'}.")


@CHECKS.register
def tabs_are(of: Seen, urls: list[str]) -> Finding:
    """The tabs show exactly these pages, in any order; ignores empty new tabs."""
    blank = ("chrome://newtab", "chrome://new-tab-page", "about:blank")
    shown = sorted(_plain(tab["url"]) for tab in of["tabs"] if not tab["url"].startswith(blank))
    wanted = sorted(map(_plain, urls))
    problems = [f"No tab shows {url}." for url in beyond(wanted, shown)]
    return unless(problems + [f"A tab shows {url}, which should not be open." for url in beyond(shown, wanted)])


@CHECKS.register
def bookmark_exists(of: Seen, url: str, folder: str | None = None, title: str | None = None) -> Finding:
    """A page is bookmarked, in this folder (`Bookmarks bar/Recipes`) and under this title if given."""
    found = [entry for entry in _bookmarks(of["folders"]) if _plain(entry["url"]) == _plain(url)]
    if not found:
        return wrong(f"There is no bookmark of {url}.")
    problems = []
    if folder is not None and folder not in [entry["folder"] for entry in found]:
        problems.append(f"The bookmark of {url} is in {found[0]['folder']}, expected {folder}.")
    if title is not None and title not in [entry["title"] for entry in found]:
        problems.append(f"The bookmark of {url} is called '{found[0]['title']}', expected '{title}'.")
    return unless(problems)


@CHECKS.register
def bookmark_missing(of: Seen, url: str) -> Finding:
    """A page is not, or no longer, bookmarked."""
    places = [entry["folder"] for entry in _bookmarks(of["folders"]) if _plain(entry["url"]) == _plain(url)]
    return unless(f"There is a bookmark of {url} in {place}." for place in places)


@CHECKS.register
def web_bookmarks_are(of: Seen, pages: dict[str, list[str]], titles: dict[str, str] | None = None) -> Finding:
    """The bookmarks are exactly these addresses by folder, in any order.

    Titles are up to whoever makes them; those that `titles` gives by address hold these words, whatever the case.
    """
    found = sorted((entry["folder"], _plain(entry["url"])) for entry in _bookmarks(of["folders"]))
    wanted = sorted((folder, _plain(url)) for folder, urls in pages.items() for url in urls)
    told = [f"{url} in {folder}" for folder, url in wanted], [f"{url} in {folder}" for folder, url in found]
    names = {_plain(url): words for url, words in (titles or {}).items()}
    misnamed = [
        f"The bookmark of {entry['url']} is called '{entry['title']}', expected one that says '{words}'."
        for entry in _bookmarks(of["folders"])
        if (words := names.get(_plain(entry["url"]))) is not None and loose(words) not in loose(entry["title"])
    ]
    problems = [f"There is no bookmark of {place}." for place in beyond(*told)]
    problems += [f"There should be no bookmark of {place}." for place in beyond(*told[::-1])]
    return unless(problems + misnamed)


@CHECKS.register
def browser_setting_is(of: Seen, value: bool | int | str) -> Finding:
    """A setting has this value."""
    same = of["value"] == value and type(of["value"]) is type(value)
    return right() if same else wrong(f"The setting {of['name']} is {of['value']!r}, expected {value!r}.")


@CHECKS.register
def home_page_is(of: Seen, url: str) -> Finding:
    """The home page is this one."""
    same = _plain(of["home_page"]) == _plain(url)
    return right() if same else wrong(f"The home page is '{of['home_page'] or 'the new tab page'}', expected {url}.")


@CHECKS.register
def history_has(of: Seen, urls: list[str]) -> Finding:
    """The browser's history still has these pages."""
    known = set(map(_plain, of["urls"]))
    return unless(f"{url} is no longer in the history." for url in urls if _plain(url) not in known)


@CHECKS.register
def history_lacks(of: Seen, host: str) -> Finding:
    """The browser's history has no page of a host."""
    left = [url for url in of["urls"] if (split_address(url).hostname or "") == host.lower()]
    return unless(f"{url} is still in the history." for url in left)


@CHECKS.register
def addresses_lack(of: Seen, words: list[str]) -> Finding:
    """The browser's history has no address with any of these words in it."""
    left = [url for url in of["urls"] if any(word.casefold() in url.casefold() for word in words)]
    return unless(f"{url} is still in the history." for url in left)


@CHECKS.register
def cookies_lack(of: Seen, host: str) -> Finding:
    """No cookie of a host is left."""
    left = [entry["name"] for entry in of["cookies"] if entry["host"] == host]
    return unless(f"{host} still has the cookie {name}." for name in left)


@CHECKS.register
def cookies_have(of: Seen, host: str) -> Finding:
    """A host still has a cookie."""
    left = any(entry["host"] == host for entry in of["cookies"])
    return right() if left else wrong(f"{host} has no cookie any more.")


@CHECKS.register
def download_exists(of: Seen, name: str) -> Finding:
    """A file of this name was downloaded completely and is not empty."""
    sizes = {entry["name"]: entry["size"] for entry in of["files"]}
    if name not in sizes:
        return wrong(f"There is no {name} in {of['path']}; there: {', '.join(sorted(sizes)) or 'nothing'}.")
    return right() if sizes[name] else wrong(f"{of['path']}/{name} is empty.")


def _bookmarks(folders: Sequence[Seen], above: str = "") -> Iterator[Seen]:
    """Yield bookmarks with the folder that each is in, such as `Bookmarks bar/Recipes`."""
    for folder in folders:
        path = f"{above}{folder['name']}"
        yield from ({**entry, "folder": path} for entry in folder["bookmarks"])
        yield from _bookmarks(folder["folders"], f"{path}/")


def split_address(url: str) -> SplitResult:
    """Return the parts of an address; what is none, as profiles may hold, is all path."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def _plain(url: object) -> str:
    parts = split_address(str(url).strip())
    return urlunsplit((parts.scheme, parts.netloc.lower(), parts.path.rstrip("/"), parts.query, ""))
