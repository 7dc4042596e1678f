"""Every function on a shelf says what it does and is tested; there are enough of them for real tasks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from proctor.tasks.checks import expect
from proctor.tasks.moves import hand
from proctor.tasks.probes import see
from proctor.tasks.setup import make
from proctor.tasks.shelf import Shelf, Tool

SHELVES: tuple[Shelf, ...] = (make, see, expect, hand)
TOOLS = [
    tool
    for shelf in SHELVES
    for tool in map(shelf.get, shelf.names())
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


def own(shelf: Shelf) -> int:
    return sum(shelf.get(name).function.__module__.startswith("proctor.tasks.") for name in shelf.names())


def test_there_are_enough() -> None:
    assert own(make) >= 20
    assert own(see) >= 25
    assert own(expect) >= 60


def test_the_basic_checks_are_there() -> None:
    assert set(BASIC) <= set(expect.names())


@every_tool
def test_documented(tool: Tool) -> None:
    assert re.fullmatch(r"[A-Z`].+\.", tool.summary), tool.summary
    assert all(parameter.annotation is not parameter.empty for parameter in tool.parameters.values())


@every_tool
def test_tested(tool: Tool) -> None:
    """Some test uses it: through its shelf (`see.text`), through its module, imported, or by name in a task's data."""
    assert tool.name in USED, f"no test in tests/tasks uses the {tool.kind} {tool.name!r}"
