"""Phrasings by which people answer, right and wrong: each is judged as a person would."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tasks.answers.questions import judge_phrasing, read_questions

FIRST, UNSEEN = read_questions("phrasings.toml"), read_questions("phrasings_unseen.toml")
CASES = [
    pytest.param(question, written, right, id=f"{question['asked'][:30]}: {written[:60]}")
    for question in (*FIRST, *UNSEEN)
    for right in (True, False)
    for written in question["right" if right else "wrong"]
]


@pytest.mark.parametrize(("question", "written", "right"), CASES)
def test_a_phrasing_is_judged_as_a_person_would(question: dict[str, Any], written: str, right: bool) -> None:
    found = judge_phrasing(question, written)
    assert found.passed is right, found.feedback


def test_there_are_enough_of_them() -> None:
    assert len(FIRST) >= 12
    for question in FIRST:
        assert min(len(question["right"]), len(question["wrong"])) >= 20, question["asked"]
        assert len({*question["right"], *question["wrong"]}) == len(question["right"]) + len(question["wrong"])
