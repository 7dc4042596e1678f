"""What OSWorld judges in the browser, in our words: open pages, what they show, bookmarks."""

from __future__ import annotations

import re
from collections.abc import Mapping

from proctor.suites.foreign.faults import Data, several, truth
from proctor.suites.foreign.osworld_form import ForeignComparison
from proctor.suites.foreign.osworld_looks import CHROME, Metric, Sides
from proctor.suites.foreign.translation import NotJudgedYet, check, guest_path, probe
from proctor.tasks.call import Call

_LOCAL_STATE = ".config/chromium/Local State"
_THEMES = {"system": 0, "light": 1, "dark": 2}
"""How Chromium keeps the look of itself."""


def check_page_object(each: ForeignComparison, looks: Sides) -> Call:
    """What a page shows, or its address asks for, is what an object says."""
    rules = looks.rules(each.expected)
    entries = dict(rules["expected"])
    if each.result.get("type") == "active_tab_url_parse":
        called = {new: old for old, new in (each.result.get("replace") or {}).items()}
        values = {called.get(key, key): str(value) for key, value in entries.items()}
        return check("page_asks", of=probe("page_address"), values=values)
    if each.result.get("type") == "url_dashPart" and each.result.get("returnType") == "json":
        [(_, text)] = entries.items()
        return _part_of_address(each.result, str(text))
    within = truth(rules.get("expect_in_result"))
    return check("output_has", of=looks.text(each.result), entries=entries, within=within)


def part_of_address(each: ForeignComparison, looks: Sides) -> Call:
    """A part of the address between slashes is a text."""
    return _part_of_address(each.result, str(looks.rules(each.expected)["expected"]))


def is_expected_active_tab(each: ForeignComparison, looks: Sides) -> Call:
    """A page is in front."""
    return check("page_in_front", of=probe("page_address"), url=str(looks.rules(each.expected)["url"]))


def is_expected_url_pattern_match(each: ForeignComparison, looks: Sides) -> Call:
    """The address in front matches some patterns."""
    patterns = several(looks.rules(each.expected)["expected"])
    return check("lines_match", of=probe("page_address"), every=patterns)


def is_expected_search_query(each: ForeignComparison, looks: Sides) -> Call:
    """The address in front matches a pattern."""
    pattern = (looks.rules(each.expected).get("expect") or {}).get("pattern")
    if not isinstance(pattern, str):
        raise NotJudgedYet("'is_expected_search_query' without a pattern")
    return check("lines_match", of=probe("page_address"), every=[pattern])


def webpage_contains(each: ForeignComparison, looks: Sides) -> Call:
    """The source of a page holds a text."""
    live = each.result.get("type") == "page_info"
    of = probe("page_source", url=str(each.result["url"])) if live else looks.text(each.result)
    wanted = looks.rules(each.expected)["expected"]
    return check("text_includes", of=of, every=[wanted] if isinstance(wanted, str) else list(wanted))


def is_added_to_steam_cart(each: ForeignComparison, looks: Sides) -> Call:
    """The source of a page holds some texts."""
    items = [str(item) for item in looks.rules(each.expected)["items"]]
    return check("text_includes", of=probe("page_source", url=str(each.result["url"])), every=items)


def is_json_empty(each: ForeignComparison, looks: Sides) -> Call:
    """A page shows nothing of what is looked for."""
    return check("output_is", of=looks.text(each.result), text="{}")


def check_json_contains(each: ForeignComparison, looks: Sides) -> Call:
    """What a page shows holds some texts."""
    entries = dict(looks.rules(each.expected)["expected"])
    return check("output_has", of=looks.text(each.result), entries=entries, within=True)


def _tabs(word: str) -> Metric:
    def metric(each: ForeignComparison, looks: Sides) -> Call:
        rules = looks.rules(each.expected)
        if rules.get("type", "url") != "url":
            raise NotJudgedYet(f"{each.metric!r} of the type {rules.get('type')!r}")
        return check(word, of=probe("web_tabs"), urls=[str(url) for url in rules["urls"]])

    return metric


def is_expected_bookmarks(each: ForeignComparison, looks: Sides) -> Call:
    """The bookmarks bar holds some folders or addresses, or a folder on it one address of each group."""
    rules = looks.rules(each.expected)
    kept = probe("web_bookmarks", browser=CHROME)
    match rules.get("type"):
        case "bookmark_bar_folders_names":
            return check("bookmarks_bar_is", of=kept, folders=several(rules["names"]))
        case "bookmark_bar_websites_urls":
            return check("bookmarks_bar_is", of=kept, urls=several(rules["urls"]))
        case "liked_authors_websites_urls":
            groups = [several(group) for group in several(rules["urls"])]
            return check("bookmark_folder_is", of=kept, folder="Liked Authors", urls=groups)
    raise NotJudgedYet(f"'is_expected_bookmarks' of the type {rules.get('type')!r}")


