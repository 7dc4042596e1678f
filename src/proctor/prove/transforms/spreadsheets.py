"""Transforms of spreadsheets: OpenDocument and Excel."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.packages import in_part
from proctor.prove.transforms.shelf import mutant
from proctor.prove.transforms.words import TextChange, in_group, one_match, other_value, without_one

ODS, XLSX = ("*.ods",), ("*.xlsx",)
CONTENT = r"content\.xml"
SHEET = r"xl/worksheets/sheet\d+\.xml"
_NUMBER_CELL = re.compile(r'(?s)office:value="(-?[\d.]+)"[^>]*>\s*<text:p>([^<]*)</text:p>')
_TEXT = re.compile(r"<text:p>([^<]+)</text:p>")
_TEXT_CELL = re.compile(r'office:value-type="string" calcext:value-type="string"><text:p>([^<]+)</text:p>')
_FORMULA = re.compile(r' table:formula="[^"]*"')
_ROW = re.compile(r"(?s)<table:table-row\b(?:(?!</?table:table-row).)*?<text:p>.*?</table:table-row>")
_NAME = re.compile(r'<table:table\b[^>]*table:name="[^"]*')
_XLSX_FORMULA = re.compile(r"(?s)<f\b[^>]*>[^<]*</f>|<f\b[^>]*/>")
_XLSX_NUMBER = re.compile(r'<c r="[A-Z]+\d+"(?![^>]*t="s")[^>]*>(?:<f\b[^>]*>[^<]*</f>)?<v>(-?[\d.]+)(?=</v>)')
_XLSX_ROW = re.compile(r"(?s)<row\b[^>]*>.*?</row>")
_XLSX_TEXT = re.compile(r"(?<=>)([^<>]+)(?=</t>)")
_XLSX_NAME = re.compile(r'<sheet\b[^>]*name="[^"]*')


def _spell_otherwise(text: str, draw: Random) -> str:
    """Return another text; what stands for one character in XML stays whole."""
    parts = re.split(r"(&[^;]*;)", text)
    place = max(range(0, len(parts), 2), key=lambda at: len(parts[at]))
    parts[place] = other_value(parts[place], draw)
    return "".join(parts)


def _increase(digits: str, draw: Random) -> str:
    try:
        return f"{float(digits) + 7:g}"
    except ValueError:
        return "7"


def _increase_cell(match: re.Match[str], draw: Random) -> str:
    """Put another number into what a cell shows and what it holds."""
    other = _increase(match[1], draw)
    held = match[0].replace(f'office:value="{match[1]}"', f'office:value="{other}"', 1)
    return held.replace(f"<text:p>{match[2]}</text:p>", f"<text:p>{other}</text:p>", 1)


def _without_last(pattern: re.Pattern[str]) -> TextChange:
    def change(text: str, draw: Random) -> str | None:
        found = list(pattern.finditer(text))
        return text[: found[-1].start()] + text[found[-1].end() :] if found else None

    return change


def _rename(pattern: re.Pattern[str]) -> TextChange:
    return lambda text, draw: pattern.sub(r"\g<0> old", text, count=1)


def _change_text(data: bytes, draw: Random) -> bytes | None:
    """Put another text into a cell, if possible one that holds no number."""
    cells = (in_part(CONTENT, in_group(pattern, _spell_otherwise)) for pattern in (_TEXT_CELL, _TEXT))
    return next(filter(None, (change(data, draw) for change in cells)), None)


def _once(pattern: str, put: str) -> TextChange:
    """Return the change that puts something in place of the first match of a pattern."""
    compiled = re.compile(pattern)
    return lambda text, draw: compiled.sub(put, text, count=1)


mutant("a number in a cell changed", *ODS)(in_part(CONTENT, one_match(_NUMBER_CELL, _increase_cell)))
mutant("a text in a cell changed", *ODS)(_change_text)
mutant("a formula frozen to its value", *ODS)(in_part(CONTENT, without_one(_FORMULA)))
mutant("every formula frozen to its value", *ODS)(in_part(CONTENT, lambda text, draw: _FORMULA.sub("", text)))
mutant("its first sheet renamed", *ODS)(in_part(CONTENT, _rename(_NAME)))
mutant("its last row dropped", *ODS)(in_part(CONTENT, _without_last(_ROW)))
mutant("a number in a cell changed", *XLSX)(in_part(SHEET, in_group(_XLSX_NUMBER, _increase)))
mutant("a text in a cell changed", *XLSX)(in_part(r"xl/sharedStrings\.xml", in_group(_XLSX_TEXT, _spell_otherwise)))
mutant("every formula frozen to its value", *XLSX)(in_part(SHEET, lambda text, draw: _XLSX_FORMULA.sub("", text)))
mutant("its last row dropped", *XLSX)(in_part(SHEET, _without_last(_XLSX_ROW)))
mutant("its first sheet renamed", *XLSX)(in_part(r"xl/workbook\.xml", _rename(_XLSX_NAME)))

# What nobody asked for, beside a result that is right.
mutant("an empty sheet added", *ODS, kept=True)(
    in_part(
        CONTENT,
        _once(
            r"(?=<table:named-expressions|<table:database-ranges|</office:spreadsheet>)",
            '<table:table table:name="Scratch"/>',
        ),
    )
)
mutant("its first sheet locked", *ODS)(
    in_part(
        CONTENT,
        _once(r"<table:table (?![^>]*table:protected)(?=[^>]*table:name=)", '<table:table table:protected="true" '),
    )
)
mutant("a row hidden", *ODS)(
    in_part(
        CONTENT,
        _once(
            r"<table:table-row (?![^>]*table:visibility)(?=[^>]*>\s*<table:table-cell[^>]*office:value)",
            '<table:table-row table:visibility="collapse" ',
        ),
    )
)
mutant("the looks of all cells lost", *ODS, kept=True)(
    in_part(
        CONTENT,
        lambda text, draw: re.sub(
            r'(<table:table-(?:cell|row|column)\b[^>]*?) table:(?:default-cell-)?style-name="[^"]*"', r"\1", text
        ),
    )
)
mutant("a row hidden", *XLSX)(in_part(SHEET, _once(r"<row (?![^>]*hidden=)", '<row hidden="1" ')))
