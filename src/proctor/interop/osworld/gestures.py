"""Actions as OSWorld's agents write them, read into ours; what is more is told apart."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from proctor.actions.action import Action, Wait
from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.dialect import Frame
from proctor.agents.external.osworld import DIALECTS, predicted_actions
from proctor.errors import AgentError, UnknownName

SPACES: dict[str, str] = {**DIALECTS, "claude_computer_use": "pyautogui", "autoglm_computer_use": "pyautogui"}
"""Action spaces by their names, with the dialects that they are written in."""
PREFIX = re.compile(r"\s*import pyautogui;\s*import time;\s*pyautogui\.FAILSAFE\s*=\s*False;\s*")
"""What OSWorld's controller writes before each program."""
PYTHONS = frozenset({"python", "python3", "/usr/bin/python", "/usr/bin/python3"})
_GESTURING = frozenset({"pyautogui", "time"})
_CODE = ("command", "code", "action")
"""Where agents with dictionaries for actions put their programs."""
_MORE = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Try, ast.Lambda, ast.Global, ast.Raise, ast.Assert,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
_TALKING = frozenset({"print", "open", "exec", "eval", "input", "exit", "quit", "__import__", "globals", "getattr"})


def dialect_of(space: str) -> str:
    """Return the dialect of an action space; raises UnknownName."""
    if space not in SPACES:
        raise UnknownName("action space", space, SPACES)
    return SPACES[space]


def program_in(item: object) -> object:
    """Return an action without the dictionary around its program, where it has one."""
    if isinstance(item, Mapping) and "action_type" not in item:
        return next((item[key] for key in _CODE if isinstance(item.get(key), str)), item)
    return item


def read_actions(item: object, space: str, size: tuple[int, int], pause: float | None = None) -> tuple[Action, ...]:
    """Return the actions that one of OSWorld's stands for; raises AgentError with what is wrong.

    WAIT lasts as long as the pause after each step, as there.
    """
    plain = program_in(item)
    if not isinstance(plain, str | Mapping):
        raise AgentError(
            f"an action is a text or a dictionary, not {type(plain).__name__}", remedy="give one action at a time"
        )
    frame = Frame(desktop=size, image=size)
    actions = predicted_actions([dict(plain) if isinstance(plain, Mapping) else plain], open_dialect(space), frame)
    if len(actions) == 1 and isinstance(actions[0], Wait) and pause and is_word(plain, "WAIT"):
        return (Wait(seconds=pause),)
    return actions


def is_word(item: object, word: str) -> bool:
    """Tell whether an action is one of the special words, however that is written."""
    said = item.get("action_type") if isinstance(item, Mapping) else item
    return isinstance(said, str) and said.strip() == word


def gestures_of(argv: Sequence[str], size: tuple[int, int]) -> tuple[Action, ...] | None:
    """Return the actions of a command that only moves pointer and keys; None for any other."""
    if len(argv) != 3 or argv[0] not in PYTHONS or argv[1] != "-c" or "pyautogui" not in argv[2]:
        return None
    program = PREFIX.sub("", argv[2], count=1)
    if does_more(program):
        return None
    try:
        return predicted_actions([program], open_dialect("pyautogui"), Frame(desktop=size, image=size))
    except AgentError:
        return None


def does_more(program: str) -> bool:
    """Tell whether a program does more than gestures: imports, prints, defines or opens something."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return any(_is_more(node) for node in ast.walk(tree))


def without_prefix(argv: Sequence[str]) -> list[str]:
    """Return a command without the import of PyAutoGUI that it has no use for."""
    words = list(argv)
    if len(words) == 3 and words[0] in PYTHONS and words[1] == "-c" and PREFIX.match(words[2]):
        rest = PREFIX.sub("", words[2], count=1)
        if "pyautogui" not in rest:
            words[2] = f"import time; {rest}"
    return ["python3", *words[1:]] if words[:1] == ["python"] else words


def _is_more(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name not in _GESTURING for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return node.module not in _GESTURING
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in _TALKING
    return isinstance(node, _MORE)
