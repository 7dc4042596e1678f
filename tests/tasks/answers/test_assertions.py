"""The reader: form never matters, a reservation and a second value always do, and no text takes long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from proctor.tasks.answers.acceptance import accepted_part, not_accepted
from proctor.tasks.answers.assertions import MOST_VALUES, Assertions
from proctor.tasks.answers.letters import made_up_facts, wrong_counts
from proctor.tasks.answers.objections import objections
from proctor.tasks.answers.sentences import MOST_READ, sentences
from proctor.tasks.answers.subject import Subject
from proctor.tasks.answers.values import mentions, sought
from proctor.vocabulary.desktop.checks.answers import answer_has, answer_number
from proctor.vocabulary.desktop.checks.text import form_says
from tests.tasks.answers.questions import judge_phrasing, read_questions

ASKED = {
    question["asked"]: question for question in read_questions("phrasings.toml") if question["check"] != "replied_to"
}
RIGHT = [(question, written) for question in ASKED.values() for written in question["right"]]
PLAIN_RIGHT = [
    (question, written)
    for question, written in RIGHT
    if "\n" not in written and "not" not in written.lower() and written[-1:] not in "!:"
]
"""Answers of one line that deny nothing."""
HEDGES: tuple[Callable[[str], str], ...] = (
    lambda said: f"Maybe: {said}",
    lambda said: f"I think {said}",
    lambda said: f"{said.rstrip('.')}, but I am not sure.",
    lambda said: f"{said.rstrip('.')}, I guess.",
    lambda said: f"{said} I did not check it.",
    lambda said: f"{said} Or whichever you prefer.",
    lambda said: f"Probably {said}",
    lambda said: f"{said} Don't quote me on that.",
)


def passes(question: dict[str, Any], written: str) -> bool:
    return judge_phrasing(question, written).passed


@settings(max_examples=60, deadline=None)
@given(
    some.sampled_from(PLAIN_RIGHT),
    some.sampled_from(["**{}**", "- {}", "> {}", "# {}", "{}\n", "  {}  ", "“{}”", "{} "]),
)
def test_form_never_matters(case: tuple[dict[str, Any], str], form: str) -> None:
    question, written = case
    assert passes(question, form.format(written))


@settings(max_examples=40, deadline=None)
@given(some.sampled_from(PLAIN_RIGHT))
def test_neither_case_nor_a_full_stop_matters(case: tuple[dict[str, Any], str]) -> None:
    question, written = case
    assert passes(question, written.upper()) or "h" in written, "16h30 is no 16H30"
    assert passes(question, written.rstrip(".") + ".")


@settings(max_examples=80, deadline=None)
@given(some.sampled_from(PLAIN_RIGHT), some.sampled_from(HEDGES))
def test_a_reservation_makes_it_no_answer(case: tuple[dict[str, Any], str], hedge: Callable[[str], str]) -> None:
    question, written = case
    assert not passes(question, hedge(written))


TWO_NUMBERS = (
    "{} or {}",
    "{}, {}",
    "{}. {}.",
    "It is {}. It is {}.",
    "Either {} or {}",
    "{} / {}",
    "{}\n{}",
    "{} to {}",
    "{} and {}",
    "between {} and {}",
    "{} euros, maybe {} euros",
    "{}, or rather {}",
    "{}? {}!",
    "The total is {}. The total is {}.",
)


@settings(deadline=None)
@given(some.integers(13, 900), some.integers(1, 900), some.sampled_from(TWO_NUMBERS))
def test_a_second_number_for_the_same_thing_makes_it_none(number: int, more: int, form: str) -> None:
    of = {"text": form.format(number, number + more)}
    assert not answer_number(of, number).passed
    assert form == "{}? {}!" or not answer_number(of, number + more).passed


@settings(deadline=None)
@given(
    some.integers(0, 23),
    some.integers(1, 11),
    some.sampled_from(["{} or {}", "{}, {}", "At {}. At {}.", "{} / {}", "It closes at {}, perhaps at {}."]),
)
def test_a_second_time_for_the_same_thing_makes_it_none(hour: int, later: int, form: str) -> None:
    one, other = f"{hour:02}:05", f"{(hour + later) % 24:02}:35"
    assert not answer_has({"text": form.format(one, other)}, [one]).passed


@settings(deadline=None)
@given(
    some.floats(0.01, 99_999).map(lambda amount: round(amount, 2)),
    some.sampled_from(["€{}", "{} EUR", "It is {}.", "{} euros in total"]),
)
def test_every_amount_is_read_back(amount: float, form: str) -> None:
    for written in (f"{amount:.2f}", f"{amount:,.2f}", f"{amount:.2f}".replace(".", ",")):
        assert answer_number({"text": form.format(written)}, amount, 0.001).passed
        assert not answer_number({"text": form.format(written)}, amount + 1, 0.001).passed


@settings(deadline=None)
@given(some.lists(some.integers(1, 400), min_size=2, max_size=6))
def test_a_sum_worked_out_gives_its_total_and_none_of_its_terms(terms: list[int]) -> None:
    total = sum(terms)
    written = f"{' + '.join(map(str, terms))} = {total}"
    assert answer_number({"text": written}, total).passed
    assert not any(answer_number({"text": written}, term).passed for term in terms)


class TestSubjects:
    DAY = Subject(words=("Wednesday",), others=("Thursday", "Friday"))

    def test_what_is_told_of_something_else_is_no_answer(self) -> None:
        assert not objections(
            Assertions("On Thursdays until 17:00, on Wed until 16:30", subjects=[self.DAY]), sought("16:30")
        )
        assert objections(Assertions("Thursday 16:30", subjects=[self.DAY]), sought("16:30"))
        assert not objections(Assertions("Wednesday and Friday: 16:30", subjects=[self.DAY]), sought("16:30"))
        assert objections(Assertions("Friday:\n- 16:30", subjects=[self.DAY]), sought("16:30"))

    def test_both_ends_of_a_span_are_told_of_it(self) -> None:
        closing = Subject(words=("until", "closes"), others=("from", "opens"))
        for written in ("10:00-16:30", "from 10 to 16:30", "between 10:00 and 16:30", "opens 10:00, closes 16:30"):
            assert not objections(Assertions(written, subjects=[closing]), sought("16:30")), written
            assert objections(Assertions(written, subjects=[closing]), sought("10:00")), written

    def test_a_doubt_about_something_else_does_no_harm(self) -> None:
        for written, right in (
            ("16:30. I don't know about the cloakroom.", True),
            ("16:30. I don't know if that is right.", False),
        ):
            assert bool(objections(Assertions(written, subjects=[self.DAY]), sought("16:30"))) is not right


class TestLetters:
    def test_how_many_there_are_of_what(self) -> None:
        assert wrong_counts("24 people, 5 of them vegetarians", {"vegetarian|vegetarians": 5}) == []
        assert wrong_counts("7 of us are not vegetarian", {"vegetarian|vegetarians": 7}) == ["vegetarian|vegetarians"]
        assert wrong_counts("Two boxes and four bags", {"boxes": 2, "bags": 5}) == ["bags"]
        assert wrong_counts("Two boxes", {"bags": 5}) == []

    def test_facts_that_nothing_bears_out(self) -> None:
        booking = "Your trip on 4 May, 7:40.\nCode: KX1234\nSeats: 2A and 2B"
        assert made_up_facts("Hi Bo, here it is! Seats 2A and 2B, at 7:40 am.", booking) == []
        assert made_up_facts("We leave at 8:10, code KX9999.", booking) == ["KX9999", "8:10"]
        assert made_up_facts("It is on Friday, 5 May", booking) == ["5 May", "Friday"]

    def test_a_question_accepts_nothing(self) -> None:
        assert not_accepted("Could we do Tuesday?", ["Tuesday"]) == ["Tuesday"]
        assert not_accepted("Tuesday at 10 suits me, since I'm tied up on Monday.", ["Tuesday"]) == []
        assert "Monday" not in accepted_part("Tuesday at 10 suits me, since I'm tied up on Monday.")


class TestLines:
    @pytest.mark.parametrize(
        ("line", "right"),
        [
            ("Day: Tuesday", True),
            ("Day:Tuesday, 17 March", True),
            ("Day: Tue", True),
            ("Day: Tuesday or Friday", False),
            ("Day: not Tuesday", False),
            ("Day: Tuesday, maybe", False),
            ("Day:", False),
            ("Tuesday", False),
        ],
    )
    def test_a_line_of_a_form_is_an_answer(self, line: str, right: bool) -> None:
        of = {"path": "picnic.txt", "text": f"Picnic\n\nBring: bread\n{line}\n"}
        assert form_says(of, "Picnic\n\nBring: bread\nDay:", {"Day:": "Tuesday"}, ["Friday"]).passed is right

    def test_the_other_lines_are_as_they_were(self) -> None:
        of = {"path": "picnic.txt", "text": "Bring: beer\nDay: Tuesday"}
        assert not form_says(of, "Bring: bread\nDay:", {"Day:": "Tuesday"}).passed


class TestForms:
    def test_sentences_lines_points_and_rows(self) -> None:
        assert [each.text for each in sentences("**One.** Two p.m. is late\n- three\n\n1. four\n2. five")] == [
            "One.", "Two pm is late", "three", "four", "five",
        ]  # fmt: skip
        assert [each.text for each in sentences("|a|b|\n|-|-|\n|x|1|\n|y|2|")] == ["x: b 1", "y: b 2"]
        assert [(each.text, each.under) for each in sentences("Monday:\n- at 9\n\nBye")][1:] == [
            ("at 9", "Monday"),
            ("Bye", ""),
        ]

    @pytest.mark.parametrize(
        ("written", "phrase"),
        [
            ("a dozen", "12"),
            ("2.5k", "2500"),
            ("3 million", "3000000"),
            ("one hundred and five", "105"),
            ("12½", "12.5"),
            ("1 234,50 €", "1234.5"),
            ("half four", "16:30"),
            ("at ten to five", "16:50"),
            ("from 9 to 5", "17:00"),
            ("2-4 pm", "14:00"),
            ("17-19 March", "17 March"),
            ("0032 9 123 45 67", "+3291234567"),
            ("Weds", "Wednesday"),
            ("12 Mill Lane Ghent", "12 Mill Lane, Ghent"),
            ("12 Mill Lane,\nGhent", "12 Mill Lane, Ghent"),
        ],
    )
    def test_what_is_meant_is_found(self, written: str, phrase: str) -> None:
        assert mentions(f"It is {written}.", phrase)

    @pytest.mark.parametrize(
        ("written", "phrase"),
        [
            ("112", "12"),
            ("1.2.3", "1.2"),
            ("the 12th", "12"),
            ("B12", "12"),
            ("the sun", "Sunday"),
            ("25 maybe", "25 May"),
            ("12 Mill Laneghent", "12 Mill Lane, Ghent"),
            ("05:00", "17:00"),
            ("five to six people", "05:00"),
        ],
    )
    def test_what_is_not_meant_is_not(self, written: str, phrase: str) -> None:
        assert not mentions(f"It is {written}.", phrase)

    def test_nought_may_be_a_word(self) -> None:
        for written in ("none", "There are no unread letters.", "0", "zero", "Nobody.", "There aren't any."):
            assert answer_number({"text": written}, 0).passed, written
        for written in ("none or one", "I don't know, none?", "7"):
            assert not answer_number({"text": written}, 0).passed, written


class TestBounds:
    @pytest.mark.parametrize(
        "piece",
        [
            "1",
            "1,",
            "1 or ",
            "half ",
            "a hundred and ",
            "not ",
            "maybe ",
            "12:30 ",
            "(",
            "| ",
            "5 March ",
            "7 - ",
            "one ",
            "\n- 1",
            "@",
            "Tuesday, ",
            "12 + ",
            ": ",
            "and ",
            "+32 9 ",
        ],
    )
    def test_no_text_takes_long(self, piece: str) -> None:
        for length in (20_000, 20 * MOST_READ):
            written = (piece * (length // len(piece) + 1))[:length]
            for phrase in ("12", "12:30", "5 March", "Tuesday", "A b, c", "+3291234567", "yes"):
                assert objections(
                    Assertions(written, subjects=[TestSubjects.DAY]), sought(phrase), beside=[sought("7")]
                )

    def test_what_is_longer_than_anybody_reads_states_nothing(self) -> None:
        assert Assertions("12. " + "a" * MOST_READ).sentences == []
        assert len(Assertions("12 " * 3_000).claims("number")) == MOST_VALUES + 1
