"""The tree of a large spreadsheet, read in bulk and by the walk it is compared with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from proctor.bench.measure import Figure, median_ms
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.images import store
from proctor.errors import ComputerError

ROWS = 2000
WALK_SEC = 60.0
WHAT = f"tree of Calc with {ROWS} rows"
# What a reader without bulk calls does: a round trip for each child, name, role, states and box.
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
    if "Component" in pyatspi.listInterfaces(node):
        node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
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


def office_image() -> str | None:
    """Return an image that has LibreOffice and pyatspi, if there is one."""
    for image in store.images():
        if {"libreoffice-calc", "python3-pyatspi"} <= {package.name for package in image.packages}:
            return image.name
    return None


@contextmanager
def open_sheet(image: str) -> Iterator[SandboxComputer]:
    """Open LibreOffice Calc on a sheet of 2,000 rows."""
    with SandboxComputer(image=image) as computer:
        computer.write_file("sheet.fods", flat_sheet(ROWS).encode())
        computer.launch(["soffice", "--norestore", "--nologo", "--calc", "sheet.fods"], window="sheet", timeout_sec=90)
        computer.settle(timeout_sec=20)
        yield computer


def flat_sheet(rows: int) -> str:
    """Return a spreadsheet as one XML file."""
    cell = '<table:table-cell office:value-type="float" office:value="{0}"><text:p>{0}</text:p></table:table-cell>'
    row = "<table:table-row>" + "".join(cell.format(number) for number in range(8)) + "</table:table-row>"
    return (
        '<?xml version="1.0" encoding="UTF-8"?><office:document '
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2" '
        'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>'
        f'<table:table table:name="Data">{row * rows}</table:table>'
        "</office:spreadsheet></office:body></office:document>"
    )


def measure_tree(office: str | None, repeats: int) -> list[Figure]:
    """Measure the bulk read and the walk in one desktop."""
    if office is None:
        note = "no image with LibreOffice and pyatspi: build `full`"
        return [
            Figure(key="tree_ms", what=WHAT, value=None, goal=250, note=note),
            Figure(key="tree_walk_ms", what="the same by a recursive walk", value=None, note=note),
        ]
    with open_sheet(office) as computer:
        tree = computer.tree()
        value = median_ms(computer.tree, max(repeats, 5))
        seconds, count, whole = _walk(computer)
    cells = sum(node.role == "table cell" and node.showing for node in tree.nodes)
    ratio = f"the walk takes {'' if whole else 'over '}{seconds * 1000 / value:.0f} times as long"
    ended = "" if whole else f"given up after {count} nodes, "
    return [
        Figure(
            key="tree_ms",
            what=WHAT,
            value=value,
            goal=250,
            note=f"{len(tree.nodes)} nodes, {cells} cells shown; {ratio}",
        ),
        Figure(
            key="tree_walk_ms",
            what="the same by a recursive walk",
            value=seconds * 1000,
            note=f"{ended}with pyatspi inside that desktop",
        ),
    ]


def _walk(computer: SandboxComputer) -> tuple[float, int, bool]:
    computer.write_file("/tmp/walker.py", WALKER.encode())
    done = computer.run(["python3", "/tmp/walker.py", str(WALK_SEC)], timeout_sec=WALK_SEC * 3)
    if done.code != 0:
        raise ComputerError(f"the walk to compare with failed: {done.stderr[-500:]}")
    seconds, count, whole = done.stdout.split()
    return float(seconds), int(count), whole == "True"
