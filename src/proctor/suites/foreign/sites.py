"""Pages elsewhere that tasks open, and copies of them among a task's files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from proctor.suites.foreign.assets import AssetFault, Assets, host_of
from proctor.suites.foreign.faults import several
from proctor.suites.foreign.names import LIVE_GETTERS, words
from proctor.suites.foreign.osworld_form import ForeignStep, OSWorldForm
from proctor.suites.foreign.translation import Translation, step
from proctor.tasks.call import Call
from proctor.vocabulary.services.web.inside.copy_server import place_of

PAGE_GETTERS = words(
    "active_url_from_accessTree active_tab_info active_tab_html_parse target_tab_html_parse active_tab_url_parse "
    "active_tab_noe_class url_dashPart url_path_parse open_tabs_info"
)
"""Getters that tell what a page shows."""
PLAIN = (
    *("aclanthology.org/", "webext.eu/", "littlealchemy2.com/", "hints.littlealchemy2.com/"),
    *(f"geogebra.org/{app}" for app in ("graphing", "calculator", "classic", "geometry", "3d", "cas", "scientific")),
)
PLAIN_ENDINGS = (".github.io", ".gitlab.io", ".readthedocs.io", ".pages.dev")
"""Sites that are plain files and what runs in the browser: no program answers there, so a copy is all there is."""
_LOCAL = re.compile(r"^(?:file:|chrome:|about:|data:|/|https?://(?:localhost|127\.0\.0\.1)(?:[:/]|$))")


def is_local(url: str) -> bool:
    """Tell whether a page lies on the computer itself."""
    return bool(_LOCAL.match(url.strip()))


def is_plain(url: str) -> bool:
    """Tell whether a page belongs to a site that is plain files, of which a copy has everything."""
    if not _can_be_served(url) or "=" in urlsplit(url).fragment:
        return False
    host = host_of(url)
    return f"{host.removeprefix('www.')}{_path(url) or '/'}".startswith(PLAIN) or host.endswith(PLAIN_ENDINGS)


def pages_of(form: OSWorldForm) -> list[str]:
    """Return the addresses that a task opens, and those that it prints to compare with."""
    steps = [url for each in (*form.steps, *form.after) for url in _pages_of_step(each)]
    return [*dict.fromkeys(url for url in (*steps, *prints_of(form)) if isinstance(url, str))]


def prints_of(form: OSWorldForm) -> list[str]:
    """Return the addresses of pages that are printed to compare with."""
    printed = [each.expected["path"] for each in form.comparisons if each.expected.get("type") == "pdf_from_url"]
    return [*dict.fromkeys(url for path in printed for url in several(path))]


def _pages_of_step(each: ForeignStep) -> list[object]:
    listed = each.parameters.get("urls_to_open") if each.kind == "chrome_open_tabs" else ()
    return [*(listed if isinstance(listed, list) else ()), each.parameters.get("tab_url")]


def has_copy(url: str, assets: Assets) -> bool:
    """Tell whether a page is among the files that were fetched before."""
    try:
        held = assets.find_site(host_of(url)) if _can_be_served(url) else {}
        return place_of(_path(url), dict.fromkeys(held, "")) is not None
    except AssetFault:
        return False  # one that cannot be told from another, or is not where the manifest says


def stands_alone(url: str, form: OSWorldForm) -> bool:
    """Tell whether a task is about one page as it is, whatever else the live site could tell.

    A page that it names counts as well; the first page of a site leads to others, and nobody knows which are looked at.
    """
    sides = [side for each in form.comparisons for side in (each.result, each.expected)]
    kinds = {str(side.get("type")) for side in sides}
    rules = str([each.expected.get("rules") for each in form.comparisons])
    fetched = any(each.kind == "download" for each in form.after)
    if fetched or not _can_be_served(url) or kinds & LIVE_GETTERS:
        return False
    at = urlsplit(url)
    if kinds & PAGE_GETTERS - {"open_tabs_info"} or "=" in at.fragment:
        return False
    return repr(url) in rules if "open_tabs_info" in kinds or at.path in ("", "/") else True


def copies(form: OSWorldForm, into: Translation) -> Iterator[Call]:
    """Yield steps for the sites whose pages a task opens, where copies stand in for them."""
    opened = [url for url in pages_of(form) if not is_local(url)]
    for url in opened:
        if not has_copy(url, into.assets) and (is_plain(url) or stands_alone(url, form)):
            into.lack_page(url, "page" if stands_alone(url, form) else "site")
    for host in dict.fromkeys(host_of(url) for url in opened if has_copy(url, into.assets)):
        yield step("site_copy", host=host, pages=into.site(host))


def _can_be_served(url: str) -> bool:
    """Tell whether an address is one of the web's, at the usual port."""
    try:
        at = urlsplit(url)
        return bool(at.hostname) and at.scheme in ("http", "https") and at.port in (None, 80, 443)
    except ValueError:
        return False


def _path(url: str) -> str:
    at = urlsplit(url)
    return f"{at.path}?{at.query}" if at.query else at.path
