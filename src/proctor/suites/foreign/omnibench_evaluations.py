"""OmniBench's evaluations as checks of ours; they are parsed, and never run."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from proctor.graphs.omnibench.evaluations import FUNCTION, read_checks
from proctor.graphs.omnibench.export import CONTENTS
from proctor.suites.foreign.translation import NotJudgedYet
from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, problems, see

HISTORY = "what was done, and not what came of it"
SCREEN = "what the last screenshot shows"
FOREIGN: Mapping[str, str] = {
    "check_mouse_clicks": HISTORY,
    "check_keyboard_types": HISTORY,
    "check_text_exists_via_ocr": SCREEN,
    "check_text_exists_via_control": SCREEN,
    "check_text_exists": SCREEN,
}
"""What the functions of theirs look at that have no counterpart here."""


def check_of_evaluation(text: str, parameters: Mapping[str, str]) -> Call:
    """Return what an evaluation checks for a set of parameters.

    Raises:
        ValueError: It is no evaluation, or has no check for these parameters.
        NotJudgedYet: It looks at what no check of ours does.
    """
    checks = read_checks(text)
    if checks is not None:
        return _own_check(checks, parameters)
    return expect.all_of([_file_check(call, parameters) for call in _questions(text)])


def _own_check(checks: Mapping[str, object], parameters: Mapping[str, str]) -> Call:
    key = parameters.get(CONTENTS, "")
    if key not in checks:
        raise ValueError(f"it has no check for the {CONTENTS} {key!r}")
    check = Call.from_json(checks[key])
    for problem in problems(check, (), "check"):
        raise ValueError(problem.message)
    return check


def _questions(text: str) -> list[ast.Call]:
    """Return what an evaluation asks, one after another; each must be answered with yes."""
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and node.name == FUNCTION]
    if not found:
        raise ValueError(f"it has no function {FUNCTION}")
    asked: list[ast.Call] = []
    said = ast.get_docstring(found[0]) is not None
    for step in found[0].body[said:-1]:
        test = step.test if isinstance(step, ast.If) and not step.orelse else None
        question = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
        if not isinstance(question, ast.Call) or not isinstance(question.func, ast.Name):
            raise NotJudgedYet("a program that does more than ask one question after another")
        asked.append(question)
    if not asked:
        raise NotJudgedYet("a program that asks nothing")
    return asked


def _file_check(question: ast.Call, parameters: Mapping[str, str]) -> Call:
    name = question.func.id if isinstance(question.func, ast.Name) else ""
    if name in FOREIGN:
        raise NotJudgedYet(f"{name}: {FOREIGN[name]}")
    given = {keyword.arg: keyword.value for keyword in question.keywords}
    value = given.get("file_path", question.args[0] if question.args else None)
    if name != "check_file_exists" or value is None:
        raise NotJudgedYet(f"{name}, a function of its own")
    return expect.file_exists(see.file(_text_of(value, parameters)))


def _text_of(value: ast.expr, parameters: Mapping[str, str]) -> str:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    if isinstance(value, ast.Name) and value.id in parameters:
        return parameters[value.id]
    if isinstance(value, ast.JoinedStr):
        parts = [one.value if isinstance(one, ast.FormattedValue) else one for one in value.values]
        return "".join(_text_of(part, parameters) for part in parts)
    raise NotJudgedYet("a path that is reckoned")
