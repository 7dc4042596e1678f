"""The figures of task graphs: composing and wording them, finding hard ones, and judging how orderly agents went."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

import click

from benchmarks.graph_shapes import shape
from proctor.bench.measure import Figure, Laps
from proctor.bench.terminal import print_figures, progress
from proctor.errors import SpecError
from proctor.graphs.compose.compose import compose, compose_with
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.pool import SubtaskPool
from proctor.graphs.judge.consistency import consistency
from proctor.graphs.language.realise import realise
from proctor.graphs.mathematics.complexity import Dimension
from proctor.graphs.mathematics.constraints import Constraint
from proctor.graphs.mathematics.orders import Orders
from proctor.suites.pool import POOL

COUNT = 36_076
"""How many tasks OmniBench has."""
COUNT_SECONDS = 60
HARD_SEEDS = 20
GRAPHS = 20
APPS = 8


@click.command("graphs")
@click.option(
    "--count", type=click.IntRange(min=1), default=36_076, show_default=True, help="How many tasks to compose."
)
@click.option("-n", "--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes at work.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def command(count: int, workers: int, as_json: bool) -> None:
    """How fast tasks are composed and put into words, hard ones found, and the order of agents judged."""
    with progress() as say:
        figures = measure(POOL, count=count, workers=workers, say=say)
    print_figures(figures, "proctor bench graphs", as_json=as_json)


def measure(pool: SubtaskPool, *, count: int, workers: int, say: Callable[[str], None]) -> list[Figure]:
    """Measure everything.

    Args:
        pool: The subtasks to compose from.
        count: How many tasks to compose.
        workers: How many processes work on them.
        say: Told what is measured next.
    """
    say(f"{count:,} tasks from {len(pool)} subtasks")
    figures = measure_composing(pool, count, workers)
    say("tasks that are hard in every dimension")
    figures += _hard(pool)
    for nodes, goal in ((30, 10), (60, 1000)):
        say(f"logical consistency of graphs of {nodes} nodes")
        figures += _consistent(nodes, goal)
    return figures


def measure_composing(pool: SubtaskPool, count: int, workers: int) -> list[Figure]:
    """Compose different tasks and put each into words that are read back."""
    words, memory = Counter[bool](), 0.0
    began, worked = time.perf_counter(), _processor_seconds()
    for number, instruction in enumerate(compose_with(_instruction, pool, count=count, workers=workers), 1):
        words[bool(instruction)] += 1
        if number == count:  # while the processes are still there
            memory = _peak_mb([os.getpid(), *(process.pid or 0 for process in multiprocessing.active_children())])
    seconds, worked = time.perf_counter() - began, _processor_seconds() - worked
    done, refused = words[True], words[False]
    return [
        Figure(
            key="compose_s",
            what=f"{count:,} different tasks",
            value=seconds,
            unit="s",
            goal=COUNT_SECONDS * count / COUNT,
            note=f"{len(pool)} subtasks; put into words and read back; {workers} workers, {worked:.0f} s of processor",
        ),
        Figure(
            key="tasks_per_minute",
            what="tasks a minute",
            value=done / seconds * 60,
            unit="",
            note=f"{COUNT:,} would take {COUNT * seconds / max(1, done):.0f} s",
        ),
        Figure(
            key="refused_percent",
            what="compositions that were refused",
            value=100 * refused / max(1, count),
            unit="%",
            goal=1,
            note=f"{refused:,} of {count:,}: no text was found that the validator reads as it was meant",
        ),
        Figure(
            key="compose_mb",
            what="peak memory of all processes",
            value=memory,
            unit="MB",
            goal=1000,
            note=f"the sum of the peaks of {workers if workers > 1 else 0} workers and of this process",
        ),
    ]


def _instruction(composition: Composition, pool: SubtaskPool) -> str:
    """Return the instruction of a composition, which has been validated; empty where there is none that is clear."""
    try:
        return realise(composition, pool.by_name)
    except SpecError:
        return ""


def _processor_seconds() -> float:
    """Return how long this process and those that it has waited for have kept processors busy."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _peak_mb(processes: Iterable[int]) -> float:
    """Return the most memory that each of some processes has had so far, added up."""
    total = 0.0
    for process in processes:
        for line in Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                total += int(line.split()[1]) / 1024
    return total


def _hard(pool: SubtaskPool) -> list[Figure]:
    """Look for one task at a time that is hard in every dimension."""
    hard = [Constraint.parse(dimension, "hard") for dimension in Dimension]
    watch = Laps()
    for seed in range(HARD_SEEDS):
        with watch.lap():
            next(compose(pool, seed=seed, constraints=hard))
    note = f"{HARD_SEEDS} seeds, each from the pool alone: what follows what is found out again every time"
    return _median_and_worst("hard", "a task hard in all five dimensions", watch, 100, note)


def _consistent(nodes: int, goal: float) -> list[Figure]:
    """Judge an order of random graphs."""
    watch, random = Laps(), Random(nodes)
    orders = 0
    for _ in range(GRAPHS):
        dag = shape(nodes, nodes + nodes // 2, nodes // 5, nodes // 4, random=random)
        apps = {node: str(random.randrange(APPS)) for node in dag.nodes}
        with watch.lap():
            consistency(dag, apps, [[node] for node in dag.order])
        if nodes <= 30:  # of larger ones they cannot always be counted
            orders = max(orders, Orders(dag).count())
    note = f"{GRAPHS} random graphs, {APPS} applications" + (f", up to {orders:.1e} orders" if orders else "")
    return _median_and_worst(f"consistency_{nodes}", f"logical consistency, {nodes} nodes", watch, goal, note)


def _median_and_worst(key: str, what: str, watch: Laps, goal: float, note: str) -> list[Figure]:
    return [
        Figure(key=f"{key}_ms", what=what, value=watch.median, goal=goal, note=note),
        Figure(key=f"{key}_worst_ms", what=f"{what}: the worst", value=max(watch.spent), goal=goal),
    ]
