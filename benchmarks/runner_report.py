"""How long a report over many episodes takes."""

from __future__ import annotations

import hashlib
import random
import tempfile
import time
from pathlib import Path

from proctor.bench.measure import Figure
from proctor.records import EpisodeKey, Result
from proctor.report.page import page
from proctor.report.read_runs import read_runs
from proctor.report.summary import summarise
from proctor.store.chain import forge
from proctor.store.run import RunRecord

AGENTS, TASKS = 10, 500


def measure_report(recorded: int) -> list[Figure]:
    """Read, sum up and draw a run of so many results."""
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as place:
        folder = Path(place) / "run"
        _write_run(folder, recorded)
        began = time.perf_counter()
        text = page(summarise(*read_runs([folder])), "bench")
        seconds = time.perf_counter() - began
    note = f"{AGENTS} agents, {TASKS} tasks; chain checked, every two agents compared, a page of {len(text) // 1024} kB"
    return [Figure(key="report_s", what=f"report over {recorded:,}", value=seconds, unit="s", goal=10, note=note)]


def _write_run(folder: Path, number: int) -> None:
    """Write a run that has an index and nothing else, which is all that a report reads."""
    RunRecord.create(folder, {"suite": "bench", "episodes": number}).close()
    draw = random.Random(0)
    last = hashlib.sha256((folder / "run.json").read_bytes()).hexdigest()
    with (folder / "index.jsonl").open("wb") as index:
        for place in range(number):
            task, agent = place // AGENTS % TASKS, place % AGENTS
            passed = draw.random() < 0.3 + 0.04 * agent
            result = Result(
                key=EpisodeKey(task=f"bench/task-{task}-v1", agent=f"agent-{agent}", sample=place // AGENTS // TASKS),
                digest=f"{task:064x}",
                apps=("mousepad",),
                categories=("Office",),
                level=1 + task % 4,
                domain="Office",
                scenario="Documentation",
                demand="Writing",
                score=float(passed),
                modes=() if passed else ("false_finish",),
                steps=draw.randint(1, 50),
                seconds=draw.uniform(2, 90),
                cost_usd=draw.uniform(0, 0.3),
            )
            line, last = forge(last, {**result.to_json(), "sums": ""})
            index.write(line)
