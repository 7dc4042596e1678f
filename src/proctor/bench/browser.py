"""The figures of the browser computer: starting, leasing, MiniWoB++, looking, and a step."""

from __future__ import annotations

import itertools
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from proctor.actions.action import Click
from proctor.agents.spec import AgentSpec
from proctor.bench.computer import measure_cold, measure_lease
from proctor.bench.measure import Figure, Laps, measure_parts, median_ms
from proctor.computers.backends.browser import reuse as parking
from proctor.computers.backends.browser.computer import BrowserComputer
from proctor.errors import MissingExtra
from proctor.exam.rules import Rules
from proctor.runner.admission import EpisodeAdmission
from proctor.runner.plan import Plan, plan_tasks
from proctor.runner.plan_record import begin
from proctor.runner.schedule import RunEvent, carry_out
from proctor.runner.workers.local import LocalWorkers
from proctor.suites import load_suite
from proctor.tasks.prepare import set_up

PAGES = (
    "click-button", "click-link", "click-option", "click-tab", "click-dialog", "enter-text", "enter-password",
    "focus-text", "click-checkboxes", "click-test-2",
)  # fmt: skip
"""Of the pages that the rule-based agent solves, some of each kind."""
ELEMENTS = 2000
LONG_PAGE = (
    "data:text/html,<title>many</title><body><script>"
    f"for (let n = 0; n < {ELEMENTS}; n++) "
    "document.write(`<div><button>b${n}</button> <a href='%23'>l${n}</a></div>`)"
    "</script>"
)


def measure(*, image: str, repeats: int, say: Callable[[str], None]) -> list[Figure]:
    """Measure everything, on an image that has Chromium."""
    parts = (
        ("cold starts to a page", partial(_cold, image, repeats)),
        (
            "a lease from a warm pool",
            partial(measure_lease, "browser_lease_ms", repeats, partial(BrowserComputer, image=image)),
        ),
        ("a page with many elements, and steps", partial(_page, image)),
        ("pages of MiniWoB++", partial(_miniwob, image, repeats)),
        ("episodes on MiniWoB++", partial(_episodes, image, repeats)),
    )
    return measure_parts(parts, say)


def _cold(image: str, repeats: int) -> list[Figure]:
    make = partial(BrowserComputer, image=image, url="data:text/html,<h1>here</h1>")
    return measure_cold("browser_cold_ms", "cold start to a page", 2500, repeats, make, "a loaded, quiet page")


def _page(image: str) -> list[Figure]:
    with BrowserComputer(image=image, url=LONG_PAGE) as computer:
        tree = median_ms(computer.tree, 15)
        seen = len(computer.tree().nodes)
        # Another place each time: clicks at one place would count as double clicks, and wait so as not to.
        places = itertools.cycle([(600, 100), (700, 200), (800, 300)])

        def click() -> None:
            x, y = next(places)
            computer.perform(Click(x=x, y=y))

        step = median_ms(click, 15)
    note = f"{seen} of them on the screen; median of 15"
    what = f"what is visible of a page with {2 * ELEMENTS} elements"
    return [
        Figure(key="browser_tree_ms", what=what, value=tree, goal=150, note=note),
        Figure(key="browser_step_ms", what="action and settle, quiet page", value=step, goal=60, note="median of 15"),
    ]


def _miniwob(image: str, repeats: int) -> list[Figure]:
    what = "a page of MiniWoB++ begun anew"
    try:
        tasks = [load_suite("miniwob").task("click-button", seed) for seed in range(4 * repeats)]
    except MissingExtra as error:
        return [Figure(key="miniwob_reset_ms", what=what, value=None, goal=60, note=error.remedy)]
    watch = Laps()
    try:
        with BrowserComputer(image=image, size=(1000, 640), scale=2.0, reuse=True) as computer:
            set_up(tasks[0], computer)
            for task in tasks:
                with watch.lap():
                    set_up(task, computer)
    finally:
        parking.discard_all()
    note = f"loaded, seeded and settled; median of {len(tasks)}, best {min(watch.spent):.0f}"
    return [Figure(key="miniwob_reset_ms", what=what, value=watch.median, goal=60, note=note)]


def _episodes(image: str, repeats: int) -> list[Figure]:
    what = "an episode of the rule-based agent on MiniWoB++, recorded"
    suite, cores = load_suite("miniwob"), len(os.sched_getaffinity(0))
    # An episode waits for pictures to be drawn half of the time.
    workers = 2 * cores
    try:
        tasks = [suite.task(name, seed) for seed in range(3 * repeats) for name in PAGES]
    except MissingExtra as error:
        return [Figure(key="miniwob_episode_ms", what=what, value=None, goal=1000 / 3, note=error.remedy)]
    plan = Plan(
        suite="bench",
        tasks=plan_tasks(tasks),
        agents=(AgentSpec("rules"),),
        rules=Rules(backend=f"{suite.computer},image={image}"),
    )
    ends: list[float] = []

    def hear(event: RunEvent) -> None:
        if event.kind == "ended":
            ends.append(time.perf_counter())

    with (
        tempfile.TemporaryDirectory(prefix="proctor-bench-") as place,
        begin(plan, Path(place) / "run", images={}) as record,
    ):
        tally = carry_out(plan, record, LocalWorkers(EpisodeAdmission.of(workers), longest_sec=300), heard=hear)
        passed = sum(result.passed for result in record.final())
    assert not tally.void, "episodes on MiniWoB++ came out void"
    # Without the first of each worker, in which a browser starts.
    counted = ends[workers:]
    rate = (len(counted) - 1) / (counted[-1] - counted[0])
    note = f"{rate:.1f} a second over {len(counted)}, {passed} of {len(ends)} passed; {workers} workers, {cores} cores"
    return [Figure(key="miniwob_episode_ms", what=what, value=1000 / rate, goal=1000 / 3, note=note)]
