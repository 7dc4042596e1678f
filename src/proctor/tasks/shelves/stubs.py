"""Writes the types of the shelves for mypy: `python -m proctor.tasks.shelves.stubs`."""

from __future__ import annotations

import inspect
import sys
import sysconfig
import types
import typing
from collections.abc import Mapping, Sequence
from datetime import date, time, timedelta
from pathlib import Path
from typing import Literal, Union, get_args, get_origin

from pydantic import BaseModel

from proctor.tasks.call import Call, Kind
from proctor.tasks.findings import Finding
from proctor.tasks.shelf import Seen, ShelfTool
from proctor.tasks.shelves import names, tool

MODULES: dict[str, Kind] = {"make": "setup", "see": "probe", "expect": "check", "hand": "move"}
_HEAD = '''"""The names of the shelf `{kind}` with their types.

Written by `python -m proctor.tasks.shelves.stubs` from the functions themselves; do not change it by hand.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from proctor.tasks.call import Call
'''


def stub(module: str, *, installed: bool = False) -> str:
    """Return what the stub of a module says, with words of installed distributions if asked."""
    kind = MODULES[module]
    tools = [tool(Call(kind, name)) for name in names(kind)]
    held = [each for each in tools if installed or each.function.__module__.startswith("proctor.")]
    return _HEAD.format(kind=kind) + "".join(map(_function, held))


def write(folder: Path, *, installed: bool = False) -> None:
    """Write all four stubs into a folder."""
    for module in MODULES:
        (folder / f"{module}.pyi").write_text(stub(module, installed=installed), encoding="utf-8")


def write_installed(site_packages: Path) -> None:
    """Write the stubs of all that is installed where type checkers and editors prefer them to ours."""
    stubs = site_packages / "proctor-stubs"
    folder = stubs / "tasks" / "shelves"
    folder.mkdir(parents=True, exist_ok=True)
    (stubs / "py.typed").write_text("partial\n", encoding="utf-8")
    write(folder, installed=True)


def _function(found: ShelfTool) -> str:
    lines, keywords = [], False
    for name, parameter in found.parameters.items():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not keywords:
            lines.append("    *,\n")
            keywords = True
        default = "" if parameter.default is parameter.empty else " = ..."
        lines.append(f"    {name}: {type_in_tasks(found.hints[name])}{default},\n")
    listed = f"\n{''.join(lines)}" if lines else ""
    return f'\ndef {found.name}({listed}) -> Call:\n    """{found.summary}"""\n'


def type_in_tasks(hint: object) -> str:
    """Return how a task writes an argument: plain data for models and dates, calls for findings."""
    if hint == Seen:
        return "object"
    origin, inner = get_origin(hint), get_args(hint)
    if origin is typing.Annotated:
        return type_in_tasks(inner[0])
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, inner))}]"
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(type_in_tasks, inner)))
    if origin in (list, tuple, Sequence):
        items = dict.fromkeys(type_in_tasks(each) for each in inner if each is not Ellipsis)
        return f"Sequence[{' | '.join(items)}]"
    if origin in (dict, Mapping):
        return f"Mapping[{type_in_tasks(inner[0])}, {type_in_tasks(inner[1])}]"
    return _plain(hint)


def _plain(hint: object) -> str:
    if hint in (None, type(None)):
        return "None"
    if not isinstance(hint, type):
        return "Any"
    if issubclass(hint, Finding):
        return "Call"
    if issubclass(hint, BaseModel):
        return "Mapping[str, Any]"
    if issubclass(hint, date | time | timedelta):
        return "str"
    return hint.__name__ if hint in (str, int, float, bool, object) else "Any"


if __name__ == "__main__":
    if sys.argv[1:] == ["--installed"]:
        write_installed(Path(sysconfig.get_path("purelib")))
    else:
        write(Path(__file__).parent)
