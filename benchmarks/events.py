"""Events on a sandbox: seconds from a condition to what it brings about, and what looking for it costs."""

from __future__ import annotations

import statistics

import click

from proctor.bench.measure import Figure
from proctor.bench.terminal import print_figures
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.exam.exam import Exam
from proctor.exam.rules import UNLIMITED
from proctor.pause import pause
from proctor.tasks.events import Event, When
from proctor.tasks.shelves import expect, make, see
from proctor.tasks.task import Tags, Task

APART_SEC = 2.5
SIGNS = "for n in $(seq 0 {last}); do sleep {apart}; touch sign$n; done"


@click.command("events")
@click.option("--firings", type=click.IntRange(2, 100), default=50, show_default=True, help="How many conditions.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
def command(firings: int, as_json: bool) -> None:
    """Let conditions come true while nobody acts, and tell how soon their events have happened."""
    late, share = measure(firings)
    cuts = statistics.quantiles(late, n=20)
    figures = [
        Figure(
            key="event_ms", what="from condition to effect", value=statistics.median(late), goal=1000, note="median"
        ),
        Figure(key="event_95_ms", what="the same, 95 of 100", value=cuts[-1], goal=1000),
        Figure(key="event_worst_ms", what="the same, the worst", value=max(late)),
        Figure(key="event_looking", what="share of the time spent looking", value=share * 100, unit="%", goal=3),
    ]
    print_figures(figures, f"Events, {firings} conditions on files", as_json=as_json)


def measure(firings: int) -> tuple[list[float], float]:
    """Return the milliseconds of each, by the clock inside, and the share of the time in which it was looked."""
    tags = Tags(apps=("mousepad",), level=3, domain="Office", scenario="Documentation", demand="Writing")
    events = tuple(
        Event(
            name=f"effect {n}",
            do=(make.text_file(f"effect{n}", ""),),
            when=When(check=expect.file_exists(see.file(f"sign{n}")), after=(f"effect {n - 1}",) if n else ()),
        )
        for n in range(firings)
    )
    check = expect.file_exists(see.file(f"effect{firings - 1}"))
    task = Task(id="bench/events-v1", instruction="Wait.", tags=tags, check=check, events=events)
    with SandboxComputer(look="light", size=(800, 600)) as computer, Exam(task, computer, UNLIMITED) as exam:
        exam.begin()
        script = SIGNS.format(last=firings - 1, apart=APART_SEC)
        computer.launch(["sh", "-c", script], wait=False)
        began = computer.clock()
        with exam.lookout.keep():
            pause(firings * (APART_SEC + 0.2) + 3)
        took = computer.clock() - began
        exam.end()
        count = sum(each.happened for each in exam.state.happenings)
        times = [[computer.file_info(f"{name}{n}").modified for name in ("sign", "effect")] for n in range(count)]
        return [(effect - sign) * 1000 for sign, effect in times], exam.state.figures["event_look_seconds"] / took
