"""Documents for cases, and the case of one that must become like another."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import Any

import openpyxl

from tests.foreign.case import Case
from tests.foreign.workshop import Workshop

Rows = list[list[Any]]
Change = Callable[[Any], object]


def become(
    shop: Workshop,
    path: str,
    golds: Sequence[str],
    start: Callable[[], Any],
    right: Change,
    wrong: Change,
    *,
    gold: Change | None = None,
    given: str = "",
) -> Case:
    """Return the case of a document that is to be changed, and is compared with expected ones.

    What is expected was made with the library straight from the material, or by `gold` in a way of its own; what is
    done in the task begins with what LibreOffice has saved. `given` is the file's name in its address, where that is
    not the one in the task.
    """
    expected = start()
    (gold or right)(expected)
    saved = shop.office(expected)
    files = {given or posixpath.basename(path): shop.office(start()), **dict.fromkeys(golds, saved)}
    return Case(shop.edit(path, right), shop.edit(path, wrong), files)


def book(rows: Rows, title: str = "Sheet1") -> Any:
    """Return a workbook with one sheet."""
    made = openpyxl.Workbook()
    made.active.title = title
    for row in rows:
        made.active.append(row)
    return made
