"""The public surface: listed, sorted, complete, and free until it is used."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import proctor

HEAVY = ("numpy", "PIL", "dbus_fast", "click", "rich", "gymnasium", "av")


def test_the_list_is_sorted_and_has_no_doubles() -> None:
    assert proctor.__all__ == sorted(set(proctor.__all__))


@pytest.mark.parametrize("name", proctor.__all__)
def test_every_name_can_be_imported(name: str) -> None:
    thing = getattr(proctor, name)
    assert thing.__name__ == name
    assert thing.__module__.startswith("proctor.")
    assert thing.__doc__


def test_nothing_else_is_public() -> None:
    assert dir(proctor) == proctor.__all__
    with pytest.raises(AttributeError, match="no attribute 'Clik'"):
        proctor.Clik  # noqa: B018 - the lookup is what is tested


def test_type_checkers_see_the_same_names(project: Path) -> None:
    tree = ast.parse((project / "src/proctor/__init__.py").read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        (node.module, alias.name) for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    table = {(module, name) for module, names in proctor._HOMES.items() for name in names}
    assert seen == table
    assert sorted(name for _, name in table) == proctor.__all__


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = f"import sys, proctor, proctor.computers; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.strip() == "[]"


def test_the_version_can_be_asked_for() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", proctor.__version__)
