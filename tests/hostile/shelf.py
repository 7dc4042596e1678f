"""Every attack there is: those of the product, those of `attacks/`, and each file of `programs/`."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from proctor.attacks import escapes, exhaustion, neighbours, secrets
from proctor.attacks.attack import Attack, attacks_of

HERE = Path(__file__).parent


RUN_APART = """
import os, subprocess, sys
with open("/tmp/program.py", "w") as file:
    file.write({text!r})
started = subprocess.Popen([sys.executable, "/tmp/program.py", {name!r}], start_new_session=True)
try:
    started.wait({seconds})
except subprocess.TimeoutExpired:
    print("it goes on")
"""


@dataclass(frozen=True, kw_only=True)
class Program(Attack):
    """One of the attacks of a file that is run inside as a program of its own: `python3 FILE NAME`."""

    def program(self, given: Mapping[str, Any] | None = None) -> str:
        return RUN_APART.format(text=self.file.read_text(), name=self.function, seconds=5)


def quick() -> list[Attack]:
    """Return those that `proctor doctor --attack` makes: they take seconds, and do no harm where nothing stops them."""
    return [each for module in (secrets, escapes, neighbours, exhaustion) for each in attacks_of(module)]


@cache
def everything() -> dict[str, Attack]:
    """Return the attacks by name."""
    found = list(quick())
    for path in sorted((HERE / "attacks").glob("[a-z]*.py")):
        found += attacks_of(importlib.import_module(f"tests.hostile.attacks.{path.stem}"))
    for path in sorted((HERE / "programs").glob("[a-z]*.py")):
        for function, tries in listed(path).items():
            name = f"{path.stem.removesuffix('_attacks')}-{function}"
            found.append(Program(name=name, kind=path.stem, tries=tries, file=path, function=function, timeout_sec=20))
    names = [attack.name for attack in found]
    assert len(set(names)) == len(names), "two attacks of one name"
    return {attack.name: attack for attack in found}


def listed(path: Path) -> dict[str, str]:
    """Return the names in the table `ATTACKS` of a program, each with the first line of its function's docstring."""
    tree = ast.parse(path.read_text())
    words = {node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)}
    names: dict[str, str] = {}
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and ast.unparse(node.targets[0]) == "ATTACKS"
            and isinstance(node.value, ast.Dict)
        ):
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                if isinstance(key, ast.Constant):
                    names[key.value] = words.get(ast.unparse(value), "").partition("\n")[0]
    return names


def find(name: str) -> Attack:
    """Return the attack of a name."""
    shelf = everything()
    if name not in shelf:
        raise LookupError(f"there is no attack {name!r}; there are: {', '.join(shelf)}")
    return shelf[name]
