"""The figures of the sandbox computer: starting, seeing, acting, memory, density; with the baselines beside them."""

from __future__ import annotations

import io
import itertools
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Literal

from proctor.actions.action import Click, Press
from proctor.bench.measure import Figure, median_ms
from proctor.computers.images import store
from proctor.computers.pool import Pool
from proctor.computers.sandbox.computer import SandboxComputer
from proctor.errors import ComputerError
from proctor.observations.encode import png

LookName = Literal["xfce", "light"]
Say = Callable[[str], None]

WALK_SEC = 60.0
ROWS = 2000
# What a tree reader without bulk calls does: one round trip for each child, name, role, states and box.
WALKER = """
import pyatspi, time, sys
deadline = time.monotonic() + float(sys.argv[1])
began, count = time.monotonic(), 0
def walk(node):
    global count
    if time.monotonic() > deadline:
        raise TimeoutError
    count += 1
    node.name, node.getRoleName(), node.getState().getStates()
    try:
        node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    except NotImplementedError:
        count += 0
    for index in range(node.childCount):
        child = node.getChildAtIndex(index)
        if child is not None:
            walk(child)
done = True
try:
    walk(pyatspi.Registry.getDesktop(0))
except TimeoutError:
    done = False
print(time.monotonic() - began, count, done)
"""


def measure(*, image: str, office: str | None, desktops: int, repeats: int, say: Say) -> list[Figure]:
    """Measure everything; `office` names an image with LibreOffice and pyatspi for the tree's figures."""
    return [
        *_cold(image, repeats, say),
        *_lease(image, repeats, say),
        *_one_desktop(image, repeats, say),
        *_tree(office, repeats, say),
        *_memory(image, say),
        *_crowd(image, desktops, say),
    ]


