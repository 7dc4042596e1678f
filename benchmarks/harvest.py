"""How fast elements of applications are harvested."""

from __future__ import annotations

import os
import time
from pathlib import Path

from proctor.bench.measure import Figure
from proctor.computers import open_computer
from proctor.computers.computer import Computer
from proctor.errors import ProctorError
from proctor.offline.harvest.catalogue import Looks, Visit, VisitedProgram, programs_of
from proctor.offline.harvest.harvest import begin, harvest

LOOKS = Looks(sizes=((1920, 1080),), themes=("light",), scales=(1.0,), locales=("en_US.UTF-8",), looks=("light",))
WANTED = ("org.xfce.mousepad", "thunar", "galculator", "xfce4-taskmanager", "pcmanfm")
"""Small programs that every image of ours has."""
_WHAT = "harvest one distinct element"


def harvesting(folder: Path, *, backend: str = "sandbox", image: str = "starter") -> list[Figure]:
    """Measure a harvest of a few programs, each on a computer of its own; without a sandbox there is no figure."""
    try:
        return [_measured(folder, backend, image)]
    except ProctorError as error:
        return [Figure(key="harvest_ms", what=_WHAT, value=None, goal=25, note=error.message)]


def _measured(folder: Path, backend: str, image: str) -> Figure:
    spent: list[float] = []

    def opened(visit: Visit) -> Computer:
        return _counting(_open(backend, image, visit.size), spent)

    programs = [VisitedProgram("mousepad", ("mousepad",), "notes.txt")]
    if backend == "sandbox":
        with _open(backend, image, (800, 600)) as computer:
            programs = [program for program in programs_of(computer) if program.name in WANTED]
    began, own = time.perf_counter(), time.process_time()
    found = harvest(folder, begin(folder, programs, LOOKS, seed=0, rounds=1), opened)
    seconds, worked = time.perf_counter() - began, time.process_time() - own + sum(spent)
    count = max(found.samples, 1)
    note = (
        f"of processor time, in the computer too: {found.samples / max(worked, 1e-9):.0f} a second and core; "
        f"{found.samples} of {found.applications} programs in {seconds:.1f} s, starts included"
    )
    return Figure(key="harvest_ms", what=_WHAT, value=1000 * worked / count, goal=25, note=note)


def _open(backend: str, image: str, size: tuple[int, int]) -> Computer:
    options = {"image": image, "look": "light"} if backend == "sandbox" else {}
    return open_computer(backend, size=size, **options)


def _counting(computer: Computer, spent: list[float]) -> Computer:
    """Return a computer that says before it is closed how much its programs have worked."""
    close, before = computer.close, _ended_children()

    def counted() -> None:
        # Where no group of processes is counted for, each process counts for itself and those it outlived.
        costs = computer.costs()
        inside = costs.processor_seconds if costs else None
        spent.append(_descendants() + _ended_children() - before if inside is None else inside)
        close()

    computer.close = counted  # type: ignore[method-assign]
    return computer


def _ended_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _descendants() -> float:
    """Return the processor time of all processes below this one, and of those below them that have ended."""
    below: dict[int, list[int]] = {}
    seconds: dict[int, float] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        pid = int(place.parent.name)
        below.setdefault(int(fields[1]), []).append(pid)
        seconds[pid] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    found, waiting = 0.0, list(below.get(os.getpid(), ()))
    while waiting:
        pid = waiting.pop()
        found += seconds[pid]
        waiting += below.get(pid, ())
    return found
