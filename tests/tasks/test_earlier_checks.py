"""Checks that only tasks of earlier versions ask: their records are judged again as they were."""

from __future__ import annotations

from proctor.tasks.call import Call
from proctor.tasks.examine import examine, look_back
from proctor.tasks.shelves import tool

CHECK = {
    "check": "looked",
    "of": {"probe": "history"},
    "questions": {"probe": "questions"},
    "windows": ["Archive"],
    "words": ["zip"],
    "about": ["drive"],
}


def judged(*performed: dict[str, object], questions: tuple[str, ...] = ()) -> bool:
    check = Call.from_json(CHECK)
    assert list(tool(check).problems(check)) == []
    asked = [{"question": question, "reply": "", "late": False} for question in questions]
    evidence = {
        Call("probe", "history").key: {"path": "the actions", "performed": list(performed)},
        Call("probe", "questions").key: {"path": "the questions to the user", "asked": asked},
    }
    return examine(check, look_back(evidence)).passed


def click(window: str) -> dict[str, object]:
    element = {"name": "Open", "role": "push button", "app": "thunar", "window": window, "text": ""}
    return {"action": {"type": "click", "x": 1, "y": 1}, "element": element}


def test_having_looked_is_judged_as_it_was() -> None:
    assert not judged()
    assert not judged(click("Pictures"))
    assert judged(click("Archive"))
    assert judged({"action": {"type": "run_code", "code": "unzip -l x.zip", "language": "shell"}, "element": None})
    assert judged(questions=("Which drive is it on?",))
