"""Moves act as a person would: by names, by keys, and with patience."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proctor import open_computer
from proctor.actions.action import Click, Drag, Press, Scroll, Type
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.errors import NotReady, SpecError
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.shelves import hand, tool
from proctor.vocabulary.desktop.where import sought_text
from tests.tasks.answering import AnsweringComputer, said


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as opened:
        opened.write_file("note.txt", b"hello")
        opened.launch(["mousepad", "note.txt"])
        yield opened


def make_move(computer: Computer, *calls: Call) -> MoveContext:
    made = MoveContext(computer, lambda question: "Blue.")
    for call in calls:
        found = tool(call)
        found.function(made, **found.prepare(call.arguments))
    return made


def test_keys_and_typing(computer: FakeComputer) -> None:
    make_move(
        computer, hand.press("ctrl+End"), hand.type(" you"), hand.press("BackSpace", times=2), hand.press("ctrl+s")
    )
    assert computer.read_file("note.txt") == b"hello y"


def test_type_into(computer: FakeComputer) -> None:
    make_move(computer, hand.type_into("new", role="text"), hand.press("ctrl+s"))
    assert computer.read_file("note.txt") == b"new"
    make_move(computer, hand.press("ctrl+End"), hand.type_into("er", role="text", clear=False))
    assert isinstance(computer.history[-1].action, Type) and isinstance(computer.history[-2].action, Click)


def test_menu(computer: FakeComputer) -> None:
    make_move(computer, hand.type("x"), hand.menu(["File", "save"]))
    assert computer.read_file("note.txt") != b"hello"


def test_clicks(computer: FakeComputer) -> None:
    make_move(computer, hand.click(role="text", at=(0.5, 0.25), button="right", modifiers=["ctrl"]))
    box = computer.locate(role="text").box
    action = computer.history[-1].action
    assert isinstance(action, Click) and action.button == "right" and action.modifiers == ("ctrl",)
    assert action.y == pytest.approx(box.y + box.height / 4, abs=1)
    make_move(computer, hand.press("Escape"), hand.double_click(role="text"), hand.right_click(role="text"))
    kinds = [performed.action for performed in computer.history if isinstance(performed.action, Click)][-2:]
    assert [(each.count, each.button) for each in kinds] == [(2, "left"), (1, "right")]


def test_drawing_dragging_scrolling(computer: FakeComputer) -> None:
    here = {"role": "text"}
    make_move(computer, hand.draw(on=here, path=[(0.1, 0.1), (0.5, 0.5)]), hand.scroll(on=here, down=3))
    drag, scroll = (performed.action for performed in computer.history[-2:])
    assert isinstance(drag, Drag) and len(drag.path) == 2 and drag.path[0] < drag.path[1]
    assert isinstance(scroll, Scroll) and scroll.dy == 3
    make_move(computer, hand.drag({"role": "text"}, {"role": "menu", "name": "File"}))
    assert isinstance(computer.history[-1].action, Drag)
    with pytest.raises(SpecError):
        hand.draw(on=here, path=[(0.1, 1.1), (0, 0)])


def test_waiting(computer: FakeComputer) -> None:
    make_move(computer, hand.await_element(role="text"), hand.await_window("note.txt"), hand.await_file("note.txt"))
    make_move(computer, hand.await_element(name="Nothing", gone=True), hand.await_window("Nothing", gone=True))
    for call in (
        hand.await_element(name="Nothing", timeout_sec=0.2),
        hand.await_window("/^Nothing/", timeout_sec=0.2),
        hand.await_file("nothing.txt", timeout_sec=0.2),
    ):
        with pytest.raises(NotReady, match="(?i)nothing"):
            make_move(computer, call)


def test_waiting_for_the_end_of_a_program() -> None:
    left = iter([0, 0, 0])
    with AnsweringComputer(lambda _: said(code=next(left, 1))) as computer:
        make_move(computer, hand.await_ended("thunderbird"))
        assert computer.commands == [("pgrep", "-x", "thunderbird")] * 4
    with (
        AnsweringComputer(lambda _: said("4711\n")) as computer,
        pytest.raises(NotReady, match="the end of thunderbird did not happen within 5 s"),
    ):
        make_move(computer, hand.await_ended("thunderbird", timeout_sec=5))


@pytest.mark.turns
@pytest.mark.sandbox
def test_programs_are_known_by_their_names_however_long() -> None:
    with open_computer("sandbox") as computer:
        computer.run(["sh", "-c", "ln -s /bin/sleep ./a-program-with-a-long-name"])
        started = computer.run(["sh", "-c", "./a-program-with-a-long-name 60 >/dev/null 2>&1 & echo $!"])
        with pytest.raises(NotReady, match="the end of a-program-with-a-long-name"):
            make_move(computer, hand.await_ended("a-program-with-a-long-name", timeout_sec=0.2))
        make_move(computer, hand.await_ended("a-program"))
        computer.run(["kill", started.stdout.strip()])
        make_move(computer, hand.await_ended("a-program-with-a-long-name"))


@pytest.mark.turns
@pytest.mark.sandbox
def test_a_file_is_closed_when_no_program_writes_it_any_more() -> None:
    with open_computer("sandbox") as computer:
        with pytest.raises(NotReady, match="the end of the writing of 'a song'.ogg"):
            make_move(computer, hand.await_closed("'a song'.ogg", timeout_sec=0.2))
        writing = "{ echo half; exec sleep 60; } >\"'a song'.ogg\" 2>/dev/null & echo $!"
        started = computer.run(["sh", "-c", writing])
        with pytest.raises(NotReady):
            make_move(computer, hand.await_closed("'a song'.ogg", timeout_sec=0.2))
        computer.run(["kill", started.stdout.strip()])
        make_move(computer, hand.await_closed("'a song'.ogg"))


def test_words(computer: FakeComputer) -> None:
    made = make_move(computer, hand.ask("Which colour?"), hand.done())
    assert made.ending.asked[0].reply == "Blue." and not made.ending.gave_up
    assert make_move(computer, hand.fail("no")).ending.gave_up
    assert make_move(computer, hand.answer("42")).ending.answer == "42"
    assert not any(isinstance(performed.action, Press) for performed in computer.history)


def test_code_needs_a_computer_that_runs_it(computer: FakeComputer) -> None:
    with pytest.raises(SpecError, match="has no code interpreter"):
        make_move(computer, hand.run_code("ls"))


def test_patterns() -> None:
    assert sought_text("plain") == "plain" and sought_text(None) is None and sought_text("/") == "/"
    pattern = sought_text("/^a.c$/")
    assert pattern is not None and not isinstance(pattern, str) and pattern.search("abc")
