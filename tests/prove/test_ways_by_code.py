"""Ways and cheats that only run a script on files are carried out in a folder and judged, without any desktop."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.exam.side_effects import SideEffectCounter
from proctor.suites.core import SUITE as CORE
from proctor.suites.pool import SUITE as POOL
from proctor.suites.suite import Suite
from proctor.suites.tour import SUITE as TOUR
from proctor.tasks.call import Call, walk
from proctor.tasks.deadline import Deadline
from proctor.tasks.judge import judge
from proctor.tasks.probe_context import Ending
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import run
from proctor.tasks.task import Task, Way

FILES = frozenset(
    {
        "text_file", "csv_file", "spreadsheet", "database", "account_book", "pdf", "picture", "document", "slides",
        "sound", "film", "archive", "drawing", "gnote_notes", "notebook",
    }
)  # fmt: skip
"""Setup steps that write files, and need no computer for it."""
NAMES = (
    "sort-the-guest-list", "addresses-for-the-courier", "correct-a-price", "settle-the-trip",
    "receipts-into-the-ledger", "book-in-the-delivery", "members-from-the-old-program", "swap-in-the-locked-rota",
    "boxes-for-the-move", "record-a-purchase", "bills-into-the-book",
)  # fmt: skip
BEGUN = FILES | {"folder", "executable", "audacity_at_hand", "vlc_at_hand", "browser_profile", "xfconf"}
INSIDE = {"clipboard", "xfconf", "pdf", "screen_picture", "drawing_shown"}
"""Probes that look at the desktop, or use its programs."""
DESKTOP = re.compile(
    r"\b(xclip|soffice|cvlc|inkscape|zim|gsettings|xfconf-query|xfce4-screenshooter|ImageGrab|gi|cairo|pdftotext)\b"
    r"|localhost|127\.0\.0\.1|urllib|/etc/|rhythmbox|thunderbird|chromium|cp -r?l "
)
"""What code needs that only the computer of a task has."""
PROGRAMS = ("sqlite3", "zip", "unzip", "7z")
"""What commands need that a machine may lack."""


def here(move: Call) -> bool:
    """Tell whether a move can be made without the computer of a task."""
    if move.name != "run_code" or DESKTOP.search(move.arguments["code"]):
        return False
    words = set(move.arguments["code"].split()) if move.arguments.get("language", "shell") == "shell" else set()
    return all(shutil.which(program) for program in words & set(PROGRAMS))


def by_script(task: Task) -> list[tuple[Way, bool]]:
    """Return the ways of a task that need nothing but files, and whether they are right ones."""
    ways = [(way, True) for way in task.other_ways] + [(way, False) for way in task.cheats]
    return [(way, right) for way, right in ways if all(map(here, way.moves))]


def carried_out(task: Task, way: Way, folder: Path) -> bool:
    """Run the scripts of a way on the files a task begins with, and tell whether that is a clean success."""
    with FakeComputer() as computer:
        for call in task.setup:
            if call.name in FILES:
                run(call, SetupContext(computer))
        for path in files_below(computer, "."):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(computer.read_file(path))
        effects = SideEffectCounter(task)
        effects.begin(computer)
        computer.baseline()
        for move in way.moves:
            code, shell = move.arguments["code"], move.arguments.get("language", "shell") == "shell"
            argv = ["bash", "-c", code] if shell else [sys.executable, "-c", code]
            subprocess.run(argv, cwd=folder, env={**os.environ, "HOME": str(folder)}, check=True, capture_output=True)
        for path in files_below(computer, "."):
            if not (folder / path).exists():
                computer.run(["rm", path])
        for file in folder.rglob("*"):
            if file.is_file():
                computer.write_file(str(file.relative_to(folder)), file.read_bytes())
        verdict = judge(task, computer, Ending())
        found = effects.compare_insides(effects.compare(computer), computer, Ending(), verdict, Deadline())
        return verdict.score == 1.0 and not found.effects


def files_below(computer: FakeComputer, folder: str) -> Iterator[str]:
    """Yield the files of a computer, relative to its home folder."""
    for entry in computer.list_files(folder):
        path = entry.path.removeprefix("/home/user/")
        if entry.kind == "file":
            yield path
        elif entry.kind == "folder":
            yield from files_below(computer, path)


def tried(task: Task, folder: Path) -> int:
    """Carry out everything of a task that can be, and return how much that is."""
    scripts = by_script(task)
    for number, (way, right) in enumerate(scripts):
        place = folder / str(number)
        for each in ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Videos"):
            (place / each).mkdir(parents=True)
        assert carried_out(task, way, place) is right, f"{task.id}: {way.name}"
    return len(scripts)


@pytest.mark.parametrize("name", NAMES)
def test_scripts_that_do_the_work_count_and_those_that_cheat_do_not(name: str, tmp_path: Path) -> None:
    assert tried(CORE.task(name, 1), tmp_path), f"{name} has no ways by script any more"


def pooled() -> list[str]:
    """Return the tasks of the pool that begin with files and nothing else."""
    tasks = [POOL.task(template.name, 1) for template in POOL.templates]
    return [task.id for task in tasks if {call.name for call in task.setup} <= BEGUN and seen(task) and by_script(task)]


def seen(task: Task) -> bool:
    """Tell whether what a task is judged by is in files that can be read anywhere."""
    return not INSIDE & {call.name for _, call in walk(task.check) if call.kind == "probe"}


@pytest.mark.turns
@pytest.mark.parametrize("id", pooled())
def test_scripts_count_in_the_pool_too(id: str, tmp_path: Path) -> None:
    assert tried(POOL.task(id, 1), tmp_path)


@pytest.mark.parametrize("suite", [CORE, POOL, TOUR], ids=lambda suite: suite.name)
def test_every_task_can_be_done_and_cheated_at_in_two_other_ways_at_least(suite: Suite) -> None:
    few = {
        task.id
        for template in suite.templates
        for task in [suite.task(template.name, 1)]
        if len({way.name for way in task.other_ways}) < 2 or len({way.name for way in task.cheats}) < 2
    }
    assert few == set()
