"""What the agent did is found in its history however it sent it; answers and questions are compared by meaning."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions.action import Action, Answer, Click, Drag, Fail, KeyDown, KeyUp, Move, Press, Scroll, Type, Wait
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Performed
from proctor.errors import SpecError
from proctor.observations.tree import Node
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import Ending, ProbeContext, UserExchange
from proctor.tasks.shelves import expect, see
from proctor.vocabulary.desktop.checks import answers
from proctor.vocabulary.desktop.checks import history as checks
from proctor.vocabulary.desktop.operations import Operation
from proctor.vocabulary.desktop.probes import history as probes

Step = Action | tuple[Action, Node | None]


def node(role: str = "push button", name: str = "", text: str = "", window: str = "Letter - Mousepad") -> Node:
    return Node(index=0, parent=None, depth=0, role=role, name=name, text=text, app="mousepad", window=window)


def seen(*steps: Step) -> dict[str, Any]:
    pairs = [step if isinstance(step, tuple) else (step, None) for step in steps]
    done = [Performed(action=action, element=element) for action, element in pairs]
    return probes.history(ProbeContext(FakeComputer(), history=done))


def operated(of: dict[str, Any], *steps: dict[str, Any]) -> bool:
    return checks.operated(of, [Operation(**step) for step in steps]).passed


CLICK = Click(x=5, y=5)


class TestOperated:
    def test_operations_in_order_with_others_between(self) -> None:
        of = seen((CLICK, node(name="File")), Wait(), (CLICK, node("menu item", "Save As…")), Press(keys="Return"))
        assert operated(of, {"do": "click", "name": "file"}, {"do": "click", "name": "Save As...", "role": "Menu Item"})
        assert operated(of, {"do": "click", "name": "save as"}, {"do": "press", "keys": "enter"})
        assert not operated(of, {"do": "press", "keys": "enter"}, {"do": "click", "name": "save as"})

    def test_one_operation_is_not_counted_twice(self) -> None:
        assert not operated(
            seen((CLICK, node(name="OK"))), {"do": "click", "name": "OK"}, {"do": "click", "name": "OK"}
        )

    def test_every_detail_counts(self) -> None:
        of = seen((Click(x=1, y=1, button="right", count=2), node("list item", "Report", "42 pages")))
        assert operated(of, {"do": "click", "button": "right", "count": 2, "text": "pages", "window": "letter"})
        for wrong in ({"button": "left"}, {"count": 1}, {"role": "list"}, {"app": "calc"}, {"text": "43"}):
            assert not operated(of, {"do": "click", "name": "Report", **wrong})

    def test_pattern(self) -> None:
        of = seen((CLICK, node(name="Save As")))
        assert operated(of, {"do": "click", "name": "/^Save/"})
        assert not operated(of, {"do": "click", "name": "/^Save$/"})
        with pytest.raises(SpecError, match="not a regular expression"):
            expect.operated(see.history(), steps=[{"do": "click", "name": "/(/"}])

    def test_dragging_and_scrolling(self) -> None:
        of = seen((Drag(path=((1, 1), (9, 9))), node("canvas", "Page")), (Scroll(dy=3), node("list", "Inbox")))
        assert operated(of, {"do": "drag", "name": "Page"}, {"do": "scroll", "name": "Inbox"})
        assert not operated(of, {"do": "drag", "name": "Inbox"})

    def test_keys_that_do_what_a_click_does(self) -> None:
        save = node("menu item", "Save")
        for keys in ("Return", "space", "s"):
            assert operated(seen((Press(keys=keys), save)), {"do": "click", "name": "Save"})
        for keys in ("Escape", "Down", "ctrl+s", "Tab"):
            assert not operated(seen((Press(keys=keys), save)), {"do": "click", "name": "Save"})
        assert operated(seen((Press(keys="Return"), node("push button", "OK"))), {"do": "click", "name": "OK"})
        assert not operated(seen((Press(keys="s"), node("push button", "Save"))), {"do": "click", "name": "Save"})
        assert not operated(seen((Press(keys="Return"), node("text", "Save"))), {"do": "click", "name": "Save"})

    def test_the_menu_that_an_item_is_in(self) -> None:
        item = replace(node("menu item", "Replace..."), attributes={"menu": "Search"})
        assert operated(seen((CLICK, item)), {"do": "click", "name": "Replace", "menu": "Search"})
        assert not operated(seen((CLICK, item)), {"do": "click", "name": "Replace", "menu": "Edit"})
        assert not operated(seen((CLICK, node("menu item", "Replace"))), {"do": "click", "menu": "Search"})

    @pytest.mark.parametrize(
        ("program", "counts"), [("/usr/bin/mousepad", True), (None, True), ("/usr/bin/perl", False), ("", False)]
    )
    def test_only_what_went_to_the_program_that_is_meant(self, program: str | None, counts: bool) -> None:
        done = [Performed(action=CLICK, element=node(name="Save"), program=program)]
        of = probes.history(ProbeContext(FakeComputer(), history=done))
        wanted = [Operation(do="click", name="Save")]
        assert checks.operated(of, wanted, programs=["/usr/bin/mousepad"]).passed is counts
        assert checks.operated(of, wanted).passed

    def test_feedback_names_the_step(self) -> None:
        found = checks.operated(seen((CLICK, node(name="B")), (CLICK, node(name="A"))), [
            Operation(do="click", name="A"), Operation(do="click", name="B"),
        ])  # fmt: skip
        assert "Step 2 of 2" in found.feedback[0] and "only before" in found.feedback[0]


class TestTyped:
    @pytest.mark.parametrize(
        "steps",
        [
            [Type(text="Hello")],
            [Type(text="Hel"), Type(text="lo")],
            [Type(text="Say Hello there")],
            [Press(keys="H"), Wait(), Type(text="ello")],
            [Press(keys="shift+h"), Move(x=1, y=1), Type(text="ello")],
            [Type(text="Hexx"), Press(keys="BackSpace BackSpace"), Type(text="llo")],
            [KeyDown(key="shift"), KeyDown(key="h"), KeyUp(key="h"), KeyUp(key="shift"), Type(text="ello")],
        ],
    )
    def test_however_it_was_sent(self, steps: list[Step]) -> None:
        assert checks.typed(seen(*steps), "Hello").passed

    @pytest.mark.parametrize(
        "steps",
        [
            [Type(text="hello")],
            [Type(text="Hel"), CLICK, Type(text="lo")],
            [Type(text="Hel"), Press(keys="ctrl+s"), Type(text="lo")],
            [Type(text="Hello"[::-1])],
            [],
        ],
    )
    def test_something_else_was_typed(self, steps: list[Step]) -> None:
        assert not checks.typed(seen(*steps), "Hello").passed

    def test_return_is_a_line_break(self) -> None:
        assert checks.typed(seen(Type(text="a"), Press(keys="Return"), Type(text="b")), "a\nb").passed

    @given(some.text(some.characters(min_codepoint=32, exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30))
    def test_any_text_in_any_pieces(self, text: str) -> None:
        assert checks.typed(seen(*(Type(text=char) for char in text)), text).passed
        assert checks.typed(seen(Type(text="x" + text + "y")), text).passed


class TestPressed:
    @pytest.mark.parametrize(
        "keys", ["ctrl+shift+s", "Control_L+Shift_R+s", "shift+ctrl+S", "Ctrl-Shift-S", "a ctrl+shift+s b"]
    )
    def test_whatever_the_spelling(self, keys: str) -> None:
        assert checks.pressed(seen(Press(keys=keys)), "ctrl+shift+s").passed

    @pytest.mark.parametrize("keys", ["ctrl+s", "s", "ctrl+alt+shift+s", "ctrl+shift+d"])
    def test_other_keys(self, keys: str) -> None:
        assert not checks.pressed(seen(Press(keys=keys)), "ctrl+shift+s").passed

    def test_held_by_hand(self) -> None:
        assert checks.pressed(seen(KeyDown(key="ctrl"), KeyDown(key="s"), KeyUp(key="s")), "ctrl+s").passed
        assert not checks.pressed(seen(KeyDown(key="ctrl"), KeyUp(key="ctrl"), KeyDown(key="s")), "ctrl+s").passed

    def test_return_typed_or_on_the_keypad(self) -> None:
        assert checks.pressed(seen(Type(text="yes\n")), "Return").passed
        assert checks.pressed(seen(Press(keys="KP_Enter")), "Return").passed


class TestClicked:
    def test_by_name_or_text(self) -> None:
        assert checks.clicked(seen((CLICK, node(name="Save As..."))), "save as").passed
        assert checks.clicked(seen((CLICK, node("label", text="Total"))), "total").passed
        assert not checks.clicked(seen((CLICK, node(name="Cancel"))), "save").passed
        assert not checks.clicked(seen((CLICK, node(name="Save"))), "save", role="menu item").passed

    def test_a_document_is_no_label(self) -> None:
        assert not checks.clicked(seen((CLICK, node("text", text="save " * 100))), "save").passed

    def test_pressing_a_key_on_it_is_no_click(self) -> None:
        assert not checks.clicked(seen((Press(keys="Down"), node(name="Save"))), "save").passed
        assert not checks.clicked(seen((Press(keys="Return"), node("text", "Save"))), "save").passed


class TestCursor:
    def test_text_under_the_pointer(self) -> None:
        with FakeComputer() as computer:
            computer.launch(["mousepad"])
            box = computer.locate(role="menu", name="File").box
            computer.perform(Move(x=box.center[0], y=box.center[1]))
            of = probes.cursor(ProbeContext(computer))
        assert (of["x"], of["y"]) == box.center
        assert checks.text_under_cursor(of, "file").passed
        assert not checks.text_under_cursor(of, "Edit").passed
        assert not checks.text_under_cursor({**of, "element": None}, "file").passed


def answered(text: str) -> dict[str, Any]:
    return probes.answer(ProbeContext(FakeComputer(), Ending(Answer(text=text))))


class TestAnswers:
    def test_no_answer_is_absent(self) -> None:
        for signal in (None, Fail(reason="42")):
            with pytest.raises(CannotSee, match="no answer"):
                probes.answer(ProbeContext(FakeComputer(), Ending(signal)))

    @pytest.mark.parametrize("text", ["Green Tea", " green  tea. ", "**Green tea**", "“green tea”!"])
    def test_answer_is(self, text: str) -> None:
        assert answers.answer_is(answered(text), "Green tea").passed

    @pytest.mark.parametrize("text", ["green", "greentea", "not green tea", ""])
    def test_answer_is_not(self, text: str) -> None:
        assert not answers.answer_is(answered(text), "Green tea").passed

    @pytest.mark.parametrize("text", ["1234.5", "It is 1,234.50 EUR.", "1,234.5", "1234.5 (that is 1,234.50)"])
    def test_answer_number(self, text: str) -> None:
        assert answers.answer_number(answered(text), 1234.5).passed

    @pytest.mark.parametrize("text", ["1234.5 €", "$1,234.50", "1\u202f234.5", "It is 1234.5.", "+1234.5"])
    def test_answer_number_in_other_writing(self, text: str) -> None:
        assert answers.answer_number(answered(text), 1234.5).passed

    @pytest.mark.parametrize(("text", "value"), [("4,5", 45), (".5", 5), ("-$5", 5), ("1.2.3", 1.2), ("12,34", 1234)])
    def test_answer_number_is_not_read_into_a_text(self, text: str, value: float) -> None:
        assert not answers.answer_number(answered(text), value).passed

    def test_answer_number_below_one(self) -> None:
        assert answers.answer_number(answered(".5"), 0.5).passed
        assert answers.answer_number(answered("-$5"), -5).passed

    @pytest.mark.parametrize("text", ["1234", "-1234.5", "between 1 and 1234.5", "none", "12345", "1234.56"])
    def test_answer_number_is_not(self, text: str) -> None:
        assert not answers.answer_number(answered(text), 1234.5).passed

    @pytest.mark.parametrize(
        "text",
        [
            "€4.50 + €3.00 + €17.50 = €25.00",
            "4.50 EUR + 20.50 EUR = **25.00 EUR**",
            "You tipped 25 on 9 visits between 2025-09-14 and 2026-03-08.",
            "25 in all, from September 14, 2025 to 8 March 2026.",
            "In March 25 euros.",
            "25.00, going by rows 2-96.",
            "4.5, 3 and 17.5, which makes 25.",
        ],
    )
    def test_answer_number_with_the_sum_and_the_days(self, text: str) -> None:
        assert answers.answer_number(answered(text), 25, not_any_of=[99]).passed

    @pytest.mark.parametrize(
        "text",
        [
            "25, maybe 26",
            "It is 25, or perhaps 27.5.",
            "25. It could also be 26.",
            "26 on 25 May 2026",
            "25-27 euros",
            "some 20 to 25 euros",
            "The tips are 24, 25, 26",
        ],
    )
    def test_answer_number_is_not_one_of_several(self, text: str) -> None:
        assert not answers.answer_number(answered(text), 25, not_any_of=[99]).passed

    def test_answer_number_within_tolerance(self) -> None:
        assert answers.answer_number(answered("about 3.2"), 3.14, tolerance=0.1).passed
        assert not answers.answer_number(answered("about 3.3"), 3.14, tolerance=0.1).passed
        assert answers.answer_number(answered("−5 °C"), -5).passed

    def test_answer_has(self) -> None:
        of = answered("Ana Silva and\nTom")
        assert answers.answer_has(of, ["tom", "ana silva"]).passed
        assert answers.answer_has(of, ["Tommy", "Eva"]).feedback == (
            "The answer does not say 'Tommy'.",
            "The answer does not say 'Eva'.",
        )


class TestQuestions:
    def test_what_was_asked(self) -> None:
        asked = (UserExchange("Which colour do you want?", "Blue."), UserExchange("Sure?", "Yes."))
        of = probes.questions(ProbeContext(FakeComputer(), Ending(asked=asked)))
        assert of["asked"][0] == {"question": "Which colour do you want?", "reply": "Blue."}
        assert checks.asked_about(of, ["size", "colour"]).passed
        assert not checks.asked_about(of, ["size", "col"]).passed
        assert checks.asked_at_most(of, 2).passed
        assert not checks.asked_at_most(of, 1).passed
