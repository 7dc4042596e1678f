"""What is judged does not depend on the clock, the time zone or the language of the machine that it is judged on."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.foreign.files import SHARED, shared
from tests.sources import Module, own_modules

JUDGES = ("proctor.vocabulary.", "proctor.suites.foreign.", "proctor.tasks.", "proctor.graphs.judge.")
ASKS = {
    "now",
    "today",
    "utcnow",
    "localtime",
    "ctime",
    "asctime",
    "strftime",
    "setlocale",
    "getlocale",
    "getdefaultlocale",
}
NAMES = ("%a", "%A", "%b", "%B", "%c", "%x", "%X", "%p")
"""Directives whose text is that of a language."""
MAKE_ALL = """
import sys
from pathlib import Path
from proctor.suites.foreign.suite import read_tasks
for name in ("osworld_verified", "osworld"):
    for task in read_tasks("osworld", Path(sys.argv[1]) / name, None):
        print(task.name, task.status, task.make().digest if task.make else "")
"""


def questions(module: Module) -> list[str]:
    """Return where a module asks the machine what day it is, where it stands, or what people speak."""
    found = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = len(node.args) + len(node.keywords)
            told = any(isinstance(each, ast.Constant) and each.value == "%H:%M:%S" for each in node.args)
            zoneless = node.func.attr in ("fromtimestamp", "astimezone") and not given - (node.func.attr[0] == "f")
            if node.func.attr in ASKS and not told or zoneless:
                found.append(f"{module.name}:{node.lineno} {node.func.attr}")
        if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
            written = "".join(str(each.value) for each in node.format_spec.values if isinstance(each, ast.Constant))
            if any(name in written for name in NAMES):
                found.append(f"{module.name}:{node.lineno} {written}")
    return found


def test_nothing_that_judges_asks_the_machine() -> None:
    # What runs inside a computer asks that computer.
    outside = [module for module in own_modules() if module.name.startswith(JUDGES) and ".inside." not in module.name]
    assert len(outside) > 300
    assert [question for module in outside for question in questions(module)] == []


@pytest.mark.parametrize(
    "code", ["datetime.now()", "date.today()", "time.localtime()", "f'{day:%B}'", "d.strftime('%d')"]
)
def test_a_question_is_found(code: str) -> None:
    assert questions(Module("proctor.tasks.x", Path("x.py"), code))


@shared
def test_tasks_are_the_same_wherever_they_are_read() -> None:
    def told(**env: str) -> str:
        command = [sys.executable, "-c", MAKE_ALL, str(SHARED)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **env})
        return done.stdout

    here = told(TZ="UTC", LC_ALL="C.UTF-8")
    assert here.count("\n") == 221 + 254
    assert told(TZ="Pacific/Kiritimati", LC_ALL="POSIX", LANG="tr_TR") == here
