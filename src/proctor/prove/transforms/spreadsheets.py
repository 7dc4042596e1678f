"""Transforms of spreadsheets: OpenDocument and Excel."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.packages import one_of, other_value, rewritten
from proctor.prove.transforms.shelf import mutant

ODS, XLSX = ("*.ods",), ("*.xlsx",)
CONTENT = r"content\.xml"
SHEET = r"xl/worksheets/sheet\d+\.xml"
_NUMBER_CELL = re.compile(r'(?s)office:value="(-?[\d.]+)"[^>]*>\s*<text:p>([^<]*)</text:p>')
_TEXT = re.compile(r"<text:p>([^<]+)</text:p>")
_FORMULA = re.compile(r' table:formula="[^"]*"')
_ROW = re.compile(r"(?s)<table:table-row\b(?:(?!</?table:table-row).)*?<text:p>.*?</table:table-row>")
_NAME = re.compile(r'(<table:table\b[^>]*table:name=")([^"]*)')
_XLSX_FORMULA = re.compile(r"(?s)<f\b[^>]*>[^<]*</f>|<f\b[^>]*/>")
_XLSX_NUMBER = re.compile(r'(<c r="[A-Z]+\d+"(?![^>]*t="s")[^>]*>(?:<f\b[^>]*>[^<]*</f>)?<v>)(-?[\d.]+)(?=</v>)')
_XLSX_ROW = re.compile(r"(?s)<row\b[^>]*>.*?</row>")


@mutant("a number in a cell changed", *ODS)
def number_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another number into a cell, what it shows and what it holds."""

    def change(match: re.Match[str]) -> str:
        other = f"{_as_number(match.group(1)) + 7:g}"
        whole = match.group()
        return whole.replace(f'office:value="{match.group(1)}"', f'office:value="{other}"', 1).replace(
            f"<text:p>{match.group(2)}</text:p>", f"<text:p>{other}</text:p>", 1
        )

    return rewritten(data, CONTENT, lambda text: one_of(text, _NUMBER_CELL, draw, change))


@mutant("a text in a cell changed", *ODS)
def text_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another text into a cell that holds no number."""

    def change(match: re.Match[str]) -> str:
        return f"<text:p>{_spelled_otherwise(match.group(1), draw)}</text:p>"

    words = re.compile(r'(?<=office:value-type="string" calcext:value-type="string">)<text:p>([^<]+)</text:p>')
    found = rewritten(data, CONTENT, lambda text: one_of(text, words, draw, change))
    return found or rewritten(data, CONTENT, lambda text: one_of(text, _TEXT, draw, change))


@mutant("a formula frozen to its value", *ODS)
def formula_frozen(data: bytes, draw: Random) -> bytes | None:
    """Leave the value of one formula and not the formula."""
    return rewritten(data, CONTENT, lambda text: one_of(text, _FORMULA, draw, lambda match: ""))


@mutant("every formula frozen to its value", *ODS)
def formulas_frozen(data: bytes, draw: Random) -> bytes | None:
    """Leave the values of all formulas and not the formulas."""
    return rewritten(data, CONTENT, lambda text: _FORMULA.sub("", text))


@mutant("its first sheet renamed", *ODS)
def sheet_renamed(data: bytes, draw: Random) -> bytes | None:
    """Give the first sheet another name."""
    return rewritten(data, CONTENT, lambda text: _NAME.sub(r"\1\2 old", text, count=1))


@mutant("its last row dropped", *ODS)
def row_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out the last row that says something."""

    def change(text: str) -> str | None:
        found = list(_ROW.finditer(text))
        return text[: found[-1].start()] + text[found[-1].end() :] if found else None

    return rewritten(data, CONTENT, change)


@mutant("a number in a cell changed", *XLSX)
def xlsx_number_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another number into a cell."""

    def change(match: re.Match[str]) -> str:
        return f"{match.group(1)}{_as_number(match.group(2)) + 7:g}"

    return rewritten(data, SHEET, lambda text: one_of(text, _XLSX_NUMBER, draw, change))


@mutant("a text in a cell changed", *XLSX)
def xlsx_text_changed(data: bytes, draw: Random) -> bytes | None:
    """Put another text into the table of shared texts."""
    pattern = re.compile(r"(?<=>)[^<>]+(?=</t>)")
    return rewritten(
        data, r"xl/sharedStrings\.xml",
        lambda text: one_of(text, pattern, draw, lambda match: _spelled_otherwise(match.group(), draw)),
    )  # fmt: skip


@mutant("every formula frozen to its value", *XLSX)
def xlsx_formulas_frozen(data: bytes, draw: Random) -> bytes | None:
    """Leave the values of the formulas of a sheet and not the formulas."""
    return rewritten(data, SHEET, lambda text: _XLSX_FORMULA.sub("", text))


@mutant("its last row dropped", *XLSX)
def xlsx_row_dropped(data: bytes, draw: Random) -> bytes | None:
    """Leave out the last row."""

    def change(text: str) -> str | None:
        found = list(_XLSX_ROW.finditer(text))
        return text[: found[-1].start()] + text[found[-1].end() :] if found else None

    return rewritten(data, SHEET, change)


@mutant("its first sheet renamed", *XLSX)
def xlsx_sheet_renamed(data: bytes, draw: Random) -> bytes | None:
    """Give the first sheet another name."""
    return rewritten(
        data, r"xl/workbook\.xml", lambda text: re.sub(r'(<sheet\b[^>]*name=")([^"]*)', r"\1\2 old", text, count=1)
    )


def _as_number(digits: str) -> float:
    try:
        return float(digits)
    except ValueError:
        return 0.0


def _spelled_otherwise(text: str, draw: Random) -> str:
    """Return another text; what stands for one character in XML stays whole."""
    parts = re.split(r"(&[^;]*;)", text)
    place = max(range(0, len(parts), 2), key=lambda at: len(parts[at]))
    parts[place] = other_value(parts[place], draw)
    return "".join(parts)
