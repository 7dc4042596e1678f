"""A report in Markdown, for notes, issues and papers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from proctor.plain_text import one_line
from proctor.report.cells import ReportTable, cell_text
from proctor.report.summary import Report
from proctor.report.words import about_runs, comparison_table, headline, matrix_table, overview, short_names

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~$!&@]|:(?=//)|(?<=\bwww)\.)", re.IGNORECASE)
"""What Markdown, HTML in it, or a renderer that makes links of bare addresses would not show as it is."""


def markdown(report: Report, *, by: Sequence[str] = ()) -> str:
    """Return the whole report; `by` leaves out the breakdowns that it does not name."""
    names = short_names([agent.agent for agent in report.agents])
    wanted = {f"by_{dimension}" for dimension in by}
    found = [overview(report)] if report.agents else []
    if report.comparisons:
        found.append(comparison_table(report))
    if report.matrices:
        found.append(matrix_table(report))
    found += [
        table for table in report.tables if not wanted or not table.name.startswith("by_") or table.name in wanted
    ]
    said = [escape_markdown(text) + "\n" for text in (headline(report), about_runs(report)) if text]
    return "\n".join(["# Report\n", *said, *(_table(table, names) for table in found)])


def _table(table: ReportTable, names: Mapping[str, str]) -> str:
    words = [all(isinstance(row[place], str) for row in table.rows) for place in range(len(table.head))]
    lines = [
        f"## {escape_markdown(table.title)}\n",
        _line([names.get(name, name) for name in table.head]),
        f"| {' | '.join('---' if word else '---:' for word in words)} |",
        *(_line([names.get(text, text) for text in map(cell_text, row)]) for row in table.rows),
    ]
    note = f"\n{escape_markdown(table.note)}\n" if table.note else ""
    return "\n".join(lines) + "\n" + note


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escape_markdown, cells))} |"


def escape_markdown(text: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(one_line(text).split()))
