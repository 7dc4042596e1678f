"""The form of AgentStudio's tasks: eight keys, and procedures of evaluators' functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from proctor.home import HOME
from proctor.suites.foreign.faults import Data, Faults, kind_of, truth
from proctor.suites.foreign.names import HANDLERS, words
from proctor.tasks.call import DataPath

VARIABLES = {"AS_HOME": HOME, "AS_ROOT": f"{HOME}/agent_studio"}
"""What stands for folders in tasks, and where they are here."""
ACCOUNTS = {
    "AS_GMAIL_RECIPIENT": "a Google account",
    "AS_GCALENDAR_ID": "a Google account",
    "AS_TEST": "settings of its own",
}
"""Variables that only those can fill in who have such a thing."""
OBJECTS = frozenset({"file_to_check", "settings", "options", "kwargs", "rules", "rule"})
TEXTS = words(
    "path src dest old_name new_name target_path ref_path expected result docx_file docx_file1 docx_file2 docx_ref "
    "file1 file2 src_path tgt_path command extension_id content"
)
"""Parameters that are objects, and that are texts."""
_VARIABLE = re.compile(r"\$\{(\w+)\}")


@dataclass(frozen=True)
class Procedure:
    """One function of an evaluator, with its parameters."""

    evaluator: str
    function: str
    params: Data
    path: DataPath

    @property
    def name(self) -> str:
        """How it is called, such as `filesystem.exists`."""
        return f"{self.evaluator}.{self.function}"


@dataclass(frozen=True)
class AgentStudioForm:
    """A task as AgentStudio writes it, its variables filled in."""

    id: str
    instruction: str
    evaluation: tuple[Procedure, ...]
    reset: tuple[Procedure, ...] = ()
    cleanup: tuple[Procedure, ...] = ()
    steps: int = 30
    seconds: float = 60.0
    visual: bool = True
    variables: frozenset[str] = frozenset()
    """Those that it uses and that nobody here can fill in."""


def read_agentstudio(data: object, faults: Faults) -> AgentStudioForm | None:
    """Return what a file says, and take down everything that is wrong with it."""
    if not isinstance(data, dict):
        faults.add((), f"a task is an object, not {kind_of(data)}")
        return None
    used: set[str] = set()
    whole = cast(Data, _with_variables(data, (), faults, used))
    name, instruction = faults.text(whole, "task_id"), faults.text(whole, "instruction")
    if not isinstance(whole.get("eval_procedure"), list) or not whole["eval_procedure"]:
        faults.add(("eval_procedure",), "'eval_procedure' is missing, or is no list with something in it")
        return None
    listed = {
        key: tuple(_procedures(whole.get(key), key, faults))
        for key in ("eval_procedure", "reset_procedure", "cleanup_procedure")
    }
    return AgentStudioForm(
        id=name,
        instruction=instruction,
        evaluation=listed["eval_procedure"],
        reset=listed["reset_procedure"],
        cleanup=listed["cleanup_procedure"],
        steps=int(_number(whole, "max_steps", 30, faults)),
        seconds=_number(whole, "max_time", 60, faults),
        visual=truth(whole.get("visual", True)),
        variables=frozenset(used),
    )


def _with_variables(value: object, at: DataPath, faults: Faults, used: set[str]) -> object:
    if isinstance(value, str):

        def fill(found: re.Match[str]) -> str:
            name = found[1]
            if name in ACCOUNTS:
                used.add(name)
            elif name not in VARIABLES:
                faults.unknown(at, "variable", name, {**VARIABLES, **ACCOUNTS})
            return VARIABLES.get(name, found[0])

        return _VARIABLE.sub(fill, value)
    if isinstance(value, dict):
        # Keys hold variables as well: what is looked at is named by them.
        return {
            str(_with_variables(key, (*at, key), faults, used)): _with_variables(item, (*at, key), faults, used)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_with_variables(item, (*at, place), faults, used) for place, item in enumerate(value)]
    return value


def _procedures(listed: object, key: str, faults: Faults) -> Iterator[Procedure]:
    if listed is None:
        return
    if not isinstance(listed, list):
        faults.add((key,), f"{key!r} is {kind_of(listed)}, not a list")
        return
    for place, entry in enumerate(listed):
        path = (key, place)
        params = entry.get("params") if isinstance(entry, dict) else None
        params = {} if params is None else params
        if not isinstance(entry, dict) or not isinstance(params, dict):
            faults.add(path, 'a procedure is an object such as {"evaluator": "...", "function": "...", "params": {}}')
            continue
        evaluator, function = entry.get("evaluator"), entry.get("function")
        if not isinstance(evaluator, str) or evaluator not in HANDLERS:
            faults.unknown((*path, "evaluator"), "evaluator", evaluator, HANDLERS)
        elif not isinstance(function, str) or function not in HANDLERS[evaluator]:
            faults.unknown((*path, "function"), f"function of {evaluator!r}", function, HANDLERS[evaluator])
        else:
            for needed in HANDLERS[evaluator][function]:
                if params.get(needed) is None:
                    faults.add(path, f"'{evaluator}.{function}' lacks {needed!r}")
            _check_kinds(params, (*path, "params"), faults)
            yield Procedure(evaluator, function, params, path)


def _check_kinds(params: Data, path: DataPath, faults: Faults) -> None:
    """Take down parameters that are not of their kind."""
    for key, value in params.items():
        if key in OBJECTS and value is not None and not isinstance(value, dict):
            faults.add((*path, key), f"{key!r} is {kind_of(value)}, not an object")
        elif key in TEXTS and value is not None and not isinstance(value, str):
            faults.add((*path, key), f"{key!r} is {kind_of(value)}, not a text")
        elif key == "cmd" and not _is_command(value):
            faults.add((*path, key), "'cmd' is neither a text nor a list of texts")


def _is_command(value: object) -> bool:
    words = value if isinstance(value, list) else [value]
    return bool(words) and all(isinstance(word, str) and word for word in words)


def _number(data: Data, key: str, usual: float, faults: Faults) -> float:
    value = data.get(key, usual)
    try:
        found = float(value)
        if isinstance(value, bool) or not 0 < found < 1e6:
            raise ValueError
    except (TypeError, ValueError):
        faults.add((key,), f"{key!r} is {value!r}, not a number above 0")
        return usual
    return found
