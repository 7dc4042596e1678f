"""Spreadsheets: what is written is read back alike in every format, hostile files are refused, cells are judged."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor import open_computer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.tasks.findings import CannotSee, Finding
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.libreoffice_calc import setup as libreoffice_calc_setup
from proctor.vocabulary.formats.spreadsheets import checks, setup
from proctor.vocabulary.formats.spreadsheets import checks_of_looks as looks
from proctor.vocabulary.formats.spreadsheets.cells import (
    address,
    addresses,
    canonical,
    place,
    plain_formula,
    plain_range,
    references,
    span,
)
from proctor.vocabulary.formats.spreadsheets.number_formats import number_format
from proctor.vocabulary.formats.spreadsheets.parse import read_spreadsheet
from proctor.vocabulary.formats.spreadsheets.probes import spreadsheet, spreadsheet_before
from proctor.vocabulary.formats.spreadsheets.spec import SheetSpec
from proctor.vocabulary.formats.spreadsheets.write import ods, separated_values, xlsx

ROWS: tuple[tuple[Any, ...], ...] = (
    ("Name", "Due", "Price", "Share", "Paid"),
    ("Ada <b> & co", "2026-03-01", 12.5, 0.2, True),
    (" Zoë  Q", "2026-04-01", 3, None, False),
    ("Total", None, "=SUM(C2:C3)", None, "=IF(C2>3,\"a,b\",'Other one'!A1)"),
)
BOOK = (
    SheetSpec(
        name="Main", rows=ROWS, widths=(30, 25), bold_header=True, kinds={"B": "date", "C": "money", "D": "percent"}
    ),
    SheetSpec(name="Other one", rows=((1, 2.5),)),
)


def seen(*rows: tuple[Any, ...], name: str = "Main") -> dict[str, Any]:
    return read_spreadsheet(ods([SheetSpec(name=name, rows=rows)]), "a.ods")


def changed(of: dict[str, Any], cell: str, **held: Any) -> dict[str, Any]:
    """Return a spreadsheet with one cell changed, as a spreadsheet program would leave it."""
    first = of["sheets"][0]
    cells = {**first["cells"], cell: {"kind": "number", **first["cells"].get(cell, {}), **held}}
    return {**of, "sheets": [{**first, "cells": cells}, *of["sheets"][1:]]}


def passed(finding: Finding) -> bool:
    assert finding.passed or finding.feedback, "what fails says why"
    return finding.passed


def rezip(data: bytes, name: str, old: bytes, new: bytes) -> bytes:
    """Return an archive with something replaced in one of its parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for each in source.namelist():
            held = source.read(each)
            assert each != name or old in held
            target.writestr(each, held.replace(old, new) if each == name else held)
    return buffer.getvalue()


# -- addresses and formulas -------------------------------------------------------------------------------------------


@given(st.integers(0, 2**20 - 1), st.integers(0, 2**14 - 1))
def test_addresses_are_read_as_they_are_written(row: int, column: int) -> None:
    assert place(address(row, column)) == (row, column)


def test_ranges() -> None:
    assert addresses("B2:C3") == ["B2", "C2", "B3", "C3"]
    assert span("D9:B2") == span("$B$2:$D$9")
    assert span("B:C").covers(500_000, 2) and not span("B:C").covers(0, 3)
    assert span("2:5").covers(4, 9000)
    for broken in ("", "7", "B", "B0", "ABCD1", "A1:"):
        if broken != "A1:":
            with pytest.raises(ValueError, match="address"):
                span(broken)


@pytest.mark.parametrize(
    "other",
    [
        "=sum( $B$2:b9 ; 'my list'!A1 )",
        "of:=SUM([.B2:.B9];[$'My List'.A1])",
        "=SUM(B2:B9,'My List'.A1)",
        "=+SUM(B2:B9,'MY LIST'!$A$1)",
    ],
)
def test_formulas_that_mean_the_same(other: str) -> None:
    assert canonical(other) == canonical("=SUM(B2:B9,'My List'!A1)")


