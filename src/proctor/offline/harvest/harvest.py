"""Harvesting: visits one after the other, and a data set of all that was seen."""

from __future__ import annotations

import itertools
import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from proctor.errors import ComputerError, SpecError
from proctor.offline.harvest.catalogue import Looks, Visit, VisitedProgram, open_program, visits
from proctor.offline.harvest.host import Host, OpenComputer
from proctor.offline.harvest.rows import rows_of
from proctor.offline.harvest.walk import Walk
from proctor.offline.make.make import split_of
from proctor.store.files import disk_trouble, plain_json, read_json, write_whole

PLAN, VISITS, DATA = "harvest.json", "visits", "ground.jsonl"
FORMAT = 3


@dataclass(frozen=True, kw_only=True)
class Harvested:
    """What a harvest has brought so far."""

    samples: int
    splits: dict[str, int]
    applications: int
    pictures: int
    visits: int
    failed: dict[str, str]
    left: int
    """Visits that were planned and not made: there were enough samples before."""
    by: dict[str, dict[str, int]] = field(default_factory=dict)


def begin(folder: Path, programs: Sequence[VisitedProgram], looks: Looks, *, seed: int, rounds: int) -> list[Visit]:
    """Begin a harvest in a folder, or go on with the one that is there; returns the plan."""
    if not programs:
        raise SpecError("there are no programs to visit", remedy="name some with --app, or use an image that has some")
    planned = visits(programs, looks, seed=seed, rounds=rounds)
    config = {"format": FORMAT, "seed": seed, "looks": looks.plain(), "visits": [asdict(each) for each in planned]}
    config = json.loads(plain_json(config))
    with disk_trouble(folder):
        for place in (folder, folder / VISITS, folder / "images", folder / "elements"):
            place.mkdir(parents=True, exist_ok=True)
    if (folder / PLAN).is_file():
        if read_json(folder / PLAN) != config:
            raise SpecError(f"{folder} contains another harvest", remedy="give another --out, or the same options")
    else:
        write_whole(folder, PLAN, plain_json(config), durable=True)
    return planned


def harvest(
    folder: Path,
    planned: Sequence[Visit],
    open_computer: OpenComputer,
    *,
    samples: int | None = None,
    workers: int = 1,
    on_visit: Callable[[Visit, int, str], object] = lambda *_: None,
) -> Harvested:
    """Make the visits of the plan that are left, until there are enough samples, and write the set.

    However many work at a time, the set is of the first visits of the plan that have enough samples together.
    `on_visit` hears after each visit how many samples there are, and why it came to nothing where it did.
    """
    progress = _Progress(folder, planned, samples, on_visit)
    groups = iter([list(group) for _, group in itertools.groupby(planned, key=lambda visit: visit.group)])
    taking = threading.Lock()

    def work() -> None:
        with Host(open_computer) as host:
            while not progress.over:
                with taking:
                    group = next(groups, None)
                if group is None:
                    return
                for visit in group:
                    if not progress.over and not progress.has(visit):
                        progress.keep_visit(visit, _lines_of_visit(folder, visit, host))

    with ThreadPoolExecutor(workers) as pool:
        try:
            for ended in [pool.submit(work) for _ in range(workers)]:
                ended.result()
        finally:
            # Whoever interrupts it, or finds an error, does not wait for the rest of the plan.
            progress.stop()
    done = progress.whole
    return _write_set(folder, planned[:done], left=len(planned) - done)


class _Progress:
    def __init__(
        self, folder: Path, planned: Sequence[Visit], samples: int | None, on_visit: Callable[[Visit, int, str], object]
    ) -> None:
        self._folder = folder
        self._planned = planned
        self._samples = samples
        self._on_visit = on_visit
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._found: dict[int, list[dict[str, object]]] = {}
        for visit in planned:
            if _path(folder, visit).is_file():
                self._found[visit.number] = _read(_path(folder, visit))[0]

    @property
    def whole(self) -> int:
        """How many visits of the plan, from its start, have enough samples together."""
        distinct = _Distinct()
        for done, visit in enumerate(self._planned):
            if visit.number not in self._found or self._is_enough(distinct):
                return done
            distinct.add(visit, self._found[visit.number])
        return len(self._planned)

    def stop(self) -> None:
        self._stopped.set()

    @property
    def over(self) -> bool:
        if self._stopped.is_set():
            return True
        distinct = _Distinct()
        with self._lock:
            for visit in self._planned[: self.whole]:
                distinct.add(visit, self._found[visit.number])
        return self._is_enough(distinct)

    def _is_enough(self, distinct: _Distinct) -> bool:
        return self._samples is not None and len(distinct.rows) >= self._samples

    def has(self, visit: Visit) -> bool:
        return visit.number in self._found

    def keep_visit(self, visit: Visit, lines: bytes) -> None:
        path = _path(self._folder, visit)
        write_whole(path.parent, path.name, lines)
        rows, failed = _read(path)
        with self._lock:
            self._found[visit.number] = rows
            self._on_visit(visit, sum(map(len, self._found.values())), failed)


