"""Events in task files: what is wrong with them is told with its place and what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proctor.errors import SpecError
from proctor.tasks.events import Event, Undo, When
from proctor.tasks.load import load_task, task_from_json
from proctor.tasks.shelves import SETUP, expect, make, see
from proctor.tasks.task import Task

WRITE = {"setup": "text_file", "path": "x", "text": "y"}
THERE = {"check": "file_exists", "of": {"probe": "file", "path": "x"}}


def event(name: str, when: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"name": name, "do": [WRITE], "when": when, **rest}


def task(*events: dict[str, Any], **rest: Any) -> dict[str, Any]:
    tags = {"apps": ["mousepad"], "level": 3, "domain": "Office", "scenario": "Documentation", "demand": "Writing"}
    fields = {"id": "mine/some-v1", "instruction": "Write it.", "tags": tags, "check": THERE, "events": list(events)}
    return {**fields, **rest}


def faults(*events: dict[str, Any], **rest: Any) -> str:
    with pytest.raises(SpecError) as refused:
        task_from_json(task(*events, **rest))
    return str(refused.value)


EARLY = event("a", {"actions": 1})


def test_a_task_with_events_loses_nothing_in_its_file() -> None:
    whole = event(
        "letter", {"check": THERE, "actions": 2}, times=2, until={"actions": 9}, needed=True,
        undo={"do": [WRITE], "when": {"seconds": 4.5}},
    )  # fmt: skip
    made = task_from_json(task(whole, event("second", {"after": ["letter"]})))
    assert Task.model_validate_json(made.text) == made
    assert made.to_json()["events"] == [whole, event("second", {"after": ["letter"]})]
    (letter, second) = made.events
    assert letter.checks == (expect.file_exists(see.file("x")),)
    assert letter.undo == Undo(do=(make.text_file("x", "y"),), when=When(seconds=4.5))
    assert second == Event(name="second", do=(make.text_file("x", "y"),), when=When(after=("letter",)))


def test_a_task_without_any_is_what_it_was() -> None:
    assert "events" not in task_from_json(task()).to_json()


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([event("a", {})], "events.0.when: nothing says when; give a 'check', 'after' an event, or a number"),
        ([event("a", {"seconds": 5})], "events.0.when: seconds alone say no moment"),
        ([event("a", {"actions": 1}, until={})], "events.0.until: nothing says when"),
        ([event("a", {"actions": 1}, undo={"do": [WRITE], "when": {}})], "events.0.undo.when: nothing says when"),
        ([event("a", {"after": ["b"]})], "events.0.when.after.0: unknown event 'b'"),
        ([event("letter", {"actions": 1}), event("b", {"after": ["leter"]})], "did you mean 'letter'?"),
        ([event("a", {"actions": 1}), event("a", {"actions": 2})], "events.1.name: there are two events called 'a'"),
        ([event("a", {"after": ["b"]}), event("b", {"after": ["a"]})], "'a' after 'b' after 'a'; break the circle"),
        ([event("a", {"after": ["a"]})], "'a' after 'a'; break the circle"),
        ([event("a", {"actions": 50})], "events.0.when: the event 'a' can never happen: it comes after 50 actions"),
        (
            [event("a", {"actions": 30}), event("b", {"after": ["a"], "actions": 20})],
            "events.1.when: the event 'b' can never happen: it comes after 50 actions, and the task ends after 50",
        ),
        ([event("a", {"actions": 9}, until={"actions": 9})], "events.0.until: the event 'a' can never happen"),
        ([event("a", {"check": THERE}, until={"check": THERE})], "it is over before it may come"),
        (
            [EARLY, event("b", {"after": ["a"]}), event("c", {"after": ["b"]}, until={"after": ["a"]})],
            "events.2.until: the event 'c' can never happen: it is over before it may come",
        ),
        ([EARLY, event("b", {"after": ["a"]}, times=2)], "events.1.times: it would happen every time"),
        ([event("a", {"actions": 1}, do=[{"setup": "text_fil"}])], "events.0.do.0.setup: unknown setup 'text_fil'"),
        ([event("a", {"actions": 1}, do=[])], "events.0.do"),
        ([event("a", {"check": {"check": "file_exist"}})], "unknown check 'file_exist'"),
        ([event("a", {"actions": 1, "onec": True})], "unknown field 'onec' of events.0.when"),
        ([event("a", {"actions": 1}, tims=2)], "unknown field 'tims' of events.0; did you mean 'times'?"),
        (
            [event("a", {"actions": 1}, do=[{"setup": "other_names"}])],
            "events.0.do.0: the setup step 'other_names' prepares a computer that nobody uses yet; take it in 'setup'",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(events: list[dict[str, Any]], said: str) -> None:
    assert said in faults(*events)


@pytest.mark.parametrize(
    "events",
    [
        [event("a", {"check": THERE, "actions": 5}, until={"check": THERE, "actions": 6})],
        [event("a", {"actions": 3}, until={"check": THERE})],
        [event("a", {"actions": 30}), event("b", {"actions": 30}), event("c", {"after": ["a", "b"], "actions": 19})],
        [event("a", {"actions": 1}), event("b", {"check": THERE}, until={"after": ["a"]})],
    ],
)
def test_what_may_happen_is_let_through(events: list[dict[str, Any]]) -> None:
    assert len(task_from_json(task(*events)).events) == len(events)


def test_a_chain_of_events_is_looked_through_in_time() -> None:
    events = [event("e0", {"actions": 1})]
    events += [event(f"e{n}", {"after": [f"e{n - 1}", *(["e0"] if n > 1 else [])]}) for n in range(1, 100)]
    assert len(task_from_json(task(*events)).events) == 100
    assert "break the circle" in faults(*events[1:], event("e0", {"after": ["e99"]}))


def test_faults_in_a_file_have_lines_and_files_of_events_are_assets(tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    bring = event("a", {"actions": 1}, do=[{"setup": "asset_file", "path": "x", "asset": "new.txt"}])
    file.write_text(json.dumps(task(bring), indent=1), encoding="utf-8")
    with pytest.raises(SpecError, match=r"some.json:\d+: there is no asset 'new.txt' next to the task file"):
        load_task(file)
    (tmp_path / "new.txt").write_text("new", encoding="utf-8")
    assert list(load_task(file).assets) == ["new.txt"]


def test_steps_that_start_services_are_for_computers_that_nobody_uses_yet() -> None:
    early = {name for name in SETUP.names() if SETUP.get(name).before_use}
    assert {"mail_service", "web_site", "actions", "unsaved_typing", "browser_profile"} <= early
    assert not early & {"text_file", "move_file", "mail_delivered", "chat_say", "launch", "clipboard", "minimise"}