@pytest.mark.parametrize("other", ["=SUM(B2:B8,'My List'!A1)", "=SUM(B2:B9)", '=SUM(B2:B9,"My List!A1")'])
def test_formulas_that_do_not(other: str) -> None:
    assert canonical(other) != canonical("=SUM(B2:B9,'My List'!A1)")


def test_texts_in_formulas_keep_their_case_and_separators() -> None:
    assert canonical('=IF(A1;"Yes; sir";"no")') == '=IF(A1,"Yes; sir","no")'
    assert plain_formula('of:=IF([.A1]="a;b";1;2)') == '=IF(A1="a;b",1,2)'


def test_references_know_their_sheet_and_pass_over_texts_and_functions() -> None:
    found = [(sheet, str(area)) for sheet, area in references("=LOG10(B2)+'My List'!C3:D4&\"E5\"+Sales!A1")]
    assert found == [("", "B2"), ("MY LIST", "C3:D4"), ("SALES", "A1")]
    assert plain_range("$Sales.$B$2:$Sales.$B$7") == plain_range("'Sales'!$B$2:$B$7") == "Sales!B2:B7"


@given(st.text(max_size=60))
def test_no_formula_breaks_the_reader(text: str) -> None:
    canonical(text)
    list(references(text))


# -- writing and reading ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [ods, xlsx])
def test_what_is_written_is_read_back_alike(write: Any) -> None:
    data = write(BOOK)
    assert data == write(BOOK), "the same content gives the same bytes"
    main, other = read_spreadsheet(data, "a")["sheets"]
    cells = main["cells"]
    assert [main["name"], other["name"]] == ["Main", "Other one"]
    assert (cells["A2"]["value"], cells["A3"]["value"]) == ("Ada <b> & co", " Zoë  Q")
    assert (cells["B2"]["kind"], cells["B2"]["value"], cells["B2"]["format"]["code"]) == (
        "date",
        "2026-03-01",
        "yyyy-mm-dd",
    )
    assert cells["C2"]["format"].items() >= {"kind": "number", "decimals": 2, "grouping": True}.items()
    assert (cells["D2"]["kind"], cells["D2"]["value"], cells["E2"]["value"]) == ("percentage", 0.2, True)
    assert cells["C4"]["formula"] == "=SUM(C2:C3)"
    assert cells["E4"]["formula"] == "=IF(C2>3,\"a,b\",'Other one'!A1)"
    assert cells["A1"]["bold"] and "bold" not in cells["A2"]
    assert main["widths"]["A"] == pytest.approx(30, abs=0.5)
    assert "D3" not in cells and other["cells"]["B1"]["value"] == 2.5


def test_separated_values() -> None:
    data = separated_values(SheetSpec(name="x", rows=(("Name", "Amount"), ("A, B", 1.5), ("007", None))))
    read = read_spreadsheet(data, "Documents/x.csv")
    assert read["format"] == "csv" and read["sheets"][0]["name"] == "x"
    assert passed(checks.table_is(read, [["Name", "Amount"], ["A, B", 1.5], ["007"]]))
    assert passed(checks.table_is(read_spreadsheet(b"a;b\n1;2\n", "x.csv"), [["a", "b"], [1, 2]]))
    assert passed(checks.table_is(read_spreadsheet(b"a, b\nx y, 2\n", "x.csv"), [["a", "b"], ["x y", 2]]))
    assert passed(checks.table_is(read_spreadsheet("a\tb\n1\t2\n".encode("utf-16"), "x.csv"), [["a", "b"], [1, 2]]))
    spaced, rows = read_spreadsheet(b"a\n2\n\n1\n", "x.csv"), [["a"], [1], [2]]
    assert passed(checks.table_is(spaced, rows, ordered=False)) and not passed(checks.table_is(spaced, rows))


