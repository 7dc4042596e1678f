"""The same report for the terminal, for papers, for programs and as a page."""

from __future__ import annotations

import io
import json
import re
from html.parser import HTMLParser

import pytest
from rich.console import Console

from proctor.records import Result
from proctor.report.markdown import markdown
from proctor.report.page import page
from proctor.report.plots import bars, dots, heat_map, histogram
from proctor.report.read_runs import RunRead
from proctor.report.summary import Report, summarise
from proctor.report.text import print_report
from proctor.report.words import headline, letters, short_names
from tests.report.records import columns, outcomes, result

HOSTILE = "<script>alert(1)</script>'\"|[red]\x1b[31m`x`"


def two_agents() -> list[Result]:
    fields = {"level": 2, "domain": "Office", "scenario": "Data", "demand": "Tabling", "apps": ("gimp",), "steps": 3}
    tasks = [f"t{place}" for place in range(8)]
    good = outcomes("oracle", {task: [1.0] for task in tasks}, **fields)
    return [*good, *outcomes("idle", {task: [0.0] for task in tasks}, modes=("false_finish",), **fields)]


@pytest.fixture
def report() -> Report:
    return summarise(columns(two_agents()), [RunRead("runs/first", 16, True)])


def in_terminal(report: Report, *, width: int = 80, by: tuple[str, ...] = (), compare: bool = False) -> str:
    console = Console(file=io.StringIO(), width=width)
    print_report(report, console, by=by, compare=compare)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


