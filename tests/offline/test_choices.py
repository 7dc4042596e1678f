"""Choices, sequences and verdicts in replies; what says two things says nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.models.critic import find_verdict
from proctor.offline.answers.choices import find_choices

OPTIONS = ("click", "type", "scroll down", "scroll")


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        ("Answer: B", 1),
        ("answer: B", 1),
        ("Answer: (B)", 1),
        ("**Answer: B**", 1),
        ("Answer: **B**", 1),
        ("The answer is B.", 1),
        ("Final answer: B. type", 1),
        ("Answer: type", 1),
        ("Answer: scroll down", 2),
        ("Answer: scroll", 3),
        ("B", 1),
        ("B. type", 1),
        ("B) because A is wrong", 1),
        ("<think>Answer: A</think>Answer: B", 1),
        ("First I thought Answer: A.\nAnswer: B", 1),
        ("It was a type action.", 1),
        ("The field is filled now.\nB", 1),
        (r"Answer: \boxed{B}", 1),
    ],
)
def test_one_choice(reply: str, place: int) -> None:
    assert find_choices(reply, OPTIONS, several=False).places == (place,)


@pytest.mark.parametrize("reply", ["", "Answer: E", "Answer: Bold", "click or type", "I do not know", "Answer:"])
def test_no_choice(reply: str) -> None:
    assert find_choices(reply, OPTIONS, several=False).problem


@pytest.mark.parametrize(
    ("reply", "places"),
    [
        ("Answer:\nA\nB", (0, 1)),
        ("Answer: A\nB\nC", (0, 1, 2)),
        ("Answer: A, B, C", (0, 1, 2)),
        ("Answer: A -> B", (0, 1)),
        ("Answer: A B C", (0, 1, 2)),
        ("Answer:\n1. A\n2. B", (0, 1)),
        ("Answer:\n- A\n- B", (0, 1)),
        ("Answer:\nA. click\nB. type", (0, 1)),
        ("Answer: click, type", (0, 1)),
        ("Answer: [A, B]", (0, 1)),
        ("Answer: A", (0,)),
        ("A\nB", (0, 1)),
    ],
)
def test_a_sequence(reply: str, places: tuple[int, ...]) -> None:
    assert find_choices(reply, OPTIONS, several=True).places == places


@pytest.mark.parametrize(
    ("reply", "success", "confidence"),
    [
        ("Answer: True", True, None),
        ("Answer: False", False, None),
        ("Confidence: 0.9\nAnswer: True", True, 0.9),
        ("Confidence: 90%\nAnswer: False", False, 0.9),
        ("It might be False, but I think it was done.\nAnswer: True", True, None),
        ("true", True, None),
        ("No, it failed.", False, None),
        ("The task was not completed.", False, None),
        ("Answer: **Yes**", True, None),
        ('{"answer": "False", "confidence": 0.25}', False, 0.25),
    ],
)
def test_a_verdict(reply: str, success: bool, confidence: float | None) -> None:
    found = find_verdict(reply)
    assert (found.success, found.confidence) == (success, confidence)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "empty"),
        ("True or False", "both"),
        ("Answer: True\nAnswer: False", "both"),
        ("I cannot tell.", "neither"),
        ("<think>Answer: True", "thoughts"),
    ],
)
def test_what_says_both_says_nothing(reply: str, problem: str) -> None:
    found = find_verdict(reply)
    assert found.success is None and problem in found.problem


@given(st.text(max_size=300))
def test_no_text_breaks_it(reply: str) -> None:
    find_verdict(reply)
    find_choices(reply, OPTIONS, several=True)
    find_choices(reply, OPTIONS, several=False)