def test_a_table_is_all_that_its_file_holds_unless_its_sheet_is_named() -> None:
    rows = (("Name", "Amount"), ("Ada", 1.5))
    wanted = [["Name", "Amount"], ["Ada", 1.5]]
    scratch = SheetSpec(name="Scratch", rows=(("12+5",),))
    alone, beside_empty, beside_scratch = (
        read_spreadsheet(ods([SheetSpec(name="Sheet1", rows=rows), *more]), "x.ods")
        for more in ([], [SheetSpec(name="Sheet2", rows=())], [scratch])
    )
    assert passed(checks.table_is(alone, wanted)) and passed(checks.table_is(beside_empty, wanted))
    assert checks.table_is(beside_scratch, wanted).feedback == (
        "x.ods has a sheet more that holds something: 'Scratch'.",
    )
    assert passed(checks.table_is(beside_scratch, wanted, sheet="Sheet1"))


def test_a_million_repeated_rows_take_no_room() -> None:
    data = ods([SheetSpec(name="a", rows=(("x",),))])
    empty = b'<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    huge = b'</table:table-row><table:table-row table:number-rows-repeated="1048575">' + empty
    read = read_spreadsheet(rezip(data, "content.xml", b"</table:table-row>", huge), "a")
    assert list(read["sheets"][0]["cells"]) == ["A1"]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "unreadable"),
        (b"PK\x03\x04 and then nothing", "unreadable"),
        (b"\x00\x01\xff\xfe", "unreadable"),
        (b"\xff\xfe\x00\xd8", "unreadable"),
        (b"caf\xe9", "unreadable"),
        (rezip(ods(BOOK), "content.xml", b"</office:body>", b""), "unreadable"),
        (rezip(ods(BOOK), "content.xml", b'office:value="12.5"', b'office:value="many"'), "unreadable"),
        (rezip(ods(BOOK), "content.xml", b"office:spreadsheet>", b"office:text>"), "unreadable"),
        (rezip(ods(BOOK), "content.xml", b"?>", b'?><!DOCTYPE a [<!ENTITY b "c">]>'), "refused"),
        (
            rezip(
                ods(BOOK), "content.xml", b"<table:table-row>", b'<table:table-row table:number-rows-repeated="900000">'
            ),
            "refused",
        ),
        (rezip(ods(BOOK), "content.xml", b"of:=SUM(", b"of:=SUM(" + b"'" * 9000), "unreadable"),
        (rezip(xlsx(BOOK), "xl/worksheets/sheet1.xml", b"</sheetData>", b""), "unreadable"),
        (
            rezip(
                xlsx(BOOK),
                "xl/worksheets/sheet1.xml",
                b"</sheetData>",
                b'</sheetData><mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>',
            ),
            "refused",
        ),
    ],
)
def test_broken_and_hostile_files_are_told_apart(data: bytes, kind: str) -> None:
    with pytest.raises(CannotSee) as caught:
        read_spreadsheet(data, "a")
    assert caught.value.fault.kind == kind


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    for each in (data, b"PK" + data):
        try:
            read_spreadsheet(each, "a")
        except CannotSee as error:
            assert error.fault.why


def test_setup_and_probe_on_a_computer() -> None:
    with FakeComputer() as computer:
        for name in ("a.ods", "a.xlsx"):
            setup.spreadsheet(SetupContext(computer), f"Documents/{name}", list(BOOK))
            read = spreadsheet(ProbeContext(computer), f"Documents/{name}")
            assert passed(looks.sheet_order(read, ["Main", "Other one"]))
        setup.spreadsheet(SetupContext(computer), "b.csv", [BOOK[1]], separator=";")
        assert computer.read_file("b.csv") == b"1;2.5\n"
        for wrong in ("a.txt", "a.csv"):
            with pytest.raises(SpecError):
                setup.spreadsheet(SetupContext(computer), wrong, list(BOOK))
        with pytest.raises(CannotSee):
            spreadsheet(ProbeContext(computer), "none.ods")


