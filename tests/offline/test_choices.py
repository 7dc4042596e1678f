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
        ("Answer: b", 1),
        ("Answer: b.", 1),
        ("Option B", 1),
        ("Answer: the letter B", 1),
        ("Answer: A click", 0),
        ("Answer: A because the menu is open", 0),
        ("Answer: B, since A is wrong", 1),
    ],
)
def test_one_choice(reply: str, place: int) -> None:
    assert find_choices(reply, OPTIONS, several=False).places == (place,)


@pytest.mark.parametrize(
    "reply",
    [
        "", "Answer: E", "Answer: Bold", "click or type", "I do not know", "Answer:", "Answer: A or B", "Answer: A, B",
        "Answer: A/B", "Answer: A new line is there", "Answer: c'est la vie",
    ],
)  # fmt: skip
def test_no_choice(reply: str) -> None:
    assert find_choices(reply, OPTIONS, several=False).problem


@pytest.mark.parametrize(
    ("reply", "places"),
    [("I believe it is hard to tell.", ()), ("Answer: I think so", ()), ("Answer: I", (8,)), ("I. wait", (8,))],
)
def test_whoever_speaks_of_himself_chooses_nothing(reply: str, places: tuple[int, ...]) -> None:
    options = ("click", "type", "scroll", "drag", "press", "hover", "back", "home", "wait", "stop")
    assert find_choices(reply, options, several=False).places == places


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
        ("Answer: A | B | C", (0, 1, 2)),
        ("Answer: A / B / C", (0, 1, 2)),
        ("Answer: A > B > C", (0, 1, 2)),
        ("Answer: A-B-C", (0, 1, 2)),
        ("Answer: ABC", (0, 1, 2)),
        ("Answer: a, b, c", (0, 1, 2)),
        ("Answer: A, then B, then C", (0, 1, 2)),
        ("Answer:\nStep 1: A\nStep 2: B", (0, 1)),
        ("<answer>\nA\nB\n</answer>", (0, 1)),
        ("<answer>A, B</answer>", (0, 1)),
        (r"Answer: \boxed{A, B}", (0, 1)),
        ("Answer:\nA\nB\nA new line came.", (0, 1)),
        ("Answer:\nscroll down\nscroll", (2, 3)),
    ],
)
def test_a_sequence(reply: str, places: tuple[int, ...]) -> None:
    assert find_choices(reply, OPTIONS, several=True).places == places


def test_names_that_hold_words_that_join_stay_whole() -> None:
    options = ("drag and drop", "drag", "pinch/zoom")
    assert find_choices("Answer:\ndrag and drop\npinch/zoom", options, several=True).places == (0, 2)
    assert find_choices("Answer: drag and drop, drag", options, several=True).places == (0, 1)


@pytest.mark.timeout(120)  # what backtracks over a megabyte takes hours
@pytest.mark.parametrize("piece", ["Answer: ", "A, ", "A\n", "\\boxed{", "- "])
def test_long_replies_are_read_to_an_end(piece: str) -> None:
    reply = piece * (1_000_000 // len(piece))
    for several in (False, True):
        found = find_choices(reply, OPTIONS, several=several)
        assert bool(found.places) != bool(found.problem)


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
        ('{"success": false}', False, None),
        ('{"success": true, "reason": "nothing failed"}', True, None),
        ("Answer (True or False): True", True, None),
        ("Answer: not completed", False, None),
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
        ("Answer: True or False", "both"),
        ("Answer: True/False", "both"),
        ("Answer: **Yes** | **No**", "both"),
        ("I cannot tell.", "neither"),
        ("<think>Answer: True", "reasoning"),
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
