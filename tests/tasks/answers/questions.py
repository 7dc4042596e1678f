"""Questions with phrasings that answer them and phrasings that do not."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from proctor.tasks.evaluate import evaluate
from proctor.tasks.findings import Finding
from proctor.tasks.shelves import CHECKS, expect, see

TO = "ana@kites.example"


def read_questions(name: str) -> list[dict[str, Any]]:
    """Return the questions of a file beside this one."""
    found: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / name).read_text())["question"]
    return found


def judge_phrasing(question: dict[str, Any], written: str) -> Finding:
    """Judge an answer, or the words of a letter, by the check of a question."""
    if question["check"] == "replied_to":
        letter = {"subject": "Re", "own": written, "in_reply_to": "1", "recipients": [TO], "cc": [], "text": written,
                  "attachments": []}  # fmt: skip
        check = expect.replied_to(see.posted_mail(), "1", [TO], **question["given"])
        return evaluate(check, lambda _: {"letters": [letter]}, CHECKS.get)
    check = getattr(expect, question["check"])(see.answer(), **question["given"])
    return evaluate(check, lambda _: {"path": "The answer", "text": written}, CHECKS.get)