def test_a_spreadsheet_as_it_was_when_the_task_began() -> None:
    with FakeComputer() as computer:
        setup.spreadsheet(SetupContext(computer), "a.ods", list(BOOK))
        computer.baseline()
        setup.spreadsheet(SetupContext(computer), "a.ods", [BOOK[1]])
        setup.spreadsheet(SetupContext(computer), "b.ods", [BOOK[1]])
        assert len(spreadsheet_before(ProbeContext(computer), "a.ods")["sheets"]) == 2
        assert len(spreadsheet(ProbeContext(computer), "a.ods")["sheets"]) == 1
        with pytest.raises(CannotSee):
            spreadsheet_before(ProbeContext(computer), "b.ods")


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        ("General", {"kind": "general"}),
        ("@", {"kind": "text"}),
        ("0.00%", {"kind": "percentage", "decimals": 2, "grouping": False}),
        ("#,##0", {"kind": "number", "decimals": 0, "grouping": True}),
        (
            "[$€-407]#,##0.00;[RED]-[$€-407]#,##0.00",
            {"kind": "currency", "symbol": "€", "decimals": 2, "grouping": True},
        ),
        ("dd\\.mm\\.yyyy", {"kind": "date", "code": "dd.mm.yyyy"}),
        ("hh:mm", {"kind": "time", "code": "hh:mm"}),
    ],
)
def test_format_codes(code: str, meaning: dict[str, Any]) -> None:
    assert number_format(code).items() >= meaning.items()


# -- checks on cells --------------------------------------------------------------------------------------------------


def test_cell_is() -> None:
    read = seen(("a ", 2, "3"))
    assert passed(checks.cell_is(read, "A1", "a"))
    assert passed(checks.cell_is(read, "$b$1", 2.0000001))
    assert passed(checks.cell_is(read, "D1", None))
    assert not passed(checks.cell_is(read, "B1", 2.1))
    assert passed(checks.cell_is(read, "B1", 2.1, tolerance=0.2))
    assert not passed(checks.cell_is(read, "C1", 3)), "a number stored as a text is none"
    assert not passed(checks.cell_is(read, "B1", True))
    assert not passed(checks.cell_is(read, "A1", "a", sheet="Other"))


def test_cells_are_tells_every_mismatch() -> None:
    read = seen((1, 2), (3, 4))
    assert passed(checks.cells_are(read, "A1:B2", [[1, 2], [3, 4]]))
    assert len(checks.cells_are(read, "A1:B2", [[1, 9], [9, 4]]).feedback) == 2
    with pytest.raises(ValueError, match="shape"):
        checks.cells_are(read, "A1:B2", [[1, 2]])


def test_formulas_must_be_right_and_computed() -> None:
    read = changed(seen((1, 2), ("=SUM(A1:B1)",)), "A2", value=3)
    assert passed(checks.cell_formula(read, "A2", ["=sum($A$1:B1)"]))
    assert not passed(checks.cell_formula(read, "A2", ["=A1+B1"]))
    assert not passed(checks.cell_formula(read, "A1", ["=1"]))
    assert passed(checks.cell_is_formula(read, "A2", 3, ["A1:B1"]))
    assert not passed(checks.cell_is_formula(read, "A2", 4, ["A1:B1"]))
    assert not passed(checks.cell_is_formula(read, "A2", 3, ["A1:C1"]))
    assert not passed(checks.cell_is_formula(read, "B1", 2, ["A1"]))
    typed = changed(seen((1, 2), ("=1+2",)), "A2", value=3)
    assert not passed(checks.cell_is_formula(typed, "A2", 3, ["A1:B1"]))


def test_a_formula_may_lead_to_its_figures_through_others_and_in_circles() -> None:
    read = seen((1, "=A1*2", "=B1+Other!A1+C1"))
    read = changed(read, "C1", value=5)
    assert passed(checks.cell_is_formula(read, "C1", 5, ["A1", "Other!A1"]))
    assert not passed(checks.cell_is_formula(read, "C1", 5, ["A2"]))


