"""Formulas are judged by what they come to with other inputs; copies carry those inputs and no old results."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.suites.core import SUITE
from proctor.tasks.call import walk
from proctor.tasks.findings import CannotSee
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import run
from proctor.vocabulary.formats.spreadsheets.checks import cell_follows
from proctor.vocabulary.formats.spreadsheets.parse import read_spreadsheet
from proctor.vocabulary.formats.spreadsheets.parse_inputs import with_inputs

ROWS = [["Item", "Amount"], ["Rent", 10.0], ["Water", 10.0], ["Bus", 10.0], ["Total", None]]


def book(name: str) -> tuple[bytes, str]:
    """Return a real file as a task makes it, and its path."""
    task = SUITE.task(name)
    with FakeComputer() as computer:
        run(task.setup[0], SetupContext(computer))
        return computer.read_file(task.expected[0]), task.expected[0]


def cells(data: bytes, sheet: int = 0) -> dict[str, Any]:
    return {where: cell["value"] for where, cell in read_spreadsheet(data, "a.ods")["sheets"][sheet]["cells"].items()}


def test_a_copy_has_the_inputs_of_its_trial_and_nothing_else_is_changed() -> None:
    data, path = book("total-the-household-budget")
    first, second = (
        base64.b64decode(each) for each in with_inputs(data, path, [{"B2": 1.5, "B4": 7}, {"H40": "far away"}])
    )
    before = cells(data)
    assert cells(first) == {**before, "B2": 1.5, "B4": 7}
    assert cells(second) == {**before, "H40": "far away"}


def test_inputs_of_other_sheets_and_dates() -> None:
    data, path = book("look-up-the-prices")
    (copied,) = (base64.b64decode(each) for each in with_inputs(data, path, [{"Prices!B3": 99.5, "Order!A2": "Glue"}]))
    assert (cells(copied, 1)["B3"], cells(copied)["A2"]) == (99.5, "Glue")
    data, path = book("mark-the-late-invoices")
    (copied,) = (base64.b64decode(each) for each in with_inputs(data, path, [{"C2": "2026-01-02", "D2": "no"}]))
    sheet = read_spreadsheet(copied, path)["sheets"][0]["cells"]
    assert (sheet["C2"]["kind"], sheet["C2"]["value"], sheet["D2"]["value"]) == ("date", "2026-01-02", "no")


def test_a_sheet_that_is_not_there_is_a_fact() -> None:
    data, path = book("total-the-household-budget")
    with pytest.raises(CannotSee, match="no sheet 'Prices'"):
        with_inputs(data, path, [{"Prices!B2": 1}])


def seen(*totals: Any) -> dict[str, Any]:
    return {
        "path": "a.ods",
        "inputs": [{"B2": number} for number in range(len(totals))],
        "results": [{"April": {"B5": total}} for total in totals],
    }


def test_a_cell_must_follow_its_inputs_in_every_trial() -> None:
    assert cell_follows(seen(30.0, 31.0, 32.0), "B5", [30, 31, 32]).passed
    frozen = cell_follows(seen(30.0, 30.0, 30.0), "B5", [30, 31, 32])
    assert not frozen.passed and "where B2 is 1" in frozen.feedback[0]
    assert not cell_follows(seen(30.0), "B6", [30]).passed, "a number that was typed in has no formula"
    assert not cell_follows(seen("#REF!"), "B5", [30]).passed
    assert cell_follows(seen("late", "ok"), "B5", ["late", "ok"], sheet="April").passed


def test_a_result_need_not_be_stored_and_a_stored_one_must_be_right() -> None:
    def of(stored: Any, now: Any = 30.0) -> dict[str, Any]:
        return {**seen(31.0), "now": {"April": {"B5": now}}, "stored": {"April": {"B5": stored}}}

    assert cell_follows(of(30.0), "B5", [31], now=30).passed
    assert cell_follows(of(None), "B5", [31], now=30).passed
    assert not cell_follows(of(37.0), "B5", [31], now=30).passed
    assert not cell_follows(of(None, 29.0), "B5", [31], now=30).passed
    assert not cell_follows({**of(None), "now": {"April": {}}}, "B5", [31], now=30).passed


def test_every_cell_that_an_array_formula_fills_is_computed() -> None:
    data, path = book("total-the-household-budget")
    spanned = 'table:formula="of:={[.B2:.B4]*2}" table:number-matrix-columns-spanned="1" '
    spanned += 'table:number-matrix-rows-spanned="2" office:value-type="float" office:value="2"'
    first = f'office:value-type="float" office:value="{cells(data)["B2"]!r}"'
    changed = repacked(data, lambda text: text.replace(first, spanned, 1))
    held = read_spreadsheet(changed, path)["sheets"][0]["cells"]
    assert held["B2"]["formula"] == held["B3"]["formula"] and "formula" not in held["B4"]


def repacked(data: bytes, change: Callable[[str], str]) -> bytes:
    """Return a spreadsheet with its content changed."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name)
            new.writestr(name, change(part.decode()) if name == "content.xml" else part)
    return held.getvalue()


@pytest.mark.parametrize("name", ["total-the-household-budget", "mark-the-late-invoices", "look-up-the-prices"])
def test_tasks_that_ask_for_formulas_try_several_inputs_that_lead_elsewhere(name: str) -> None:
    task = SUITE.task(name)
    follows = [call for _, call in walk(task.check) if call.name == "cell_follows"]
    assert follows and all(len(call.arguments["values"]) >= 3 for call in follows)
    assert all(len(set(map(str, call.arguments["values"]))) > 1 for call in follows) or name == "mark-the-late-invoices"


def test_feedback_names_the_first_few_of_many_cells_and_mismatches() -> None:
    inputs = [{f"A{row}": row for row in range(1, 400)} for _ in range(30)]
    results = [{"Sheet1": {"B5": 1.0}} for _ in inputs]
    seen = {"path": "sum.ods", "results": results, "inputs": inputs, "now": {}, "stored": {}}
    told = cell_follows(seen, "B5", [2.0] * len(inputs)).feedback
    assert "A1 is 1, A2 is 2, A3 is 3 and 396 more cells are others" in told[0]
    assert max(map(len, told)) < 200
