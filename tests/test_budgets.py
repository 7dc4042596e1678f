"""The code stays small and honest: sizes, docstrings, and the constructs that are banned."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import SOURCE, Module, own_modules

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 50
HARD_FUNCTION_LINES = 60
LONG_FUNCTIONS_ALLOWED = 1
"""How many functions may lie between the two limits; raise it with a reason. Those of the MCP server's handlers belong
together."""
TEMPLATES = ("proctor.suites.core.", "proctor.suites.moving.", "proctor.suites.expert.")
MAX_TEMPLATE_LINES = 90
"""A template is a declaration: as long as its instruction, setup, answer key and near misses together."""
MAX_IMPORTS = 15
COURSE = "_course"
MAX_COURSE_LINES = 150
"""The course of long work declares seven or more stretches, each with its check, its moves and its slips."""
SUBTASKS = ("proctor.suites.pool.", "proctor.suites.expert.")
MAX_SUBTASK_IMPORTS = 18
"""A subtask speaks the whole vocabulary of tasks: resources, moves, checks, probes, setup."""
DOORS = ("proctor.interop.", "proctor.studio.", "proctor.cli.", "proctor.suites.foreign.")
MAX_DOOR_IMPORTS = 22
"""A door to other people's tools, to the browser or to the command line speaks two languages: theirs and ours."""
ROOTS = {
    **{f"proctor.computers.sandbox_machine.{name}": 17 for name in ("parts", "running_desktop", "computer")},
    # The list of all parts.
    "proctor.computers.capabilities": 20,
    # Put together from parts of three channels, as the sandbox is.
    "proctor.computers.backends.vnc.computer": 18,
    "proctor.computers.backends.qemu.computer": 28,
    # Where agents, tasks, computers and records meet.
    "proctor.runner.run_episode": 22,
    # The same, held by a client or a person in place of a worker.
    "proctor.cli.exam_server": 24,
    # One exam: everything that belongs to it meets there.
    "proctor.exam.exam": 30,
    "proctor.exam.steps": 17,
    "proctor.exam.judgement": 19,
    "proctor.studio.record.desk": 26,
}
"""Modules whose whole job is to put the parts together; they may import more."""
PAUSE = "proctor.pause"
"""The one module that lets time go by; programs that run without the package have a function `pause` of their own."""
MAX_PAUSES = 15
"""How often the package lets time go by because nothing announces what it waits for; it never grows."""
OTHER_SLEEPS = {
    # What is given too little time has to take long.
    "proctor.testing.actions": 2,
    # A rewrite takes it away.
    "proctor.interop.mcp.visit": 1,
}


def functions(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert function.end_lineno
    return function.end_lineno - function.lineno + 1


def imported(module: Module) -> set[str]:
    """Return the modules of ours that a module imports when it loads; those of others say little about its place."""
    found: set[str] = set()
    for node in module.tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or ".")
    return {name for name in found if name.startswith("proctor")}


def banned(module: Module) -> list[str]:
    """Return each banned construct with its line."""
    found = []
    for node in module.nodes:
        if isinstance(node, ast.ExceptHandler):
            if node.type is None:
                found.append(f"{node.lineno}: bare except")
            elif ast.unparse(node.type) in ("Exception", "BaseException") and all(map(_is_nothing, node.body)):
                found.append(f"{node.lineno}: every error swallowed")
        elif isinstance(node, ast.Raise) and node.exc and "NotImplementedError" in ast.unparse(node.exc):
            found.append(f"{node.lineno}: not implemented")
    return found


def is_sleep(call: ast.Call) -> bool:
    """Tell whether a call does nothing but let time go by: whatever it waits for was made for it, or is nothing."""
    does = ast.unparse(call.func)
    word = does.rpartition(".")[2]
    if word in ("sleep", "usleep", "nanosleep", "clock_nanosleep"):
        return True
    if word not in (
        "select",
        "system",
        "run",
        "call",
        "check_call",
        "Popen",
        "wait_for",
        "wait",
        "acquire",
        "get",
        "poll",
    ):
        return False
    arguments = [ast.unparse(each) for each in [*call.args, *(keyword.value for keyword in call.keywords)]]
    if word == "select" and len(arguments) == 4:
        return set(arguments[:3]) <= {"[]", "()"}
    if word in ("system", "run", "call", "check_call", "Popen"):
        return bool(arguments and re.match(r"""[\["'(]*sleep\b""", arguments[0]))
    if word == "wait_for":
        return len(arguments) == 2 and bool(re.search(r"\b(Event|Condition|Future|create_future)\(\)", arguments[0]))
    fresh = r"\b(Event|Condition|Semaphore|Barrier|Queue|SimpleQueue|poll|DefaultSelector)\([^()]*\)\.\w+$"
    return bool(arguments and re.search(fresh, does))


def sleeps(module: Module) -> list[int]:
    """Return the lines of calls that let time go by, except in a function `pause` that may."""
    alone = not any(each.startswith("proctor") for each in imported(module))
    spared = {
        id(inner)
        for each in functions(module)
        if each.name == "pause" and (alone or module.name == PAUSE)
        for inner in ast.walk(each)
    }
    found = [
        node.lineno for node in module.nodes if isinstance(node, ast.Call) and is_sleep(node) and id(node) not in spared
    ]
    return found + [line for line, script in scripts(module) if sleeps(script)]


