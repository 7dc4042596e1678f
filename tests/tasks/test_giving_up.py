"""Giving up takes having looked: the places that tell so, or a question, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.prove.trial import trials
from proctor.suites.core import SUITE
from proctor.suites.core.files_places import ALL_OF_HOME
from proctor.suites.parts.giving_up import looked_into
from proctor.tasks.call import walk
from proctor.vocabulary.desktop.checks.history import NEVER_LOOKED, looked

NOBODY: dict[str, Any] = {"asked": []}
INFEASIBLE = [template.name for template in SUITE.templates if not template.tags.feasible]


def element(name: str = "", window: str = "", app: str = "") -> dict[str, str]:
    return {"role": "table cell", "name": name, "text": "", "app": app, "window": window}


def did(action: dict[str, Any], hit: dict[str, str] | None = None) -> dict[str, Any]:
    return {"performed": [{"action": action, "element": hit}]}


CLICK = {"type": "click", "x": 1, "y": 2}
WAYS = [
    did(CLICK, element(window="reports-2022.zip")),
    did({"type": "press", "keys": "ctrl+End"}, element(window="Reports-2022.ZIP - Xarchiver")),
    did(CLICK, element(app="reports-viewer")),
    did(CLICK, element(name="Trash")),
    did({"type": "type", "text": "unzip -l a.zip\n"}),
    did({"type": "run_code", "code": "import zipfile; print(zipfile.ZipFile('reports-2022.zip').namelist())"}),
    did({"type": "scroll", "x": 1, "y": 2}, element(window="reports-2022.zip")),
]


@pytest.mark.parametrize("seen", WAYS)
def test_every_way_of_looking_counts(seen: dict[str, Any]) -> None:
    assert looked(seen, NOBODY, ["reports"], ["Trash"], ["zip"], ["report"]).passed


@pytest.mark.parametrize(
    "seen",
    [
        {"performed": []},
        did({"type": "wait", "seconds": 1}),
        did({"type": "move", "x": 1, "y": 2}, element(window="reports-2022.zip")),
        did(CLICK, element(name="Applications", window="Panel")),
        did({"type": "press", "keys": "Escape"}),
        did({"type": "type", "text": "hello"}, element(window="Untitled")),
    ],
)
def test_looking_elsewhere_or_not_at_all_does_not(seen: dict[str, Any]) -> None:
    found = looked(seen, NOBODY, ["reports"], ["Trash"], ["zip"], ["report"])
    assert not found.passed and found.feedback == (NEVER_LOOKED,)


def test_a_question_will_do() -> None:
    nothing: dict[str, Any] = {"performed": []}
    asked = {"asked": [{"question": "I see no report for May. Which reports did you mean?", "reply": "No idea."}]}
    assert looked(nothing, asked, ["zip"], about=["report"]).passed
    assert not looked(nothing, asked, ["zip"], about=["song"]).passed


@pytest.mark.parametrize("name", INFEASIBLE)
def test_blind_giving_up_is_worth_nothing_anywhere(name: str) -> None:
    task = SUITE.task(name)
    assert any(call.name == "looked" for _, call in walk(task.check))
    assert {trial.wanted for trial in trials(task) if trial.kind == "fail"} == {0.0}


@pytest.mark.parametrize(
    ("code", "into"),
    [
        ("unzip -p Documents/plans.odp content.xml | head", True),
        ("ls Documents; cd Documents && strings plans.odp", True),
        ("find . -name '*.odp' -exec unzip -p {} content.xml \\;", True),
        ("import zipfile\nprint(zipfile.ZipFile('Documents/plans.odp').read('content.xml'))", True),
        ("ls -la Documents/plans.odp", False),
        ("cd Documents; ls plans.odp", False),
        ("find . -name '*.odp'", False),
        ("stat Documents/plans.odp && file Documents/plans.odp", False),
        ("cat Documents/notes.txt", False),
    ],
)
def test_a_file_that_is_only_listed_was_not_looked_into(code: str, into: bool) -> None:
    pattern = looked_into(".odp", "content.xml")
    assert looked(did({"type": "run_code", "code": code}), NOBODY, words=[pattern]).passed is into
    assert looked(did({"type": "type", "text": f"{code}\n"}), NOBODY, words=[pattern]).passed is into


@pytest.mark.parametrize(
    ("code", "everywhere"),
    [
        ("find ~ -name poem.txt", True),
        ("find / -name 'poem*' 2>/dev/null", True),
        ("cd; find . | grep poem", True),
        ("import os\nfor place in os.walk(os.path.expanduser('~')): print(place)", True),
        ("find ~/Documents -name poem.txt", False),
        ("find Documents -name poem.txt", False),
        ("ls ~", False),
    ],
)
def test_all_of_home_is_gone_through_or_only_a_part_of_it(code: str, everywhere: bool) -> None:
    assert looked(did({"type": "run_code", "code": code}), NOBODY, words=[*ALL_OF_HOME]).passed is everywhere
