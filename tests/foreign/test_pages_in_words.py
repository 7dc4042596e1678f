"""OSWorld's words of the browser become ours; what is live says so, and times are those of the computer."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from proctor.suites.foreign.collection import ForeignTask
from proctor.suites.foreign.relative_time import day_meant, formatted_rules, rules_for_today
from proctor.suites.foreign.translation import NotJudgedYet
from proctor.tasks.call import Call
from proctor.vocabulary.formats.data.checks import setting_between
from tests.foreign.files import judged, read_one

LOCAL = {"type": "chrome_open_tabs", "parameters": {"urls_to_open": ["file:///home/user/a.html"]}}
THURSDAY = date(2026, 3, 12)


def rule(**rules: Any) -> dict[str, Any]:
    return {"type": "rule", "rules": rules}


def read(folder: Path, metric: str, result: dict[str, Any], expected: Any = None, **more: Any) -> ForeignTask:
    return read_one(folder, {**judged(metric, result, expected), "config": [LOCAL], **more})


def check_of(found: ForeignTask) -> Call:
    assert found.make is not None, [str(reason) for reason in found.reasons]
    return found.make().check


def why(found: ForeignTask) -> str:
    return "; ".join(f"{reason.status}: {reason}" for reason in found.reasons)


FRONT = {"type": "active_url_from_accessTree", "goto_prefix": "https://www."}
PARTS = {"type": "active_tab_html_parse", "category": "xpath", "xpathObject": {"//p": "price"}}


@pytest.mark.parametrize(
    ("metric", "result", "expected", "check", "probe"),
    [
        ("is_expected_active_tab", FRONT, rule(type="url", url="file:///a"), "page_in_front", "page_address"),
        ("is_expected_url_pattern_match", FRONT, rule(expected=["a$"]), "lines_match", "page_address"),
        ("is_expected_tabs", {"type": "open_tabs_info"}, rule(urls=["file:///a"]), "open_pages_are", "web_tabs"),
        ("include_expected_tabs", {"type": "open_tabs_info"}, rule(urls=["f:a"]), "open_pages_include", "web_tabs"),
        ("webpage_contains", {"type": "active_tab_info"}, rule(expected="x"), "text_includes", "page_source"),
        ("check_direct_json_object", PARTS, rule(expected={"price": "3"}), "output_has", "page_parts"),
        ("is_json_empty", PARTS, None, "output_is", "page_parts"),
        ("is_expected_bookmarks", {"type": "bookmarks"}, rule(type="bookmark_bar_folders_names", names=["A"]),
         "bookmarks_bar_is", "web_bookmarks"),
        ("is_expected_bookmarks", {"type": "bookmarks"}, rule(type="liked_authors_websites_urls", urls=["u", ["v"]]),
         "bookmark_folder_is", "web_bookmarks"),
        ("is_in_list", {"type": "find_unpacked_extension_path"}, rule(expected="/home/user/e"),
         "extension_loaded", "web_extensions"),
        ("match_in_list", {"type": "chrome_appearance_mode_ui"}, rule(expected=["light", "system"]),
         "browser_look_is", "browser_look"),
        ("check_enabled_experiments", {"type": "enabled_experiments"}, rule(type="names", names=["a"]),
         "experiments_are", "json"),
        ("is_shortcut_on_desktop", {"type": "shortcuts_on_desktop"}, rule(type="name", name="Play 2048"),
         "lines_match", "output"),
    ],
)  # fmt: skip
def test_a_word_of_the_browser_is_one_of_ours(
    tmp_path: Path, metric: str, result: dict[str, Any], expected: Any, check: str, probe: str
) -> None:
    made = check_of(read(tmp_path, metric, result, expected))
    assert (made.name, made.arguments["of"].name) == (check, probe)


def test_what_an_address_asks_for_keeps_its_own_names(tmp_path: Path) -> None:
    result = {"type": "active_tab_url_parse", "parse_keys": ["dep"], "replace": {"dep": "time"}}
    made = check_of(read(tmp_path, "check_direct_json_object", result, rule(expected={"time": "5"})))
    assert dict(made.arguments["values"]) == {"dep": "5"}


@pytest.mark.parametrize(
    ("place", "cut", "address", "fits"),
    [
        (-1, False, "https://a.example/b/c.html#x", True),
        (-1, False, "https://a.example/c.html#x/b", False),
        (-1, False, "https://a.example/c.html#x?q", False),
        (-1, True, "https://a.example/c.html#x?q", True),
        (-2, False, "https://a.example/c.html#x/b", True),
        (3, False, "https://a.example/c.html#x/b", True),
        (4, False, "https://a.example/c.html#x/b", False),
    ],
)
def test_a_part_of_an_address(tmp_path: Path, place: int, cut: bool, address: str, fits: bool) -> None:
    result = {"type": "url_dashPart", "partIndex": place, "needDeleteId": cut, "returnType": "string"}
    made = check_of(read(tmp_path, "exact_match", result, rule(expected="c.html#x")))
    assert bool(re.search(made.arguments["every"][0], address)) is fits


def test_live_pages_need_the_internet_and_nothing_else(tmp_path: Path) -> None:
    page = {"type": "chrome_open_tabs", "parameters": {"urls_to_open": ["https://shop.example"]}}
    found = read(
        tmp_path, "is_expected_active_tab", FRONT, rule(type="url", url="https://shop.example/x"), config=[page]
    )
    assert {reason.status for reason in found.reasons} == {"needs internet"}


def test_what_answers_on_the_computer_must_be_started(tmp_path: Path) -> None:
    page = {"type": "chrome_open_tabs", "parameters": {"urls_to_open": ["http://localhost:8888/"]}}
    wanted = rule(type="url", url="http://localhost:8888/x")
    assert "port 8888" in why(read(tmp_path, "is_expected_active_tab", FRONT, wanted, config=[page]))
    server = {"type": "launch", "parameters": {"command": "python3 -m http.server 8888", "shell": True}}
    assert read(tmp_path, "is_expected_active_tab", FRONT, wanted, config=[server, page]).status == "ready"


def test_steps_in_the_browser(tmp_path: Path) -> None:
    url = "file:///home/user/a.html"
    steps = [
        LOCAL,
        {"type": "chrome_execute_script", "parameters": {"tab_url": url, "script": "1", "reload": True}},
        {"type": "chrome_check_inited", "parameters": {"tab_url": url, "script": "true"}},
        {"type": "chrome_click_element", "parameters": {"element_xpath": "//a"}},
        {"type": "chrome_activate_tab", "parameters": {"tab_url": url}},
        {"type": "chrome_close_tabs", "parameters": {"urls_to_close": [url]}},
    ]
    wanted = rule(type="url", url=url)
    made = read(tmp_path, "is_expected_active_tab", FRONT, wanted, config=steps).make
    assert made is not None
    names = [call.name for call in made().setup]
    assert names == ["other_names", "open_tabs", *["page_script"] * 3, "tab_in_front", "close_tabs"]
    assert made().machine.network == "loopback"


def test_what_is_written_down_late_is_read_after_the_browser_has_ended(tmp_path: Path) -> None:
    names = rule(type="bookmark_bar_folders_names", names=["A"])
    made = read(tmp_path, "is_expected_bookmarks", {"type": "bookmarks"}, names).make
    assert made is not None and [call.name for call in made().finish] == ["quit_browser"]
    made = read(tmp_path, "is_expected_active_tab", FRONT, rule(type="url", url="file:///a")).make
    assert made is not None and made().finish == ()


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("tomorrow", (3, 13)), ("next Monday", (3, 16)), ("next Friday split", (3, 20)), ("this Saturday", (3, 14)),
        ("this Sunday", (3, 15)), ("next week Sunday", (3, 22)), ("10th next month", (4, 10)),
        ("first monday four months later", (7, 6)), ("first monday eight months later", (11, 2)),
        ("after 3 days", (3, 15)), ("in two weeks", (3, 26)), ("next month", (4, 12)),
    ],
)  # fmt: skip
def test_times_are_reckoned_from_the_day_of_the_computer(words: str, day: tuple[int, int]) -> None:
    assert day_meant(words, THURSDAY) == date(2026, *day)


def test_months_and_years_of_other_lengths() -> None:
    assert day_meant("next month", date(2026, 1, 31)) == date(2026, 2, 28)
    assert day_meant("last year", date(2028, 2, 29)) == date(2027, 2, 28)
    assert day_meant("first monday four months later", date(2026, 8, 20)) == date(2026, 12, 7)
    assert day_meant("next month", date(2026, 12, 5)) == date(2027, 1, 5)


@pytest.mark.parametrize(
    "words", ["", "someday", "31st next month", "first monday many months later", "9999 days later"]
)
def test_times_that_nobody_knows_are_said(words: str) -> None:
    with pytest.raises(NotJudgedYet):
        day_meant(words, THURSDAY)


def test_two_times_go_to_their_places() -> None:
    rules = {
        "relativeTime": {"from": "next Monday", "to": "next Friday"},
        "expected": {
            "from": "{DoW}, {DayD} {Month}",
            "to": "{DoW} {Day0D}.{Month0D}.{Year}",
            "doDay": "{DayD}",
            "n": 2,
        },
    }
    assert rules_for_today(rules, THURSDAY)["expected"] == {
        "from": "Mon, 16 Mar", "to": "Fri 20.03.2026", "doDay": "20", "n": 2,
    }  # fmt: skip
    address = {"relativeTime": {"from": "last year"}, "expected": {"time": "{Year}"}, "formatted": {"url": "/of{time}"}}
    assert formatted_rules(address, THURSDAY) == {"url": "/of2025"}


def test_a_course_of_actions_begins_where_it_can(tmp_path: Path) -> None:
    steps = [
        {"action_type": "CLICK", "parameters": {"bbox": [71, 63, 104, 84]}},
        {"action_type": "MOVE_TO", "parameters": {"bbox": [1, 1, 2, 2]}},
        {"action_type": "TYPING", "parameters": {"text": "a"}},
        {"action_type": "PRESS", "parameters": {"key": "Enter"}},
        {"action_type": "HOTKEY", "parameters": {"keys": ["ctrl", "s"]}},
        {"action_type": "DONE"},
    ]
    made = check_of(read(tmp_path, "check_step_actions", {"type": "step_actions"}, rule(expected=steps)))
    assert [dict(each) for each in made.arguments["steps"]] == [
        {"do": "click", "count": 1}, {"do": "type", "text": "a"}, {"do": "press", "keys": "enter"},
        {"do": "press", "keys": "ctrl+s"},
    ]  # fmt: skip
    dock = [{"action_type": "CLICK", "parameters": {"bbox": [0, 1010, 70, 1080]}}]
    assert "dock" in why(read(tmp_path, "check_step_actions", {"type": "step_actions"}, rule(expected=dock)))


@pytest.mark.parametrize(
    ("rules", "least", "most"),
    [({"type": "range", "min": 16, "max": 99999}, 17, 99998), ({"type": "value", "value": 20}, 20, 20)],
)
def test_the_ends_of_a_range_of_sizes_are_not_in_it(rules: Any, least: float, most: float, tmp_path: Path) -> None:
    found = check_of(read(tmp_path, "check_font_size", {"type": "chrome_font_size"}, rule(**rules)))
    assert (found.arguments["least"], found.arguments["most"]) == (least, most)
    at_end = {"path": "The setting", "value": 16}
    assert not setting_between(at_end, least, most).passed
    assert not setting_between({**at_end, "value": None}, least, most).passed


def test_another_player_than_vlc_opens_films_at_first(tmp_path: Path) -> None:
    player = rule(include=["vlc.desktop"])
    found = read(tmp_path, "check_include_exclude", {"type": "default_video_player"}, player, config=[])
    assert found.make is not None
    [step] = [call for call in found.make().setup if "xdg-mime default" in str(call)]
    assert "vlc" not in str(step)


def test_commands_run_in_the_shell_that_they_were_written_for(tmp_path: Path) -> None:
    steps = [
        {"type": "execute", "parameters": {"command": "echo -e '#!/bin/bash' > a.sh", "shell": True}},
        {"type": "execute", "parameters": {"command": ["/bin/bash", "-c", "[[ -e a.sh ]]"]}},
    ]
    made = {"type": "vm_command_line", "command": ["/home/user/.local/bin/mine", "-v"]}
    found = read(tmp_path, "exact_match", made, rule(expected="1\n"), config=steps)
    assert found.make is not None
    task = found.make()
    assert [call.arguments["argv"][0] for call in task.setup if call.name == "command"] == ["/bin/sh", "/bin/bash"]
    # What was never made prints nothing, in place of keeping everything from being judged.
    assert list(task.check.arguments["of"].arguments["argv"])[-2:] == ["/home/user/.local/bin/mine", "-v"]
    assert task.check.arguments["of"].arguments["argv"][0] == "/bin/sh"


def test_cookies_of_some_hosts_are_to_go(tmp_path: Path) -> None:
    hosts = [".shop.example", "news.example"]
    made = check_of(read(tmp_path, "is_cookie_deleted", {"type": "cookie_data"}, rule(type="domains", domains=hosts)))
    assert [each.arguments["host"] for each in made.arguments["of"]] == hosts
    assert "of the type" in why(read(tmp_path, "is_cookie_deleted", {"type": "cookie_data"}, rule(type="names")))


def test_another_wallpaper_is_set(tmp_path: Path) -> None:
    other = {"type": "change_wallpaper", "parameters": {"path": "~/Pictures/sea.jpg"}}
    found = read(tmp_path, "is_expected_tabs", {"type": "open_tabs_info"}, rule(urls=["file:///a"]), config=[other])
    assert found.make is not None
    assert "/home/user/Pictures/sea.jpg" in [call.arguments.get("value") for call in found.make().setup]


def test_two_windows_stand_side_by_side(tmp_path: Path) -> None:
    split = {"type": "split_screen", "parameters": {"window_name1": "a.odt", "window_name2": "Chromium"}}
    found = read(tmp_path, "is_expected_tabs", {"type": "open_tabs_info"}, rule(urls=["file:///a"]), config=[split])
    assert found.make is not None
    boxes = {call.arguments["window"]: call.arguments["x"] for call in found.make().setup if call.name == "arrange"}
    assert boxes == {"a.odt": 0, "Chromium": 960}
