"""Moves and data that the tasks on spreadsheets share."""

from __future__ import annotations

from typing import Any

from proctor.tasks.call import Call
from proctor.tasks.shelves import hand, make

Moves = tuple[Call, ...]
Row = list[Any]
PATIENCE_SEC = 40.0


def book(path: str, *sheets: tuple[str, list[Row]], **more: Any) -> Call:
    """Make a spreadsheet of named sheets; the first row of each is a bold heading."""
    return make.spreadsheet(path, [{"name": name, "rows": rows, "bold_header": True, **more} for name, rows in sheets])


def go_to(cell: str) -> Moves:
    """Go to a cell or select a range through the name box."""
    return (hand.press("ctrl+shift+t"), hand.type(f"{cell}\n"))


def enter(cell: str, text: object) -> Moves:
    """Type into a cell."""
    return (*go_to(cell), hand.type(f"{text}\n"))


def enter_rows(cell: str, rows: list[Row]) -> Moves:
    """Type rows from a cell on."""
    return (*go_to(cell), *type_rows(rows))


def type_rows(rows: list[Row]) -> Moves:
    """Type rows from where one stands: Tab goes right, Enter to the beginning of the next row."""
    return tuple(hand.type("\t".join(str(held) for held in row) + "\n") for row in rows)


def fill_down(cells: str) -> Moves:
    """Fill a range with what its first row holds."""
    return (*go_to(cells), hand.press("ctrl+d"))


def save(path: str = "") -> Moves:
    """Save under the same name, and see that Calc is done with it.

    A path is that of a file which was there before.
    """
    return (hand.press("ctrl+s"), hand.await_saved(path) if path else await_calc())


def confirm(title: str) -> Moves:
    """Agree to what a dialog proposes, once it is there."""
    return (hand.await_window(title, timeout_sec=PATIENCE_SEC), hand.press("Return"))


def save_as(name: str) -> Moves:
    """Save under another name in the same folder."""
    return (
        hand.press("ctrl+shift+s"),
        hand.await_window("/^Save( As)?$/", timeout_sec=PATIENCE_SEC),
        hand.press("ctrl+a"),
        hand.type(name),
        button("Save", within={"role": "file chooser", "name": "Save"}),
    )


def button(name: str, **where: Any) -> Call:
    """Click a button of Calc; where much is drawn, its dialogs need a while to come to rest."""
    return hand.click(name, role="push button", app="soffice", timeout_sec=PATIENCE_SEC, **where)


def click_cell(address: str) -> Call:
    """Click a cell, once Calc shows it."""
    return hand.click(address, role="table cell", app="soffice", timeout_sec=PATIENCE_SEC)


def await_calc() -> Call:
    """See that Calc answers again, which it does not while it works."""
    return hand.await_element("LibreOffice Calc", role="frame", app="soffice", timeout_sec=PATIENCE_SEC)