def is_cookie_deleted(each: ForeignComparison, looks: Sides) -> Call:
    """Some hosts have no cookies any more."""
    rules = looks.rules(each.expected)
    if rules.get("type") != "domains":
        raise NotJudgedYet(f"'is_cookie_deleted' of the type {rules.get('type')!r}")
    of = probe("web_cookies", browser=CHROME)
    return check("all_of", of=[check("cookies_lack", of=of, host=str(host)) for host in rules["domains"]])


def is_shortcut_on_desktop(each: ForeignComparison, looks: Sides) -> Call:
    """A starter on the desktop has a name."""
    rules = looks.rules(each.expected)
    if rules.get("type") != "name":
        raise NotJudgedYet(f"'is_shortcut_on_desktop' of the type {rules.get('type')!r}")
    return check("lines_match", of=looks.text(each.result), every=[f"^Name={re.escape(str(rules['name']))}$"])


def check_enabled_experiments(each: ForeignComparison, looks: Sides) -> Call:
    """Some experiments of the browser are set, and no other."""
    rules = looks.rules(each.expected)
    if rules.get("type") != "names":
        raise NotJudgedYet(f"'check_enabled_experiments' of the type {rules.get('type')!r}")
    return check("experiments_are", of=probe("json", path=_LOCAL_STATE), names=several(rules["names"]))


def is_expected_installed_extensions(each: ForeignComparison, looks: Sides) -> Call:
    """Some extensions are installed."""
    names = looks.rules(each.expected)["expected"]
    return check("extensions_include", of=probe("web_extensions"), names=[str(name) for name in names])


def unpacked_extension(each: ForeignComparison, looks: Sides) -> Call:
    """An extension was loaded from a folder."""
    path = guest_path(str(looks.rules(each.expected)["expected"]))
    return check("extension_loaded", of=probe("web_extensions"), path=path)


def colours_of_browser(each: ForeignComparison, looks: Sides) -> Call:
    """The browser itself is light, dark, or as the system is."""
    wanted = looks.rules(each.expected)["expected"]
    looks_named = [wanted] if isinstance(wanted, str) else list(wanted)
    if unknown := [name for name in looks_named if name not in _THEMES]:
        raise NotJudgedYet(f"the look {unknown[0]!r} of the browser")
    return check("browser_look_is", of=probe("browser_look"), looks=looks_named)


def check_accessibility_tree(each: ForeignComparison, looks: Sides) -> Call:
    """Some elements are on the screen, with a text where one is given."""
    rules: object = looks.rules(each.expected)
    if not isinstance(rules, list) or any(
        not {"selectors"} <= set(rule) <= {"selectors", "text", "exact"} for rule in rules
    ):
        raise NotJudgedYet("'check_accessibility_tree' by anything but selectors")
    if any("text" in rule and not truth(rule.get("exact", True)) for rule in rules):
        raise NotJudgedYet("'check_accessibility_tree' of texts that are only nearly the same")
    found = [[f"{one.strip()}{_with_text(rule)}" for one in several(rule["selectors"])] for rule in rules]
    return check("elements_match", of=probe("elements"), selectors=found)


def _with_text(rule: Data) -> str:
    if "text" not in rule:
        return ""
    quoted = str(rule["text"]).replace("\\", "\\\\").replace('"', '\\"')
    return f'[text="{quoted}"]'


def _part_of_address(getter: Data, text: str) -> Call:
    place, tail = int(getter["partIndex"]), r"(?:\?.*)?" if truth(getter.get("needDeleteId")) else ""
    wanted = re.escape(text) + tail
    count = place if place >= 0 else -place - 1
    ahead = rf"^(?:[^/]*/){{{count}}}{wanted}(?:/|$)"
    pattern = ahead if place >= 0 else rf"(?:^|/){wanted}(?:/[^/]*){{{count}}}$"
    return check("lines_match", of=probe("page_address"), every=[pattern])


PAGE_METRICS: Mapping[str, Metric] = {
    "is_expected_active_tab": is_expected_active_tab,
    "is_expected_active_tab_approximate": is_expected_active_tab,
    "is_expected_url_pattern_match": is_expected_url_pattern_match,
    "is_expected_search_query": is_expected_search_query,
    "is_expected_tabs": _tabs("open_pages_are"),
    "include_expected_tabs": _tabs("open_pages_include"),
    "webpage_contains": webpage_contains,
    "is_added_to_steam_cart": is_added_to_steam_cart,
    "is_json_empty": is_json_empty,
    "check_accessibility_tree": check_accessibility_tree,
    "check_json_contains": check_json_contains,
    "is_expected_bookmarks": is_expected_bookmarks,
    "is_shortcut_on_desktop": is_shortcut_on_desktop,
    "is_cookie_deleted": is_cookie_deleted,
    "check_enabled_experiments": check_enabled_experiments,
    "is_expected_installed_extensions": is_expected_installed_extensions,
}
