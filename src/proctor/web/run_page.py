"""The page of one run: how its agents fare so far, and its episodes to choose from."""

from __future__ import annotations

from functools import cache

from nicegui import run as aside
from nicegui import ui
from nicegui.events import GenericEventArguments

from proctor.report.grid_page import GRID_STYLE, grid_html
from proctor.report.reasons import read_feedback
from proctor.report.words import NO_PRICE, short_names
from proctor.store.addresses import report_path
from proctor.web.episodes import ListedEpisode
from proctor.web.frame import LIVE_SEC, frame
from proctor.web.runs import ListedRun, Runs
from proctor.web.summary import Filter, Standing, grid_of_entries, last_tries, outcome, percent, row, standings

COLUMNS: list[dict[str, object]] = [
    {"name": name, "label": label, "field": name, "align": align, "sortable": True}
    for name, label, align in (
        ("task", "Task", "left"),
        ("agent", "Agent", "left"),
        ("case", "Case", "left"),
        ("outcome", "Outcome", "left"),
        ("score", "Score", "right"),
        ("stop", "Stopped by", "left"),
        ("modes", "Failure modes", "left"),
        ("steps", "Steps", "right"),
        ("seconds", "Seconds", "right"),
        ("tokens", "Tokens", "right"),
        ("cost", "Cost, $", "right"),
        ("collateral", "Side effects", "right"),
        ("clean", "Success", "left"),
        ("flags", "Flags", "left"),
    )
]
TASK = """<q-td :props="props"><a v-if="props.row.url" :href="props.row.url">{{ props.value }}</a>
  <span v-else>{{ props.value }}</span></q-td>"""
OUTCOME = """<q-td :props="props"><span :class="'p-chip p-' + props.value">{{ props.value }}</span>
  <span v-if="props.row.assisted" class="p-chip" :title="props.row.assisted">assisted</span></q-td>"""
AGENT = """<q-td :props="props"><span class="p-name" :title="props.value">{{ props.value }}</span></q-td>"""
ROWS = 50
FIELDS = ("agent", "outcome", "stop", "mode")


def add_run_page(runs: Runs) -> None:
    """Serve the page of each run at `/run/<id>`."""

    @ui.page("/run/{run_id}")
    async def page(run_id: str) -> None:
        run = await aside.io_bound(runs.find, run_id)
        if run is None:
            with frame(("no such run", "")):
                ui.label("There is no such run here. It may have been moved or removed.")
            return
        with frame((run.name, "")):
            ui.add_head_html(f"<style>{GRID_STYLE}</style>")
            view = RunView(run)
        await view.look()
        ui.timer(LIVE_SEC, view.look)


