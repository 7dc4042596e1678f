"""Proofs on the way: where a solution stops early, just what it has reached must count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate

from proctor.computers.computer import Computer
from proctor.errors import SpecError
from proctor.graphs.judge.coverage import coverage_rate
from proctor.prove.key_exam import KeyExam
from proctor.tasks.checkpoints import ends_of
from proctor.tasks.judge import judge
from proctor.tasks.rest import come_to_rest
from proctor.tasks.task import Task
from proctor.tasks.task_graph import TaskGraph
from proctor.tasks.watch import Watch

After = Callable[[int], None]
"""Called after each move, with how many have been made."""


def compare_on_the_way(task: Task, exam: KeyExam) -> After | None:
    """Return what compares a solution on its way with what the task says; None where that says nothing."""
    if isinstance(exam.watch, Watch):
        return compare_subtasks(exam.watch, exam.computer)
    return compare_checkpoints(task, exam) if task.checkpoints else None


def compare_checkpoints(task: Task, exam: KeyExam) -> After:
    """Return what compares, where a stretch of a solution ends, the checkpoints that hold with those that must.

    An agent that stopped there would be judged in the same way.
    """
    ends, names = ends_of(task.checkpoints), [each.name for each in task.checkpoints]

    def after(made: int) -> None:
        if made not in ends:
            return
        come_to_rest(exam.computer)
        verdict = judge(task, exam.computer, exam.state.ending)
        held, wanted = [name for name, holds in verdict.checkpoints.items() if holds], names[: ends[made]]
        if held != wanted:
            raise SpecError(
                f"after {made} moves the checkpoints must be {', '.join(wanted)}, and they are "
                f"{', '.join(held) or 'none'}: {' '.join(verdict.feedback)}",
                remedy="see the checks of these checkpoints, and how many `moves` lead to each",
            )
        if not verdict.score:
            raise SpecError(f"a guard fails after {made} moves: {verdict.feedback[0]}", remedy="see `guards`")

    return after


def compare_subtasks(watch: Watch, computer: Computer) -> After:
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
