"""The progress bar of a run."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from proctor.report.statistics import wilson
from proctor.runner.schedule import Event, Tally


class RunBar:
    """A progress bar: how much is done, how well, what it cost, and how long it will take."""

    def __init__(self, console: Console, episodes: int) -> None:
        self._progress = Progress(
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
        )
        self._bar = self._progress.add_task("", total=episodes, note="starting")
        self._running = 0
        self._tally = Tally(planned=episodes)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._progress.stop()

    def hear(self, event: Event) -> None:
        """Show what happened."""
        tally, result = self._tally, event.result
        self._running += {"begun": 1, "held": 0}.get(event.kind, -1)
        if result is not None:
            tally.cost_usd += result.cost_usd or 0.0
            if event.kind in ("held", "ended"):
                tally.count(result)
        parts = [f"{self._running} running"]
        if scored := tally.ended - tally.void:
            share = tally.passed / scored
            low, high = wilson(share, scored)
            parts.append(f"success {share:.0%} ({low:.0%} to {high:.0%})")
        if tally.void:
            parts.append(f"{tally.void} void")
        if tally.cost_usd:
            parts.append(f"{tally.cost_usd:.2f} USD")
        self._progress.update(self._bar, completed=tally.ended, note=" · ".join(parts))
