"""What a model says is data: bounded, of a form, and told exactly what is wrong with it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.synth.answer import MOST_CHARS, AnswerRefused, read_answer
from proctor.synth.parts import WrittenKey
from proctor.synth.sameness import verdict_key, words_key
from proctor.tasks.shelves import expect, see

KEY = {"moves": [{"move": "press", "keys": "ctrl+s"}]}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(KEY),
        f"Here you are:\n```json\n{json.dumps(KEY, indent=2)}\n```\nGood luck!",
        f"\ufeff  {json.dumps(KEY)}\n\n",
    ],
)
def test_words_around_an_object_do_no_harm(text: str) -> None:
    (move,) = read_answer(text, WrittenKey).moves
    assert (move.name, move.arguments["keys"]) == ("press", "ctrl+s")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON object"),
        ("I would rather not.", "no JSON object"),
        ("} {", "no JSON object"),
        ("{" * 200, "no JSON object"),
        ("x" * (MOST_CHARS + 1), "at most 40,000"),
        ('{"moves": [}', "line 1, column"),
        ('{"moves": []} {"moves": []}', "something follows"),
        ('{"moves": [], "moves": []}', "given twice"),
        ('{"moves": []}', "moves: it should have at least 1 item"),
        ('{"moves": {"a": 1}}', "moves"),
        ('{"moves": [{"move": "press", "keys": "s"}], "why": "x"}', "why: there is no such field"),
        ('{"steps": []}', "moves: this field is missing"),
        ('{"moves": [{"press": "s"}]}', "moves.0: is not a call"),
        ('{"moves": [{"move": "type", "text": "a\\u202eb"}]}', "moves.0.text: it has the invisible character U+202E"),
        ('{"moves": [{"move": "type", "text": "a\\ud800b"}]}', "invisible character U+D800"),
        ('{"moves": ' + "[" * 20 + "1" + "]" * 20 + "}", "nested more than"),
        ('{"moves": ' + json.dumps([1] * 300) + "}", "300 members"),
        ('{"moves": [{"move": "type", "text": "' + "a" * 5000 + '"}]}', "5,000 characters"),
        ('{"moves": [{"move": "wait", "seconds": 1e999}]}', "plain data"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(AnswerRefused) as refused:
        read_answer(text, WrittenKey)
    assert said in refused.value.message


@given(some.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for shown in (text, f"{{{text}}}", f'{{"moves": {text}}}'):
        try:
            read_answer(shown, WrittenKey)
        except AnswerRefused as refused:
            assert refused.message.isprintable() or "\n" in refused.message


CHECK = expect.text_is(see.text("Documents/list.txt"), "Milk\nEggs\n")


@pytest.mark.parametrize(
    "other",
    [
        expect.text_is(see.text("/home/user/Documents/list.txt"), "milk\neggs"),
        expect.all_of([CHECK]),
        expect.all_of([CHECK, CHECK]),
        expect.any_of([expect.all_of([CHECK])]),
    ],
)
def test_a_check_that_is_written_otherwise_is_the_same(other: object) -> None:
    assert verdict_key(other) == verdict_key(CHECK)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "other",
    [
        expect.text_is(see.text("Documents/list.txt"), "Eggs\nMilk\n"),
        expect.text_is(see.text("Documents/other.txt"), "Milk\nEggs\n"),
        expect.text_has(see.text("Documents/list.txt"), ["Milk"]),
        expect.text_is(see.text("Documents/list.txt"), "Milk\nEggs\n", exactly=True),
        expect.all_of([CHECK, expect.nothing_there(see.file("Documents/old.txt"))]),
    ],
)
def test_another_procedure_or_parameter_is_another_check(other: object) -> None:
    assert verdict_key(other) != verdict_key(CHECK)  # type: ignore[arg-type]


def test_words_are_alike_whatever_their_case_and_marks() -> None:
    assert words_key("Add “eggs” to my list!") == words_key('ADD  "eggs" to my list')
    assert words_key("Add eggs") != words_key("Add legs")
