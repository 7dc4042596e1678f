"""The progress bars of a run: one for each agent, and one for all where there are several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import TimeRemainingColumn as LeftColumn

from proctor.cli.plain import escape
from proctor.report.statistics import wilson
from proctor.report.words import short_names
from proctor.runner.job import Job
from proctor.runner.schedule import RunEvent, Tally

_MOST_APART = 8
"""More agents than this share one bar."""
_LONGEST_NAME = 40


class RunBar:
    """Progress: how much is done, how well by each agent, what it cost, and how long it will take."""

    def __init__(self, console: Console, shares: Mapping[str, int]) -> None:
        """Show nothing yet; `shares` holds how many episodes each agent has, by its label."""
        episodes, agents = sum(shares.values()), list(shares)
        self._console = console
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            LeftColumn(),
            console=console,
        )
        self._tallies: dict[str, tuple[TaskID, Tally]] = {}
        apart = agents if 1 < len(agents) <= _MOST_APART else ()
        for label, name in short_names(list(apart)).items():
            share = shares[label]
            bar = self._progress.add_task(escape(_short(name)), total=share, note="")
            self._tallies[label] = bar, Tally(planned=share)
        self._bar = self._progress.add_task("all" if apart else "", total=episodes, note="starting")
        self._running = 0
        self._waiting = ""
        self._tally = Tally(planned=episodes)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._progress.stop()

    def hear(self, event: RunEvent) -> None:
        """Show what happened."""
        self._waiting = ""
        result = event.result
        self._running += {"begun": 1, "held": 0}.get(event.kind, -1)
        if result is not None:
            bar, tally = self._tallies.get(result.key.agent, (None, None))
            for each in filter(None, (self._tally, tally)):
                each.cost_usd += result.cost_usd or 0.0
                if event.kind in ("held", "ended"):
                    each.count(result)
            if bar is not None and tally is not None:
                self._progress.update(bar, completed=tally.ended, note=_standing_line(tally))
        self._show()

    def tell(self, job: Job, text: str) -> None:
        """Show what a worker says of its episode, such as that a model has to be asked again."""
        said = f"{job.key.agent}, {job.key.task}: {text}"
        if self._console.is_terminal:
            self._waiting = said
            self._show()
        else:
            self._console.print(escape(said), soft_wrap=True)

    def _show(self) -> None:
        parts = [f"{self._running} running", _standing_line(self._tally)]
        if self._waiting:
            parts.append(f"[yellow]{escape(self._waiting[:200])}[/]")
        self._progress.update(self._bar, completed=self._tally.ended, note=" · ".join(filter(None, parts)))


def _short(name: str) -> str:
    """Return a name that fits: the middle is left out, since agents mostly differ in their ends."""
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}"


def _standing_line(tally: Tally) -> str:
    parts = []
    if scored := tally.ended - tally.void:
        # Clean success is a share of those episodes alone in which somebody could look for side effects.
        won, number = (tally.clean, scored - tally.unknown) if tally.unclean else (tally.passed, scored)
        share = won / number
        low, high = wilson(share, number)
        parts.append(f"{'clean ' if tally.unclean else ''}success {share:.0%} ({low:.0%} to {high:.0%})")
        if tally.unclean:
            parts.append(f"success {tally.passed / scored:.0%}")
        if tally.unknown:
            parts.append(f"side effects of {tally.unknown} unknown")
    if tally.void:
        parts.append(f"{tally.void} void")
    if tally.cost_usd:
        parts.append(f"{tally.cost_usd:.2f} USD")
    return " · ".join(parts)
