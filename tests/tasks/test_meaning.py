"""Tests of comparing by meaning: what nobody would call different is accepted, what is different is not."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.tasks.answers.acceptance import accepted_part
from proctor.tasks.answers.assertions import Assertions
from proctor.tasks.answers.mention import Kind
from proctor.tasks.answers.values import mentions, missing_words, values_in
from proctor.vocabulary.desktop.checks import answers, text
from proctor.vocabulary.formats.archives.checks import archive_holds
from proctor.vocabulary.formats.archives.parse import look_into
from proctor.vocabulary.formats.spreadsheets.checks import table_is
from proctor.vocabulary.services.mail.checks import replied_to

LETTER = "Dear Hassan,\n\nthank you for the parcel.\n\nWarm regards,\nLucia Ferrari"


def says(held: str) -> dict[str, str]:
    return {"path": "a.txt", "text": held}


@pytest.mark.parametrize(
    "held",
    [
        LETTER + "\n",
        LETTER.replace("\n", "\r\n"),
        LETTER.replace("regards,\n", "regards,\n\n"),
        LETTER.replace("regards,\n", "regards,  \n\n\n") + "   \n\n",
        LETTER.replace("the parcel", "the  parcel"),
        LETTER.replace("you for", "you\N{NO-BREAK SPACE}for"),
    ],
)
def test_a_letter_is_the_same_however_it_is_spaced(held: str) -> None:
    assert text.text_is(says(held), LETTER).passed


@pytest.mark.parametrize(
    "held",
    [
        LETTER.replace("Ferrari", "Ferari"),
        LETTER.replace("Warm regards,\nLucia Ferrari", "Lucia Ferrari\nWarm regards,"),
        LETTER.replace("regards,\nLucia", "regards, Lucia"),
        LETTER.replace("Lucia", "lucia"),
        LETTER + "\nLucia Ferrari",
        LETTER.replace("the parcel", "theparcel"),
        "",
    ],
)
def test_a_letter_that_says_something_else_is_not(held: str) -> None:
    assert not text.text_is(says(held), LETTER).passed


@pytest.mark.parametrize("held", ["Left: 12.84", "Left:  12.84", "Left:12.84", "Left: 12.84 \n"])
def test_what_is_filled_in_after_a_colon_may_have_any_blanks_before_it(held: str) -> None:
    assert text.text_is(says(held), "Left:12.84").passed
    assert not text.text_is(says(held), "Left:12.85").passed


def test_indentation_and_quotes() -> None:
    assert not text.text_is(says("a\n\nb"), "a\nb", exactly=True).passed
    assert not text.text_is(says("if a:\nreturn"), "if a:\n    return").passed
    assert text.text_is(says("It’s “fine” – really…"), 'It\'s "fine" - really...').passed
    assert text.lines_are(says("It’s fine\n\n"), ["It's fine"]).passed
    assert text.text_has(says("a  “b”"), ['a "b"']).passed


@given(st.lists(st.text(alphabet="ab :'", min_size=1).map(str.strip).filter(bool), min_size=1, max_size=5))
def test_spacing_never_matters_and_dropping_a_line_always_does(lines: list[str]) -> None:
    wanted = "\n".join(lines)
    assert text.text_is(says("\r\n\r\n".join(f"{line}  " for line in lines)), wanted).passed
    assert not text.text_is(says("\n".join(lines[:-1])), wanted).passed


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("31.5", True), ("31.50 euros", True), ("€31.50", True), ("31,50 €", True), ("31.50 at Pier 7.", True),
        ("3.50 + 28 = 31.50", True), ("It's 31.50, over 12 meals.", True), ("28", False), ("31.5 or 28", False),
        (", ".join(str(number / 2) for number in range(1, 120)), False), ("315", False), ("7", False), ("", False),
        ("31.50 or so, over 12 meals", False), ("31.50 (or 31,50 as you write it)", True),
        ("either 31.50 or 32", False), ("31.5, or 32.5 euros, or 33", False), ("30, 31.5, 33", False),
        ("between 20 and 31.5", False), ("somewhere between 31.50 € and 40 €", False),
    ],
)  # fmt: skip
def test_a_number_is_an_answer_whatever_stands_around_it(answer: str, right: bool) -> None:
    found = answers.answer_number(says(answer), 31.5, 0.001, names=["Pier 7"], not_any_of=[28.0, 7.0])
    assert found.passed is right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("18:00", True), ("6:00 PM", True), ("6 pm", True), ("at 6 p.m.", True), ("18.00", True), ("18h", True),
        ("It is open until 18:00.", True), ("From 10:00 to 18:00", True), ("17:30", False), ("6:00", True),
        ("06:00", False),
        ("5:30 pm, or 6 pm", False), ("16:00, 17:30, 18:00", False), ("118:00", False), ("6 am", False),
    ],
)  # fmt: skip
def test_a_time_is_an_answer_by_either_clock(answer: str, right: bool) -> None:
    assert answers.answer_has(says(answer), ["18:00"], ["17:30", "16:00"]).passed is right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("1630 hours", True), ("1630", True), ("16:30:00", True), ("Open from 10:00 to 16:30.", True),
        ("It closes at 16:30, not 17:30.", True), ("half past four", True), ("16h30", True),
        ("16:30 or 17:45", False), ("Half past four, or maybe 5 pm", False), ("16:30, 16:45, 17:45", False),
        ("It is not 16:30", False), ("Not until 16:30", True), ("room 1630 is closed", False),
        ("10:00 11:00 12:00 13:00 14:00 16:30", False), ("10am-4:30pm", True), ("16:30-17:45", False),
        ("It does not close at 16:30", False), ("It doesn't close until 16:30", True),
        ("half past four in the morning", False), ("half past 4 in the afternoon", True),
    ],
)  # fmt: skip
def test_a_time_is_no_answer_where_it_is_denied_or_one_of_several(answer: str, right: bool) -> None:
    assert answers.answer_has(says(answer), ["16:30"], ["17:30"]).passed is right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("27 euros and 50 cents", True), ("27 € 50 ct", True), ("27 and a half euros", True),
        ("twenty-seven and a half euros", True), ("27.50, not 26.50", True), ("It isn't 26.50 but 27.50.", True),
        ("Not 27.50", False), ("It wasn't 27.50", False), ("27 euros and 5 cents", False), ("twenty-seven", False),
        ("27.50 or 28", False), ("27 or 50", False),
    ],
)  # fmt: skip
def test_an_amount_is_an_answer_however_it_is_told_and_not_where_it_is_denied(answer: str, right: bool) -> None:
    assert answers.answer_number(says(answer), 27.5, not_any_of=[26.5]).passed is right


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("four hundred and twelve euros", 412), ("four hundred twelve", 412), ("a hundred and five", 105),
        ("Nineteen of us", 19), ("ninety-nine", 99), ("one thousand two hundred", 1200),
    ],
)  # fmt: skip
def test_a_number_may_be_written_in_words(written: str, number: int) -> None:
    assert mentions(f"It is {written}.", str(number))
    assert not mentions(f"It is {written}.", str(number + 1))
    assert not mentions("the fourteenth", "14")


def meant(kind: Kind, written: str) -> set[object]:
    return {each for value in values_in(written, kind) for each in value.meant}


def test_numerals_side_by_side_are_numbers_of_their_own() -> None:
    assert meant("number", "five and six, twenty-five and three") == {5, 6, 25, 3}


@pytest.mark.parametrize(
    "said", ["half past five", "5:30 in the afternoon", "half past 5 in the evening", "5.30 p.m.", "17.30 h"]
)
def test_a_time_may_be_told_in_words(said: str) -> None:
    assert mentions(f"They close at {said}.", "17:30") and not mentions(f"They close at {said}.", "18:30")
    assert mentions("quarter to six", "17:45") and not mentions("5:30 in the morning", "17:30")


@pytest.mark.parametrize(
    "said", ["five pm", "five o'clock", "five o'clock in the afternoon", "5 o'clock p.m.", "five in the evening"]
)
def test_the_hour_of_a_time_may_be_a_word(said: str) -> None:
    assert mentions(f"They close at {said}.", "17:00") and not mentions(f"They close at {said}.", "18:00")
    assert mentions("four-thirty p.m.", "16:30") and mentions("20 minutes past four", "16:20")
    assert not mentions("five o'clock in the morning", "17:00") and not mentions("half past 4 pm", "16:00")
    assert not meant("time", "five to six people") and not meant("time", "10 to 5 of them")


@pytest.mark.parametrize(
    "said",
    ["17 March", "March 17", "the 17th of March", "March 17th, 2026", "2026-03-17", "17.3.", "17.03.2026", "3/17/26"],
)
def test_a_date_is_found_in_every_usual_form(said: str) -> None:
    assert mentions(f"Let us meet on {said}, then.", "17 March")
    assert not mentions(f"Let us meet on {said}, then.", "18 March")


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_time_is_read_back(hour: int, minute: int) -> None:
    half = "am" if hour < 12 else "pm"
    wanted = {hour * 60 + minute}
    assert meant("time", f"{(hour % 12) or 12}:{minute:02} {half}") == wanted
    assert meant("time", f"at {hour:02}:{minute:02}") - {(hour + 12) * 60 + minute} == wanted


@given(st.text(max_size=80))
def test_whatever_is_written_can_be_read(written: str) -> None:
    accepted_part(written)
    reading = Assertions(written)
    for kind in ("number", "time", "date", "weekday", "phone"):
        assert all(reading.of(claim) == "" for claim in reading.claims(kind))
    assert reading.reservation in written and reading.choice in written


def test_words_and_figures_are_found_as_wholes() -> None:
    assert missing_words("12.50 and 112", ["12"]) == ["12"]
    assert missing_words("at 12.", ["12"]) == [] == missing_words("There are five of us", ["5"])
    assert meant("number", "1,936.65") == meant("number", "1.936,65") == {1936.65}


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("Tuesday at 15:00 is fine.", True),
        ("Tuesday works; Monday and Thursday I'm busy.", True),
        ("Tuesday 17 March, 3 pm. I can't do Monday.", True),
        ("Thanks for offering Monday, Tuesday and Thursday. Tuesday at 3 is best for me.", True),
        ("Of Monday, Tuesday and Thursday, only Tuesday is free.", True),
        ("Tuesday it is, Monday and Thursday are full already.", True),
        ("See you on Tuesday! Your other slots, Monday 10:00 and Thursday 14:00, don't work for me.", True),
        ("Tuesday works, Monday, Thursday don't.", True),
        ("I can't wait: Tuesday at 3 pm!", True),
        ("Neither Monday nor Thursday works for me, so Tuesday it is.", True),
        ("Unfortunately I can only do Tuesday.", True),
        ("Tuesday (I'm busy on the other days)", True),
        ("I would prefer Tuesday over Monday or Thursday.", True),
        ("I have something else on Monday and Thursday. Tuesday is good.", True),
        ("Tuesday, because I am not free on Monday.", True),
        ("I can't do these: Monday, Thursday. Tuesday is fine.", True),
        ("Tuesday isn't a problem.", True),
        ("17.3. at 15:00 suits me", True),
        ("Since I have an audit on Monday and a training on Thursday, Tuesday would be best.", True),
        ("Tuesday it is. On Monday I've got a training, and on Thursday a workshop.", True),
        ("I have a free hour on Tuesday.", True),
        ("On Monday and Thursday I'm in meetings, but Tuesday at 3 pm is free.", True),
        ("On Monday I'm at a workshop and on Thursday in a training, so let's talk on Tuesday.", True),
        ("On Monday and Tuesday I'm in the office.", False),
        ("I choose Tuesday from your suggestions.", True),
        ("Tuesday is the only one of your suggestions that I have nothing against.", True),
        ("Is Tuesday still free? If not, Monday.", False),
        ("I have a free hour on Monday and Tuesday.", False),
        ("Tuesday is bad for me.", False),
        ("Every day but Tuesday.", False),
        ("Please cancel Tuesday.", False),
        ("Tuesday does not work for me.", False),
        ("Sorry, not on Tuesday.", False),
        ("Monday, Tuesday and Thursday are all fine.", False),
        ("Monday, Tuesday and Thursday are no problem.", False),
        ("Monday, Tuesday, Thursday, I wouldn't mind either.", False),
        ("Not only Tuesday but Monday and Thursday suit me.", False),
        ("Thank you for your offers, I will come on Monday, Tuesday and Thursday.", False),
        ("I accept all your suggestions: Monday and Tuesday and Thursday.", False),
        ("Tuesday is fine. Monday as well.", False),
        ("Any of them.", False),
    ],
)
def test_a_reply_must_not_accept_everything(reply: str, right: bool) -> None:
    letter = {"subject": "Re", "own": reply, "in_reply_to": "1", "recipients": ["a@b.example"], "cc": [],
              "text": reply, "attachments": []}  # fmt: skip
    seen = {"letters": [letter]}
    wrong = ["Monday", "Thursday"]
    assert replied_to(seen, "1", ["a@b.example"], never=wrong, accepts=["Tuesday|17 March"]).passed is right


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("We will be 24, 5 of us vegetarian.", True),
        ("Total: 24\nVegetarian: 5\nWith meat: 19", True),
        ("Five of the 24 guests are vegetarians.", True),
        ("Thank you for your mail of 11 March. Here are the two numbers: 24 and 5.", True),
        ("24 guests total, vegetarians among them: 5", True),
        ("1. People: 24\n2. Vegetarians: 5", True),
        ("1) 24 people\n2) 5 vegetarians", True),
        ("24. 5 vegetarians\n30. or so", False),
        ("We'll be 5, and 24 are vegetarian.", False),
        ("5 guests; vegetarian: 24", False),
        ("24 or 27 people, 5 vegetarians", False),
        ("24 to 26 people, 5 vegetarians", False),
    ],
)
def test_a_reply_says_how_many_there_are_of_what(reply: str, right: bool) -> None:
    letter = {"subject": "Re", "own": reply, "in_reply_to": "1", "recipients": ["a@b.example"], "cc": [],
              "text": reply, "attachments": []}  # fmt: skip
    never = [str(number) for number in range(2, 61) if number not in (5, 19, 24)]
    counts = {"vegetarian|vegetarians": 5}
    assert replied_to({"letters": [letter]}, "1", ["a@b.example"], ["24", "5"], never, counts=counts).passed is right


RECEIPTS = {"lunch.txt": "54.36", "bus.txt": "12.28"}


def zipped(names: dict[str, str]) -> dict[str, object]:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as target:
        for name, content in names.items():
            target.writestr(name, content)
    return look_into("a.zip", held.getvalue())


@pytest.mark.parametrize("above", ["", "Turin/", "Downloads/Turin/", "home/user/Downloads/Turin/", "receipts-turin/"])
def test_an_archive_is_what_it_unpacks_to(above: str) -> None:
    whole = zipped({f"{above}{name}": held for name, held in RECEIPTS.items()})
    assert archive_holds(whole, RECEIPTS, top="Turin").passed
    assert not archive_holds(zipped({f"{above}lunch.txt": "54.36"}), RECEIPTS, top="Turin").passed
    assert not archive_holds(zipped({f"{above}{name}": "" for name in RECEIPTS}), RECEIPTS, top="Turin").passed
    more = zipped({**{f"{above}{name}": held for name, held in RECEIPTS.items()}, f"{above}draft.txt": "x"})
    assert not archive_holds(more, RECEIPTS, top="Turin").passed


def test_a_file_may_lie_beside_the_packed_folder() -> None:
    beside = zipped({"Turin/lunch.txt": "54.36", "Turin/bus.txt": "12.28", "README.txt": "hello"})
    assert archive_holds(beside, {**RECEIPTS, "README.txt": "hello"}, top="Turin").passed
    twice = zipped({"Turin/lunch.txt": "54.36", "Turin/bus.txt": "12.28", "lunch.txt": "1"})
    assert not archive_holds(twice, RECEIPTS, top="Turin").passed


def test_names_in_a_table_may_be_written_as_their_sign_has_them() -> None:
    rows = [["Shop", "Amount"], ["ORGANIC  BARN", 17.39]]
    cells = {f"{'AB'[column]}{row + 1}": {"value": value, "kind": "text" if isinstance(value, str) else "number"}
             for row, values in enumerate(rows) for column, value in enumerate(values)}  # fmt: skip
    seen = {"path": "a.ods", "sheets": [{"name": "Sheet1", "cells": cells}]}
    wanted = [["Shop", "Amount"], ["Organic Barn", 17.39]]
    assert table_is(seen, wanted, case=False).passed
    assert not table_is(seen, wanted).passed
    assert not table_is(seen, [["Shop", "Amount"], ["Organic Farm", 17.39]], case=False).passed
