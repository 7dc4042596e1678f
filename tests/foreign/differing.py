"""Tasks that begin in a state of which two verdicts are given: ours, and that of the system they come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pptx import Presentation

from tests.foreign.documents import letter, paint
from tests.foreign.files import agentstudio, osworld, write
from tests.foreign.test_foreign_metrics import saved

HERE = "/home/user/Desktop"
FROM = "https://files.example/data"
LETTER = b"From - x\nFrom: a@b.example\nSubject: %s\n\nHello\n\n"


def slides(ground: str = "") -> bytes:
    made = Presentation()
    made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = "Welcome"
    if ground:
        paint(made.slides[0], ground)
    return saved(made)


def lowered(*pieces: str) -> bytes:
    made = letter("")
    for piece in pieces:
        made.paragraphs[0].add_run(piece).font.subscript = piece.isdigit()
    return saved(made)


def lines(*texts: str) -> bytes:
    return saved(letter(*texts))


PAIRS = [
    ("compare_pptx_files", "pptx", slides("FF0000"), slides("00FF00")),
    ("compare_docx_lines", "docx", lines("a", "b"), lines("a", "b", "b")),
    ("compare_subscript_contains", "docx", lowered("H", "2", "O"), lowered("C", "6", "H")),
    ("compare_result_files", "txt", b"12.5", b"112.5"),
    ("check_thunderbird_folder", "txt", LETTER % b"one", LETTER % b"two"),
]
"""Metrics, the ending of a file, what is expected, and what is there: wrong here and right there."""


def compared(metric: str, kind: str) -> dict[str, Any]:
    name = metric.replace("_", "-")
    files = [{"url": f"{FROM}/{name}/left.{kind}", "path": f"{HERE}/a.{kind}"}]
    return osworld(
        id=name,
        config=[{"type": "download", "parameters": {"files": files}}],
        evaluator={
            "func": metric,
            "result": {"type": "vm_file", "path": f"{HERE}/a.{kind}", "dest": f"a.{kind}"},
            "expected": {"type": "cloud_file", "path": f"{FROM}/{name}/gold.{kind}", "dest": f"gold.{kind}"},
        },
    )


def of_agentstudio(name: str, function: str, params: dict[str, Any], command: str) -> dict[str, Any]:
    evaluator, _, function = function.partition(".")
    begun = {"evaluator": "process", "function": "create_process", "params": {"cmd": ["/bin/sh", "-c", command]}}
    steps = [{"evaluator": evaluator, "function": function, "params": params}]
    return agentstudio(task_id=name, eval_procedure=steps, reset_procedure=[begun])


def write_differing(folder: Path) -> dict[str, str]:
    """Write the tasks as two folders with their files in a third, and return what is said of each."""
    told: dict[str, str] = {}
    for metric, kind, gold, left in PAIRS:
        task = compared(metric, kind)
        write(folder, f"osworld/os/{task['id']}.json", task)
        for name, content in (("gold", gold), ("left", left)):
            file = folder / "files" / task["id"] / f"{name}.{kind}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        told[f"osworld/os-{task['id']}-v1"] = "ours 0, the original's 1: "
    course = {"rules": {"expected": [{"action_type": "CLICK", "parameters": {"bbox": [10, 10, 30, 30]}}]}}
    judged = {"func": "check_step_actions", "result": {"type": "step_actions"}, "expected": {"type": "rule", **course}}
    write(folder, "osworld/os/course.json", osworld(id="course", config=[], evaluator=judged))
    told["osworld/os-course-v1"] = "ours 0, the original's 1: "
    lines_of = {"file_to_check": {f"{HERE}/a.txt": "one\n two"}}
    print_them = f"printf 'one\\n two\\n' > {HERE}/a.txt"
    broken = of_agentstudio("break", "filesystem.content_check", lines_of, print_them)
    write(folder, "agentstudio/os/break.json", broken)
    told["agentstudio/os-break-v1"] = "ours 1, the original's 0: "
    (folder / "files" / "x").mkdir(parents=True, exist_ok=True)
    (folder / "files" / "x" / "gold.docx").write_bytes(lines("a"))
    both = {"docx_file1": "data/x/gold.docx", "docx_file2": f"{HERE}/a.docx"}
    write(folder, "agentstudio/os/deleted.json", of_agentstudio("deleted", "docs.compare_docx_files", both, "true"))
    told["agentstudio/os-deleted-v1"] = "ours 0, the original's 1: "
    return told
