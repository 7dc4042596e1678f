"""Measure two checkouts of Proctor side by side, in turns, and leave out what the host's other guests disturbed.

    git worktree add --detach ../before COMMIT
    python benchmarks/side_by_side.py ../before . --rounds 7 --minutes 10

Each checkout has one worker process; they take turns at the same part of `proctor bench`, so that both meet the same
weather. A turn during which the hypervisor gave more than `--stolen` of the processors' time to others says nothing
about either and is not counted. What is printed is a ratio of medians for each figure, and how many turns it rests on.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

PARTS: dict[str, str] = {
    "lease": "computer._lease('starter', 3)",
    "cold-xfce": "computer._cold('starter', 'xfce', 1)",
    "cold-light": "computer._cold('starter', 'light', 1)",
    "desktop": "computer._one_desktop('starter', 1)",
    "memory": "computer._memory('starter', 'xfce')",
    "throughput": "throughput.measure_throughput(300)",
    "report": "reporting.measure_report(1000)",
    "replay": "replay.measure_replay()",
}
"""Parts of `proctor bench` that both checkouts have, small enough that a quiet moment holds a whole turn."""


def main() -> None:
    """Take turns until every part has enough undisturbed ones, or the time is up; print the ratios."""
    options = _options()
    checkouts = {"before": options.before, "after": options.after}
    workers = {name: _start(path) for name, path in checkouts.items()}
    deadline = time.monotonic() + options.minutes * 60
    try:
        for part in options.parts:
            _measure(part, workers, options, deadline)
    finally:
        for worker in workers.values():
            worker.kill()


def _measure(
    part: str, workers: dict[str, subprocess.Popen[str]], options: argparse.Namespace, deadline: float
) -> None:
    seen: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in workers}
    kept = dict.fromkeys(workers, 0)
    dropped = 0
    order = list(workers)
    while min(kept.values()) < options.rounds and time.monotonic() < deadline:
        for name in order:
            figures, stolen = _take_turn(workers[name], PARTS[part])
            if stolen > options.stolen:
                dropped += 1
                continue
            kept[name] += 1
            for key, value in figures.items():
                seen[name][key].append(value)
        order.reverse()
    for key in sorted(seen["before"].keys() & seen["after"].keys()):
        before, after = (statistics.median(seen[name][key]) for name in ("before", "after"))
        ratio = f"{after / before:.2f}" if before else "-"
        turns = f"{kept['before']} and {kept['after']} turns, {dropped} disturbed"
        print(f"{part:12} {key:24} before {before:10.1f}   after {after:10.1f}   ratio {ratio}   {turns}", flush=True)
    if not min(kept.values()):
        print(f"{part:12} no undisturbed turns of both ({dropped} disturbed)", flush=True)


def _take_turn(worker: subprocess.Popen[str], expression: str) -> tuple[dict[str, float], float]:
    """The figures, and the share of all processors' time that the hypervisor kept meanwhile."""
    before, began = _stolen_ticks(), time.monotonic()
    figures = _ask(worker, expression)
    spent = (time.monotonic() - began) * os.sysconf("SC_CLK_TCK") * (os.cpu_count() or 1)
    return figures, (_stolen_ticks() - before) / max(1.0, spent)


def _stolen_ticks() -> int:
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return int(fields[8])


def _start(checkout: Path) -> subprocess.Popen[str]:
    source = f"{checkout.resolve() / 'src'}{os.pathsep}{checkout.resolve()}"
    return subprocess.Popen(
        [sys.executable, __file__, "--worker"],
        env={**os.environ, "PYTHONPATH": source},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _ask(worker: subprocess.Popen[str], expression: str) -> dict[str, float]:
    assert worker.stdin and worker.stdout
    worker.stdin.write(expression + "\n")
    worker.stdin.flush()
    answer = worker.stdout.readline()
    if not answer:
        raise SystemExit(f"the worker ended while it measured {expression}; what it said is above")
    figures: dict[str, float] = json.loads(answer)
    return figures


def _serve() -> None:
    """Measure what each line of standard input names, with the checkout that PYTHONPATH puts first."""
    from benchmarks import runner_replay as replay
    from benchmarks import runner_report as reporting
    from benchmarks import runner_throughput as throughput
    from proctor.bench import computer

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the code under measurement prints must not mix with the answers
    rooms = {"computer": computer, "replay": replay, "reporting": reporting, "throughput": throughput}
    for line in sys.stdin:
        figures = eval(line, rooms)  # one of PARTS, written above
        answers.write(json.dumps({figure.key: figure.value for figure in figures if figure.value is not None}) + "\n")
        answers.flush()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="checkout to compare with")
    parser.add_argument("after", type=Path, help="checkout to judge")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="what to measure")
    parser.add_argument("--rounds", type=int, default=7, help="undisturbed turns each checkout should have (7)")
    parser.add_argument("--minutes", type=float, default=20, help="when to stop waiting for them (20)")
    parser.add_argument("--stolen", type=float, default=0.03, help="share of stolen time that disturbs a turn (0.03)")
    return parser.parse_args()


if __name__ == "__main__":
    _serve() if sys.argv[1:] == ["--worker"] else main()
