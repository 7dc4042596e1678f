"""The figures of the sandbox: starting, seeing, acting, memory, density; with baselines."""

from __future__ import annotations

import io
import itertools
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Literal

from proctor.actions.action import Click, Press, Type
from proctor.bench.measure import Figure, Laps, measure_parts, median_ms
from proctor.bench.spreadsheet import measure_tree
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.computer import Computer
from proctor.computers.pool import Pool
from proctor.observations.encode import png

LookName = Literal["xfce", "light"]
LOOKS: tuple[LookName, ...] = ("xfce", "light")
COLD_GOALS = {"xfce": 1200, "light": 500}
MEMORY_GOALS = {"xfce": 320, "light": 180}
PROSE = ("The quick brown fox jumps over the lazy dog; it is not amused. " * 3 + "\n") * 52
"""About ten thousand characters, in lines as people write them."""


def measure(*, image: str, office: str | None, desktops: int, repeats: int, say: Callable[[str], None]) -> list[Figure]:
    """Measure everything; `office` names an image with LibreOffice and pyatspi for the tree."""
    parts = (
        ("a lease from a warm pool", partial(_lease, image, repeats)),
        *((f"cold starts of {look}", partial(_cold, image, look, repeats)) for look in LOOKS),
        ("an editor, screenshots and steps", partial(_one_desktop, image, repeats)),
        ("the tree of a spreadsheet, and the walk it is compared with", partial(measure_tree, office, repeats)),
        *((f"memory of {look}", partial(_memory, image, look)) for look in LOOKS),
        (f"{desktops} light desktops at once", partial(_crowd, image, desktops)),
    )
    return measure_parts(parts, say)


def measure_lease(key: str, repeats: int, make: Callable[[], Computer]) -> list[Figure]:
    """Measure what a lease from a warm pool takes."""
    watch = Laps()
    with Pool(make, 1) as pool:
        for _ in range(repeats):
            pool.wait_ready(1)
            with watch.lap():
                lease = pool.lease()
                lease.__enter__().screenshot()
            lease.__exit__(None, None, None)
    note = f"with the first screenshot; median of {repeats}"
    return [Figure(key=key, what="lease from a warm pool", value=watch.median, goal=50, note=note)]


def measure_cold(key: str, what: str, goal: float, repeats: int, make: Callable[[], Computer], to: str) -> list[Figure]:
    """Measure starts without a pool, `to` whatever is there then."""
    watch = Laps()
    for _ in range(repeats):
        computer = make()
        with watch.lap():
            computer.start()
        computer.close()
    note = f"to {to}; median of {repeats}, best {min(watch.spent):.0f}"
    return [Figure(key=key, what=what, value=watch.median, goal=goal, note=note)]


def _lease(image: str, repeats: int) -> list[Figure]:
    return measure_lease("lease_ms", repeats, lambda: SandboxComputer(image=image, look="light"))


def _cold(image: str, look: LookName, repeats: int) -> list[Figure]:
    make = partial(SandboxComputer, image=image, look=look)
    return measure_cold(
        f"cold_{look}_ms", f"cold start, {look}", COLD_GOALS[look], repeats, make, "a complete, quiet desktop"
    )


def _one_desktop(image: str, repeats: int) -> list[Figure]:
    with SandboxComputer(image=image) as computer:
        watch = Laps()
        for number in range(repeats):
            if number:
                computer.perform(Press(keys="ctrl+q"))
                computer.wait_for(lambda c: not c.windows(), what="the editor's end")
            computer.write_file(f"note{number}.txt", b"")
            with watch.lap():
                app = computer.launch(["mousepad", "--disable-server", f"note{number}.txt"])
        editor = Figure(
            key="editor_ms", what="editor window, settled", value=watch.median, goal=500, note=f"median of {repeats}"
        )
        assert app.window
        return [editor, *_screenshots(computer), *_steps(computer, app.window.box.center)]


def _screenshots(computer: SandboxComputer) -> list[Figure]:
    width, height = computer.size
    raw = median_ms(computer.screenshot, 30)
    encoded = median_ms(lambda: png(computer.screenshot()), 15)
    pillow = median_ms(lambda: computer.screenshot().save(io.BytesIO(), "PNG"), 5)
    what = f"screenshot {width}x{height}"
    note = f"Pillow's own encoder takes {pillow / encoded:.1f} times as long ({pillow:.0f} ms)"
    return [
        Figure(key="screenshot_raw_ms", what=f"{what}, raw", value=raw, goal=5, note="median of 30"),
        Figure(key="screenshot_encoded_ms", what=f"{what}, PNG", value=encoded, goal=30, note=note),
    ]


def _steps(computer: SandboxComputer, center: tuple[int, int]) -> list[Figure]:
    x, y = center
    # Another place each time: clicks at one place would count as double clicks, and wait so as not to.
    places = itertools.cycle([(x, y), (x + 40, y), (x, y + 40)])

    def click() -> None:
        here = next(places)
        computer.perform(Click(x=here[0], y=here[1]))

    step = median_ms(click, 15)
    key = median_ms(lambda: computer.perform(Press(keys="Right")), 15)
    typed = median_ms(lambda: computer.perform(Type(text=PROSE)), 1)
    note = f"a click with its element looked up; a key takes {key:.0f} ms"
    return [
        Figure(key="step_ms", what="action and settle, quiet screen", value=step, goal=90, note=note),
        Figure(key="type_ms", what=f"{len(PROSE)} characters typed", value=typed, note="into the editor, as real keys"),
    ]


def _memory(image: str, look: LookName) -> list[Figure]:
    with SandboxComputer(image=image, look=look) as computer:
        computer.launch(["mousepad"])
        value = computer.usage().memory_bytes / 2**20
    note = "proportional set size of every process inside"
    what = f"memory with an editor, {look}"
    return [Figure(key=f"{look}_mb", what=what, value=value, unit="MB", goal=MEMORY_GOALS[look], note=note)]


def _crowd(image: str, desktops: int) -> list[Figure]:
    with ExitStack() as stack:

        def open_one(_: int) -> SandboxComputer:
            computer = SandboxComputer(image=image, look="light").start()
            stack.callback(computer.close)
            computer.launch(["mousepad"])
            return computer

        began = time.perf_counter()
        with ThreadPoolExecutor(2) as starters:
            crowd = list(starters.map(open_one, range(desktops)))
        started = time.perf_counter() - began
        total = sum(computer.usage().memory_bytes for computer in crowd) / 2**20
        press = Press(keys="Right")
        slowest = max(median_ms(partial(computer.perform, press), 3) for computer in crowd)
        alive = sum(bool(computer.windows()) for computer in crowd)
    note = f"{alive} of {desktops} answer, slowest step {slowest:.0f} ms, all up after {started:.0f} s"
    what = f"memory of {desktops} light desktops, editors open"
    return [Figure(key="concurrent", what=what, value=total, unit="MB", goal=2560 * desktops / 16, note=note)]
