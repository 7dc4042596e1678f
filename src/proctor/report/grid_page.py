"""The grid as HTML, for the page of a report and for the page of a run; all of it escaped."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from proctor.plain_text import printable
from proctor.report.grid import LEGEND, WORDS, GridCell, GridEpisode, ResultGrid, short_tasks

MOST_TASKS = 2_000
_ROOM_FOR_REASONS = 4
"""With more agents than this, reasons are only in the titles of cells."""

GRID_STYLE = """
.grid-scroll { overflow-x: auto; }
table.grid { border-collapse: separate; border-spacing: 2px; font-size: .9rem; width: auto; min-width: 0; }
table.grid th, table.grid td { padding: .3rem .6rem; border: 0; text-align: left; vertical-align: top; }
table.grid thead th { max-width: 14rem; overflow-wrap: anywhere; vertical-align: bottom; }
table.grid tbody th { font-weight: 400; min-width: 8rem; max-width: 18rem; overflow-wrap: anywhere; }
table.grid th:first-child { position: sticky; left: 0; background: var(--paper); z-index: 1; }
table.grid td { border-left: 4px solid var(--line); background: var(--panel, var(--card)); min-width: 4.5rem;
  max-width: 24rem; }
table.grid td.passed { border-color: var(--good); } table.grid td.failed { border-color: var(--bad); }
table.grid td.void { border-color: var(--void, var(--warn)); border-left-style: dashed; }
table.grid td.running { border-color: var(--mark, var(--accent)); }
table.grid a { color: inherit; text-decoration: underline; text-underline-offset: 2px; }
table.grid .word { font-weight: 600; white-space: nowrap; }
table.grid .why { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden;
  color: var(--quiet); font-size: .82rem; overflow-wrap: anywhere; }
.grid-legend { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; font-size: .85rem; color: var(--quiet); padding: 0;
  list-style: none; margin: .5rem 0; }
.grid-legend b { color: var(--ink); }
"""


def grid_html(grid: ResultGrid, names: Mapping[str, str], base: str = "") -> str:
    """Return the grid and its legend; `base` stands before the paths of replays."""
    if not grid.tasks:
        return ""
    labels = short_tasks(grid.tasks)
    head = "".join(
        f"<th scope='col' title='{_attribute(agent)}'>{escape(printable(names.get(agent, agent)))}</th>"
        for agent in grid.agents
    )
    rows = "".join(
        f"<tr><th scope='row' title='{_attribute(task)}'>{escape(printable(labels[task]))}</th>"
        f"{''.join(_cell(grid.cells.get((task, agent)), base, len(grid.agents)) for agent in grid.agents)}</tr>"
        for task in grid.tasks[:MOST_TASKS]
    )
    left = len(grid.tasks) - MOST_TASKS
    beyond = [f"{left:,} more tasks"] if left > 0 else []
    beyond += [f"{grid.left_out:,} more episodes"] if grid.left_out else []
    note = f"<p class='note'>{' and '.join(beyond)} are not shown.</p>" if beyond else ""
    return (
        f"<div class='grid-scroll' tabindex='0' role='region' aria-label='Results'><table class='grid'><thead><tr>"
        f"<th scope='col'>Task</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>{note}{_legend()}"
    )


def _cell(cell: GridCell | None, base: str, agents: int) -> str:
    if cell is None:
        return "<td><span class='word'>–</span></td>"
    why = printable(cell.why)
    told = f"<div class='why'>{escape(why)}</div>" if why and agents <= _ROOM_FOR_REASONS else ""
    words = [_link(cell.example, cell.text, base)]
    if len(cell.episodes) > 1:
        words += [_link(each, WORDS[each.outcome][0].upper(), base) for each in cell.episodes]
    shown = f"<span class='word'>{' '.join(words)}</span>{told}"
    return f"<td class='{cell.outcome}' title='{_attribute(cell.why)}'>{shown}</td>"


def _link(episode: GridEpisode, text: str, base: str) -> str:
    tries = f" after {episode.tries - 1} void tries" if episode.tries > 1 else ""
    if not episode.replay:
        return escape(text)
    about = _attribute(f"Replay of {episode.task} by {episode.agent}: {episode.word}{tries}")
    return f"<a href='{_attribute(base + episode.replay)}' aria-label='{_attribute(text)}. {about}'>{escape(text)}</a>"


def _legend() -> str:
    lines = "".join(f"<li><b>{WORDS[each]}</b>: {escape(words)}</li>" for each, words in LEGEND.items())
    return f"<ul class='grid-legend'>{lines}<li>Each result links to its replay.</li></ul>"


def _attribute(text: str) -> str:
    return escape(printable(text), quote=True)