class _Distinct:
    """The samples of a set; what is there already, or leaks between splits, is left out."""

    def __init__(self) -> None:
        self.rows: list[dict[str, object]] = []
        self._ids: set[str] = set()
        self._owners: dict[str, str] = {}

    def add(self, visit: Visit, rows: Iterable[dict[str, object]]) -> None:
        split = split_of(f"harvest/{visit.program.name}")
        for row in rows:
            name, picture = str(row["id"]), str(row["image"])
            # A panel is on pictures of every program; it counts to its own split, and to no other.
            owned = self._owners.setdefault(picture, split) == split == split_of(str(row["task"]))
            if name not in self._ids and owned:
                self._ids.add(name)
                self.rows.append({**row, "split": split})


def _path(folder: Path, visit: Visit) -> Path:
    return folder / VISITS / f"{visit.key}.jsonl"


def _lines_of_visit(folder: Path, visit: Visit, host: Host) -> bytes:
    """Return the lines of one visit; one that comes to nothing is a line that says why."""
    rows: list[dict[str, object]] = []
    failed = ""
    try:
        computer = host.ready(visit)
        open_program(computer, visit)
        draw = random.Random(visit.key)
        for view in Walk(computer, draw, dialogs=visit.english).views():
            rows += rows_of(folder, visit, view, computer.size, host.desktop)
    except (ComputerError, OSError) as error:
        # A program that cannot be opened says nothing about the others; what was seen before it failed stays.
        failed = f"{type(error).__name__}: {error}"[:500]
        host.close()
    if failed or not rows:
        rows.append({"failed": failed or "nothing was visible"})
    return b"".join(plain_json(row) + b"\n" for row in rows)


def _read(path: Path) -> tuple[list[dict[str, object]], str]:
    lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    failed = next((line["failed"] for line in lines if "failed" in line), "")
    return [line for line in lines if "failed" not in line], failed


def _write_set(folder: Path, made: Sequence[Visit], *, left: int) -> Harvested:
    distinct, failed = _Distinct(), {}
    for visit in made:
        found, why = _read(_path(folder, visit))
        if why:
            failed[visit.key] = why
        distinct.add(visit, found)
    rows = distinct.rows
    write_whole(folder, DATA, b"".join(plain_json(row) + b"\n" for row in rows))
    found_set = Harvested(
        samples=len(rows),
        splits=dict(sorted(Counter(str(row["split"]) for row in rows).items())),
        applications=len({row["application"] for row in rows}),
        pictures=len({row["image"] for row in rows}),
        visits=len(made),
        failed=failed,
        left=left,
        by={
            name: dict(sorted(Counter(_text(row[name]) for row in rows).items()))
            for name in ("resolution", "theme", "scale", "language", "wording")
        },
    )
    write_whole(folder, "README.md", _card(found_set).encode())
    return found_set


def _text(value: object) -> str:
    return "x".join(map(str, value)) if isinstance(value, list) else str(value)


def _card(found: Harvested) -> str:
    splits = ", ".join(f"{count} {split}" for split, count in found.splits.items()) or "none"
    by = "\n".join(
        f"- {name}: {', '.join(f'{value} {count}' for value, count in values.items())}"
        for name, values in found.by.items()
    )
    parts = [
        "# Elements of applications on pictures of a desktop",
        f"Made by `proctor offline harvest`: {found.samples} samples ({splits}) on {found.pictures} pictures of "
        f"{found.applications} applications.",
        "Each element was on the screen as a whole, with no window or menu over any part of it; a click in its middle "
        "would have hit it, and no other element of its role and name was showing. `bbox` is left, top, right and "
        "bottom in pixels, `point` the middle. `wordings` has every way in which the element was told, `instruction` "
        "the one called `wording`. `language` is the one that the program showed, whatever was set; empty where its "
        "menus do not tell. Splits go by application; no picture is in two of them.",
        by,
    ]
    return "\n\n".join(parts) + "\n"
