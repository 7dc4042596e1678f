"""Probes that try out Python code inside the machine."""

from __future__ import annotations

import base64
import json
import secrets
from typing import Annotated

from pydantic import Field, JsonValue

from proctor.home import absolute
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.desktop.parse import python_values

PATIENCE = "10"
MOST_BYTES = 2**20
MOST_OUTPUT = 256 * 2**10

# In a folder of its own, always the same, as a program may print where it lies. In a sandbox it goes with the program.
_FOLDER = 'export HOME=/tmp/tried && rm -rf "$HOME" && mkdir "$HOME" && cd "$HOME"'
_IN_A_FOLDER = [
    "/bin/bash", "-c", f'{_FOLDER} && cat > program.py && exec timeout -k 1 "$@" < /dev/null', "bash",
]  # fmt: skip

_SPREAD = """
import base64, json, pathlib, sys
for name, content in json.load(sys.stdin).items():
    pathlib.Path(pathlib.PurePath(name).name).write_bytes(base64.b64decode(content))
"""
_UNPACKED = [
    "/bin/bash", "-c", f'{_FOLDER} && /usr/bin/python3 -I -c "$0" && exec timeout -k 1 "$@" < /dev/null', _SPREAD,
]  # fmt: skip
_TESTER = """
import json, sys
sys.path.insert(0, "")
function, word = sys.argv[1:]
import suite_of_tests
try:
    results = [{"value": bool(getattr(suite_of_tests, function)())}]
except Exception as error:
    results = [{"error": type(error).__name__ + ": " + str(error)[:200]}]
print("\\n" + word + json.dumps(results))
"""

# Loads the file as a module, not as a program, calls the function and tells what came back, behind a word that the
# file cannot know.
_CALLER = """
import importlib.util, json, sys
path, function, cases, word = sys.argv[1:]
spec = importlib.util.spec_from_file_location("examined", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
results = []
for case in json.loads(cases):
    try:
        results.append({"value": getattr(module, function)(*case)})
    except Exception as error:
        results.append({"error": type(error).__name__ + ": " + str(error)[:200]})
print("\\n" + word + json.dumps(results, default=repr))
"""


@PROBES.register_with(python_values)
def python_results(
    context: ProbeContext, path: str, function: str, cases: Annotated[list[list[JsonValue]], Field(min_length=1)]
) -> dict[str, object]:
    """What a function of a Python file returns for some arguments, called without privileges."""
    program = context.read(path, most=MOST_BYTES)
    word = secrets.token_hex(16)
    argv = [*_IN_A_FOLDER, PATIENCE, "/usr/bin/python3", "-I", "-B", "-c", _CALLER, "program.py", function]
    result = context.run([*argv, json.dumps(cases), word], reader=True, input=program)
    told = [line.removeprefix(word) for line in result.stdout.splitlines() if line.startswith(word)]
    if result.code != 0 or not told or len(told[-1]) > MOST_OUTPUT:
        said = result.stderr.strip().rpartition("\n")[2] or f"status {result.code}"
        raise CannotSee("unreadable", f"{path} does not run: {said[:300]}")
    return {"path": path, "function": function, "cases": cases, "results": parsed(path, python_values, told[-1])}


@PROBES.register_with(python_values)
def suite_verdict(
    context: ProbeContext,
    files: Annotated[dict[str, str], Field(min_length=1, max_length=100)],
    suite: str,
    function: str = "test",
) -> dict[str, object]:
    """What a test function returns for Python files, which lie next to it under these names.

    Names lead to paths; `suite` is the module with the tests in base64. It is called inside, by nobody special.
    """
    packed = {name: base64.b64encode(context.read(path, most=MOST_BYTES)).decode() for name, path in files.items()}
    told = json.dumps({**packed, "suite_of_tests.py": suite}).encode()
    word = secrets.token_hex(16)
    argv = [*_UNPACKED, PATIENCE, "/usr/bin/python3", "-B", "-c", _TESTER, function, word]
    result = context.run(argv, reader=True, input=told)
    told_lines = [line.removeprefix(word) for line in result.stdout.splitlines() if line.startswith(word)]
    if result.code != 0 or not told_lines or len(told_lines[-1]) > MOST_OUTPUT:
        said = result.stderr.strip().rpartition("\n")[2] or f"status {result.code}"
        raise CannotSee("unreadable", f"the tests do not run: {said[:300]}")
    path = next(iter(files.values()))
    return {"path": path, "function": function, "cases": [[]], "results": parsed(path, python_values, told_lines[-1])}


@PROBES.register
def program_output(context: ProbeContext, path: str, text: str) -> dict[str, object]:
    """What a Python program prints when given the name of a file with this text.

    It may read what lies around it, and can change nothing of it.
    """
    program = context.read(path, most=MOST_BYTES)
    place = absolute(path, context.computer.home)
    run = 'timeout -k 1 "$1" /usr/bin/env PYTHONPATH="$2" /usr/bin/python3 -B program.py in.txt 2>&1 | head -c "$3"'
    script = f"{_FOLDER} && head -c {len(program)} > program.py && cat > in.txt && {{ {run}; }}"
    argv = ["/bin/bash", "-c", script, "bash", PATIENCE, place.rpartition("/")[0], str(MOST_OUTPUT)]
    result = context.run(argv, reader=True, input=program + text.encode())
    return {"path": f"What {path} prints", "text": result.stdout}