def scripts(module: Module) -> Iterator[tuple[int, Module]]:
    """Return the programs that stand in a module as text, with their lines."""
    for node in module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "import " in node.value:
            try:
                script = Module(f"{module.name}:{node.lineno}", module.path, node.value)
                assert script.tree
            except (SyntaxError, ValueError):
                continue
            yield node.lineno, script


def pauses(module: Module) -> list[int]:
    """Return the lines where a module lets time go by, by its own `pause` or by ours."""
    calls = [node for node in module.nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "pause"]
    return [call.lineno for call in calls] + [line for line, script in scripts(module) for _ in pauses(script)]


def _is_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass | ast.Continue) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def is_template(module: Module) -> bool:
    return module.name.startswith(TEMPLATES)


def longest(module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    if is_template(module):
        return MAX_COURSE_LINES if function.name == COURSE else MAX_TEMPLATE_LINES
    return HARD_FUNCTION_LINES


def test_files_are_short() -> None:
    assert {module.name: module.lines for module in own_modules() if module.lines > MAX_FILE_LINES} == {}


def test_functions_are_short() -> None:
    found = []
    for module in own_modules():
        found += [f"{module.name}.{each.name}" for each in functions(module) if length(each) > longest(module, each)]
    assert found == []


def test_few_functions_are_long() -> None:
    others = [module for module in own_modules() if not is_template(module)]
    counted = [(m, f) for m in others for f in functions(m)]
    long = [f"{m.name}.{f.name}" for m, f in counted if length(f) > MAX_FUNCTION_LINES]
    assert len(long) <= LONG_FUNCTIONS_ALLOWED, long


def test_imports_are_few() -> None:
    found = {}
    for module in own_modules():
        most = MAX_SUBTASK_IMPORTS if module.name.startswith(SUBTASKS) else MAX_IMPORTS
        most = MAX_DOOR_IMPORTS if module.name.startswith(DOORS) else most
        if (count := len(imported(module))) > ROOTS.get(module.name, most):
            found[module.name] = count
    assert found == {}


def test_modules_say_what_they_are_for() -> None:
    found = []
    for module in own_modules():
        docstring = ast.get_docstring(module.tree) or ""
        empty = module.path.name == "__init__.py" and not module.text.strip()
        if not empty and not docstring.partition("\n")[0].endswith("."):
            found.append(module.name)
    assert found == []


def test_nothing_banned() -> None:
    assert {module.name: found for module in own_modules() if (found := banned(module))} == {}


def test_only_pause_lets_time_go_by() -> None:
    assert {module.name: len(found) for module in own_modules() if (found := sleeps(module))} == OTHER_SLEEPS


def test_pauses_are_few() -> None:
    found = {module.name: lines for module in own_modules() if (lines := pauses(module))}
    assert sum(map(len, found.values())) <= MAX_PAUSES, found


@pytest.mark.parametrize(
    "text",
    [
        "import time\ntime.sleep(1)",
        "from time import sleep\nsleep(1)",
        "await asyncio.sleep(1)",
        "threading.Event().wait(1)",
        "threading.Event().wait(timeout=1)",
        "threading.Condition().wait(1)",
        "queue.Queue().get(True, 1)",
        "select.select([], [], [], 1)",
        "select.poll().poll(1000)",
        "await asyncio.wait_for(asyncio.Event().wait(), 1)",
        "subprocess.run(['sleep', '1'])",
        "os.system('sleep 1')",
        r"SCRIPT = 'import time\ntime.sleep(1)'",
        "from proctor.errors import SpecError\ndef pause(seconds):\n    time.sleep(seconds)",
    ],
)
def test_a_sleep_is_seen_in_any_disguise(text: str) -> None:
    assert sleeps(Module("proctor.x", Path("x.py"), text))


@pytest.mark.parametrize(
    "text",
    [
        "ended.wait(1)",
        "threading.Event().wait()",
        "select.select([line], [], [], 1)",
        "queue.get(timeout=1)",
        "import time\ndef pause(seconds):\n    time.sleep(seconds)",
        "from proctor.pause import pause\npause(1)",
        r"SCRIPT = 'import time\ndef pause(seconds): time.sleep(seconds)\npause(1)'",
    ],
)
def test_waiting_for_something_is_no_sleep(text: str) -> None:
    assert sleeps(Module("proctor.x", Path("x.py"), text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    x()\nexcept:\n    raise",
        "try:\n    x()\nexcept Exception:\n    pass",
        "try:\n    x()\nexcept BaseException:\n    ...",
        "def f():\n    raise NotImplementedError('later')",
    ],
)
def test_the_ban_catches(text: str) -> None:
    assert banned(Module("proctor.x", Path("x.py"), text))


def test_the_ban_spares_what_is_sound() -> None:
    text = "try:\n    x()\nexcept OSError:\n    pass\ntry:\n    y()\nexcept Exception as error:\n    report(error)"
    assert banned(Module("proctor.x", Path("x.py"), text)) == []


def test_data_files_live_in_the_package() -> None:
    """The wheel takes everything under the package, so nothing there may be ignored by git."""
    ignored = [line.strip("/") for line in (SOURCE.parent / ".gitignore").read_text().splitlines()]
    assert not [path for path in SOURCE.rglob("*.toml") if set(path.parts) & set(ignored)]
