"""The grid for the terminal: a line for each task, then why the first failures failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.style import Style
from rich.table import Table
from rich.text import Text

from proctor.plain_text import one_line
from proctor.report.grid import GridCell, ResultGrid, short_tasks
from proctor.store.addresses import VIEWER

MOST_TASKS = 30
MOST_REASONS = 8
_COLOURS = {"passed": "green", "failed": "red", "void": "yellow"}


def grid_parts(grid: ResultGrid, names: Mapping[str, str]) -> Iterator[Table | Text]:
    """Yield the grid; of many tasks, those that not everyone passed come first."""
    if not grid.tasks:
        return
    tasks = list(grid.tasks)
    if len(tasks) > MOST_TASKS:
        tasks.sort(key=lambda task: _all_passed(grid, task))
    labels = short_tasks(grid.tasks)
    drawn = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    drawn.add_column("task")
    for agent in grid.agents:
        drawn.add_column(Text(one_line(names.get(agent, agent))))
    for task in tasks[:MOST_TASKS]:
        drawn.add_row(Text(one_line(labels[task])), *(_cell(grid.cells.get((task, agent))) for agent in grid.agents))
    yield drawn
    if rest := tasks[MOST_TASKS:]:
        passed = ", each passed by every agent" if all(_all_passed(grid, task) for task in rest) else ""
        yield Text(f"and {len(rest)} more tasks{passed}; the page has all of them", "dim")
    yield from _reasons(grid, tasks, labels, names)


def _all_passed(grid: ResultGrid, task: str) -> bool:
    cells = (grid.cells.get((task, agent)) for agent in grid.agents)
    return all(cell is None or {each.outcome for each in cell.episodes} == {"passed"} for cell in cells)


def _cell(cell: GridCell | None) -> Text:
    if cell is None:
        return Text("\u2013", "dim")
    replay = cell.example.replay
    # A terminal makes a link of it, which opens while the pages are served.
    return Text(cell.text, Style(color=_COLOURS.get(cell.outcome), link=VIEWER + replay if replay else None))


def _reasons(grid: ResultGrid, tasks: list[str], labels: Mapping[str, str], names: Mapping[str, str]) -> Iterator[Text]:
    told = [(task, agent, cell) for task in tasks for agent in grid.agents if (cell := grid.cells.get((task, agent)))]
    told = [(task, agent, cell) for task, agent, cell in told if cell.why and cell.outcome in ("failed", "void")]
    if not told:
        return
    yield Text("")
    for task, agent, cell in told[:MOST_REASONS]:
        who = f", {one_line(names.get(agent, agent))}" if len(grid.agents) > 1 else ""
        yield Text(one_line(f"{labels[task]}{who}: "), "bold") + Text(cell.why, _COLOURS[cell.outcome])
    if len(told) > MOST_REASONS:
        yield Text(f"and {len(told) - MOST_REASONS} more that failed or are void; the page says why", "dim")
