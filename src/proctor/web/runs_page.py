"""The page that lists the runs."""

from __future__ import annotations

from nicegui import run as aside
from nicegui import ui

from proctor.store.addresses import report_path
from proctor.web.frame import LIVE_SEC, frame
from proctor.web.runs import ListedRun, Runs
from proctor.web.summary import last_tries, percent, standings

COLUMNS: list[dict[str, object]] = [
    {"name": "name", "label": "Run", "field": "name", "align": "left", "sortable": True},
    {"name": "state", "label": "", "field": "state", "align": "left"},
    {"name": "episodes", "label": "Episodes", "field": "episodes", "align": "right", "sortable": True},
    {"name": "running", "label": "Running", "field": "running", "align": "right", "sortable": True},
    {"name": "success", "label": "Clean success, 95 % interval", "field": "success", "align": "left"},
]
NAME = """<q-td :props="props"><a :href="props.row.url">{{ props.value }}</a>
  <a v-if="props.row.report" class="p-quiet p-report" :href="props.row.report">report</a></q-td>"""
SUCCESS = """<q-td :props="props"><div v-for="each in props.value" class="p-standing">
  <span class="p-name" :title="each.agent">{{ each.agent }}</span><b>{{ each.rate }}</b></div></q-td>"""
STATE = """<q-td :props="props"><span :class="'p-chip p-' + props.value">{{ props.value }}</span></q-td>"""


def add_runs_page(runs: Runs) -> None:
    """Serve the list at `/`."""

    @ui.page("/")
    async def page() -> None:
        with frame():
            table = ui.table(columns=COLUMNS, rows=[], row_key="id").classes("p-table").props("flat dense")
            table.add_slot("body-cell-name", NAME)
            table.add_slot("body-cell-success", SUCCESS)
            table.add_slot("body-cell-state", STATE)
            table.add_slot("no-data", "No runs in the folders that were given.")

        async def look() -> None:
            rows = await aside.io_bound(lambda: [_row(run) for run in runs.list_runs()])
            if rows is not None and rows != table.rows:
                table.rows = rows

        await look()
        ui.timer(2 * LIVE_SEC, look)


def _row(run: ListedRun) -> dict[str, object]:
    run.episodes.refresh()
    ended, under_way = run.episodes.ended_episodes(), run.episodes.under_way()
    found = standings([*ended, *under_way])
    return {
        "id": run.id,
        "url": f"/run/{run.id}",
        "name": run.name,
        "state": run.state,
        "episodes": len(last_tries(ended)),
        "report": report_path(run.paths.root) if ended else "",
        "running": sum(entry.running for entry in under_way),
        "success": [
            {"agent": f"{each.agent}{' (gamed)' if each.gaming else ''}", "rate": percent(each)} for each in found
        ],
    }