def test_column_is_compares_lengths() -> None:
    read = seen(("Name", "Age"), ("A", 1), ("B", 2))
    assert passed(checks.column_is(read, "age", [1, 2]))
    for values in ([1], [1, 2, 3], [2, 1]):
        assert not passed(checks.column_is(read, "Age", values))
    assert not passed(checks.column_is(read, "Size", [1, 2]))


def test_rows_sorted_keeps_rows_whole() -> None:
    before = seen(("N", "V"), ("b", 1), ("A", 2), ("a", 1))
    keys = [checks.SortKey(header="N"), checks.SortKey(header="V", descending=True)]
    assert passed(checks.rows_sorted(seen(("N", "V"), ("A", 2), ("a", 1), ("b", 1)), keys, before))
    assert not passed(checks.rows_sorted(seen(("N", "V"), ("a", 1), ("A", 2), ("b", 1)), keys, before))
    assert not passed(checks.rows_sorted(before, keys))
    assert not passed(checks.rows_sorted(seen(("N", "V"), ("A", 1), ("a", 1), ("b", 2)), keys, before)), "torn apart"
    assert not passed(checks.rows_sorted(seen(("N", "V"), ("A", 2), ("b", 1)), keys, before)), "one is missing"
    assert not passed(checks.rows_sorted(before, [checks.SortKey(header="X")]))


def test_table_is() -> None:
    read = seen(("N", "V"), ("a", 1), ("b", 2), ("b", 2))
    assert passed(checks.table_is(read, [["N", "V"], ["a", 1], ["b", 2], ["b", 2]]))
    assert not passed(checks.table_is(read, [["N", "V"], ["b", 2], ["a", 1], ["b", 2]]))
    assert passed(checks.table_is(read, [["N", "V"], ["b", 2], ["a", 1], ["b", 2]], ordered=False))
    assert not passed(checks.table_is(read, [["N", "V"], ["b", 2], ["a", 1]], ordered=False)), "one too often"
    assert not passed(checks.table_is(read, [["N", "V"], ["a", 1], ["b", 2]]))
    assert not passed(checks.table_is(changed(read, "XFD1048576", value=1), [["N", "V"], ["a", 1], ["b", 2], ["b", 2]]))


def test_sheet_unchanged_compares_formulas_not_results() -> None:
    before = seen((1, "=A1*2", "x"))
    assert passed(checks.sheet_unchanged(changed(before, "B1", value=2), before))
    assert not passed(checks.sheet_unchanged(changed(before, "A1", value=2), before))
    assert passed(checks.sheet_unchanged(changed(before, "A1", value=2), before, apart_from=["A1:A3"]))
    assert not passed(checks.sheet_unchanged(changed(before, "D9", value=2), before, apart_from=["A1:A3"]))
    assert not passed(checks.sheet_unchanged(seen((1, 2, "x")), before)), "a result typed over its formula"
    assert passed(checks.sheet_unchanged(seen((1, "=A1*2", "x"), name="B"), before, sheet="Main", renamed="B"))
    assert not passed(checks.sheet_unchanged(seen((1,), name="B"), before, sheet="Main"))


def test_no_cell_errors() -> None:
    read = seen((1,))
    assert passed(checks.no_cell_errors(read))
    assert not passed(checks.no_cell_errors(changed(read, "A1", kind="error", value="#DIV/0!")))


# -- checks on looks --------------------------------------------------------------------------------------------------


def test_sheets_and_formats() -> None:
    read = read_spreadsheet(xlsx(BOOK), "a.xlsx")
    assert passed(looks.sheet_exists(read, "Main")) and not passed(looks.sheet_exists(read, "main"))
    assert not passed(looks.sheet_order(read, ["Other one", "Main"]))
    assert passed(looks.spreadsheet_format(read, "xlsx")) and not passed(looks.spreadsheet_format(read, "ods"))
    assert passed(looks.cell_style(read, "A1:E1", bold=True, fill="none"))
    assert not passed(looks.cell_style(read, "A1:E2", bold=True))
    assert not passed(looks.cell_style(read, "G1:H1", bold=True)), "empty cells prove nothing"
    assert passed(looks.number_format(read, "C2:C3", kind="number", decimals=2))
    assert not passed(looks.number_format(read, "C2:C3", kind="currency", symbol="€"))
    assert passed(looks.number_format(read, "B2", code="yyyy-mm-dd")) and passed(
        looks.number_format(read, "A2", kind="general")
    )


