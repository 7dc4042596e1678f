"""The types that mypy checks tasks by are those of the functions themselves."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from datetime import date
from importlib import resources
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, JsonValue

from proctor.tasks import shelves
from proctor.tasks.findings import Finding
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves.stubs import MODULES, stub, type_in_tasks


class Thing(BaseModel):
    name: str


@pytest.mark.parametrize("module", MODULES)
def test_the_stub_is_up_to_date(module: str) -> None:
    held = (resources.files(shelves) / f"{module}.pyi").read_text(encoding="utf-8")
    assert held == stub(module), "run `python -m proctor.tasks.shelves.stubs`"


@pytest.mark.parametrize("module", MODULES)
def test_the_stub_names_everything_on_the_shelf(module: str) -> None:
    tree = ast.parse(stub(module))
    named = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    # Other tests put tools of their own on the shelves.
    assert named <= set(shelves.names(MODULES[module]))
    assert len(named) >= 20


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (str, "str"),
        (Seen, "object"),
        (Finding, "Call"),
        (list[Finding], "Sequence[Call]"),
        (Annotated[int, Field(ge=0)], "int"),
        (Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)], "Sequence[str]"),
        (Literal["a", "b"] | None, "Literal['a', 'b'] | None"),
        (dict[str, list[Thing]], "Mapping[str, Sequence[Mapping[str, Any]]]"),
        (tuple[str, int], "Sequence[str | int]"),
        (tuple[str, ...], "Sequence[str]"),
        (Sequence[float], "Sequence[float]"),
        (date | None, "str | None"),
        (JsonValue, "Any"),
        (Any, "Any"),
    ],
)
def test_arguments_are_typed_as_a_task_writes_them(hint: Any, text: str) -> None:
    assert type_in_tasks(hint) == text
