"""What an attack is: a short function that runs inside as the agent and returns what it got hold of."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from proctor.attacks import inside
from proctor.attacks.inside import MARK

Who = Literal["agent", "root"]


@dataclass(frozen=True, kw_only=True)
class Attack:
    """One attack; its program is taken from the source of a function."""

    name: str
    kind: str
    """The file it stands in, such as `escapes`."""
    tries: str
    file: Path
    function: str
    who: Who = "agent"
    """Whether the agent's user tries it, or root inside, as a service there might."""
    timeout_sec: float = 30.0
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What whoever makes the attack is to know beside."""

    def program(self, given: Mapping[str, Any] | None = None) -> str:
        """Return the whole program to run inside; `given` is what the attacker knows from outside."""
        parts = [
            "from __future__ import annotations",
            _without(inside.__file__, ""),
            _without(str(self.file), self.function),
            f"GIVEN.update(json.loads({json.dumps(dict(given or {}))!r}))",
            f"tell({self.function})",
        ]
        return "\n".join(parts)


@dataclass(frozen=True, kw_only=True)
class AttackTold:
    """What an attack told."""

    got: str = ""
    """What was let through; empty when all was refused."""
    refused: str = ""
    """With which error the attack ended, if any."""
    broken: str = ""
    """Why the attack could not be tried; then it says nothing."""


def read(output: str) -> AttackTold | None:
    """Find what an attack told among all that was printed; None when it did not come so far."""
    lines = [line.partition(MARK)[2] for line in output.splitlines() if MARK in line]
    if not lines:
        return None
    try:
        return AttackTold(**json.loads(lines[-1]))
    except (ValueError, TypeError):
        return None


def attack(**options: Any) -> Callable[[Callable[[], str]], Callable[[], str]]:
    """Give an attack other options than the usual ones; fields that `Attack` does not have become its `extra`."""

    def mark(function: Callable[[], str]) -> Callable[[], str]:
        function.options = options  # type: ignore[attr-defined]
        return function

    return mark


def attacks_of(module: ModuleType) -> list[Attack]:
    """Return the attacks of a module: its public functions, in the order they stand in."""
    assert module.__file__
    found = []
    for name, function in vars(module).items():
        if name.startswith("_") or not inspect.isfunction(function) or function.__module__ != module.__name__:
            continue
        options = dict(getattr(function, "options", {}))
        known = {key: options.pop(key) for key in ("who", "timeout_sec") if key in options}
        found.append(
            Attack(
                name=name.replace("_", "-"),
                kind=module.__name__.rpartition(".")[2],
                tries=(inspect.getdoc(function) or "").partition("\n")[0],
                file=Path(module.__file__),
                function=name,
                extra=options,
                **known,
            )
        )
    return found


@cache
def _without(file: str, function: str) -> str:
    """Return a module's source with what only makes sense outside left out, and other attacks beside the named one."""
    tree = ast.parse(Path(file).read_text())
    kept: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("proctor", "__future__")):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # words for readers
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = []
            if function and not node.name.startswith("_") and node.name != function:
                continue
        kept.append(node)
    return ast.unparse(ast.Module(kept, []))
