"""The page of a report: one self-contained file, readable without script, light and dark."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from proctor.plain_text import printable
from proctor.report import graphs, plots
from proctor.report.cells import Cell, ReportTable, cell_text, definedness, interval, percent, size
from proctor.report.grid_page import GRID_STYLE, grid_html
from proctor.report.matrix import SCOPES, explanation
from proctor.report.statistics import Mean, Rate
from proctor.report.style import POLICY, SCRIPT, STYLE
from proctor.report.summary import Report
from proctor.report.words import about_runs, comparison_table, headline, letters, overview, short_names
from proctor.store.addresses import VIEWER

_ROOM_FOR_NAMES = 110
_LONG = 30
"""A table with more rows is folded up."""
_MOST_ROWS = 2_000
_DRAWN = ("by_suite", "by_category", "by_level", "by_domain", "by_feasible")
_GAMING = ("gamed", "gamed_by_strategy", "gamed_wins")
_FOLDED = ("by_app", "by_scenario", "by_demand")


@dataclass(frozen=True)
class _Names:
    """What stands for agents: a name where there is room, in the heads of columns else a letter."""

    rows: Mapping[str, str]
    columns: Mapping[str, str]

    @classmethod
    def of(cls, report: Report) -> _Names:
        rows = short_names([*(agent.agent for agent in report.agents), *(each.agent for each in report.apart)])
        if sum(map(len, rows.values())) <= _ROOM_FOR_NAMES:
            return cls(rows, rows)
        columns = {agent: letters(place) for place, agent in enumerate(rows)}
        return cls({agent: f"{columns[agent]}: {name}" for agent, name in rows.items()}, columns)

    def row(self, text: str) -> str:
        return self.rows.get(text, text)

    def column(self, text: str) -> str:
        return self.columns.get(text, text)


def page(report: Report, title: str = "Report", base: str = VIEWER, back: str = "") -> str:
    """Return the page as HTML, all of it escaped, since labels and messages may come from anywhere.

    `base` stands before the paths of replays: the pages' own server, or where it serves by default; `back` is the
    address of the run's own page there.
    """
    names = _Names.of(report)
    state = "bad" if report.unfinished_runs else "quiet"
    parts = [
        f"<p><a href='{escape(back)}'>Episodes of this run</a></p>" if back else "",
        f"<h1>{escape(title)}</h1><p class='{state}'>{escape(headline(report))}</p>{_note(about_runs(report))}",
        _results(report, names, base),
        _agents(report, names),
        _game(report, names),
        _comparisons(report, names),
        _matrices(report, names),
        _success(report, names),
        _graphs(report, names),
        _failures(report, names),
        _spreads(report, names),
        _others(report, names),
    ]
    return printable(
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<meta name='viewport' content='width=device-width, initial-scale=1'><style>{STYLE}{GRID_STYLE}</style>"
        "</head><body>"
        f"{''.join(parts)}<script>{SCRIPT}</script></body></html>"
    )


def _results(report: Report, names: _Names, base: str) -> str:
    grid = grid_html(report.grid, names.columns, base)
    short = [agent for agent in report.grid.agents if names.column(agent) != agent]
    key = "".join(_note(f"{names.column(agent)}: {agent}") for agent in short)
    runs = " ".join(shlex.quote(run.folder) for run in report.runs)
    how = _note(f"The replays open while this runs: proctor view {runs}") if base == VIEWER and runs else ""
    return f"<h2>Results</h2>{grid}{key}{how}" if grid else ""


def _agents(report: Report, names: _Names) -> str:
    if not report.agents:
        return ""
    rates = [(agent.agent, report.headline_rate(agent)) for agent in report.agents]
    rows = [(names.row(agent), rate.value, rate.interval) for agent, rate in rates]
    faint = [agent.raw.value for agent in report.agents]
    hollow = " A hollow dot is the raw figure." if any(agent.void for agent in report.agents) else ""
    plot = plots.dots(f"{report.headline.capitalize()} of each agent", rows, faint)
    table = overview(report)
    return f"<h2>{escape(table.title)}</h2>{plot}{_note(table.note + hollow)}{_table(table, names)}"


def _game(report: Report, names: _Names) -> str:
    parts = []
    for table in (report.table(name) for name in _GAMING):
        if table:
            head = "h2" if table.name == "gamed" else "h3"
            parts.append(f"<{head}>{escape(table.title)}</{head}>{_foldable(table, names)}{_note(table.note)}")
    return "".join(parts)


def _comparisons(report: Report, names: _Names) -> str:
    if not report.comparisons:
        return ""
    table = comparison_table(report)
    return f"<h2>{escape(table.title)}</h2>{_foldable(table, names)}{_note(table.note)}"


def _matrices(report: Report, names: _Names) -> str:
    if not report.matrices:
        return ""
    drawn = []
    for matrix in report.matrices:
        rows = []
        for level in reversed(matrix.levels):
            cells = [matrix.cells[level, scope] for scope in SCOPES]
            texts = [f"{cell.reached}/{cell.examined}{' ✓' if cell.holds else ''}" for cell in cells]
            rows.append((level, [(c.reached / c.examined, text) for c, text in zip(cells, texts, strict=True)]))
        name = names.row(matrix.agent)
        drawn.append(f"<div><h3>{escape(name)}</h3>{plots.heat_map(f'Level by scope of {name}', SCOPES, rows)}</div>")
    return f"<h2>Level by scope</h2><div class='tiles'>{''.join(drawn)}</div>{_note(explanation(report.threshold))}"


def _success(report: Report, names: _Names) -> str:
    parts = []
    for table in (report.table(name) for name in _DRAWN):
        if table and len(table.rows) > (1 if table.name in ("by_suite", "by_feasible") else 0):
            parts.append(f"<h3>{escape(table.title)}</h3>{_heat(table, names)}{_foldable(table, names, 'Figures')}")
    for table in (report.table(name) for name in _FOLDED):
        if table:
            parts.append(_foldable(table, names, table.title, heat=True))
    return f"<h2>{escape(report.headline.capitalize())} by kind of task</h2>{''.join(parts)}" if parts else ""


def _heat(table: ReportTable, names: _Names) -> str:
    """Draw a breakdown: agents down, labels across; turned round when there are more labels than fit."""
    agents = table.head[-table.agents :]
    grid = [[_heat_cell(cell) for cell in row[-table.agents :]] for row in table.rows]
    labels = [str(row[0]) for row in table.rows]
    if sum(map(len, labels)) > 90 or len(labels) > 12:
        return plots.heat_map(table.title, list(map(names.column, agents)), list(zip(labels, grid, strict=True)))
    turned = [[row[place] for row in grid] for place in range(len(agents))]
    return plots.heat_map(table.title, labels, list(zip(map(names.row, agents), turned, strict=True)))


def _heat_cell(cell: Cell) -> tuple[float | None, str]:
    if not isinstance(cell, Rate) or cell.value is None:
        return None, ""
    return cell.value, percent(cell.value)


def _graphs(report: Report, names: _Names) -> str:
    table = report.table("graphs")
    if not table:
        return ""
    parts = [_table(table, names), _note(table.note), _radars(report, names), _complexities(report, names)]
    if shapes := report.table("graph_shapes"):
        drawn = []
        for agent in dict.fromkeys(str(row[1]) for row in shapes.rows):
            rows = [row for row in shapes.rows if row[1] == agent]
            series = [(shapes.head[place], [size(row[place]) for row in rows]) for place in (2, 3)]
            sizes = [f"{row[0]} subtasks" for row in rows]
            # Agents stand side by side, so their axes are alike.
            plot = plots.bars(f"Chains and graphs, {agent}", sizes, series, to_end=True)
            drawn.append(f"<div><p>{escape(names.row(agent))}</p>{plot}</div>")
        parts.append(
            f"<h3>Coverage rate of chains and graphs</h3>{plots.legend(shapes.head[2:])}"
            f"<div class='tiles'>{''.join(drawn)}</div>{_note(shapes.note)}{_foldable(shapes, names, 'Figures')}"
        )
    return f"<h2>{escape(table.title)}</h2>{''.join(parts)}"


def _radars(report: Report, names: _Names) -> str:
    """Draw coverage and consistency by capability; fewer than three capabilities make no radar."""
    tables = [(what, report.table(f"graph_capability_{figure}")) for figure, what in graphs.SPLIT.items()]
    found = [(what.capitalize(), table) for what, table in tables if table]
    if not found:
        return ""
    drawn = []
    for what, table in found:
        axes = [graphs.abbreviation(str(row[0])) for row in table.rows]
        agents = [names.row(agent) for agent in table.head[-table.agents :]]
        shares = [[size(row[place - table.agents]) for row in table.rows] for place in range(table.agents)]
        if len(axes) > 2:
            plot = plots.radar(f"{what} by capability", axes, list(zip(agents, shares, strict=True)))
            drawn.append(f"<div><p>{escape(what)}</p>{plot}</div>")
    key = "; ".join(f"{graphs.abbreviation(str(row[0]))}: {row[0]}" for row in found[0][1].rows)
    return (
        f"<h3>By capability</h3>{plots.legend([names.row(agent.agent) for agent in report.agents])}"
        f"<div class='tiles'>{''.join(drawn)}</div>{_note(f'{key}. {found[0][1].note}')}"
        + "".join(_foldable(table, names, f"{what}: figures") for what, table in found)
    )


def _complexities(report: Report, names: _Names) -> str:
    """Draw coverage: agents down, levels across, the change from the level before beside it."""
    table = report.table("graph_complexity_coverage")
    if not table:
        return ""
    drawn = []
    for dimension in dict.fromkeys(str(row[0]) for row in table.rows):
        rows = []
        for _, agent, *means in (row for row in table.rows if row[0] == dimension):
            cells = [(size(cell), _change(before, cell)) for before, cell in pairwise((None, *means))]
            rows.append((names.row(str(agent)), cells))
        plot = plots.heat_map(f"Coverage rate by {dimension}", graphs.LEVELS, rows)
        drawn.append(f"<div><p>{escape(f'{dimension} ({graphs.COMPLEXITIES[dimension]})')}</p>{plot}</div>")
    parts = [_foldable(table, names, "Coverage rate: figures")]
    if consistency := report.table("graph_complexity_consistency"):
        parts.append(_foldable(consistency, names, "Logical consistency: figures"))
    note = f"{table.note} An arrow gives the change from the level before, in points."
    return f"<h3>Coverage rate by complexity</h3><div class='tiles'>{''.join(drawn)}</div>{_note(note)}{''.join(parts)}"


def _change(before: Cell, cell: Cell) -> str:
    now, then = size(cell), size(before)
    if now is None:
        return ""
    points = 0 if then is None else round(100 * (now - then))
    return percent(now) + (f" {'↓' if points < 0 else '↑'}{abs(points)}" if points else "")


def _failures(report: Report, names: _Names) -> str:
    parts = []
    for table in (report.table(name) for name in ("stop_reasons", "failure_modes", "collateral")):
        if not table:
            continue
        agents = [names.row(name) for name in table.head[-table.agents :]]
        labels = [str(row[0]).replace("_", " ") for row in table.rows]
        columns = [[size(row[place - table.agents]) for row in table.rows] for place in range(table.agents)]
        plot = plots.bars(table.title, labels, list(zip(agents, columns, strict=True)))
        parts.append(
            f"<div><h3>{escape(table.title)}</h3>{plot}{_note(table.note)}{_foldable(table, names, 'Figures')}</div>"
        )
    for table in filter(None, (report.table("besides"), report.table("voids"))):
        parts.append(f"<div><h3>{escape(table.title)}</h3>{_table(table, names)}{_note(table.note)}</div>")
    if not parts:
        return ""
    legend = plots.legend([names.row(agent.agent) for agent in report.agents])
    return f"<h2>Endings, failures and side effects</h2>{legend}<div class='tiles'>{''.join(parts)}</div>"


def _spreads(report: Report, names: _Names) -> str:
    table = report.table("distributions")
    if not table:
        return ""
    rows = []
    for place, agent in enumerate(report.agents):
        drawn = "".join(plots.histogram(s.title, s.edges, s.counts[place], place) for s in report.spreads)
        rows.append(f"<h3>{escape(names.row(agent.agent))}</h3><div class='tiles'>{drawn}</div>")
    folded = (
        f"<details><summary>Histograms by agent</summary>{''.join(rows)}</details>" if len(rows) > 3 else "".join(rows)
    )
    return f"<h2>{escape(table.title)}</h2>{folded}{_foldable(table, names)}{_note(table.note)}"


def _others(report: Report, names: _Names) -> str:
    done = {
        *_DRAWN,
        *_FOLDED,
        *_GAMING,
        "stop_reasons",
        "failure_modes",
        "collateral",
        "besides",
        "voids",
        "distributions",
    }
    done |= {table.name for table in report.tables if table.name.startswith("graph")}
    return "".join(
        f"<h2>{escape(table.title)}</h2>{_foldable(table, names)}{_note(table.note)}"
        for table in report.tables
        if table.name not in done
    )


def _foldable(table: ReportTable, names: _Names, summary: str = "", *, heat: bool = False) -> str:
    """Return a table, folded up when it has a summary to stand for it or is long."""
    body = (_heat(table, names) if heat else "") + _table(table, names)
    if not summary and len(table.rows) <= _LONG:
        return body
    return f"<details><summary>{escape(summary or f'{len(table.rows)} lines')}</summary>{body}</details>"


def _table(table: ReportTable, names: _Names) -> str:
    columns = [[row[place] for row in table.rows] for place in range(len(table.head))]
    # A column in which nothing is known would hold numbers.
    numeric = [any(size(cell) is not None for cell in cells) or set(cells) == {None} for cells in columns]
    head = "".join(
        f"<th{_class(number)}>{escape(names.column(name))}</th>"
        for name, number in zip(table.head, numeric, strict=True)
    )
    rows = "".join(_row(row, numeric, names) for row in table.rows[:_MOST_ROWS])
    beyond = _note(f"The first {_MOST_ROWS:,} of {len(table.rows):,} lines.") if len(table.rows) > _MOST_ROWS else ""
    return f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{beyond}"


def _row(row: Sequence[Cell], numeric: Sequence[bool], names: _Names) -> str:
    cells = []
    for cell, number in zip(row, numeric, strict=True):
        value = size(cell)
        data = f" data-size='{'' if value is None else f'{value:.12g}'}'" if number else ""
        cells.append(f"<td{_class(number)}{data}>{_cell_html(cell, names)}</td>")
    return f"<tr>{''.join(cells)}</tr>"


def _cell_html(cell: Cell, names: _Names) -> str:
    if isinstance(cell, Rate | Mean) and cell.value is not None:
        more = definedness(cell) if isinstance(cell, Mean) else ""
        return f"{percent(cell.value)} <span class='interval'>{interval(cell.interval)}{more}</span>"
    text = cell_text(cell)
    return escape(names.row(text))


def _class(number: bool) -> str:
    return " class='number'" if number else ""


def _note(text: str) -> str:
    return f"<p class='note'>{escape(text)}</p>" if text else ""
