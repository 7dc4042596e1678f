"""Proof of composed tasks on the way: stopping after a subtask must score what the graph says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate

from proctor.computers.computer import Computer
from proctor.errors import SpecError
from proctor.graphs.judge.coverage import coverage_rate
from proctor.tasks.rest import come_to_rest
from proctor.tasks.task_graph import TaskGraph
from proctor.tasks.watch import Watch

After = Callable[[int], None]
"""Called after each move, with how many have been made."""


def compare_prefixes(watch: Watch, computer: Computer) -> After:
    """Return what compares, where a subtask of a solution ends, what is completed with what must be.

    Judging does not touch the computer, so an agent that stopped there would have just this score.
    """
    graph = watch.graph
    ends = dict(
        zip(accumulate(graph.node(id).moves for id in graph.order), range(1, len(graph.order) + 1), strict=True)
    )

    def after(made: int) -> None:
        if made not in ends:
            return
        done = graph.order[: ends[made]]
        if set(watch.completed) != set(done):
            come_to_rest(computer)
            watch.look(computer)
        if set(watch.completed) != set(done):
            wanted = coverage_rate(graph.dag, done)
            raise SpecError(
                f"after {', '.join(done)} the coverage must be {wanted:.3g} and is {watch.coverage:.3g} "
                f"({', '.join(watch.completed) or 'nothing'} completed): {' '.join(watch.finding().feedback)}",
                remedy="see the check and the moves of the subtask that came last",
            )

    return after


def require_metrics(graph: TaskGraph, metrics: Mapping[str, float]) -> None:
    """Refuse figures of a solution that are not those of its order; raises SpecError."""
    order = graph.consistency([(id,) for id in graph.order])
    wanted = {"coverage": 1.0, "completion": 1.0, "result": 1.0, "consistency": order.overall}
    for name, value in wanted.items():
        if metrics.get(name) != value:
            raise SpecError(
                f"the {name} of the solution is {metrics.get(name)}, and must be {value} for its order",
                remedy="see which subtask was completed out of turn",
            )
