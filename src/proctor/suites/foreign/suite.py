"""Folders of foreign tasks as suites: `osworld:DIR`, `osmap:DIR`, `agentstudio:DIR`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from proctor.errors import SpecError, UnknownName
from proctor.suites.foreign import agentstudio, osworld
from proctor.suites.foreign.assets import Assets
from proctor.suites.foreign.collection import ForeignTask, Read, read_folder
from proctor.suites.foreign.json_file import read_file
from proctor.suites.foreign.omnibench import read_omnibench
from proctor.suites.foreign.small_formats import FILES, SMALL_FORMATS, read_class
from proctor.suites.suite import Suite
from proctor.tasks.draw import Draw
from proctor.tasks.machine import Machine
from proctor.tasks.task import Draft, Limits, Task
from proctor.tasks.template import Template

ReadFolder = Callable[[Path, Assets], Iterator[ForeignTask]]
"""Yields every task of a folder, ready or not."""


def _read_files(format: str, folder: Path, assets: Assets) -> Iterator[ForeignTask]:
    open_file = read_class if format == "osworld2" else read_file
    return read_folder(folder, FILE_FORMATS[format], assets, called=FILES.get(format, "*.json"), open_file=open_file)


FILE_FORMATS: Mapping[str, Read] = {
    "osworld": partial(osworld.read_task, format="osworld"),
    "osmap": partial(osworld.read_task, format="osmap"),
    "agentstudio": agentstudio.read_task,
    **SMALL_FORMATS,
}
"""Formats of which each file is a task, and how it is read."""
FORMATS: Mapping[str, ReadFolder] = {
    **{name: partial(_read_files, name) for name in FILE_FORMATS},
    "omnibench": read_omnibench,
}
"""Formats of foreign tasks, and how a folder of each is read."""
ASSETS = "?assets="
"""What stands between a folder of tasks and that of the files that they use, in the name of a suite."""


def read_tasks(format: str, folder: Path, assets: Path | None) -> Iterator[ForeignTask]:
    """Yield every task of a folder, ready or not."""
    if format not in FORMATS:
        raise UnknownName("format of tasks", format, FORMATS)
    if assets is not None and not assets.is_dir():
        raise SpecError(f"there is no folder of assets {assets}", remedy="name the folder that the files lie in")
    return FORMATS[format](folder, Assets(assets.resolve() if assets else None))


@dataclass(frozen=True)
class ForeignTemplate(Template):
    """A foreign task among templates: put into our words when it is asked for."""

    task_id: str
    source: ForeignTask

    @property
    def unproven(self) -> bool:
        """Whether it has no answer key; none of these has."""
        return True

    def id(self, suite: str) -> str:
        """Return the task's own id."""
        return self.task_id

    def task(self, suite: str, seed: int, *, twin: Template | None = None) -> Task:
        """Return the task in our words."""
        assert self.source.make is not None
        return self.source.make()


def with_assets(name: str, assets: Path | None) -> str:
    """Return the name of a suite with the folder of its files; raises SpecError if it takes none."""
    if assets is None:
        return name
    if name.partition(":")[0] not in FORMATS or ":" not in name:
        raise SpecError(
            f"--assets is for tasks of other systems, and {name!r} is none",
            remedy=f"name a folder of them: --suite {next(iter(FORMATS))}:FOLDER",
        )
    return f"{name.partition(ASSETS)[0]}{ASSETS}{assets}"


@lru_cache(maxsize=4)
def every_task(name: str) -> tuple[ForeignTask, ...]:
    """Return the tasks of a folder that is named as a suite, ready or not."""
    format, folder, files = _parts(name)
    return tuple(read_tasks(format, Path(folder), Path(files) if files else None))


def _parts(name: str) -> tuple[str, str, str]:
    """Return the format, the folder and that of the assets in the name of a suite."""
    format, _, place = name.partition(":")
    folder, _, files = place.partition(ASSETS)
    return format, folder, files


def foreign_suite(name: str) -> Suite:
    """Return the tasks of a folder that are ready; raises SpecError where there is none."""
    format, folder, files = _parts(name)
    every = every_task(name)
    ready = [task for task in every if task.make is not None]
    if not ready:
        found = f"{len(every)} tasks and none of them is ready" if every else "no task files"
        raise SpecError(
            f"there are {found} in {folder}", remedy=f"`proctor tasks import {format} {folder} --report` says why"
        )
    return Suite(
        name=format,
        version=1,
        summary=f"{len(ready)} of {len(every)} tasks of {folder} that are ready.",
        templates=tuple(map(_template, ready)),
        assets=Path(files).resolve() if files else None,
        place=f"{format}:{folder}",
    )


def _template(task: ForeignTask) -> ForeignTemplate:
    assert task.tags is not None
    return ForeignTemplate(
        name=task.name,
        version=1,
        write=_refuse,
        tags=task.tags,
        limits=Limits(),
        machine=Machine(),
        twin="",
        summary=task.instruction.partition("\n")[0],
        task_id=f"{task.format}/{task.name}-v1",
        source=task,
    )


def _refuse(_draw: Draw) -> Draft:
    raise SpecError("a task of another system is not written again")
