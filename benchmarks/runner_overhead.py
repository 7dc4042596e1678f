"""What the runner and the record add to an episode: the same tasks, with them and without, turn by turn."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from proctor.agents.spec import AgentSpec
from proctor.bench.measure import Figure
from proctor.computers import open_for
from proctor.runner.plan import Plan, plan_tasks
from proctor.runner.run_episode import run_episode
from proctor.suites import load_suite
from proctor.tasks.judge import judge
from proctor.tasks.perform import perform
from proctor.tasks.prepare import conclude, set_up
from proctor.tasks.task import Task


def measure_overhead(pairs: int) -> list[Figure]:
    """Compare episodes of the oracle with its bare moves between setup and judgement."""
    ratios, plain_total = [], 0.0
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as place:
        for number in range(pairs):
            for task in load_suite("tour").tasks((number,)):
                # One after the other within seconds, so that a busy machine slows both.
                bare, held = _bare(task), _hold(task, Path(place))
                ratios.append(held / bare - 1)
                plain_total += bare
    note = f"median over {len(ratios)} pairs of episodes of {plain_total / len(ratios):.1f} s"
    value = 100 * statistics.median(ratios)
    return [Figure(key="overhead_percent", what="runner and record", value=value, unit="%", goal=5, note=note)]


def _bare(task: Task) -> float:
    """Return how long it takes without an exam, whose own share would not show beside another one."""
    began = time.perf_counter()
    with open_for("sandbox", task.needs) as computer:
        set_up(task, computer)
        computer.baseline()
        ending = perform(task, task.solution, computer)
        conclude(task, computer)
        verdict = judge(task, computer, ending)
        computer.changes()
    assert verdict.passed, verdict.feedback
    return time.perf_counter() - began


def _hold(task: Task, run: Path) -> float:
    plan = Plan(suite="tour", tasks=plan_tasks([task]), agents=(AgentSpec("oracle"),))
    (job,) = plan.jobs({}, run)
    began = time.perf_counter()
    result = run_episode(job)
    assert result.passed, result.error
    return time.perf_counter() - began
