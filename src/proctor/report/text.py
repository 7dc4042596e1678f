"""A report for the terminal: each task, why what failed did, then figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from proctor.plain_text import one_line
from proctor.report.cells import Cell, Percent, ReportTable, cell_text, mean_text, size
from proctor.report.grid_text import grid_parts
from proctor.report.statistics import Mean, Rate
from proctor.report.summary import Report
from proctor.report.terminal import print_table
from proctor.report.words import NO_PRICE, about_runs, comparison_table, headline, letters, overview, short_names

MOST_ROWS = 15
MOST_CHECKPOINTS = 40
"""Lines about checkpoints that a terminal is shown."""

LEGEND = (
    "active: ended by the agent itself; steps and seconds are medians; stale: steps on a screen that had changed since "
    "it was shown; assisted: a person acted in its place; clean: passed and nothing else changed, where that can be "
    "told; unknown: where it cannot"
)

_ROOM_FOR_NAMES = 40
"""When agents' names take more letters than this in the head of a table, letters stand for them."""
_ROOM_FOR_LABELS = 30
_ALWAYS = ("agent", "clean", "success", "episodes", "active", "stale")


def print_report(
    report: Report, console: Console, *, by: Sequence[str] = (), compare: bool = False, human: bool = False
) -> None:
    """Print agents, success by the dimensions named, and failures; with `human` what people came to."""
    for part in _parts(report, by or ("level",), compare, console.width, human):
        if isinstance(part, RichTable):
            print_table(console, part)
        else:
            console.print(part)


def _parts(report: Report, by: Sequence[str], compare: bool, width: int, human: bool) -> Iterator[RichTable | Text]:
    names = short_names(report.grid.agents)
    yield _plain(headline(report), "yellow" if report.unfinished_runs else "")
    if about := about_runs(report):
        yield _plain(about, "bold")
    if sum(len(name) for name in names.values()) > _ROOM_FOR_NAMES:
        keys = {agent: letters(place) for place, agent in enumerate(names)}
        for agent, key in keys.items():
            yield _plain(f"{key}  {names[agent]}")
        names = keys
    yield from grid_parts(report.grid, names)
    yield Text("")
    if report.agents:
        yield from _rich(_without_empty(overview(report)), names)
        yield _plain(LEGEND, "dim")
    graphs = (table.name for table in report.tables if table.name.startswith("graph"))
    for name in (
        "gamed",
        "gamed_wins",
        "repeats",
        "scenarios",
        "parts",
        *(("checkpoints",) if _is_short(report.table("checkpoints")) else ()),
        "pairs",
        *(f"by_{dimension}" for dimension in by),
        *graphs,
        "failure_modes",
        "days",
        "disturbances",
        "critic",
        "reviews",
        "reviewed_modes",
        "humans",
        *(("human_tasks",) if human else ()),
        "flags",
    ):
        if table := report.table(name):
            yield from _rich(table, names, _bare if _too_wide(table, names, width) else cell_text)
    if compare and report.comparisons:
        yield from _rich(comparison_table(report), names)


def _is_short(table: ReportTable | None) -> bool:
    """Tell whether a table may stand among others in a terminal; the page has all of it."""
    return table is not None and len(table.rows) <= MOST_CHECKPOINTS


def _without_empty(table: ReportTable) -> ReportTable:
    """Leave out columns that say nothing: raw without void episodes, cost without any."""
    void = any(row[table.head.index("void")] for row in table.rows)

    def says_something(place: int, name: str) -> bool:
        if name in ("raw", "void"):
            return void
        return name in _ALWAYS or any(size(row[place]) or row[place] == NO_PRICE for row in table.rows)

    kept = [place for place, name in enumerate(table.head) if says_something(place, name)]
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return ReportTable(table.name, "", tuple(table.head[place] for place in kept), rows)


def _too_wide(table: ReportTable, names: Mapping[str, str], width: int) -> bool:
    room = width
    for place, name in enumerate(table.head):
        longest = max(len(names.get(text, text)) for text in (name, *(cell_text(row[place]) for row in table.rows)))
        # Words may be broken between each other.
        words = all(isinstance(row[place], str) for row in table.rows)
        room -= 2 + (min(longest, _ROOM_FOR_LABELS) if words else longest)
    return room < 0


def _bare(cell: Cell) -> str:
    if isinstance(cell, Mean):
        return mean_text(cell, bare=True)
    return cell_text(cell if not isinstance(cell, Rate) or cell.value is None else Percent(cell.value))


def _rich(
    table: ReportTable, names: Mapping[str, str], show: Callable[[Cell], str] = cell_text
) -> Iterator[RichTable | Text]:
    """Yield a title and a table, every text as plain text: labels and messages may hold markup."""
    if table.title:
        yield Text(f"\n{one_line(table.title)}", style="bold")
    yield draw_table(table, MOST_ROWS, names, show)


def draw_table(
    table: ReportTable,
    most: int,
    names: Mapping[str, str] = MappingProxyType({}),
    show: Callable[[Cell], str] = cell_text,
) -> RichTable:
    """Return the first rows of a table for the terminal, figures to the right."""
    drawn = RichTable(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for place, name in enumerate(table.head):
        words = name != "cost" and all(isinstance(row[place], str) for row in table.rows)
        drawn.add_column(_plain(names.get(name, name)), justify="left" if words else "right")
    for row in table.rows[:most]:
        drawn.add_row(*(_plain(names.get(text, text)) for text in map(show, row)))
    if len(table.rows) > most:
        drawn.add_row(Text(f"and {len(table.rows) - most} more", style="dim"))
    return drawn


def _plain(text: str, style: str = "") -> Text:
    return Text(one_line(text), style)
