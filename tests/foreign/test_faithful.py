"""Verdicts of other systems where ours differ: both are found, either may count, and both are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proctor.actions.action import Answer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.exam.exam import Exam
from proctor.exam.rules import Rules
from proctor.records import Result
from proctor.tasks.judge import judge, regrade
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import Task
from proctor.tasks.verdict import Verdict
from tests.foreign.differing import HERE, PAIRS, lines
from tests.foreign.files import agentstudio, judged, read_one

GOLD = "https://files.example/data/gold"


def task_of(folder: Path, data: dict[str, Any], gold: bytes = b"", format: str = "osworld") -> Task:
    assets = folder / "assets"
    assets.mkdir(exist_ok=True)
    for name in ("gold.docx", "gold.pptx", "gold.txt"):
        (assets / name).write_bytes(gold)
    found = read_one(folder, data, format, assets)
    assert found.make is not None, found.reasons
    return found.make()


def look(task: Task, files: dict[str, bytes]) -> Verdict:
    computer = FakeComputer()
    computer.start()
    for path, content in files.items():
        computer.write_file(path, content)
    return judge(task, computer, Ending())


@pytest.mark.parametrize(("metric", "kind", "gold", "left"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_where_ours_differs_both_are_found(metric: str, kind: str, gold: bytes, left: bytes, tmp_path: Path) -> None:
    path = f"{HERE}/a.{kind}"
    expected = {"type": "cloud_file", "path": f"{GOLD}.{kind}", "dest": f"gold.{kind}"}
    task = task_of(tmp_path, judged(metric, {"type": "vm_file", "path": path, "dest": f"a.{kind}"}, expected), gold)
    verdict = look(task, {path: left})
    assert verdict.score == 0 and verdict.other is not None and verdict.other.score == 1
    assert verdict.differs.startswith("ours 0, the original's 1: ") and len(verdict.differs) > 30
    theirs = verdict.as_original()
    assert (theirs.score, theirs.feedback, theirs.differs) == (1.0, (), verdict.differs)
    assert theirs.as_original() == theirs
    again = regrade(task, verdict.evidence)
    assert (again.score, again.differs) == (0.0, verdict.differs)
    agreed = look(task, {path: gold})
    assert (agreed.score, agreed.other, agreed.differs) == (1.0, None, "")


def test_a_deleted_document_passes_in_agentstudio(tmp_path: Path) -> None:
    compared = {"docx_file1": "data/x/gold.docx", "docx_file2": "${AS_ROOT}/a.docx"}
    steps = [{"evaluator": "docs", "function": "compare_docx_files", "params": compared}]
    task = task_of(tmp_path, agentstudio(eval_procedure=steps), lines("a"), "agentstudio")
    assert look(task, {}).differs.startswith("ours 0, the original's 1")
    assert look(task, {"/home/user/agent_studio/a.docx": lines("b")}).differs == ""


def test_a_course_that_was_never_begun_counts_there(tmp_path: Path) -> None:
    steps = [{"action_type": "CLICK", "parameters": {"bbox": [10, 10, 30, 30]}}]
    data = judged("check_step_actions", {"type": "step_actions"}, {"type": "rule", "rules": {"expected": steps}})
    task = task_of(tmp_path, data)
    assert look(task, {}).differs.startswith("ours 0, the original's 1")


@pytest.mark.parametrize("faithful", [False, True])
def test_rules_say_which_counts_and_results_tell_both(faithful: bool, tmp_path: Path) -> None:
    compared = {"docx_file1": "data/x/gold.docx", "docx_file2": "${AS_ROOT}/a.docx"}
    steps = [{"evaluator": "docs", "function": "compare_docx_files", "params": compared}]
    task = task_of(tmp_path, agentstudio(eval_procedure=steps), lines("a"), "agentstudio")
    task = task.model_copy(update={"setup": ()})
    with FakeComputer() as computer, Exam(task, computer, Rules(faithful=faithful)) as exam:
        exam.begin()
        result = exam.end()
    assert isinstance(result, Result)
    assert result.score == float(faithful)
    assert result.differs.startswith("ours 0, the original's 1")
    assert Result.from_json(result.to_json()) == result


def test_where_nothing_differs_nothing_is_kept(tmp_path: Path) -> None:
    assert task_of(tmp_path, agentstudio(), format="agentstudio").original is None


def test_a_line_break_at_the_end_counts_in_agentstudio(tmp_path: Path) -> None:
    def content(text: str) -> dict[str, Any]:
        params = {"file_to_check": {"a.txt": text}}
        return agentstudio(eval_procedure=[{"evaluator": "filesystem", "function": "content_check", "params": params}])

    task = task_of(tmp_path, content("one\n two"), format="agentstudio")
    assert look(task, {"a.txt": b"one\n two\n"}).differs.startswith("ours 1, the original's 0: ")
    assert look(task, {"a.txt": b"one\n two"}).other is None
    assert look(task, {"a.txt": b"one\n twoo"}).score == 0
    nothing = task_of(tmp_path, content(""), format="agentstudio")
    assert look(nothing, {"a.txt": b""}).score == 1
    assert look(nothing, {"a.txt": b"\n"}).score == 0


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("17.5 km", 1.0),
        ("It is far: [[[17.5 KM]]].", 1.0),
        ("It is 17.5 km.", 0.0),
        ("[[[17x5 km]]]", 0.0),
        ("[[[17.5 km]]] or [[[18 km]]]", 0.0),
        ("[[[]]]", 0.0),
    ],
)
def test_an_answer_may_stand_between_brackets(said: str, score: float, tmp_path: Path) -> None:
    steps = [{"evaluator": "qa", "function": "string_match", "params": {"answer": "17.5 km"}}]
    task = task_of(tmp_path, agentstudio(eval_procedure=steps), format="agentstudio")
    computer = FakeComputer()
    computer.start()
    assert judge(task, computer, Ending(Answer(text=said))).score == score
