"""Reading the records of runs for a report; the chain of each index is checked on the way."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from proctor.errors import RecordError
from proctor.records import check_result
from proctor.report.columns import Columns
from proctor.report.episodes import Episodes
from proctor.store.chain import ChainLink, links
from proctor.store.run import RunRecord


@dataclass(frozen=True, slots=True)
class RunRead:
    """A run that went into a report."""

    folder: str
    results: int
    """Lines of its index, every try counted."""
    finished: bool
    agents: tuple[str, ...] = ()
    unproven: tuple[str, ...] = ()
    """Tasks without an answer key, with what was shown of each."""
    unfit: int = 0
    """Episodes that were left out because they could not be held."""
    differing: tuple[str, ...] = ()
    """Where our verdict and that of the system that a task is from differ: the task, and how."""


def read_runs(folders: Sequence[Path], *, apart: bool = False) -> tuple[Episodes, tuple[RunRead, ...]]:
    """Put runs together, finished or not; a folder named twice counts once.

    An agent that several runs have is one agent with all of its episodes, or with `apart` one for each of these runs.
    Raises RecordError for a folder without a run, a damaged line, and when there is no result at all.
    """
    distinct = list({folder.resolve(): folder for folder in folders}.values())
    columns, runs = Columns(run_names(distinct) if apart else None), []
    for number, folder in enumerate(distinct):
        record = RunRecord.open(folder)
        # Asked first: a run that ends while it is read is still told as unfinished.
        finished = record.sealed
        agents: dict[str, None] = {}
        unproven: dict[str, None] = {}
        differing: dict[str, None] = {}
        results = _read(record, number, columns, agents, unproven, differing)
        unfit = record.config.get("unfit")
        left = len(unfit) if isinstance(unfit, list) else 0
        runs.append(RunRead(str(folder), results, finished, tuple(agents), tuple(unproven), left, tuple(differing)))
    if not any(run.results for run in runs):
        raise RecordError(
            f"no result yet in {', '.join(map(str, distinct))}",
            remedy="wait until an episode has ended, or `proctor runs resume` the run",
        )
    return columns.episodes(), tuple(runs)


def run_names(folders: Sequence[Path]) -> list[str]:
    """Return what stands for each run beside an agent's label: its folder's name, or its path."""
    names = [folder.resolve().name for folder in folders]
    chosen = [name if names.count(name) == 1 else str(place) for name, place in zip(names, folders, strict=True)]
    # Labels are divided by commas.
    return [name.replace(",", "_") for name in chosen]


def _read(
    record: RunRecord,
    number: int,
    columns: Columns,
    agents: dict[str, None],
    unproven: dict[str, None],
    differing: dict[str, None],
) -> int:
    """Add the lines of a run and return their number; a last line still being written is left out."""
    index, count = record.paths.index, 0
    told = {"collateral_unknown": record.collateral_unknown} if record.collateral_unknown else {}
    for link in _links(index, record.root):
        if link.torn:
            break
        fault = link.fault
        if not fault:
            try:
                check_result(link.data)
                columns.add(number, {**link.data, **told})
                agents[link.data["agent"]] = None
                if link.data.get("unproven"):
                    shown = "; ".join(map(str, link.data.get("shown", ())))
                    unproven[f"{link.data['task']} ({shown})" if shown else link.data["task"]] = None
                if said := link.data.get("differs"):
                    differing[f"{link.data['task']}: {said}"] = None
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                fault = f"is not a result: {error!r}"
        if fault:
            raise RecordError(
                f"{index}, line {link.number} {fault}",
                remedy=f"`proctor runs verify {shlex.quote(str(record.folder))}` lists all damage; use a sound copy",
            )
        count += 1
    return count


def _links(index: Path, root: str) -> Iterator[ChainLink]:
    try:
        yield from links(index, root)
    except OSError as error:
        raise RecordError(f"cannot read {index}: {error.strerror}", remedy="see `proctor runs verify`") from error
