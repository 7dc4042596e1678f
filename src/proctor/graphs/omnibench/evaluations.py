"""Evaluations of OmniBench's subtasks: programs in their form that have Proctor look.

Where they are run, `check_in_proctor(check)` is there beside OmniBench's own functions; it tells whether a check holds,
and why it does not.
"""

from __future__ import annotations

import ast

from proctor.graphs.omnibench.export import CONTENTS
from proctor.graphs.omnibench.records import SubtaskMetadata
from proctor.tasks.call import Call

TABLE = "CHECKS"
"""What the table of checks is called in an evaluation."""
FUNCTION = "evaluate_agent_task_completion"
ENDING = ".txt"
_BEGIN = """from collections import namedtuple

EvalResult = namedtuple("EvalResult", ["success", "message", "progress"])

{table} = {{
"""
_END = """}}


def {function}({contents}, **parameters):
    {asked!r}
    success, message = check_in_proctor({table}[{contents}])
    return EvalResult(success, message, 1.0 if success else 0.0)
"""


def begin_evaluation() -> str:
    """Return how an evaluation begins; its entries follow."""
    return _BEGIN.format(table=TABLE)


def evaluation_entry(key: str, check: Call) -> str:
    """Return the line of one check, by what it goes by among those of its subtask."""
    return f"    {key!r}: {check.to_json()!r},\n"


def end_evaluation(record: SubtaskMetadata) -> str:
    """Return how the evaluation of a subtask ends, after its entries."""
    return _END.format(table=TABLE, function=FUNCTION, contents=CONTENTS, asked=record.instruction_template)


def read_checks(text: str) -> dict[str, object] | None:
    """Return the checks of an evaluation of ours, or None for one that is not; nothing in it is run.

    Raises:
        ValueError: It is no Python.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"it is no Python: {error}"[:200]) from error
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id == TABLE for one in node.targets):
            try:
                found = ast.literal_eval(node.value)
            except (ValueError, TypeError, RecursionError, MemoryError) as error:
                raise ValueError(f"its {TABLE} are no plain data: {error}"[:200]) from error
            if isinstance(found, dict) and all(isinstance(key, str) for key in found):
                return found
            raise ValueError(f"its {TABLE} are no checks by what they go by")
    return None
