"""Changes to what probes saw: new entries left out or changed, old ones left out, settings taken back."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from proctor.prove.evidence_changes import evidence_mutants, other_answers, same_answers
from proctor.prove.mutate_evidence import with_parts
from proctor.tasks.shelves import expect, see


def key(probe: str, **arguments: str) -> str:
    return json.dumps({"probe": probe, **arguments})


def mutants(before: dict[str, Any], after: dict[str, Any], files: tuple[str, ...] = ()) -> dict[str, dict[str, Any]]:
    return dict(evidence_mutants(before, after, Random(1), files.__contains__))


def test_a_letter_that_was_sent_is_left_out_and_changed_field_by_field() -> None:
    posted = key("posted_mail")
    letter = {"id": "x1", "subject": "Parcel", "own": "It costs 14 euros.", "text": "It costs 14 euros.\n> When?",
              "recipients": ["ada@example.com"], "to": ["ada@example.com"], "date": "today",
              "forms": ["html", "plain"]}  # fmt: skip
    after = {posted: {"mailbox": "what was sent", "letters": [letter]}, "ending": {"gave_up": False}}
    made = mutants({posted: {"mailbox": "what was sent", "letters": []}}, after)
    labels = {label.removeprefix("posted_mail(): ") for label in made}
    assert labels == {"taken back", "letters: 'Parcel' left out", "letters: 'Parcel': subject: emptied",
                      "letters: 'Parcel': own: a number changed", "letters: 'Parcel': own: emptied",
                      "letters: 'Parcel': recipients: one left out", "letters: an entry more"}  # fmt: skip
    changed = made["posted_mail(): letters: 'Parcel': own: a number changed"][posted]["letters"][0]
    assert "14" not in changed["own"] and "14" not in changed["text"] and "> When?" in changed["text"]
    assert after[posted]["letters"] == [letter], "what was seen stays as it is"


def test_entries_that_were_there_before_are_left_out_too() -> None:
    calendar = key("calendar", title="Home")
    old = [{"uid": str(n), "summary": f"Old {n}", "start": "2026-03-12"} for n in range(3)]
    new = {"uid": "9", "summary": "Fair", "start": "2026-03-14T10:00"}
    made = mutants({calendar: {"events": old}}, {calendar: {"events": [*old, new]}})
    assert sum("there before, left out" in label for label in made) == 2
    assert "calendar(Home): events: 'Fair': start: changed" in made
    assert not any("uid" in label for label in made)


def test_a_letter_that_was_only_read_is_as_it_was() -> None:
    inbox = key("mailbox", address="ada@x.example")
    letter = {"subject": "Keys", "own": "Hello 12", "text": "Hello 12", "to": ["ada@x.example"], "marks": []}
    read, starred = {**letter, "marks": ["answered", "read"]}, {**letter, "marks": ["starred"]}
    made = mutants({inbox: {"letters": [letter]}}, {inbox: {"letters": [read]}})
    assert list(made) == [
        "mailbox(ada@x.example): letters: 'Keys', there before, left out",
        "mailbox(ada@x.example): letters: an entry more",
    ]
    made = mutants({inbox: {"letters": [letter]}}, {inbox: {"letters": [starred]}})
    assert "mailbox(ada@x.example): taken back" in made and not any("to: " in label for label in made)


def test_the_title_of_a_page_is_changed_where_it_says_what_the_page_is() -> None:
    kept = key("web_bookmarks", browser="chromium")
    page = {"title": "Carrot salad - Family recipes", "url": "http://recipes.example/"}
    bar = {"name": "Bookmarks bar", "folders": []}
    made = mutants({kept: {"folders": [{**bar, "bookmarks": []}]}}, {kept: {"folders": [{**bar, "bookmarks": [page]}]}})
    (changed,) = [
        seen[kept]["folders"][0]["bookmarks"][0]["title"]
        for label, seen in made.items()
        if label.endswith("title: changed")
    ]
    assert changed.endswith(" salad - Family recipes") and not changed.startswith("Carrot")


def test_who_came_into_a_chat_is_left_alone() -> None:
    chat = key("chat_log", where="#club")
    joined, said = {"kind": "join", "who": "ada", "text": ""}, {"kind": "message", "who": "ada", "text": "at 18:00"}
    made = mutants({chat: {"entries": [joined]}}, {chat: {"entries": [joined, said]}})
    assert "chat_log(#club): entries: 'message' left out" in made
    assert not any("'join'" in label for label in made)
    assert mutants({chat: {"entries": []}}, {chat: {"entries": [joined]}}) == {}


def test_settings_are_taken_back_one_at_a_time() -> None:
    probe = key("vlc_settings")
    before = {probe: {"settings": {"volume": "1", "loop": "0", "same": "x"}}}
    after = {probe: {"settings": {"volume": "2", "loop": "1", "same": "x"}}}
    made = mutants(before, after)
    assert set(made) == {"vlc_settings(): taken back", "vlc_settings(): settings: volume taken back",
                         "vlc_settings(): settings: loop taken back"}  # fmt: skip


def test_what_follows_from_the_rest_is_not_taken_back_alone() -> None:
    repository = key("repository", path="cafe")
    before = {repository: {"branch": "main", "derived": {"head": "a1"}}}
    after = {repository: {"branch": "spring", "derived": {"head": "b2"}}}
    assert mutants(before, after) == {"repository(cafe): taken back": before}


def test_files_trails_and_what_could_not_be_seen_are_left_alone() -> None:
    text, log, gone = key("text", path="a.txt"), key("site_log", site="shop"), key("todo")
    after = {text: {"path": "a.txt", "text": "x"}, log: {"requests": [{"path": "/"}]},
             gone: {"fault": "absent", "why": "?"}, key("history"): [1],
             key("text_before", path="b"): {"text": "x"}}  # fmt: skip
    assert mutants({log: {"requests": []}}, after, ("a.txt",)) == {
        "site_log(shop): taken back": {**after, log: {"requests": []}}
    }


def test_other_answers_say_something_else_and_same_ones_do_not() -> None:
    others = dict(other_answers("It is 35 euros at Pier 7, says Ada."))
    assert {"nothing that answers", "another number than 35", "another number than 7", "without Pier"} <= others.keys()
    assert "35" not in others["another number than 35"]
    assert "Pier" not in others["without Pier"]
    assert all("35" in text for _, text in same_answers("35"))
    assert list(other_answers("")) == [("nothing that answers", "I could not find out.")]


def test_entries_get_a_remark_and_company() -> None:
    calendar = key("calendar", title="Home")
    old = {"uid": "1", "summary": "Old", "description": "Bring cake", "start": "2026-03-12"}
    made = mutants({calendar: {"events": [old]}}, {calendar: {"events": [old]}})
    remark = made["calendar(Home): events: 'Old', there before: description: a remark added"]
    assert remark[calendar]["events"][0]["description"] == "Bring cake left over"
    more = made["calendar(Home): events: an entry more"][calendar]["events"]
    assert [event["uid"] for event in more] == ["1", "1 left over"]


def test_of_what_is_only_compared_nothing_is_changed_but_what_the_solution_left_alone() -> None:
    key = '{"probe": "application_settings", "app": "vlc"}'
    volume, theme = ({"id": name, "name": name, "value": 1} for name in ("volume", "theme"))
    before = {key: {"settings": [volume, theme], "noise": [volume]}}
    after = {key: {"settings": [{**volume, "value": 2}, theme], "noise": [volume]}}
    made = dict(evidence_mutants(before, after, Random(0), lambda path: False, part="besides"))
    settings = {label.rpartition("settings: ")[2]: changed[key]["settings"] for label, changed in made.items()}
    assert all("settings: " in label for label in made)
    assert settings.keys() == {
        "'theme', there before, left out", "'theme', there before: value: changed", "an entry more",
    }  # fmt: skip
    assert settings["'theme', there before: value: changed"][1]["value"] == 8
    assert all(kept[0]["value"] == 2 for kept in settings.values())


def test_what_lies_in_something_else_is_changed_where_the_solution_worked() -> None:
    key = '{"probe": "calendars"}'
    old, new = ({"uid": name, "summary": name, "description": ""} for name in ("Audit", "Talk"))
    work, home = ({"id": name, "title": name, "events": [old]} for name in ("Work", "Home"))
    before = {key: {"calendars": [home, work]}}
    after = {key: {"calendars": [home, {**work, "events": [old, new]}]}}
    made = dict(evidence_mutants(before, after, Random(0), lambda path: False, "besides"))
    assert [label.partition("'Work': ")[2] for label in made if "'Work': " in label] == [
        "events: 'Audit', there before, left out",
        "events: 'Audit', there before: description: a remark added",
        "events: an entry more",
    ]
    assert all(new in changed[key]["calendars"][1]["events"] for label, changed in made.items() if "'Work': " in label)


def test_of_what_another_probe_shows_too_only_what_was_asked_for_is_changed() -> None:
    key = '{"probe": "calendar", "title": "Work"}'
    old, new = ({"uid": name, "summary": name} for name in ("Audit", "Talk"))
    made = evidence_mutants({key: {"events": [old]}}, {key: {"events": [old, new]}}, Random(0), bool, "asked")
    labels = [label for label, _ in made]
    assert labels and not any("Audit" in label or "more" in label for label in labels)


def test_what_is_changed_in_the_whole_shows_in_its_parts() -> None:
    part, whole = see.calendar("Work"), see.calendars()
    check = expect.event_count(part, 1)
    events = [{"uid": "a", "summary": "Audit"}]
    before = {
        part.key: {"title": "Work", "events": events},
        whole.key: {"calendars": [{"title": "Work", "events": events}, {"title": "Home", "events": []}]},
    }
    emptied = {**before, whole.key: {"calendars": [{"title": "Work", "events": []}]}}
    assert with_parts(check, before, emptied)[part.key] == {"title": "Work", "events": []}
    elsewhere = {**before, whole.key: {"calendars": [{"title": "Work", "events": events}]}}
    assert with_parts(check, before, elsewhere) == elsewhere
