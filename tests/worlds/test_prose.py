"""The banks give clean sentences, whichever way they are drawn."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.worlds.check.rules import flaws, wrong_days
from proctor.worlds.life.diary import Diary
from proctor.worlds.model import TODAY, Contact, Habits
from proctor.worlds.people.load import load
from proctor.worlds.prose.banks import tables
from proctor.worlds.prose.speak import Speech, choose, fill, sentences
from proctor.worlds.views.phrase import letter, quote

AT = datetime(2025, 5, 14, 10, 0)
PLAIN = Contact("Ada Brook", "ada@postbox.example", "friend", Habits("plain", "Hi", "Best"))


def texts_of(name: str) -> Iterator[str]:
    for script in tables(name, "thread"):
        steps = script["steps"]
        assert isinstance(steps, list)
        yield str(script["subject"])
        yield from map(str, steps)


@pytest.mark.parametrize("name", ["work", "social", "club"])
def test_no_thread_leaves_a_brace_or_says_a_word_twice(name: str) -> None:
    diary = Diary(load("nora"), 0, AT.date(), TODAY)
    circle = diary.owner.circles[0]
    for number, text in enumerate(texts_of(name)):
        for draw in map(random.Random, range(number, number + 12)):
            said = fill(text, diary.slots(draw, AT, circle), draw)
            assert list(flaws(said)) == [], said
            assert list(wrong_days(said, AT.date())) == []


def test_alternatives_are_chosen_from_the_inside() -> None:
    assert {choose("a [b|c [d|e]]", random.Random(seed)) for seed in range(40)} == {"a b", "a c d", "a c e"}


def test_sentences_begin_with_capitals_and_colons_do_not() -> None:
    said = fill("{thing} is late: {thing}. {thing} came", {"thing": "the plan"}, random.Random(1))
    assert said == "The plan is late: the plan. The plan came"


def test_what_was_said_is_said_in_other_words() -> None:
    speech = Speech()
    said = [speech.say("[One|Two|Three|Four] of us came.", {}, random.Random(seed)) for seed in range(4)]
    assert len(set(said)) == 4


@given(st.integers(0, 10**6))
def test_slips_leave_names_and_figures_alone(seed: int) -> None:
    hasty = Contact("Bo Lind", "bo@postbox.example", "friend", Habits("casual", "Hey", "Bo", typos=1.0, length=0))
    text = letter(
        hasty, PLAIN, "Please bring Ada and 1,250 euros on Monday before 18:30", Speech(), random.Random(seed)
    )
    assert {"Ada", "1,250", "Monday", "18:30"} <= set(text.split())


def test_answers_quote_what_they_answer() -> None:
    quoted = quote("Hi,\n\nare you coming?", "On Monday, Ada wrote:")
    assert quoted.splitlines() == ["On Monday, Ada wrote:", "> Hi,", ">", "> are you coming?"]
    assert sentences(f"Yes.\n{quoted}")[0] == "Yes."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see {thing}", ["{", "}"]),
        ("the the plan", ["the the"]),
        ("a [b", ["["]),
        ("well , no", ["l ,"]),
        ("fine.", []),
    ],
)
def test_flaws_are_seen(text: str, found: list[str]) -> None:
    assert [each.strip() for each in flaws(text)] == found


def test_wrong_days_are_seen_across_the_turn_of_the_year() -> None:
    assert list(wrong_days("Friday 2 January, not Thursday 2 January", datetime(2025, 12, 29).date())) == [
        "Thursday 2 January"
    ]


def test_parents_are_not_called_by_their_first_names() -> None:
    owner = load("nora")
    mother = next(each for each in owner.contacts if each.role == "mother")
    text = letter(owner.contact, mother, "I come on Sunday", Speech(), random.Random(0))
    assert re.match(r"Hi Mum,", text)
    assert text.endswith("Love\nNora")
