"""Phrasings by which people answer, right and wrong: each is judged as a person would."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from proctor.tasks.examine import examine, look_back
from proctor.tasks.findings import Finding
from proctor.tasks.shelves import expect, see

QUESTIONS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "phrasings.toml").read_text())["question"]
TO = "ana@kites.example"


def judge_phrasing(question: dict[str, Any], written: str) -> Finding:
    """Judge an answer, or a letter with these words, by the check of a question."""
    if question["check"] == "replied_to":
        letter = {"subject": "Re", "own": written, "in_reply_to": "1", "recipients": [TO], "cc": [], "text": written,
                  "attachments": []}  # fmt: skip
        posted = see.posted_mail()
        return examine(
            expect.replied_to(posted, "1", [TO], **question["given"]), look_back({posted.key: {"letters": [letter]}})
        )
    answer = see.answer()
    check = getattr(expect, question["check"])(answer, **question["given"])
    return examine(check, look_back({answer.key: {"path": "The answer", "text": written}}))


CASES = [
    pytest.param(question, written, right, id=f"{question['asked'][:30]}: {written[:60]}")
    for question in QUESTIONS
    for right in (True, False)
    for written in question["right" if right else "wrong"]
]


@pytest.mark.parametrize(("question", "written", "right"), CASES)
def test_a_phrasing_is_judged_as_a_person_would(question: dict[str, Any], written: str, right: bool) -> None:
    found = judge_phrasing(question, written)
    assert found.passed is right, found.feedback


def test_there_are_enough_of_them() -> None:
    assert len(QUESTIONS) >= 12
    for question in QUESTIONS:
        assert min(len(question["right"]), len(question["wrong"])) >= 20, question["asked"]
        assert len({*question["right"], *question["wrong"]}) == len(question["right"]) + len(question["wrong"])
