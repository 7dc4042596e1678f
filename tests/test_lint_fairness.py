"""Lint finds what would make verdicts unfair, in tasks made for it and in none of ours."""

from __future__ import annotations

import pytest

from proctor.suites.lint_fairness import unfair
from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Tags, Task

A, B = "Backups/a.txt", "Backups/b.txt"
HOLDS = expect.folder_holds(see.folder("Backups"), exactly=["b.txt"])


def task(check: Call, *, feasible: bool = True, text: str = "b\n", **rest: object) -> Task:
    given = {
        "id": "test/lint-v1",
        "instruction": "Delete a.txt.",
        "setup": (make.text_file(A, "a\n"), make.text_file(B, text)),
        "check": check,
        "solution": (hand.done(),),
        "tags": Tags(
            apps=("thunar",), level=2, domain="Life", scenario="Shopping", demand="Searching", feasible=feasible
        ),
        **rest,
    }
    return Task(**given)


FAIR = expect.all_of([HOLDS, expect.unchanged(see.digest(B))])


def test_nothing_is_said_of_a_fair_task() -> None:
    assert list(unfair(task(FAIR, expected=(A,)))) == []


@pytest.mark.parametrize(
    ("unjust", "said"),
    [
        (task(FAIR, expected=("Backups/*",)), "covers Backups/b.txt by Backups/*"),
        (task(HOLDS, expected=(A,)), "compares Backups/b.txt by name only"),
        (task(FAIR, expected=(A,), text="Left: \n"), "trailing blanks"),
        (task(FAIR, expected=(A,), text="Left: "), "trailing blanks"),
        (task(FAIR, expected=(A,), instruction="Delete a.txt as told in orders.txt."), "orders.txt, which is nowhere"),
        (task(expect.text_is(see.text(B), "b\nmore\n", exactly=True), expected=(B,)), "though only a line is added"),
        (task(FAIR, feasible=False, twin="test/other-v1", solution=(hand.fail("no"),)), "what the agent `was_shown`"),
    ],
)
def test_what_is_unfair_is_found(unjust: Task, said: str) -> None:
    assert any(said in remark for remark in unfair(unjust)), list(unfair(unjust))
