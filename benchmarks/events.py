"""Events on a sandbox: from a condition to its effect, what looking costs, and whether the same seed gives the same."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from proctor.agents.oracle import Oracle
from proctor.bench.measure import Figure
from proctor.bench.terminal import print_figures
from proctor.computers import open_for
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.exam.exam import Exam
from proctor.exam.rules import UNLIMITED, Rules
from proctor.pause import pause
from proctor.runner.answer_key import moves
from proctor.runner.loop import examine
from proctor.runner.reactions import Reactions
from proctor.tasks.events import Event, When
from proctor.tasks.load import load_task
from proctor.tasks.shelves import expect, make, see
from proctor.tasks.task import Tags, Task

EXAMPLE = Path(__file__).parents[1] / "examples" / "events" / "renamed-invitation.json"
Log = tuple[tuple[str, int | None, int | None, bool], ...]
APART_SEC = 1.5
SIGNS = "for n in $(seq 0 {last}); do sleep {apart}; touch sign$n; done"


@click.command("events")
@click.option("--firings", type=click.IntRange(2, 200), default=50, show_default=True, help="How many conditions.")
@click.option(
    "--episodes",
    type=click.IntRange(0, 100),
    default=0,
    show_default=True,
    help="How many disturbed episodes of one seed to compare as well.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
def command(firings: int, episodes: int, as_json: bool) -> None:
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
    if episodes:
        others = episodes - count_alike([log_of_episode() for _ in range(episodes)])
        said = f"of {episodes} episodes of one seed"
        figures.append(Figure(key="event_logs", what="other event logs", value=others, unit="", goal=0, note=said))
    print_figures(figures, f"Events, {firings} conditions on files", as_json=as_json)


def log_of_episode(disturb: str = "dialog+window_moved+clipboard_replaced,seed=1") -> Log:
    """Return which events happened at which step of a disturbed episode of an example, by the oracle."""
    task = load_task(EXAMPLE)
    with Exam(task, lambda: open_for("sandbox", task.needs), Rules(disturb=disturb)) as exam:
        reactions = Reactions.of(task, disturb, lambda: exam.state.happenings)
        oracle = Oracle(lambda step: moves(task, exam.computer, reactions=reactions)(step))
        exam.candidate.meet(oracle)
        examine(exam, oracle)
        exam.end()
        return tuple((each.name, each.step, each.seen, bool(each.failed)) for each in exam.state.happenings)


def count_alike(logs: Sequence[Log]) -> int:
    """Return how many logs are as most are."""
    return max(Counter(logs).values())


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
