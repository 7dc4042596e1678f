"""`proctor runs diff`: which tasks changed sides between two runs, with links to both replays."""

from __future__ import annotations

import shlex
from collections import Counter
from itertools import groupby
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from proctor.cli.options import preset
from proctor.plain_text import json_text, printable
from proctor.report.difference import Change, Pair, Side, compare, plain
from proctor.report.terminal import open_console
from proctor.store.addresses import episode_id, run_id
from proctor.store.paths import RunPaths
from proctor.store.run import RunRecord

WORDS: dict[Change, str] = {
    "lost": "lost",
    "won": "won",
    "same": "the same",
    "void": "void in one of the two",
    "missing": "in one of the two only",
}
COLOURS = {"lost": "red", "won": "green"}


@click.command()
@click.argument("first", metavar="RUN1", type=click.Path(path_type=Path))
@click.argument("second", metavar="RUN2", type=click.Path(path_type=Path))
@click.option(
    "--only", "agent", default="", metavar="AGENT", help="Only this agent.  [default: all that both runs have]"
)
@click.option("--all", "everything", is_flag=True, help="Also list what did not change.")
@preset("--port", default=8420, help="Port of `proctor view`, for the links.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per case, changed or not.")
def diff(first: Path, second: Path, agent: str, everything: bool, port: int, as_json: bool) -> None:
    """Show which tasks were won and lost between two runs, with links to both replays.

    Attempts at the same task, seed and wording count together. A clean success passed and changed nothing else; a task
    is `lost` when RUN2 has fewer of them than RUN1, `won` when it has more. Where one of the two runs could not look
    for side effects, plain successes are compared.

    \b
    proctor runs diff RUN1 RUN2
    proctor runs diff RUN1 RUN2 --json | jq 'select(.change == "lost").task'
    proctor report RUN1 RUN2 --compare      whether the difference is more than chance
    """
    pairs = compare(RunRecord.open(first).final(), RunRecord.open(second).final(), agent)
    if as_json:
        for pair in pairs:
            click.echo(json_text(plain(pair, _links(pair, first, second, port))))
        return
    console = open_console()
    for agents, found in groupby(pairs, key=lambda pair: pair.agents):
        _show(console, agents, list(found), (first, second), port, everything)
    seen = " ".join(shlex.quote(str(run)) for run in (first, second))
    console.print(f"\nThe links open while this runs: proctor view {seen} --port {port}", markup=False, soft_wrap=True)


def _show(
    console: Console, agents: tuple[str, str], pairs: list[Pair], runs: tuple[Path, Path], port: int, everything: bool
) -> None:
    counts = Counter(pair.change for pair in pairs)
    said = ", ".join(f"{counts[change]} {words}" for change, words in WORDS.items() if counts[change])
    named = agents[0] if agents[0] == agents[1] else " against ".join(agents)
    console.print(_plain(f"\n{named}: {said}"), style="bold", soft_wrap=True)
    order = list(WORDS)
    for pair in sorted(pairs, key=lambda pair: order.index(pair.change)):
        if pair.change == "same" and not everything:
            continue
        case = f"{pair.task} seed {pair.seed}" + (f" paraphrase {pair.paraphrase}" if pair.paraphrase else "")
        sides = f"{_words(pair.first)} -> {_words(pair.second)}"
        note = "  (the task was changed in between)" if pair.task_changed else ""
        head = Text(f"  {pair.change:<8}", COLOURS.get(pair.change, "dim"))
        console.print(head + _plain(f"{case}  {sides}{note}"), soft_wrap=True)
        for link in filter(None, _links(pair, *runs, port)):
            console.print(_plain(f"          {link}"), style="dim", soft_wrap=True)


def _words(side: Side | None) -> str:
    return "not there" if side is None else side.words


def _links(pair: Pair, first: Path, second: Path, port: int) -> tuple[str, str]:
    return _link(pair.first, first, port), _link(pair.second, second, port)


def _link(side: Side | None, run: Path, port: int) -> str:
    if side is None:
        return ""
    folder = RunPaths(run).episode(side.shown.key, side.shown.retry)
    return f"http://127.0.0.1:{port}/replay/{run_id(run)}/{episode_id(run, folder)}"


def _plain(text: str) -> Text:
    return Text(printable(text))
