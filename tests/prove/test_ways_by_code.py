"""Ways and cheats that only run a script on files are carried out in a folder and judged, without any desktop."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.suites.core import SUITE
from proctor.tasks.collateral import collateral
from proctor.tasks.judge import judge
from proctor.tasks.probe_context import Ending
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import run
from proctor.tasks.task import Task, Way

FILES = ("text_file", "spreadsheet", "database", "account_book", "pdf", "picture")
NAMES = (
    "sort-the-guest-list", "addresses-for-the-courier", "correct-a-price", "settle-the-trip",
    "receipts-into-the-ledger", "book-in-the-delivery", "members-from-the-old-program", "swap-in-the-locked-rota",
    "boxes-for-the-move", "record-a-purchase", "bills-into-the-book",
)  # fmt: skip


def carried_out(task: Task, way: Way, folder: Path) -> bool:
    """Run the scripts of a way on the files a task begins with, and tell whether that is a clean success."""
    with FakeComputer() as computer:
        paths = [call.arguments["path"] for call in task.setup if call.name in FILES]
        for call in task.setup:
            if call.name in FILES:
                run(call, SetupContext(computer))
        for path in paths:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(computer.read_file(path))
        computer.baseline()
        for move in way.moves:
            code, shell = move.arguments["code"], move.arguments.get("language", "shell") == "shell"
            argv = ["bash", "-c", code] if shell else [sys.executable, "-c", code]
            subprocess.run(argv, cwd=folder, env={**os.environ, "HOME": str(folder)}, check=True, capture_output=True)
        for file in folder.rglob("*"):
            if file.is_file():
                computer.write_file(str(file.relative_to(folder)), file.read_bytes())
        return judge(task, computer, Ending()).score == 1.0 and not collateral(task, computer)


@pytest.mark.parametrize("name", NAMES)
def test_scripts_that_do_the_work_count_and_those_that_cheat_do_not(name: str, tmp_path: Path) -> None:
    task = SUITE.task(name, 1)
    ways = [(way, True) for way in task.other_ways] + [(way, False) for way in task.cheats]
    scripts = [(way, right) for way, right in ways if all(move.name == "run_code" for move in way.moves)]
    assert scripts, f"{name} has no ways by script any more"
    for number, (way, right) in enumerate(scripts):
        folder = tmp_path / str(number)
        (folder / "Documents").mkdir(parents=True)
        assert carried_out(task, way, folder) is right, f"{name}: {way.name}"
