"""Harvesting: visits one after the other, each kept whole before the next, and a data set of all that was seen."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proctor.computers.computer import Computer
from proctor.errors import ComputerError, SpecError
from proctor.offline.harvest.catalogue import Looks, Program, Visit, open_program, visits
from proctor.offline.harvest.rows import rows_of
from proctor.offline.harvest.walk import Walk
from proctor.offline.making.make import split_of
from proctor.store.files import disk_trouble, plain_json, read_json, write_whole

PLAN, VISITS, DATA = "harvest.json", "visits", "ground.jsonl"
FORMAT = 1

OpenComputer = Callable[[Visit], Computer]


@dataclass(frozen=True, kw_only=True)
class Harvested:
    """What a harvest has brought so far."""

    samples: int
    splits: dict[str, int]
    applications: int
    pictures: int
    visits: int
    failed: dict[str, str]
    """Visits that came to nothing, and why."""
    left: int
    """Visits that were planned and not made: there were enough samples before."""
    by: dict[str, dict[str, int]] = field(default_factory=dict)
    """Samples by size, theme, scale and locale."""

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        return dict(vars(self))


def begin(folder: Path, programs: Sequence[Program], looks: Looks, *, seed: int, rounds: int) -> list[Visit]:
    """Begin a harvest in a folder, or go on with the one that is there; returns the plan.

    Raises:
        SpecError: There is nothing to visit, or the folder holds a harvest of something else.
    """
    if not programs:
        raise SpecError("there is no program to visit", remedy="name some with --app, or take an image that has some")
    planned = visits(programs, looks, seed=seed, rounds=rounds)
    config = {"format": FORMAT, "seed": seed, "looks": looks.plain(), "visits": [each.plain() for each in planned]}
    config = json.loads(plain_json(config))
    with disk_trouble(folder):
        for place in (folder, folder / VISITS, folder / "images", folder / "elements"):
            place.mkdir(parents=True, exist_ok=True)
    if (folder / PLAN).is_file():
        if read_json(folder / PLAN) != config:
            raise SpecError(f"{folder} holds another harvest", remedy="give another --out, or the same options")
    else:
        write_whole(folder, PLAN, plain_json(config), durable=True)
    return planned


def harvest(
    folder: Path,
    planned: Sequence[Visit],
    open_computer: OpenComputer,
    *,
    samples: int | None = None,
    on_visit: Callable[[Visit, int, str], object] = lambda *_: None,
) -> Harvested:
    """Make the visits that were not made yet, until there are enough samples, and write the data set.

    Args:
        folder: Where it goes, as `begin` left it.
        planned: What `begin` returned.
        open_computer: Returns a fresh computer for a visit.
        samples: So many are enough; all visits are made when None.
        on_visit: Told after each visit: how many samples there are, and why it came to nothing where it did.
    """
    count = 0
    done = 0
    for visit in planned:
        path = folder / VISITS / f"{visit.key}.jsonl"
        fresh = not path.is_file()
        if fresh:
            if samples is not None and count >= samples:
                break
            write_whole(path.parent, path.name, _visited(folder, visit, open_computer))
        rows, failed = _read(path)
        count += len(rows)
        done += 1
        if fresh:
            on_visit(visit, count, failed)
    return _written(folder, planned[:done], left=len(planned) - done)


def _visited(folder: Path, visit: Visit, open_computer: OpenComputer) -> bytes:
    """Return the lines of one visit; one that comes to nothing is a line that says why."""
    rows: list[dict[str, Any]] = []
    failed = ""
    try:
        with open_computer(visit) as computer:
            open_program(computer, visit)
            draw = random.Random(visit.key)
            for view in Walk(computer, draw, dialogs=visit.english).views():
                rows += rows_of(folder, visit, view, computer.size)
    except (ComputerError, OSError) as error:
        # A program that cannot be opened says nothing about the others; what was seen before it failed stays.
        failed = f"{type(error).__name__}: {error}"[:500]
    if failed or not rows:
        rows.append({"failed": failed or "nothing was to be seen"})
    return b"".join(plain_json(row) + b"\n" for row in rows)


def _read(path: Path) -> tuple[list[dict[str, Any]], str]:
    lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    failed = next((line["failed"] for line in lines if "failed" in line), "")
    return [line for line in lines if "failed" not in line], failed


def _written(folder: Path, made: Iterable[Visit], *, left: int) -> Harvested:
    """Write the samples of all visits as one set; what is there already, or leaks between splits, is left out."""
    rows, failed, count = [], {}, 0
    ids: set[str] = set()
    owners: dict[str, str] = {}
    """Which split a picture belongs to."""
    for visit in made:
        found, why = _read(folder / VISITS / f"{visit.key}.jsonl")
        count += 1
        if why:
            failed[visit.key] = why
        split = split_of(f"harvest/{visit.program.name}")
        for row in found:
            if row["id"] not in ids and owners.setdefault(row["image"], split) == split:
                ids.add(row["id"])
                rows.append({**row, "split": split})
    write_whole(folder, DATA, b"".join(plain_json(row) + b"\n" for row in rows))
    found_set = Harvested(
        samples=len(rows),
        splits=dict(sorted(Counter(str(row["split"]) for row in rows).items())),
        applications=len({row["application"] for row in rows}),
        pictures=len({row["image"] for row in rows}),
        visits=count,
        failed=failed,
        left=left,
        by={
            name: dict(sorted(Counter(_text(row[name]) for row in rows).items()))
            for name in ("resolution", "theme", "scale", "locale")
        },
    )
    write_whole(folder, "README.md", _card(found_set).encode())
    return found_set


def _text(value: Any) -> str:
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
        "bottom in pixels, `point` the middle. Splits go by application; no picture is in two of them.",
        by,
    ]
    return "\n\n".join(parts) + "\n"
