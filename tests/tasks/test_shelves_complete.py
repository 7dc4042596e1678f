"""Every function on a shelf says what it does and is tested; there are enough of them for real tasks."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from proctor.tasks import shelves
from proctor.tasks.call import KINDS, Call, Kind
from proctor.tasks.reader import wire
from proctor.tasks.shelf import ShelfTool
from tests.sources import own_modules

TOOLS = [
    tool
    for kind in KINDS
    for tool in (shelves.tool(Call(kind, name)) for name in shelves.names(kind))
    # Other tests put tools of their own on the shelves.
    if tool.function.__module__.startswith("proctor.")
]
TESTS = "\n".join(
    file.read_text(encoding="utf-8")
    for file in sorted(Path(__file__).parent.glob("test_*.py"))
    if file.name != Path(__file__).name
)
USED = {name for found in re.findall(r"\.(\w+)\b|\b(\w+)\(|[\"'](\w+)[\"']|\b(\w+),", TESTS) for name in found}
BASIC = (
    "clicked", "typed", "pressed", "file_exists", "folder_exists", "text_on_screen", "text_in_controls", "text_shown",
    "text_under_cursor", "clipboard_is", "window_open",
)  # fmt: skip
"""What the checks of simple benchmarks can tell."""

every_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: f"{tool.kind}-{tool.name}")


def own(kind: Kind) -> int:
    return sum(tool.kind == kind for tool in TOOLS)


def test_there_are_enough() -> None:
    assert own("setup") >= 20
    assert own("probe") >= 25
    assert own("check") >= 60


def test_the_basic_checks_are_there() -> None:
    assert set(BASIC) <= set(shelves.names("check"))


@every_tool
def test_documented(tool: ShelfTool) -> None:
    assert re.fullmatch(r"[A-Z`].+\.", tool.summary), tool.summary
    assert all(parameter.annotation is not parameter.empty for parameter in tool.parameters.values())


@every_tool
def test_tested(tool: ShelfTool) -> None:
    """Some test uses it: through its shelf (`see.text`), through its module, imported, or by name in a task's data."""
    assert tool.name in USED, f"no test in tests/tasks uses the {tool.kind} {tool.name!r}"


def test_what_the_reader_is_asked_is_what_probes_are_registered_with() -> None:
    """Only then can the reader load it before it is needed."""
    rooms = [f"vocabulary/{room}" for room in ("apps", "desktop", "formats", "services")]
    calls = [
        (module.name, node)
        for module in own_modules()
        if any(f"/{room}/" in module.path.as_posix() for room in rooms)
        for node in module.nodes
        if isinstance(node, ast.Call)
    ]
    asked = {(name, ast.unparse(node.args[1])) for name, node in calls if ast.unparse(node.func) == "parsed"}
    registered = {
        (name, ast.unparse(parser))
        for name, node in calls
        if ast.unparse(node.func) in ("PROBES.register_with", "PROBES.register_live")
        for parser in node.args
    }
    assert len(asked) > 40
    assert {parser for _, parser in asked} == {parser for _, parser in registered}
    assert all(wire.reads(parser.__module__) for tool in TOOLS for parser in tool.parsers)
