"""A new task to begin from: a small one that is already right, beside the test that proves it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from proctor.errors import SpecError
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import ID, NearMiss, Tags, Task

_TEST = '''"""The proof of {id}: it can be done, and only by doing it."""

from pathlib import Path

from proctor.prove.schedule import prove
from proctor.tasks.load import load_task


def test_{function}_is_proven(tmp_path):
    task = load_task(Path(__file__).with_name("{file}"))
    (proof,) = prove([task], tmp_path, assets=Path(__file__).parent)
    assert proof.proven, proof.to_json()["problems"]
'''


def scaffold(where: Path) -> list[Path]:
    """Write a task file and its test; raises SpecError for a bad name or files already there."""
    name = where.name.removesuffix(".json")
    task_file = where.with_name(f"{name}.json")
    test_file = where.with_name(f"test_{name.replace('-', '_')}.py")
    suite = re.sub(r"[^a-z0-9]+", "-", where.resolve().parent.name.lower()).strip("-") or "mine"
    if not ID.match(f"{suite}/{name}-v1"):
        raise SpecError(f"{name!r} cannot be the name of a task", remedy="use lower case, digits and hyphens")
    for path in (task_file, test_file):
        if path.exists():
            raise SpecError(f"{path} already exists", remedy="choose another name, or remove it first")
    task = _task(f"{suite}/{name}-v1")
    task_file.parent.mkdir(parents=True, exist_ok=True)
    task_file.write_text(json.dumps(task.to_json(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    test_file.write_text(test_of(task.id, task_file.name), encoding="utf-8")
    return [task_file, test_file]


def test_of(task: str, file: str) -> str:
    """Return the test of a task that lies beside its file."""
    return _TEST.format(id=task, function=file.removesuffix(".json").replace("-", "_"), file=file)


def _task(label: str) -> Task:
    path = "Documents/shopping.txt"
    before, after = "milk\nbread\n", "milk\nbread\neggs\n"
    return Task(
        id=label,
        instruction="Add eggs at the end of the shopping list that is open, on a line of their own, and save it.",
        paraphrases=("We are out of eggs. Please put them on the open shopping list, last line, and save.",),
        setup=(make.text_file(path, before), make.launch(["mousepad", path], window="shopping.txt")),
        check=expect.text_is(see.text(path), after),
        expected=(path,),
        solution=(hand.press("ctrl+End"), hand.type("eggs"), hand.press("ctrl+s")),
        near_misses=(
            NearMiss(name="not saved", moves=(hand.press("ctrl+End"), hand.type("eggs"))),
            NearMiss(name="at the top", moves=(hand.type("eggs\n"), hand.press("ctrl+s"))),
        ),
        tags=Tags(apps=("mousepad",), level=2, domain="Life", scenario="Shopping", demand="Searching"),
    )