def _cold(image: str, repeats: int, say: Say) -> list[Figure]:
    figures = []
    looks: tuple[tuple[LookName, float], ...] = (("xfce", 1200), ("light", 500))
    for look, goal in looks:
        say(f"cold start of {look}")
        spent = []
        for _ in range(repeats):
            computer = SandboxComputer(image=image, look=look)
            began = time.perf_counter()
            computer.start()
            spent.append((time.perf_counter() - began) * 1000)
            computer.close()
        value = sorted(spent)[len(spent) // 2]
        note = f"to a complete, quiet desktop; median of {repeats}, best {min(spent):.0f}"
        figures.append(
            Figure(key=f"cold_{look}_ms", what=f"cold start, {look}", value=value, unit="ms", goal=goal, note=note)
        )
    return figures


def _lease(image: str, repeats: int, say: Say) -> list[Figure]:
    say("lease from a warm pool")
    spent = []
    with Pool(lambda: SandboxComputer(image=image, look="light"), 1) as pool:
        for _ in range(repeats):
            pool.wait_ready(1)
            began = time.perf_counter()
            with pool.lease() as computer:
                computer.screenshot()
                spent.append((time.perf_counter() - began) * 1000)
    value = sorted(spent)[len(spent) // 2]
    note = f"lease and first screenshot; median of {repeats}"
    return [Figure(key="lease_ms", what="lease from a warm pool", value=value, unit="ms", goal=50, note=note)]


def _one_desktop(image: str, repeats: int, say: Say) -> list[Figure]:
    say("editor, screenshots, steps")
    with SandboxComputer(image=image) as computer:
        spent = []
        for number in range(repeats):
            computer.write_file(f"note{number}.txt", b"hello")
            began = time.perf_counter()
            app = computer.launch(["mousepad", "--disable-server", f"note{number}.txt"])
            spent.append((time.perf_counter() - began) * 1000)
            if number < repeats - 1:
                computer.run(["pkill", "mousepad"])
                computer.wait_for(lambda c: not c.windows(), what="the editor's end")
        assert app.window
        x, y = app.window.box.center
        # Another place each time: clicks at one place would count as double clicks, and wait so as not to.
        places = itertools.cycle([(x, y), (x + 40, y), (x, y + 40)])
        shot = computer.screenshot()
        raw = median_ms(computer.screenshot, 30)
        encoded = median_ms(lambda: png(computer.screenshot()), 15)
        pillow = median_ms(lambda: computer.screenshot().save(io.BytesIO(), "PNG"), 5)
        step = median_ms(lambda: _click(computer, *next(places)), 15)
        key = median_ms(lambda: computer.perform(Press(keys="Right")), 15)
    size = f"{shot.width}x{shot.height}"
    return [
        Figure(
            key="editor_ms",
            what="editor window, settled",
            value=sorted(spent)[len(spent) // 2],
            unit="ms",
            goal=500,
            note=f"median of {repeats}",
        ),
        Figure(
            key="screenshot_raw_ms", what=f"screenshot {size}, raw", value=raw, unit="ms", goal=5, note="median of 30"
        ),
        Figure(
            key="screenshot_encoded_ms",
            what=f"screenshot {size}, PNG",
            value=encoded,
            unit="ms",
            goal=30,
            note=f"Pillow's PNG of the same: {pillow:.0f} ms, {pillow / encoded:.1f} times as long",
        ),
        Figure(
            key="step_ms",
            what="action and settle, quiet screen",
            value=step,
            unit="ms",
            goal=60,
            note=f"click with the element looked up; a key: {key:.0f} ms",
        ),
    ]


def _click(computer: SandboxComputer, x: int, y: int) -> None:
    computer.perform(Click(x=x, y=y))


@contextmanager
def sheet(image: str) -> Iterator[SandboxComputer]:
    """Open LibreOffice Calc on a sheet of 2,000 rows."""
    cell = '<table:table-cell office:value-type="float" office:value="{0}"><text:p>{0}</text:p></table:table-cell>'
    row = "".join(cell.format(number) for number in range(8))
    content = (
        '<?xml version="1.0" encoding="UTF-8"?><office:document '
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2" '
        'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>'
        f'<table:table table:name="Data">{f"<table:table-row>{row}</table:table-row>" * ROWS}</table:table>'
        "</office:spreadsheet></office:body></office:document>"
    )
    with SandboxComputer(image=image) as computer:
        computer.write_file("sheet.fods", content.encode())
        computer.launch(["soffice", "--norestore", "--nologo", "--calc", "sheet.fods"], window="sheet", timeout_sec=90)
        computer.settle(timeout_sec=20)
        yield computer


def _tree(office: str | None, repeats: int, say: Say) -> list[Figure]:
    what, walk = f"tree of Calc, {ROWS} rows", "the same by a recursive pyatspi walk"
    if office is None:
        note = "no image with LibreOffice: build `full`"
        return [
            Figure(key="tree_ms", what=what, value=None, unit="ms", goal=250, note=note),
            Figure(key="tree_walk_ms", what=walk, value=None, unit="ms", note=note),
        ]
    say(f"tree of LibreOffice Calc (and the walk it is compared with, up to {WALK_SEC:.0f} s)")
    with sheet(office) as computer:
        tree = computer.tree()
        cells = sum(node.role == "table cell" and node.showing for node in tree.nodes)
        value = median_ms(computer.tree, max(repeats, 5))
        computer.write_file("/tmp/walker.py", WALKER.encode())
        done = computer.run(["python3", "/tmp/walker.py", str(WALK_SEC)], timeout_sec=WALK_SEC * 3)
        if done.code != 0:
            remedy = "the image needs python3-pyatspi"
            raise ComputerError(f"the walk to compare with failed: {done.stderr[-500:]}", remedy=remedy)
        seconds, count, whole = done.stdout.split()
    ended = "" if whole == "True" else f"given up after {count} nodes; "
    ratio = float(seconds) * 1000 / value
    return [
        Figure(
            key="tree_ms",
            what=what,
            value=value,
            unit="ms",
            goal=250,
            note=f"{len(tree.nodes)} nodes, {cells} visible cells; the walk takes over {ratio:.0f} times as long",
        ),
        Figure(
            key="tree_walk_ms", what=walk, value=float(seconds) * 1000, unit="ms", note=f"{ended}in the same desktop"
        ),
    ]


def _memory(image: str, say: Say) -> list[Figure]:
    figures = []
    looks: tuple[tuple[LookName, float], ...] = (("xfce", 320), ("light", 180))
    for look, goal in looks:
        say(f"memory of {look}")
        with SandboxComputer(image=image, look=look) as computer:
            computer.launch(["mousepad"])
            value = computer.usage().memory_bytes / 2**20
        figures.append(
            Figure(
                key=f"{look}_mb",
                what=f"memory with an editor, {look}",
                value=value,
                unit="MB",
                goal=goal,
                note="proportional set size of every process inside",
            )
        )
    return figures


def _crowd(image: str, desktops: int, say: Say) -> list[Figure]:
    say(f"{desktops} light desktops at once")
    with ExitStack() as stack:
        began = time.perf_counter()

        def open_one() -> SandboxComputer:
            computer = SandboxComputer(image=image, look="light").start()
            stack.callback(computer.close)
            computer.launch(["mousepad"])
            return computer

        with ThreadPoolExecutor(2) as starters:
            crowd = [future.result() for future in [starters.submit(open_one) for _ in range(desktops)]]
        started = time.perf_counter() - began
        total = sum(computer.usage().memory_bytes for computer in crowd) / 2**20
        steps = [median_ms(lambda c=computer: c.perform(Press(keys="Right")), 3) for computer in crowd]  # type: ignore[misc]
        alive = sum(bool(computer.windows()) for computer in crowd)
    note = f"{alive} of {desktops} answer, slowest step {max(steps):.0f} ms, all started within {started:.0f} s"
    what = f"memory of {desktops} light desktops with an editor"
    return [Figure(key="concurrent", what=what, value=total, unit="MB", goal=2560 * desktops / 16, note=note)]


def office_image() -> str | None:
    """Return an image that has LibreOffice and pyatspi, if there is one."""
    for image in store.images():
        names = {package.name for package in image.packages}
        if {"libreoffice-calc", "python3-pyatspi"} <= names:
            return image.name
    return None


def to_json(figures: list[Figure]) -> str:
    """Return the figures by key, with their details beside."""
    values = {figure.key: None if figure.value is None else round(figure.value, 2) for figure in figures}
    details = {
        figure.key: {"unit": figure.unit, "goal": figure.goal, "reached": figure.reached, "note": figure.note}
        for figure in figures
    }
    return json.dumps({**values, "details": details}, indent=1)
