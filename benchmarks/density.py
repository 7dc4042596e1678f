"""How many episodes with a model fit on this machine at once: steps must stay quick, and none may be lost."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from proctor.actions.action import Click, Done, Type
from proctor.agents.agent import Turn
from proctor.bench.measure import Figure
from proctor.bench.terminal import print_figures, progress
from proctor.observations.observation import Observation
from proctor.records import Brief, Result
from proctor.runner.watchers.pace import THEIR_OWN_TIME
from proctor.store.read import open_episode
from proctor.store.run import RunRecord

TASKS = {
    "light": ("sign-the-letter",),
    "office": ("look-up-the-prices", "client-with-a-new-name"),
}
"""Tasks of suite core, by the weight of what they open."""
SLOW_SEC = 0.5
AUTO = "auto"
LONGEST_SEC = 1800


class ThinkingAgent:
    """Takes as long for an answer as a model, clicks and types, and never finishes the task."""

    def __init__(self, seconds: float = 6.0, steps: int = 12) -> None:
        self.seconds, self.steps = float(seconds), int(steps)
        self._taken = 0

    def start(self, brief: Brief) -> None:
        """Begin anew."""
        self._taken = 0

    def act(self, _seen: Observation) -> Turn:
        """Think, then click or type by turns."""
        time.sleep(self.seconds)
        self._taken += 1
        if self._taken > self.steps:
            return Turn(actions=(Done(),))
        return Turn(actions=(Click(x=300 + self._taken, y=300) if self._taken % 2 else Type(text="hello "),))


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """What became of a run with many episodes at once."""

    asked: str
    """How many it was asked to have side by side."""
    episodes: int
    void: int
    seconds: float
    """From the command to the report."""
    acted_after: float
    """When the last episode had acted for the first time."""
    most: int
    """How many ran side by side, at most."""
    steps: tuple[float, ...]
    """How long the machine took for each step: to act, to settle and to look."""
    memory_mb: float | None
    """Of an episode: its computer at the most, and the process that ran it."""

    @property
    def slow(self) -> float | None:
        """How long the slowest twentieth of the steps took at least."""
        return sorted(self.steps)[int(0.95 * (len(self.steps) - 1))] if self.steps else None

    @property
    def bearable(self) -> bool:
        """Whether all went well, and quickly enough."""
        return not self.void and self.slow is not None and self.slow <= SLOW_SEC


@click.command("density")
@click.option(
    "--at-once",
    "counts",
    multiple=True,
    default=("8", "16", "24", "32", "48", "64"),
    show_default=True,
    help=f"Episodes side by side; `{AUTO}` lets the run find out. Larger numbers are tried while it goes well.",
)
@click.option(
    "--tasks",
    "kind",
    type=click.Choice(tuple(TASKS)),
    default="light",
    show_default=True,
    help="What the episodes have open.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=6.0,
    show_default=True,
    help="How long the agent thinks about each step.",
)
@click.option("--steps", type=click.IntRange(min=1), default=12, show_default=True, help="Steps of an episode.")
@click.option(
    "--episodes",
    type=click.IntRange(min=1),
    default=48,
    show_default=True,
    help=f"How many there are where the run finds out how many go side by side (`{AUTO}`).",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def command(
    counts: tuple[str, ...], kind: str, seconds: float, steps: int, episodes: int, as_json: bool
) -> None:  # fmt: skip
    """How many episodes of an agent that waits for a model this machine bears at once.

    Each number is a run of as many episodes with `-n`; the next larger one is tried as long as none is void and 95 % of
    the steps take at most half a second. Use a machine that does nothing else.
    """
    crowds: list[Crowd] = []
    with progress() as say:
        for asked in sorted(counts, key=lambda count: (count == AUTO, count.isdigit() and int(count))):
            if asked != AUTO and crowds and not crowds[-1].bearable:
                continue
            say(f"{asked} side by side, {kind}")
            crowds.append(gather(asked, TASKS[kind], seconds, steps, episodes))
    print_figures(figures_of(crowds, kind), "proctor bench density", as_json=as_json)


def gather(asked: str, tasks: Sequence[str], seconds: float, steps: int, episodes: int) -> Crowd:
    """Have a run of many episodes, as a user would, and tell what became of it."""
    number = episodes if asked == AUTO else int(asked)
    samples = -(-number // len(tasks))
    agent = f"benchmarks.density:ThinkingAgent,seconds={seconds:g},steps={steps}"
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as place:
        words = [
            *tasks,
            "--suite",
            "core",
            "--agent",
            agent,
            "-k",
            str(samples),
            "--retries",
            "0",
            "--out",
            f"{place}/run",
        ]
        words += [] if asked == AUTO else ["-n", asked]
        root = Path(__file__).resolve().parents[1]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))}
        began, started = time.monotonic(), time.time()
        subprocess.run(
            [sys.executable, "-m", "proctor", "run", *words], env=env, stdout=subprocess.DEVNULL, timeout=LONGEST_SEC
        )
        spent = time.monotonic() - began
        return _crowd(asked, Path(place) / "run", started, spent)


def _crowd(asked: str, run: Path, started: float, spent: float) -> Crowd:
    with RunRecord.open(run) as record:
        results = list(record.final())
    steps: list[float] = []
    first: list[float] = []
    for result in results:
        taken = list(_steps(run / result.folder))
        steps += [seconds for _, seconds, counts in taken if counts]
        first += [at for at, _, _ in taken[:1]]
    sizes = [size for result in results if (size := _memory(result)) is not None]
    return Crowd(
        asked=asked,
        episodes=len(results),
        void=sum(result.void for result in results),
        seconds=spent,
        acted_after=max(first, default=started) - started,
        most=_side_by_side(results),
        steps=tuple(steps),
        memory_mb=statistics.median(sizes) if sizes else None,
    )


def _steps(folder: Path) -> Iterator[tuple[float, float, bool]]:
    """Yield when each step was taken, how long the machine had it, and whether it says how quick the machine is."""
    for step in open_episode(folder).steps():
        if step.at is not None and step.seconds is not None and step.seconds.act is not None:
            yield step.at, step.seconds.act + (step.seconds.see or 0.0), step.kind not in THEIR_OWN_TIME


def _memory(result: Result) -> float | None:
    inside, outside = result.costs.get("inside_mb"), result.costs.get("outside_mb")
    return None if inside is None or outside is None else inside + outside


def _side_by_side(results: Sequence[Result]) -> int:
    """Return how many episodes ran at the same time, at most."""
    ends = [(result.started + result.seconds, -1) for result in results]
    most = running = 0
    for _, change in sorted([*((result.started, 1) for result in results), *ends]):
        running += change
        most = max(most, running)
    return most


def figures_of(crowds: Sequence[Crowd], kind: str) -> list[Figure]:
    """Return the figures: the largest crowd that the machine bears, then each that was tried."""
    borne = [crowd.most for crowd in crowds if crowd.bearable]
    figures = [
        Figure(
            key=f"{kind}_side_by_side",
            what=f"episodes side by side, {kind}",
            value=float(max(borne, default=0)),
            unit="",
            note=f"the most of those tried with no void and 95 % of the steps within {SLOW_SEC:g} s",
        )
    ]
    for crowd in crowds:
        memory = "unknown" if crowd.memory_mb is None else f"{crowd.memory_mb:.0f} MB"
        figures.append(
            Figure(
                key=f"{kind}_{crowd.asked}_p95_ms",
                what=f"a step, 95th percentile, {crowd.asked} asked for",
                value=None if crowd.slow is None else 1000 * crowd.slow,
                goal=1000 * SLOW_SEC,
                note=(
                    f"{crowd.episodes} episodes, {crowd.most} side by side, {crowd.void} void, {crowd.seconds:.0f} s "
                    f"in all, the last had acted after {crowd.acted_after:.0f} s, memory of one {memory}, median step "
                    f"{1000 * statistics.median(crowd.steps or (0.0,)):.0f} ms"
                ),
            )
        )
    return figures
