"""Going on from a recorded episode: how soon the next agent is asked, and how often screens are the recorded ones."""

from __future__ import annotations

import itertools
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click

from proctor.actions.action import Action
from proctor.agents.spec import AgentSpec
from proctor.bench.measure import Figure
from proctor.bench.terminal import print_figures, progress
from proctor.errors import SpecError
from proctor.exam.rules import Rules
from proctor.exam.state import ExamState
from proctor.exam.watcher import Reply, Watcher
from proctor.records import Origin, Result
from proctor.runner.origin import is_repeatable
from proctor.runner.plan import Plan, plan_tasks
from proctor.runner.run_episode import run_episode
from proctor.store.read import open_episode
from proctor.suites import load_suite
from proctor.suites.suite import Suite
from proctor.tasks.task import Task

LIGHT = frozenset({"mousepad", "thunar", "galculator", "ristretto", "xarchiver", "lxterminal", "pcmanfm"})
"""Applications that are up within a second; large ones take longer to start than all that is repeated."""
SECONDS_GOAL = 4.0
APART_GOAL = 5.0


@dataclass(frozen=True, kw_only=True)
class Try:
    """One episode that was gone on from."""

    task: str
    light: bool
    actions: int
    """How many of its actions were repeated."""
    seconds: float
    """From the request to the first question to the agent that goes on."""
    apart: tuple[int, ...] = ()
    """Before which of them the screen was another."""


@click.command("fork")
@click.argument("names", nargs=-1, metavar="[TASK]...")
@click.option("--suite", default="core", show_default=True, help="Whose tasks are recorded by their answer key first.")
@click.option("--step", type=click.IntRange(min=1), default=10, show_default=True, help="Actions that are repeated.")
@click.option("--tries", type=click.IntRange(min=1), default=100, show_default=True, help="Forks to make.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the order in which the tasks come.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def command(names: tuple[str, ...], suite: str, step: int, tries: int, seed: int, as_json: bool) -> None:
    """How soon another agent goes on from a recorded episode, and how often every screen is as it was recorded.

    A try takes twenty seconds or so: an episode is recorded, and then gone on from.
    """
    with progress() as say:
        figures = measure(
            suite=suite,
            step=step,
            tries=tries,
            names=names,
            seed=seed,
            say=say,
        )
    print_figures(figures, "proctor bench fork", as_json=as_json)


def measure(
    *, suite: str, step: int, tries: int, names: Sequence[str], seed: int, say: Callable[[str], None]
) -> list[Figure]:
    """Record episodes of the answer key, one task after the other, and go on from each.

    Args:
        suite: Whose tasks.
        step: How many actions are repeated; all where an episode has fewer.
        tries: How many episodes are gone on from.
        names: Only tasks of these names; all of the suite when empty.
        seed: Of the order in which tasks come, so that a few stand for the whole.
        say: Told what is measured next.
    """
    made: list[Try] = []
    left_out = 0
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as place:
        forker = _Forker(load_suite(suite), step)
        for number, task in enumerate(itertools.islice(_tasks(forker.suite, names, Random(seed)), 2 * tries)):
            if len(made) >= tries:
                break
            say(f"{len(made) + 1} of {tries}: {task.id}, seed {task.seed}")
            done = forker.attempt(task, Path(place) / str(number))
            if done is None:
                left_out += 1
            else:
                made.append(done)
    return figures_of(made, step=step, left_out=left_out)


def figures_of(made: Sequence[Try], *, step: int, left_out: int) -> list[Figure]:
    """Return the figures of the tries; what was left out had nothing to repeat, or its answer key failed."""
    timed = sorted(one.seconds for one in made if one.light and one.actions >= step)
    apart = [one for one in made if one.apart]
    named = ", ".join(f"{one.task} before action {one.apart[0]}" for one in apart[:5])
    other = f"; {left_out} left out" if left_out else ""
    slowest = f"median of {len(timed)}, slowest {timed[-1]:.1f}" if timed else "no such episode among the tries"
    return [
        Figure(
            key="fork_sec",
            what=f"from `fork --step {step}` to the next agent, light applications",
            value=statistics.median(timed) if timed else None,
            unit="s",
            goal=SECONDS_GOAL,
            note=slowest,
        ),
        Figure(
            key="fork_apart_percent",
            what="forks with a screen that was not the recorded one",
            value=100 * len(apart) / len(made) if made else None,
            unit="%",
            goal=APART_GOAL,
            note=f"{len(apart)} of {len(made)}{other}{': ' + named if named else ''}",
        ),
    ]


def _tasks(suite: Suite, names: Sequence[str], order: Random) -> Iterator[Task]:
    """Yield every task of a suite once before any comes again with another seed."""
    chosen = [template.name for template in suite.templates if not names or template.name in names]
    if missing := sorted(set(names) - set(chosen)):
        raise SpecError(f"suite {suite.name!r} has no task {missing[0]!r}", remedy="see `proctor tasks list`")
    order.shuffle(chosen)
    for seed in itertools.count():
        for name in chosen:
            yield suite.task(name, seed)


@dataclass(frozen=True)
class _Forker:
    """Records episodes of one suite, and goes on from them."""

    suite: Suite
    step: int

    def attempt(self, task: Task, run: Path) -> Try | None:
        """Record an episode and go on from it; None where there is nothing to go on from, or no computer for it."""
        first = self._held(task, "oracle", Rules(), run / "first")
        if not first.passed:
            return None
        folder = run / "first" / first.folder
        actions = min(self.step, sum(map(is_repeatable, open_episode(folder).steps())))
        if not actions:
            return None
        asked, began = _Asked(), time.monotonic()
        second = self._held(
            task, "idle", Rules(origin=str(folder), origin_actions=actions), run / "second", watchers=(asked,)
        )
        if second.stop == "void":
            return None
        origin = open_episode(run / "second" / second.folder).header.origin or Origin()
        apart = tuple(one.action for one in origin.apart)
        if asked.at is None:  # it ended on the way
            apart = (*apart, origin.repeated + 1)
        return Try(
            task=task.id,
            light=set(task.tags.apps) <= LIGHT,
            actions=actions,
            seconds=(asked.at or time.monotonic()) - began,
            apart=apart,
        )

    def _held(self, task: Task, agent: str, rules: Rules, run: Path, *, watchers: Sequence[Watcher] = ()) -> Result:
        plan = Plan(
            suite=self.suite.name,
            tasks=plan_tasks([task]),
            agents=(AgentSpec(agent),),
            rules=rules,
            assets=self.suite.assets,
        )
        (job,) = plan.jobs({}, run)
        return run_episode(job, watchers=watchers)


class _Asked(Watcher):
    """Notes when the agent that goes on makes its first move."""

    def __init__(self) -> None:
        self.at: float | None = None

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Look at the clock."""
        if not exam.turn.repeated and self.at is None:
            self.at = time.monotonic()
        return None
