"""What a composed task begins with: every kind can be made, and is then on the computer as its content says."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.graphs.compose import initial
from proctor.graphs.compose.equip import (
    COLOURS,
    FOLDERS,
    MAIL_ADDRESS,
    MAKERS,
    MARK,
    STORES,
    WALLPAPER,
    equipment,
    mail_desk,
    mark,
    text_of,
)
from proctor.graphs.compose.initial import INITIAL_KINDS, initial_resource
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.theme import Theme
from proctor.suites.pool import SUBTASKS
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import tool
from proctor.vocabulary.apps.gnote.probes import gnote
from proctor.vocabulary.apps.gtg.checks import todo_text_is
from proctor.vocabulary.apps.gtg.probes import todo
from proctor.vocabulary.apps.notes.checks import note_is
from proctor.vocabulary.formats.archives.checks import archive_holds
from proctor.vocabulary.formats.archives.probes import archive
from proctor.vocabulary.formats.pictures.checks import picture_marked, picture_size
from proctor.vocabulary.formats.pictures.probes import picture
from tests.tasks.answering import AnsweringComputer, said

KINDS = (*MAKERS, *STORES)
WITH_PROGRAMS = {"code_file", "clipboard_text", "wallpaper"}
"""Kinds whose setup runs programs that a fake computer does not have."""
SEEDS = 20


def drawn(kind: str, seed: int = 0, number: int = 1) -> list[Resource]:
    draw = Draw(f"{kind}:{seed}")
    theme = Theme.draw(draw)
    made: list[Resource] = []
    for _ in range(number):
        made.append(initial_resource(kind, draw, theme, {each.value for each in made}))
    return made


def carry_out(computer: FakeComputer, steps: Iterable[Call]) -> None:
    for step in steps:
        found = tool(step)
        found.function(SetupContext(computer), **found.prepare(step.arguments))


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_drawn_can_be_made(kind: str) -> None:
    for seed in range(SEEDS):
        resources = drawn(kind, seed, number=3)
        steps = equipment(resources)
        assert steps == equipment(resources)
        # Making a call checks its arguments; what stands in a task file must do so again.
        assert [Call.from_json(step.to_json()) for step in steps] == list(steps)
        assert {step.kind for step in steps} == {"setup"}
        written = " ".join(step.key for step in steps)
        assert kind == "wallpaper" or all(resource.value in written for resource in resources)


@pytest.mark.parametrize("kind", sorted(set(MAKERS) - WITH_PROGRAMS))
def test_what_is_made_is_there(kind: str) -> None:
    (resource,) = drawn(kind)
    with FakeComputer() as computer:
        carry_out(computer, equipment([resource]))
        info = ProbeContext(computer).info(resource.value)
        assert info is not None
        assert info.kind == ("folder" if kind == "folder" else "file")
        assert kind == "folder" or info.size > 0


def test_texts_archives_and_folders_hold_what_is_known_of_them() -> None:
    (text,), (folder,), (packed,) = (drawn(kind) for kind in ("text_file", "folder", "archive"))
    with FakeComputer() as computer:
        carry_out(computer, equipment([text, folder, packed]))
        assert computer.read_file(text.value).decode().splitlines() == text.content
        for name, lines in folder.content.items():
            assert computer.read_file(f"{folder.value}/{name}").decode() == text_of(lines)
        held = {name: text_of(lines) for name, lines in packed.content.items()}
        assert archive_holds(archive(ProbeContext(computer), packed.value), held).passed


def test_pictures_have_their_colour_and_the_mark() -> None:
    assert set(COLOURS) == set(initial.COLOURS), "every colour that is drawn is known"
    for seed in range(5):
        (image,) = drawn("image", seed)
        with FakeComputer() as computer:
            carry_out(computer, equipment([image]))
            seen = picture(ProbeContext(computer), image.value)
        assert picture_size(seen, image.content["width"], image.content["height"]).passed
        passed = {name for name, code in COLOURS.items() if picture_marked(seen, code, MARK).passed}
        assert passed == {image.content["colour"]}


def test_notes_and_reminders_are_kept_together() -> None:
    notes, reminders = drawn("note", number=2), drawn("reminder", number=2)
    with AnsweringComputer(lambda _: said()) as computer:
        carry_out(computer, equipment([*notes, *reminders]))
        context = ProbeContext(computer)
        for note in notes:
            assert note_is(gnote(context), note.value, text_of(note.content)).passed
        for reminder in reminders:
            assert todo_text_is(todo(context), reminder.value, text_of(reminder.content)).passed


def test_letters_arrive_one_after_the_other_in_the_account_of_the_mail_desk() -> None:
    letters = drawn("letter", number=30)
    (step,) = (step for step in equipment(letters) if step.name == "mail_delivered")
    dates = [letter["date"] for letter in step.arguments["letters"]]
    assert len(set(dates)) == len(letters)
    service, account = mail_desk()
    (known,) = service.arguments["accounts"]
    assert known["address"] == account.arguments["address"] == step.arguments["address"] == MAIL_ADDRESS
    assert known["password"] == account.arguments["password"]


def test_a_wallpaper_is_a_picture_that_is_there() -> None:
    (wallpaper,) = drawn("wallpaper")
    *_, painted, shown = equipment([wallpaper])
    assert shown.arguments["property"] == WALLPAPER
    assert shown.arguments["value"] == f"/home/user/{painted.arguments['path']}"


def test_the_usual_folders_are_always_there() -> None:
    with FakeComputer() as computer:
        carry_out(computer, equipment([]))
        for folder in FOLDERS:
            assert computer.list_files(folder) == []


def test_every_subtask_of_the_pool_can_begin_with_what_it_takes() -> None:
    for kind in {kind for subtask in SUBTASKS for kind in subtask.takes.values()} & INITIAL_KINDS:
        assert equipment(drawn(kind))


@pytest.mark.parametrize("kind", ["message", "setting"])
def test_what_only_others_can_give_is_refused(kind: str) -> None:
    with pytest.raises(SpecError, match=f"no task can begin with a {kind}"):
        equipment([Resource(kind, "hello")])


def test_lines_and_marks() -> None:
    assert text_of([]) == ""
    assert text_of(["a", "", "b"]) == "a\n\nb\n"
    assert mark(640, 480)["box"] == mark(480, 640)["box"] == [0, 0, 120, 120]
    assert mark(333, 101)["fill"] == MARK