def laid_out(**first: Any) -> dict[str, Any]:
    read = seen(("Month", "Sales"), ("Jan", 1))
    return {**read, "sheets": [{**read["sheets"][0], **first}]}


def test_charts() -> None:
    chart = {
        "kind": "column", "title": "Sales ", "x_title": "", "y_title": "", "categories": "Main!A2:A7",
        "series": [{"values": "Main!B2:B7", "name": "Main!B1", "x": ""}],
    }  # fmt: skip
    read = laid_out(charts=[chart])
    assert passed(looks.chart_exists(read, "column", title="sales", values=["Main!$B$2:$B$7"], categories="main!A2:A7"))
    assert passed(looks.chart_exists(read, ["line", "column"], sheet="Main"))
    assert len(looks.chart_exists(read, "pie", title="x", values=["Main!B2:B6"], categories="Main!B2").feedback) == 5
    assert not passed(looks.chart_exists(laid_out()))
    assert not passed(looks.chart_exists(read, "column", sheet="Other"))
    assert passed(looks.chart_exists(read, "column", alone=True))
    assert not passed(looks.chart_exists(laid_out(charts=[{**chart, "percent": True}]), "column"))
    assert not passed(looks.chart_exists(laid_out(charts=[chart, {**chart, "kind": "line"}]), "column", alone=True))


def test_layout() -> None:
    read = laid_out(merged=["A1:C1"], frozen={"rows": 1, "columns": 0}, filters=["A1:D20"], hidden_columns=["C:D"])
    assert passed(looks.cells_merged(read, "C1:A1")) and not passed(looks.cells_merged(read, "A1:B1"))
    assert passed(looks.panes_frozen(read, rows=1)) and not passed(looks.panes_frozen(read, rows=1, columns=1))
    assert passed(looks.filter_buttons(read, "A1:D18")) and not passed(looks.filter_buttons(read, "A1:C18"))
    assert passed(looks.columns_hidden(read, ["C", "D"])) and not passed(looks.columns_hidden(read, ["C"]))
    assert not passed(looks.columns_hidden(laid_out(), ["C"]))


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_calc_opens_what_was_written_and_what_it_saves_is_read() -> None:
    """Both formats that Calc writes give the same values, formulas and looks."""
    with open_computer("sandbox", image="full") as computer:
        setup.spreadsheet(SetupContext(computer), "Documents/a.ods", list(BOOK))
        libreoffice_calc_setup.calc(SetupContext(computer), "Documents/a.ods")
        window = computer.active_window()
        assert (
            window is not None
            and window.title.startswith("a.ods")
            and window.box.width > libreoffice_calc_setup.LEAST_WIDTH
        )
        for kind in ("ods", "xlsx"):
            # A profile of its own, because the window has the other one.
            own = ["soffice", "-env:UserInstallation=file:///tmp/own", "--headless"]
            argv = [*own, "--convert-to", kind, "--outdir", "out", "Documents/a.ods"]
            assert computer.run(argv, timeout_sec=110).code == 0
            read = spreadsheet(ProbeContext(computer), f"out/a.{kind}")
            assert passed(checks.cell_is_formula(read, "C4", 15.5, ["C2:C3"], sheet="Main"))
            assert passed(checks.cell_is(read, "E4", "a,b"))
            assert passed(checks.cell_is(read, "B3", "2026-04-01"))
            assert passed(looks.cell_style(read, "A1:E1", bold=True))
            assert passed(looks.number_format(read, "C2:C4", kind="number", decimals=2))
