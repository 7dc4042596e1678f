"""Notes and lists of tasks are written as their applications keep them, read back, and judged by what they say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor import open_computer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.gnote import probes as gnote_probes
from proctor.vocabulary.apps.gnote import setup as gnote_setup
from proctor.vocabulary.apps.gnote.parse import gnote_note
from proctor.vocabulary.apps.gnote.setup import WrittenNote, gnote_xml
from proctor.vocabulary.apps.gtg import checks as todo_checks
from proctor.vocabulary.apps.gtg import probes as gtg_probes
from proctor.vocabulary.apps.gtg import setup as gtg_setup
from proctor.vocabulary.apps.gtg.checks import WantedTask
from proctor.vocabulary.apps.gtg.parse import gtg_tasks
from proctor.vocabulary.apps.gtg.setup import Todo, gtg_xml
from proctor.vocabulary.apps.notes import checks
from proctor.vocabulary.apps.zim import probes as zim_probes
from proctor.vocabulary.apps.zim import setup as zim_setup
from proctor.vocabulary.apps.zim.parse import zim_text
from proctor.vocabulary.desktop.setup import windows as desktop_windows
from proctor.vocabulary.desktop.setup.type_text import unsaved_typing

SEEN = {
    "path": "Notes",
    "notes": [
        {"title": "Shopping", "text": "[ ] milk\n\n[*] eggs  ", "notebook": "House"},
        {"title": "Recipes:Soup", "text": "* leeks", "notebook": ""},
    ],
}
LIST: dict[str, Any] = {
    "path": "list",
    "tasks": [
        {"title": "Call", "status": "Active", "due": "2026-03-20", "tags": ["home"], "text": "", "start": ""},
        {"title": "Call", "status": "Active", "due": "", "tags": ["work"], "text": "", "start": ""},
        {"title": "Mend", "status": "Done", "due": "", "tags": [], "text": "", "start": ""},
    ],
}
plain = some.text(some.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=40).map(str.strip)


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as opened:
        yield opened


def test_a_notebook_comes_back(computer: FakeComputer) -> None:
    pages = {"Home": "Hello.\n", "Recipes:Lentil Soup": "* lentils\n"}
    zim_setup.notebook(SetupContext(computer), "Notes", pages)
    found = zim_probes.notebook(ProbeContext(computer), "Notes")
    assert {note["title"]: note["text"] for note in found["notes"]} == {
        "Home": "Hello.",
        "Recipes:Lentil Soup": "* lentils",
    }
    assert b"~/Notes" in computer.read_file(".config/zim/notebooks.list")
    with pytest.raises(CannotSee):
        zim_probes.notebook(ProbeContext(computer), "Elsewhere")


def test_zim_lists_no_page_with_a_blank_in_the_name_of_its_file(computer: FakeComputer) -> None:
    zim_setup.notebook(SetupContext(computer), "Notes", {"For guests": "Hello.\n", "For guests:Plum Cake": "* plums\n"})
    computer.write_file("Notes/For guests/Fish_Pie.txt", b"* fish\n")
    titles = [note["title"] for note in zim_probes.notebook(ProbeContext(computer), "Notes")["notes"]]
    assert "For guests:Plum Cake" in titles and "For guests:Fish Pie" not in titles and len(titles) == 3


def test_what_zim_adds_is_left_out() -> None:
    header = "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\n\n"
    page = "====== Title ======\nCreated Thursday 12 March 2026\n\nText\n"
    assert zim_text(header + page) == "Text"
    assert zim_text((header + page).replace("\n", "\r\n")) == "Text"
    assert zim_text("Just text\n") == "Just text"
    assert zim_text((header + page).replace("\n", "\r\n")) == "Text"
    assert "Wiki-Format: zim 0.6" in zim_text(header.replace("\n\n", "\nWiki-Format: zim 0.6\n\n") + page)


def test_gnotes_come_back(computer: FakeComputer) -> None:
    gnote_setup.gnote_notes(
        SetupContext(computer), [WrittenNote(title="A & B", text="1 < 2", notebook="House"), WrittenNote(title="Loose")]
    )
    found = gnote_probes.gnote(ProbeContext(computer))["notes"]
    told = [(note["title"], note["text"], note["notebook"]) for note in found]
    assert told == [("A & B", "1 < 2", "House"), ("Loose", "", "")]
    computer.write_file(".local/share/gnote/broken.note", b"<note>")
    with pytest.raises(CannotSee):
        gnote_probes.gnote(ProbeContext(computer))


def test_without_gnote() -> None:
    with FakeComputer() as computer, pytest.raises(CannotSee):
        gnote_probes.gnote(ProbeContext(computer))


@given(plain.filter(bool), plain)
def test_any_note_comes_back(title: str, text: str) -> None:
    found = gnote_note(gnote_xml(WrittenNote(title=title, text=text)).encode(), "a.note")
    assert found is not None
    assert (found["title"], found["text"]) == (title, text)


def test_a_note_with_the_tags_of_two_notebooks_is_in_neither_alone() -> None:
    both = gnote_xml(WrittenNote(title="A", notebook="x")).replace("</tags>", "<tag>system:notebook:y</tag></tags>")
    assert (gnote_note(both.encode(), "a") or {})["notebook"] == "x and y"


def test_templates_are_no_notes() -> None:
    data = gnote_xml(WrittenNote(title="Template", notebook="x")).replace("system:notebook:x", "system:template")
    assert gnote_note(data.encode(), "a.note") is None


def test_tasks_come_back() -> None:
    due = "2026-03-20"
    tasks = [
        Todo.model_validate({"title": "Mend", "tags": ["home", "attic"], "due": due}),
        Todo(title="Call", done=True),
    ]
    first, second = gtg_tasks(gtg_xml(tasks).encode(), "list")
    assert (first["title"], first["status"], first["due"], first["tags"]) == ("Mend", "Active", due, ["attic", "home"])
    assert (second["status"], second["due"], second["recurs"]) == ("Done", "", "")
    for own in ("", "Mind the @ladder"):
        (task,) = gtg_tasks(gtg_xml([Todo(title="Mend", tags=("attic", "home"), text=own)]).encode(), "list")
        assert task["text"] == own
    daily = gtg_xml(tasks).replace('enabled="false"><term>None', 'enabled="true"><term>day')
    assert gtg_tasks(daily.encode(), "list")[0]["recurs"] == "day"
    for broken in (b"", b"<gtgData>", b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'):
        with pytest.raises(CannotSee):
            gtg_tasks(broken, "list")


def test_notes_exist_or_not() -> None:
    assert checks.note_exists(SEEN, "shopping").passed
    assert not checks.note_exists(SEEN, "Soup").passed
    assert checks.note_missing(SEEN, "Soup").passed
    assert not checks.note_missing(SEEN, "Shopping").passed
    assert checks.notes_are(SEEN, ["recipes:soup", "Shopping"]).passed
    assert len(checks.notes_are(SEEN, ["Shopping", "Other"]).feedback) == 2


def test_what_notes_say() -> None:
    assert checks.note_is(SEEN, "Shopping", "[ ] milk\n[*] eggs").passed
    assert not checks.note_is(SEEN, "Shopping", "[ ] milk").passed
    assert checks.note_has(SEEN, "Shopping", ["milk"]).passed
    assert not checks.note_has(SEEN, "Shopping", ["eggs"]).passed
    assert checks.note_lacks(SEEN, "Shopping", ["bread"]).passed
    assert not checks.note_lacks(SEEN, "Shopping", ["MILK"]).passed
    assert checks.note_lines_are(SEEN, "Shopping", ["[*] eggs", "milk"]).passed
    assert not checks.note_lines_are(SEEN, "Shopping", ["[*] eggs", "milk"], ordered=True).passed
    assert not checks.note_lines_are(SEEN, "Shopping", ["milk"]).passed
    for check in (
        checks.note_is(SEEN, "Gone", ""),
        checks.note_lacks(SEEN, "Gone", ["x"]),
        checks.note_has(SEEN, "Gone", ["x"]),
    ):
        assert not check.passed


def test_where_notes_are_filed() -> None:
    assert checks.note_in_notebook(SEEN, "Shopping", "House").passed
    assert checks.note_in_notebook(SEEN, "Recipes:Soup", "").passed
    assert not checks.note_in_notebook(SEEN, "Shopping", "Garden").passed


def test_tasks_on_the_list() -> None:
    due = WantedTask.model_validate({"title": "x", "due": "2026-03-20"}).due
    assert todo_checks.todo_exists(LIST, "call", tags=["work"]).passed
    assert todo_checks.todo_exists(LIST, "Call", due=due, tags=["home"]).passed
    assert not todo_checks.todo_exists(LIST, "Call").passed
    assert not todo_checks.todo_exists(LIST, "Mend").passed
    assert todo_checks.todo_done(LIST, ["Mend"]).passed
    assert len(todo_checks.todo_done(LIST, ["Call"]).feedback) == 2
    assert todo_checks.todo_due(LIST, "Call", due, ["home"]).passed
    assert todo_checks.todo_due(LIST, "Mend", None).passed
    assert not todo_checks.todo_due(LIST, "Call", due, ["work"]).passed


def test_texts_of_tasks() -> None:
    def listed(text: str) -> dict[str, Any]:
        tasks = [Todo(title="Ideas", text=text), Todo(title="Twice"), Todo(title="Twice")]
        return {"path": "list", "tasks": gtg_tasks(gtg_xml(tasks).encode(), "list")}

    found = listed("Ideas for the fair\n\n  12 chairs \n3 lamps & more\n")
    assert todo_checks.todo_text_is(found, "ideas", "Ideas for the fair\n12 chairs\n3 lamps & more").passed
    assert todo_checks.todo_text_is(listed(""), "Ideas", "").passed
    wrong = todo_checks.todo_text_is(listed("12 chairs"), "Ideas", "13 chairs")
    assert wrong.feedback == ("The task 'Ideas' says '12 chairs', expected '13 chairs'.",)
    for other in ("3 lamps & more", "3 lamps & more\n12 chairs\nIdeas for the fair", ""):
        assert not todo_checks.todo_text_is(found, "Ideas", other).passed
    for title, count in (("Idea", 0), ("Twice", 2)):
        missing = todo_checks.todo_text_is(found, title, "")
        assert missing.feedback == (f"There are {count} tasks '{title}', expected one.",)


def test_whole_lists() -> None:
    wanted = [
        WantedTask.model_validate({"title": "Call", "due": "2026-03-20", "tags": ["home"]}),
        WantedTask(title="Call", tags=("work",)),
        WantedTask(title="Mend", status="Done"),
    ]
    assert todo_checks.todos_are(LIST, wanted).passed
    assert not todo_checks.todos_are(LIST, wanted[:2]).passed
    assert len(todo_checks.todos_are(LIST, [*wanted[:2], WantedTask(title="Mend")]).feedback) == 2
    for name, value in (("start", "2027-01-01"), ("recurs", "day")):
        later = {**LIST, "tasks": [{**task, name: value} for task in LIST["tasks"][:1]] + LIST["tasks"][1:]}
        assert not todo_checks.todos_are(later, wanted).passed


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_gtg_starts_with_the_list_and_keeps_it() -> None:
    with open_computer("sandbox", image="full") as computer:
        context = SetupContext(computer)
        gtg_setup.todo(context, [Todo(title="Mend the fence", tags=("garden",))])
        computer.launch(["gtg"], window="Getting Things")
        assert computer.locate(role="table cell", name="Mend the fence").exists
        desktop_windows.quit_app(context, "Gtg")
        assert not computer.windows()
        assert todo_checks.todos_are(
            gtg_probes.todo(ProbeContext(computer)), [WantedTask(title="Mend the fence", tags=("garden",))]
        ).passed


@pytest.mark.turns
@pytest.mark.sandbox
def test_unsaved_text_stays_unsaved() -> None:
    with open_computer("sandbox") as computer:
        computer.write_file("a.txt", b"one\n")
        computer.launch(["mousepad", "a.txt"], window="a.txt")
        unsaved_typing(SetupContext(computer), "a.txt", "two", ["ctrl+End"])
        assert computer.read_file("a.txt") == b"one\n"
        assert "two" in computer.locate(role="text", window="a.txt").text