class RunView:
    """One browser's look at a run."""

    def __init__(self, run: ListedRun) -> None:
        self._run = run
        self._shown: tuple[str, int, list[ListedEpisode]] | None = None
        self._feedback = cache(read_feedback)
        with ui.element("div").classes("p-quiet p-state"):
            self._state = ui.label()
            self._report = ui.link("Report with all figures", report_path(run.paths.root))
        self._grid = ui.html(sanitize=False)
        self._standings = ui.element("div").classes("p-standings")
        self._problems = ui.label().classes("p-problem")
        with ui.element("div").classes("p-filters"):
            self._choices = {name: self._select(name) for name in FIELDS}
            self._task = ui.input("task", on_change=self._from_start).props("dense outlined clearable debounce=200")
            self._earlier = ui.checkbox("earlier tries", on_change=self._from_start).props("dense")
            self._count = ui.label().classes("p-quiet")
        self._table = ui.table(columns=COLUMNS, rows=[], row_key="id", pagination={"rowsPerPage": ROWS, "page": 1})
        self._table.classes("p-table").props("flat dense :rows-per-page-options=[25,50,100,200]")
        self._table.add_slot("body-cell-task", TASK)
        self._table.add_slot("body-cell-outcome", OUTCOME)
        self._table.add_slot("body-cell-agent", AGENT)
        self._table.on("request", self._turn_page)

    def _select(self, name: str) -> ui.select:
        select = ui.select([], label=name, clearable=True, on_change=self._from_start)
        return select.props("dense outlined options-dense")

    async def look(self) -> None:
        """Show what the run holds now, if that has changed."""
        episodes = self._run.episodes
        await aside.io_bound(episodes.refresh)
        now = self._run.state, len(episodes.ended_episodes()), episodes.under_way()
        if now == self._shown:
            return
        self._shown = now
        entries = [*episodes.ended_episodes(), *episodes.under_way()]
        self._report.set_visibility(bool(episodes.ended_episodes()))
        self._state.text = self._run.state
        found = standings(entries)
        grid = await aside.io_bound(grid_of_entries, entries, self._run.paths.root, self._feedback)
        if grid is not None:
            # Everything in it is escaped where it is made.
            self._grid.set_content(grid_html(grid, short_names([each.agent for each in found])))
        self._show_standings(found)
        self._problems.text = "; ".join(episodes.problems[:5])
        for name, options in _options(entries).items():
            if self._choices[name].options != options:
                self._choices[name].set_options(options, value=self._choices[name].value)
        self._show_rows()

    def _entries(self) -> list[ListedEpisode]:
        # What runs now is what one wants to see first.
        return [*self._run.episodes.under_way(), *reversed(self._run.episodes.ended_episodes())]

    def _show_standings(self, found: list[Standing]) -> None:
        self._standings.clear()
        with self._standings:
            for each in found:
                with ui.element("div").classes("p-card"):
                    name = ui.label(each.agent).classes("p-card-title p-name")
                    name.props["title"] = each.agent
                    ui.label(percent(each)).classes("p-card-figure")
                    ui.label(" · ".join(figures(each))).classes("p-quiet")

    def _show_rows(self) -> None:
        wanted = Filter(task=self._task.value or "", **{name: self._choices[name].value or "" for name in FIELDS})
        entries = self._entries()
        shown = entries if self._earlier.value else last_tries(entries)
        self._earlier.set_visibility(len(last_tries(entries)) < len(entries))
        rows = [row(entry, self._run.id) for entry in shown if wanted.takes(entry)]
        page = self._table.pagination
        if by := page.get("sortBy"):
            rows.sort(key=lambda each: _order(each.get(by)), reverse=bool(page.get("descending")))
        size = page.get("rowsPerPage") or ROWS
        start = (page.get("page", 1) - 1) * size
        page["rowsNumber"] = len(rows)
        self._table.rows = rows[start : start + size]
        self._count.text = f"{len(rows)} episode{'s' * (len(rows) != 1)}"

    def _from_start(self) -> None:
        self._table.pagination["page"] = 1
        self._show_rows()

    def _turn_page(self, event: GenericEventArguments) -> None:
        asked = event.args["pagination"]
        self._table.pagination.update({name: asked[name] for name in ("page", "rowsPerPage", "sortBy", "descending")})
        self._show_rows()


def figures(each: Standing) -> list[str]:
    """Return what stands below an agent's rate: counts, tokens and money."""
    success = each.rate.beside or each.rate
    unclean = f", {each.unclean} with side effects" if each.unclean else ""
    word = "gamed" if each.gaming else "passed"
    found = [f"{success.passed} of {success.episodes} {word}{unclean}"]
    if unknown := success.episodes - each.rate.episodes:
        found.append(f"side effects of {unknown} unknown")
    found += [f"{each.void} void"] if each.void else []
    found += [f"{each.unjudged} not judged"] if each.unjudged else []
    found += [f"{each.earlier} earlier void {'try' if each.earlier == 1 else 'tries'}"] if each.earlier else []
    found += [f"{each.running} running"] if each.running else []
    if each.tokens:
        found.append(f"{each.tokens:,} tokens")
    if each.cost_usd is None:
        found.append(NO_PRICE)
    elif each.cost_usd:
        found.append(f"$ {each.cost_usd:.4f}" if each.cost_usd < 1 else f"$ {each.cost_usd:.2f}")
    return found


def _options(entries: list[ListedEpisode]) -> dict[str, list[str]]:
    results = [entry.result for entry in entries if entry.result]
    return {
        "agent": sorted({entry.key.agent for entry in entries}),
        "outcome": sorted({outcome(entry) for entry in entries}),
        "stop": sorted({result.stop for result in results}),
        "mode": sorted({mode for result in results for mode in result.modes}),
    }


def _order(value: object) -> tuple[int, object]:
    """Sort what is missing before numbers, and numbers before words."""
    if value is None:
        return 0, 0
    return (1, value) if isinstance(value, int | float) else (2, str(value))