class Checked(HTMLParser):
    """Sees that tags are closed in order, and keeps what there is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


# For programs.


def test_json_has_a_line_for_each_agent(report: Report) -> None:
    plain = json.loads(json.dumps(report.plain(), allow_nan=False))
    idle, oracle = plain["agents"]
    assert (oracle["agent"], oracle["episodes"], oracle["void"], oracle["success"]) == ("oracle", 8, 0, 1.0)
    assert oracle["interval"] == pytest.approx([0.6756, 1.0], abs=1e-4)
    assert idle["success"] == 0.0
    assert plain["finished"] is True
    assert plain["tables"]["by_level"]["rows"][0]["agents"]["idle"]["episodes"] == 8
    assert plain["matrix"]["threshold"] == 0.5


def test_raw_and_attributable_stand_side_by_side() -> None:
    (agent,) = summarise(columns(outcomes("a", {"t": [1.0], "u": [None]}))).plain()["agents"]
    assert (agent["success"], agent["raw_success"], agent["void"], agent["episodes"]) == (1.0, 0.5, 1, 2)


def test_an_agent_with_void_episodes_only_has_no_success() -> None:
    found = summarise(columns(outcomes("a", {"t": [None]})))
    (agent,) = found.plain()["agents"]
    assert (agent["success"], agent["interval"], agent["raw_success"]) == (None, [0.0, 1.0], 0.0)
    assert "–" in in_terminal(found)
    Checked(page(found))


def test_agents_are_compared_in_words(report: Report) -> None:
    (comparison,) = report.comparisons
    assert (comparison.verdict, comparison.distinguishable) == ("second is better", True)
    assert comparison.would_separate == ""


def test_indistinguishable_agents_are_called_so_and_the_runs_needed_are_named() -> None:
    first = outcomes("a", {f"t{n}": [1.0, float(n % 3 == 0)] for n in range(12)})
    second = outcomes("b", {f"t{n}": [1.0, float(n % 4 == 0)] for n in range(12)})
    found = summarise(columns(first + second))
    (comparison,) = found.comparisons
    assert comparison.verdict == "indistinguishable"
    assert re.fullmatch(r"\d+ more tasks or \d+ attempts at each task", comparison.would_separate)
    assert "indistinguishable" in in_terminal(found, compare=True)
    assert "indistinguishable" in markdown(found)


def test_the_same_setting_varied_twice_gives_two_tables() -> None:
    results = []
    for model in ("m", "n"):
        for history in ("1", "2"):
            settings = {"model": model, "history": history}
            results += outcomes(f"prompted,model={model},history={history}", {"t": [1.0]}, settings=settings)
    names = [table.name for table in summarise(columns(results)).tables if table.name.startswith("ablation_")]
    assert names == ["ablation_history", "ablation_history_2", "ablation_model", "ablation_model_2"]


def test_an_option_named_as_a_column_keeps_its_values() -> None:
    results = [
        one
        for value in ("0.1", "0.9")
        for one in outcomes(f"mine,p={value}", {"t": [1.0], "u": [0.0]}, settings={"p": value})
    ]
    plain = summarise(columns(results)).plain()["tables"]["ablation_p"]["rows"]
    assert [row["option p"] for row in plain] == ["0.1", "0.9"]
    assert [row["p"] for row in plain] == [None, 1.0]


# For people.


def test_repeated_attempts_show_in_the_terminal() -> None:
    text = in_terminal(summarise(columns(outcomes("a", {"t": [1.0, 0.0, 1.0], "u": [1.0, 1.0, 1.0]}))))
    for word in ("pass@k", "pass^k", "flips", "50 %", "83 %"):
        assert word in text


def test_medians_and_active_are_explained_in_the_terminal(report: Report) -> None:
    assert "active: ended by the agent itself; steps and seconds are medians" in in_terminal(report)


def test_the_terminal_shows_one_screen(report: Report) -> None:
    text = in_terminal(report)
    assert "oracle" in text
    assert "100 % [68, 100]" in text
    assert "false_finish" in text
    assert len(text.splitlines()) <= 34
    assert max(map(len, text.splitlines())) <= 80


def test_the_terminal_breaks_down_by_what_is_asked(report: Report) -> None:
    text = in_terminal(report, by=("app",))
    assert "Success by application" in text
    assert "automation level" not in text


def test_many_agents_with_long_names_become_letters() -> None:
    label = "prompted,model=a/very-long-model-name,observation=screenshot+tree,history={}"
    results = [item for n in range(8) for item in outcomes(label.format(n), {"t": [1.0]}, level=1)]
    text = in_terminal(summarise(columns(results)))
    assert "H  prompted,history=7" in text
    assert max(map(len, text.splitlines())) <= 80


def test_control_characters_do_not_reach_the_terminal() -> None:
    text = in_terminal(summarise(columns(outcomes(HOSTILE, {"t": [0.0]}, level=1))), width=200)
    assert "\x1b" not in text
    assert "[red]" in text


def test_an_unfinished_run_is_called_so() -> None:
    found = summarise(columns(two_agents()), [RunRead("runs/live", 16, False)])
    assert "not finished: runs/live" in headline(found)
    assert not found.plain()["finished"]


def test_names_lose_what_they_share() -> None:
    names = short_names(["p,model=m,history=1", "p,model=m,history=2", "idle"])
    assert list(names.values()) == ["p,history=1", "p,history=2", "idle"]
    assert (letters(0), letters(25), letters(26)) == ("A", "Z", "AA")


def test_markdown_has_tables_that_hold_together(report: Report) -> None:
    text = markdown(report)
    widths: set[int] = set()
    for line in text.splitlines():
        if line.startswith("|"):
            widths.add(line.count(" | "))
        elif widths:
            assert len(widths) == 1
            widths = set()
    assert "## Success by automation level" in text
    assert "## Success by automation level" not in markdown(report, by=("app",))


def test_markdown_escapes() -> None:
    text = markdown(summarise(columns(outcomes(HOSTILE, {"t": [None]}, cause="model", error=HOSTILE))))
    assert "<script>" not in text
    assert "\\<script\\>" in text
    assert "\\|" in text


# The page.


def test_the_page_is_whole_and_needs_nothing_else(report: Report) -> None:
    found = Checked(page(report))
    assert {"table", "svg", "title", "desc"} <= set(found.tags)
    assert not [value for name, value in found.attributes if name in ("src", "href", "srcset")]
    assert found.tags.count("script") == 1


def test_every_plot_says_what_it_shows(report: Report) -> None:
    text = page(report)
    plots = re.findall(r"<svg class='plot'.*?</svg>", text, re.DOTALL)
    assert plots
    assert all("<title>" in plot and "<desc>" in plot and "role='img'" in plot for plot in plots)


def test_the_page_is_the_same_every_time(report: Report) -> None:
    assert page(report) == page(report)


def test_the_page_escapes_everything() -> None:
    settings = {HOSTILE: "1"}
    fields = {
        "apps": (HOSTILE,), "categories": (HOSTILE,), "level": 2, "domain": HOSTILE, "scenario": HOSTILE,
        "demand": HOSTILE, "collateral": {HOSTILE: 1}, "metrics": {HOSTILE: 1.0}, "modes": (HOSTILE,), "steps": 3,
    }  # fmt: skip
    results = outcomes(HOSTILE, {HOSTILE: [0.0, 1.0]}, settings=settings, **fields)
    results += outcomes(f"{HOSTILE},x=2", {HOSTILE: [0.0]}, settings={HOSTILE: "2"}, **fields)
    results.append(result("void", HOSTILE, None, cause="model", error=HOSTILE))
    text = page(summarise(columns(results), [RunRead(HOSTILE, 4, False)]), HOSTILE)
    found = Checked(text)
    assert found.tags.count("script") == 1
    assert "alert(1)" in text
    assert "<script>alert" not in text


@pytest.mark.parametrize(
    "drawn",
    [
        dots("d", [("a", 0.5, (0.2, 0.8)), ("b", None, (0.0, 1.0))], [0.4, None]),
        bars("b", ["x", "y"], [("one", [0.1, None]), ("two", [0.0, 1.0])]),
        bars("b", [], []),
        histogram("h", [0, 1, 2], [3, 0]),
        histogram("h", [0, 0], [0]),
        heat_map("m", ["A"], [("row", [(None, "")]), ("other", [(1.0, "100 %")])]),
        heat_map("m", [], []),
    ],
)
def test_plots_are_whole(drawn: str) -> None:
    assert "svg" in Checked(drawn).tags
    assert "nan" not in drawn


def test_every_output_has_the_rate_of_stale_steps() -> None:
    results = [
        *outcomes("careful", {"a": [1.0], "b": [0.0]}, steps=100, stale=0),
        *outcomes("hasty", {"a": [1.0], "b": [0.0]}, steps=100, stale=5),
        *outcomes("old", {"a": [1.0], "b": [0.0]}, steps=100),
    ]
    report = summarise(columns(results))
    assert [agent.plain()["stale"] for agent in report.agents] == [0.0, 0.05, None]
    for text in (in_terminal(report, width=100), markdown(report), page(report)):
        assert "stale" in text
        assert "5 %" in text
