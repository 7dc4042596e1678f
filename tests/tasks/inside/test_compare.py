"""What changed besides is what can be put back without the check minding; it is told by its name."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from proctor.actions.action import Done
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.prove.key_exam import KeyExam
from proctor.prove.transforms import transforms_for
from proctor.tasks.call import Call, walk
from proctor.tasks.findings import Fault
from proctor.tasks.inside.compare import BEFORE, compare_states
from proctor.tasks.inside.earlier import move_on
from proctor.tasks.inside.models import models_of
from proctor.tasks.shelves import expect, make, see
from proctor.tasks.task import Task
from proctor.vocabulary.formats.spreadsheets.spec import SheetSpec
from proctor.vocabulary.formats.spreadsheets.write import ods
from tests.tasks.test_judge import task

HOME = "/home/user"
BOOK = see.spreadsheet("Documents/order.ods")
CALENDAR = see.calendar("Private")
CHAT = see.chat_log()


def cell(value: object, **looks: object) -> dict[str, Any]:
    kind = "number" if isinstance(value, int | float) else "text"
    return {"kind": kind, "value": value, "shown": str(value), **looks}


def a_book() -> dict[str, Any]:
    rows = [["Item", "Price"], ["Flour", 3], ["Sugar", 4], ["Salt", 1]]
    cells = {f"{'AB'[at]}{number}": cell(value) for number, row in enumerate(rows, 1) for at, value in enumerate(row)}
    cells["A1"]["bold"] = cells["B1"]["bold"] = True
    return {"path": "Documents/order.ods", "format": "ods", "sheets": [{"name": "Order", "cells": cells}]}


def besides(
    checked: Call, probe: Call, before: dict[str, Any], change: Callable[[dict[str, Any]], object], **more: Any
) -> list[tuple[str, str]]:
    """Return what is told as changed besides, with its severity."""
    after = copy.deepcopy(before)
    change(after)
    found = compare_states(task(checked, **more), {probe.key: after}, {probe.key: before}, HOME)
    return [(effect.place.removeprefix(f"{HOME}/Documents/"), effect.severity) for effect in found.effects]


def new_price(book: dict[str, Any]) -> dict[str, Any]:
    cells = book["sheets"][0]["cells"]
    cells["B2"] = cell(5)
    return cells


CELL = expect.cell_is(BOOK, "B2", 5)


def worked_out(*cells: str, formula: str = "=E1*2", **names: str) -> Callable[[dict[str, Any]], object]:
    """Give the asked price as a formula, with cells and names beside it."""

    def change(book: dict[str, Any]) -> None:
        kept = new_price(book)
        kept["B2"]["formula"] = formula
        for each in cells:
            address, _, held = each.partition("=")
            kept[address] = cell(1, formula=f"={held}") if held else cell(1)
        if names:
            book["names"] = [{"name": name, "refers_to": to} for name, to in names.items()]

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (worked_out("E1", formula="=E1*2"), []),
        (worked_out("E1", "E2", formula="=SUM(E1:E2)"), []),
        (worked_out("E1=F1", "F1=F2", "F2", formula="=Order!$E$1"), []),
        (worked_out("E1", formula="=RATE*2", Rate="Order!E1"), []),
        (worked_out("E1", formula="=SUM($E:$E)"), []),
        (worked_out("E2", formula="=E1*2"), ["E2 added"]),
        (worked_out("E1", "F1=E1", formula="=E1*2"), ["F1 added"]),
        (worked_out("F1=F2", "F2", formula="=3+2"), ["F1 to F2 added"]),
        (worked_out("F1=F2", "F2=F1", formula='=LEN("F1")+3'), ["F1 to F2 added"]),
        (worked_out(formula="=3+2", Rate="Order!B3"), ["names added"]),
        (worked_out(formula="=RATE+2", Rate="Order!B3", Other="Order!B4"), ["names added"]),
    ],
)
def test_what_a_formula_is_worked_out_from_belongs_to_it(
    change: Callable[[dict[str, Any]], object], told: list[str]
) -> None:
    found = besides(CELL, BOOK, a_book(), change)
    assert [place.removeprefix("order.ods: ").removeprefix("sheet Order, ") for place, _ in found] == told


def test_the_look_of_a_cell_is_nothing_to_work_with() -> None:
    def in_white(book: dict[str, Any]) -> None:
        new_price(book)["B2"]["formula"] = "=B3+1"
        book["sheets"][0]["cells"]["B3"]["colour"] = "#ffffff"

    ((place, _),) = besides(CELL, BOOK, a_book(), in_white)
    assert place == "order.ods: sheet Order, B3: colour added ('#ffffff')"


def test_what_was_asked_for_is_not_besides() -> None:
    assert besides(CELL, BOOK, a_book(), new_price) == []


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda book: book["sheets"].append({"name": "Scratch", "cells": {}}), ("sheet Scratch added", "low")),
        (lambda book: new_price(book).update(B3=cell(9)), ("sheet Order, B3 changed", "high")),
        (
            lambda book: [new_price(book)[at].pop("bold") for at in ("A1", "B1")],
            ("sheet Order, A1, B1: bold removed", "high"),
        ),
        (lambda book: new_price(book).pop("A4"), ("sheet Order, A4 removed", "high")),
        (lambda book: new_price(book).update(D9=cell("stray")), ("sheet Order, D9 added", "low")),
        (lambda book: book["sheets"][0].update(protected=True), ("sheet Order: protected added (true)", "low")),
        (lambda book: book.update(format="xlsx"), ("format changed from 'ods' to 'xlsx'", "high")),
    ],
)  # fmt: skip
def test_damage_in_a_workbook_has_a_name(change: Callable[[Any], object], wanted: tuple[str, str]) -> None:
    def both(book: dict[str, Any]) -> None:
        new_price(book)
        change(book)

    what, severity = wanted
    assert besides(CELL, BOOK, a_book(), both) == [(f"order.ods: {what}", severity)]


def an_event(uid: str, summary: str, start: str, **rest: object) -> dict[str, Any]:
    told = {"uid": uid, "summary": summary, "start": start, "end": start, "description": "", "reminders": []}
    return {**told, "attendees": [], **rest}


def whole_calendars() -> dict[str, Any]:
    events = [an_event("1", "Dentist", "2026-03-02T09:00"), an_event("2", "Choir", "2026-03-03T19:00")]
    private = {"id": "/private/", "title": "Private", "colour": "", "says": "", "events": events, "others": []}
    return {"path": "the calendars", "calendars": [private, {**private, "id": "/work/", "title": "Work", "events": []}]}


def besides_a_part(
    checked: Call, model: Call, before: dict[str, Any], after: dict[str, Any], seen: dict[str, Any]
) -> list[tuple[str, str]]:
    """Return what is told as changed besides of a model of which a check looks at parts alone."""
    found = compare_states(task(checked), {**seen, model.key: after}, {model.key: before}, HOME)
    return sorted((effect.place, effect.severity) for effect in found.effects)


def test_another_event_another_calendar_and_guests_of_the_new_one_are_named() -> None:
    after = whole_calendars()
    private, work = after["calendars"]
    private["events"][0]["description"] = "cancelled"
    private["events"].insert(0, an_event("3", "Lunch", "2026-03-04T12:00", attendees=["eve@example.org"]))
    work["events"].append(an_event("4", "Lunch", "2026-03-04T12:00"))
    checked = expect.event_exists(CALENDAR, {"summary": "Lunch", "start": "2026-03-04T12:00"})
    seen = {CALENDAR.key: {"calendar": "Private", "events": private["events"]}}
    assert besides_a_part(checked, see.calendars(), whole_calendars(), after, seen) == [
        ("calendars: calendar Private, event Dentist: description changed from '' to 'cancelled'", "high"),
        ("calendars: calendar Private, event Lunch, attendee eve@example.org added", "low"),
        ("calendars: calendar Work, event Lunch added", "low"),
    ]


def settings(app: str, file: str, held: dict[str, object]) -> dict[str, Any]:
    listed = [{"id": f"{file} {name}", "file": file, "name": name, "value": held[name]} for name in sorted(held)]
    return {"path": f"the settings of {app}", "settings": listed, "noise": []}


STYLE = see.xfconf("xsettings", "/Net/ThemeName")
DARK = see.gsetting("org.gnome.eog.ui", "dark")
WRAP = see.dconf("/org/xfce/mousepad/word-wrap")
VLC = see.vlc_settings()
HOME_PAGE = see.home_page("chromium")
BUTTON = see.browser_setting("firefox", "browser.home")


@pytest.mark.parametrize(
    ("checked", "seen", "app", "file", "before", "after"),
    [
        (
            expect.setting_is(STYLE, "Arc"),
            {"path": "it", "value": "Arc"},
            "desktop",
            ".config/xfce4/xfconf/xfce-perchannel-xml/xsettings.xml",
            {"/Net/ThemeName": "Greybird", "/Gtk/FontName": "Sans 10"},
            {"/Net/ThemeName": "Arc", "/Gtk/FontName": "Sans 24"},
        ),
        (
            expect.setting_is(STYLE, "Arc"),
            {"path": "it", "value": "Arc"},
            "desktop",
            ".config/xfce4/xfconf/xfce-perchannel-xml/xsettings.xml",
            {"/Gtk/FontName": "Sans 10"},
            {"/Net/ThemeName": "Arc"},
        ),
        (
            expect.setting_is(DARK, True),
            {"path": "it", "value": True, "at": "/org/gnome/eog/ui/dark"},
            "desktop",
            ".config/dconf/user",
            {"/org/gnome/eog/ui/dark": "false"},
            {"/org/gnome/eog/ui/dark": "true", "/org/gnome/eog/ui/loop": "true"},
        ),
        (
            expect.setting_is(WRAP, True),
            {"path": "it", "value": True},
            "desktop",
            ".config/dconf/user",
            {},
            {"/org/xfce/mousepad/word-wrap": "true", "/org/xfce/mousepad/tabs": "uint32 3"},
        ),
        (
            expect.player_setting(VLC, {"snapshot-prefix": "film-"}),
            {"path": "vlcrc", "settings": {"snapshot-prefix": "film-", "volume-save": "0"}},
            "vlc",
            ".config/vlc/vlcrc",
            {"core/snapshot-prefix": "vlcsnap-", "core/volume-save": "1"},
            {"core/snapshot-prefix": "film-", "core/volume-save": "0"},
        ),
        (
            expect.home_page_is(HOME_PAGE, "http://a.example/"),
            {"browser": "chromium", "home_page": "http://a.example/"},
            "chromium",
            ".config/chromium/Default/Preferences",
            {"homepage": "http://b.example/", "homepage_is_newtabpage": False},
            {"homepage": "http://a.example/", "homepage_is_newtabpage": False, "session.restore_on_startup": 4},
        ),
        (
            expect.browser_setting_is(BUTTON, True),
            {"browser": "firefox", "name": "browser.home", "value": True},
            "firefox",
            ".config/mozilla/firefox/user.default-esr/prefs.js",
            {"browser.home": False, "browser.zoom": 1},
            {"browser.home": True, "browser.zoom": 3},
        ),
    ],
)
def test_a_check_of_one_setting_has_all_of_them_compared(
    checked: Call, seen: dict[str, Any], app: str, file: str, before: dict[str, object], after: dict[str, object]
) -> None:
    (probe,) = [call for _, call in walk(checked) if call.kind == "probe"]
    states = settings(app, file, before), settings(app, file, after)
    told = besides_a_part(checked, see.application_settings(app), *states, {probe.key: seen})
    assert len(told) == 1, "the other setting, and not the one that was asked for"
    assert told[0][0].startswith(f"application settings {app}: setting ") and told[0][1] == "medium"


def test_what_a_task_sets_up_is_compared_though_its_check_looks_at_something_else() -> None:
    asked = task(
        expect.text_is(see.text("Documents/a.txt"), "5 letters"),
        setup=(
            make.mail_service([{"address": "ana@kites.example", "password": "x", "name": "Ana", "folders": {}}]),
            make.web_site("shop.example", "Shop", {"/": {"title": "Shop", "body": "<p>Shop</p>"}}),
            make.open_browser("chromium", ["http://shop.example/"], "Shop"),
        ),
    )
    model = see.application_settings("mousepad")
    assert {each.key for each in models_of(asked)} == {
        see.text("Documents/a.txt").key,
        see.mailboxes().key,
        see.posted_mail().key,
        see.site_records("shop.example").key,
        see.web_bookmarks("chromium").key,
        see.web_logins("chromium").key,
        model.key,
        see.application_settings("session").key,
    }
    seen = {see.text("Documents/a.txt").key: {"path": "Documents/a.txt", "text": "5 letters"}}
    before, after = settings("mousepad", "it", {"saves": True}), settings("mousepad", "it", {"saves": False})
    told = compare_states(asked, {**seen, model.key: after}, {model.key: before}, HOME).effects
    assert [(each.place, each.severity) for each in told] == [
        ("application settings mousepad: setting saves: value changed from true to false", "medium")
    ]


def test_a_word_that_became_a_link_is_besides_though_half_of_that_cannot_be_taken_back() -> None:
    def paragraph(text: str, *runs: dict[str, Any], style: str = "Default") -> dict[str, Any]:
        plain = dict.fromkeys(("bold", "italic", "underline", "strike"), False)
        looks = {**plain, "size": 12.0, "font": "Serif", "colour": None, "highlight": None}
        told = [{**looks, **run} for run in runs or ({"text": text},)]
        level = 2 if style == "Heading 2" else 0
        return {"kind": "paragraph", "text": text, "style": style, "level": level, "list": None, "runs": told}

    probe = see.document("Documents/report.odt")
    told = "Amara wrote this."
    before = {"path": "report.odt", "format": "odt", "title": "", "blocks": [paragraph(told), paragraph("Food")]}
    checked = expect.all_of([
        expect.headings_are(probe, [{"level": 2, "text": "Food"}]),
        expect.document_text_is(probe, [told, "Food"]),
    ])  # fmt: skip

    def link_a_word(document: dict[str, Any]) -> None:
        linked = paragraph(told, {"text": "Amara ", "href": "http://x.example/"}, {"text": "wrote this."})
        document["blocks"] = [linked, paragraph("Food", style="Heading 2")]

    found = besides(checked, probe, before, link_a_word)
    assert {place.partition(", run")[0] for place, _ in found} == {"report.odt: block Amara wrote this."}


@pytest.mark.parametrize(("name", "told"), [("a.txt", True), ("a.sh", True), ("a.csv", False)])
def test_other_line_ends_of_a_text_are_besides_and_of_data_are_not(name: str, told: bool) -> None:
    probe = see.text(f"Documents/{name}")
    before = {"path": probe.arguments["path"], "text": "one\ntwo\n", "line_ends": "LF", "byte_order_mark": False}

    def write_anew(text: dict[str, Any]) -> None:
        text |= {"text": "one\ntwo\nthree\n", "line_ends": "CRLF", "byte_order_mark": False}

    assert bool(besides(expect.text_has(probe, ["three"]), probe, before, write_anew)) == told


def test_a_letter_that_was_looked_at_is_no_other_letter_and_a_star_is_told() -> None:
    asked = task(
        expect.text_is(see.text("a.txt"), "5"),
        setup=(make.mail_service([{"address": "ana@kites.example", "password": "x", "name": "Ana", "folders": {}}]),),
    )

    def state(*marks: str) -> dict[str, Any]:
        letters = [{"subject": "Hello", "uid": "1", "marks": list(marks)}]
        folders = [{"name": "INBOX", "shown": True, "letters": letters}]
        return {"path": "the mailboxes", "accounts": [{"address": "ana@kites.example", "folders": folders}]}

    seen = {see.text("a.txt").key: {"path": "a.txt", "text": "5"}}
    for marks, count in ((["read"], 0), (["read", "starred"], 1)):
        after, before = {**seen, see.mailboxes().key: state(*marks)}, {see.mailboxes().key: state()}
        assert len(compare_states(asked, after, before, HOME).effects) == count


def test_what_a_check_looks_at_is_not_compared_twice() -> None:
    records = see.site_records("shop.example", "order")
    site = make.web_site("shop.example", "Shop", {"/": {"title": "Shop", "body": "<p>Shop</p>"}})
    asked = task(expect.site_record(records, {"item": "kettle"}), setup=(site,))
    assert [each for each in models_of(asked) if each.name == "site_records"] == [records]
    assert models_of(task(expect.setting_is(WRAP, True))) == [see.application_settings("desktop")]


def test_a_function_written_anew_is_what_was_asked_for_and_a_stray_line_elsewhere_is_not() -> None:
    path = "till.py"
    wrong = [
        "def total(prices):",
        "    result = 0",
        "    for price in prices:",
        "        result = price",
        "    return result",
    ]
    others = ["", "def dearest(prices):", "    return max(prices)"]
    body = "\n".join(wrong[1:])
    results, text = see.python_results(path, "total", [[[1, 2]]]), see.text(path)
    checked = expect.all_of(
        [
            expect.returns(results, [3]),
            expect.none_of([expect.text_matches(text, re.escape(body))], feedback="the wrong total() is still there"),
        ]
    )

    def told(lines: list[str]) -> list[str]:
        def state(held: list[str]) -> dict[str, Any]:
            joined = "\n".join(held)
            return {"path": path, "text": joined, "line_ends": "LF"}

        seen = {
            results.key: {"path": path, "function": "total", "cases": [[[1, 2]]], "results": [{"value": 3}]},
            text.key: state(lines),
        }
        found = compare_states(task(checked), seen, {text.key: state([*wrong, *others])}, HOME)
        return [effect.place for effect in found.effects]

    anew = [wrong[0], "    return sum(prices)"]
    assert told([*anew, *others]) == []
    assert told([*anew, *others, "print('here')"]) == [f"{HOME}/{path}: line 6 added"]


def test_what_can_no_longer_be_looked_at_is_told() -> None:
    fault = {"fault": "unreadable", "why": "it is broken"}
    model = see.calendars()
    checked = expect.event_exists(CALENDAR, {"summary": "Dentist", "start": "2026-03-02T09:00"})
    seen = {CALENDAR.key: {"calendar": "Private", "events": whole_calendars()["calendars"][0]["events"]}}
    for after in ({**seen, model.key: fault}, seen):
        found = compare_states(task(checked), after, {model.key: whole_calendars()}, HOME)
        assert [effect.place for effect in found.effects] == ["calendars: it can no longer be looked at"]


def test_what_went_out_to_others_cannot_be_taken_back() -> None:
    def say(where: str, text: str) -> dict[str, Any]:
        return {"kind": "message", "who": "user", "where": where, "text": text}

    def change(log: dict[str, Any]) -> None:
        log["entries"] += [say("#choir", "We meet at 7"), say("#choir", "whatever")]

    checked = expect.chat_said(CHAT, "user", "We meet at 7")
    (found,) = besides(checked, CHAT, {"where": "the chat", "entries": []}, change)
    assert "whatever" in found[0] and found[1] == "high"


def test_who_opens_and_closes_a_chat_program_has_done_nothing_by_that() -> None:
    def come(kind: str, where: str) -> dict[str, Any]:
        return {"kind": kind, "who": "user", "where": where, "text": ""}

    def say_it(log: dict[str, Any]) -> None:
        log["entries"] += [come("join", "#choir"), come("join", "#helpers")]
        log["entries"] += [{**come("message", "#choir"), "text": "We meet at 7"}, come("quit", "")]

    def leave_as_well(log: dict[str, Any]) -> None:
        say_it(log)
        log["entries"].insert(3, come("part", "#helpers"))
        log["entries"].append({**come("quit", ""), "text": "I have had enough"})

    checked = expect.chat_said(CHAT, "user", "We meet at 7")
    empty = {"where": "the chat", "entries": []}
    assert not besides(checked, CHAT, empty, say_it)
    assert besides(checked, CHAT, empty, leave_as_well) == [
        ("chat log: entry 4 added", "high"),
        ("chat log: entry I have had enough added", "high"),
    ]


def test_a_task_may_leave_parts_open() -> None:
    def change(book: dict[str, Any]) -> None:
        new_price(book)
        book["sheets"].append({"name": "Notes", "cells": {}})

    assert not besides(CELL, BOOK, a_book(), change, may_change=("Documents/order.ods: sheet Notes *",))


def test_two_changes_that_cancel_each_other_out_are_none() -> None:
    assert besides(CELL, BOOK, {**a_book(), "sheets": a_book()["sheets"]}, new_price) == []


def test_one_that_could_not_be_seen_before_is_not_compared() -> None:
    fault = {"fault": "absent", "why": "there was none"}
    after = a_book()
    new_price(after)
    assert not compare_states(task(CELL), {BOOK.key: after}, {BOOK.key: fault}, HOME).effects


def test_more_than_can_be_told_apart_is_said_and_not_let_pass() -> None:
    def change(book: dict[str, Any]) -> None:
        cells = new_price(book)
        cells.update({f"Z{number}": cell(number, bold=number % 2 == 0) for number in range(1, 30_000)})

    found = besides(CELL, BOOK, a_book(), change)
    assert found and all(place.startswith("order.ods: ") for place, _ in found)


def test_an_exam_finds_it_and_keeps_how_it_was() -> None:
    asked = task(
        expect.text_has(see.text("a.txt"), ["world"]),
        setup=(make.text_file("a.txt", "hello\nkeep this\n"),),
        expected=("a.txt",),
    )
    effects, evidence = end_with(asked, "hello world\nlost\n")
    assert effects == ["/home/user/a.txt: line 2 changed from 'keep this' to 'lost'"] or "line 2" in effects[0]
    assert see.text("a.txt").key in evidence[BEFORE]
    assert end_with(asked, "hello world\nkeep this\n")[0] == []


def test_what_got_lost_on_the_way_into_a_copy_is_besides() -> None:
    asked = task(
        expect.text_has(see.text("copy.txt"), ["world"]),
        setup=(make.text_file("a.txt", "hello\nkeep this\n"),),
        expected=("copy.txt",),
    )
    assert end_with(asked, "hello world\nlost\n", "copy.txt")[0] == [], "it may be any new file"
    asked = asked.model_copy(update={"copies": {"copy.txt": "a.txt"}})
    (effect,) = end_with(asked, "hello world\nlost\n", "copy.txt")[0]
    assert effect == "/home/user/copy.txt: line 2 changed"
    assert end_with(asked, "hello world\nkeep this\n", "copy.txt")[0] == []


def test_a_new_workbook_has_neither_remarks_nor_locks_that_nobody_asked_for() -> None:
    rows = (("Item", "Price"), ("Tea", 12.5))
    plain = ods([SheetSpec(name="Costs", rows=rows)])
    asked = task(expect.table_is(see.spreadsheet("new.ods"), [[*row] for row in rows]), expected=("new.ods",))
    besides = {one.label: one for one in transforms_for("new.ods", "mutant")}

    def found_in(data: bytes) -> list[str]:
        with FakeComputer() as computer, KeyExam(asked, computer) as exam:
            exam.hand()
            computer.write_file("new.ods", data)
            exam.end_with_verdict(Done())
            return [effect.place for effect in exam.account.side_effects.effects]

    assert found_in(plain) == []
    for label, told in (("a remark beside a cell", ", comment in A1 added"), ("its first sheet locked", "protected")):
        changed = besides[label].apply(plain, Random(1))
        assert changed
        (effect,) = found_in(changed)
        assert effect.startswith("/home/user/new.ods: sheet Costs") and told in effect


def end_with(asked: Task, text: str, path: str = "a.txt") -> tuple[list[str], dict[str, Any]]:
    with FakeComputer() as computer, KeyExam(asked, computer) as exam:
        exam.hand()
        computer.write_file(path, text.encode())
        verdict = exam.end_with_verdict(Done())
        return [effect.place for effect in exam.account.side_effects.effects], dict(verdict.evidence)


def letters(*subjects: str) -> dict[str, object]:
    return {"letters": [{"subject": each, "text": f"about {each}"} for each in subjects]}


@pytest.mark.parametrize(
    ("first", "before", "after", "moved"),
    [
        (letters("a"), letters("a"), letters("a", "b"), letters("a", "b")),
        (letters("a", "c"), letters("a"), letters("a", "b"), letters("a", "c", "b")),
        (letters("a"), letters("a", "mine"), letters("a", "mine", "b"), letters("a", "b")),
        (letters("a"), letters("a", "mine"), letters("a", "mine"), letters("a")),
    ],
    ids=["untouched", "one taken away before", "one added before", "nothing happened"],
)
def test_what_happens_by_itself_is_put_into_what_a_store_held_at_first(
    first: dict[str, object], before: dict[str, object], after: dict[str, object], moved: dict[str, object]
) -> None:
    found = move_on({"box": first}, {"box": before}, {"box": after})["box"]
    assert sorted(map(str, found["letters"])) == sorted(map(str, moved["letters"]))  # type: ignore[index,call-overload]


def test_a_store_that_cannot_be_seen_meanwhile_stays_what_it_was() -> None:
    fault = Fault("unreadable", "the mail service could not be looked at").to_json()
    assert move_on({"box": letters("a")}, {"box": letters("a")}, {"box": fault}) == {"box": letters("a")}
    assert move_on({"box": letters("a")}, {"box": fault}, {"box": letters("b")}) == {"box": letters("b")}
