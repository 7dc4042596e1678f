"""How many episodes the runner holds a second, and whether its memory grows."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from proctor.agents.spec import AgentSpec
from proctor.bench.measure import Figure
from proctor.exam.rules import Rules
from proctor.runner.admission import EpisodeAdmission
from proctor.runner.plan import Plan, plan_tasks
from proctor.runner.plan_record import begin
from proctor.runner.schedule import RunEvent, carry_out
from proctor.runner.workers.local import LocalWorkers
from proctor.tasks.shelves import expect, make, see
from proctor.tasks.task import Tags, Task

TASKS = 100
PATH = "list.txt"


def measure_throughput(episodes: int) -> list[Figure]:
    """Hold episodes of the idle agent on the fake computer, on every core."""
    cores = len(os.sched_getaffinity(0))
    plan = Plan(
        suite="bench",
        tasks=plan_tasks(_task(number) for number in range(TASKS)),
        agents=(AgentSpec("idle"),),
        samples=max(1, episodes // TASKS),
        rules=Rules(backend="fake,size=320x320"),
    )
    memory: list[float] = []

    def hear(event: RunEvent) -> None:
        if event.kind == "ended":
            done.append(time.perf_counter())
            if len(done) % max(1, len(plan) // 10) == 0:
                memory.append(_resident_mb())

    done: list[float] = []
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as place:
        with begin(plan, Path(place) / "run", images={}) as record:
            tally = carry_out(plan, record, LocalWorkers(EpisodeAdmission.of(cores), longest_sec=60), heard=hear)
        assert tally.ended == len(plan) and not tally.void, "episodes on the fake computer came out void"
    # From the first end on: starting the workers is not part of the rate.
    rate = (len(done) - 1) / (done[-1] - done[0]) / cores
    grown = memory[-1] - memory[0] if memory else 0.0
    return [
        Figure(
            key="episode_ms",
            what="an episode on the fake computer, per core",
            value=1000 / rate,
            goal=5,
            note=f"{rate:.0f} a second and core over {len(plan):,}: setup, a look, judgement, record; {cores} workers",
        ),
        Figure(
            key="memory_growth_mb",
            what="growth of the runner's memory",
            value=grown,
            unit="MB",
            goal=10,
            note=f"between a tenth and all of {len(plan):,} episodes; {memory[-1]:.0f} MB at the end",
        ),
    ]


def _task(number: int) -> Task:
    return Task(
        id=f"bench/list-{number}-v1",
        instruction="Add eggs to the list and save it.",
        setup=(make.text_file(PATH, "milk\n"), make.launch(["mousepad", PATH])),
        check=expect.text_is(see.text(PATH), "milk\neggs\n"),
        expected=(PATH,),
        tags=Tags(apps=("mousepad",), level=2, domain="Life", scenario="Shopping", demand="Searching"),
    )


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
