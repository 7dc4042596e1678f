"""Which files of an end state are changed to try a verdict: those worked on, and bystanders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from proctor.computers.computer import Computer, FileInfo
from proctor.home import absolute
from proctor.tasks.call import walk
from proctor.tasks.collateral import noise, unexplained_changes
from proctor.tasks.task import Task

MOST_WORKED_ON = 8
MOST_BYSTANDERS = 5
MOST_ELSEWHERE = 3
MOST_IN_A_FOLDER = 40
DEPTH = 2
"""How many folders deep bystanders are looked for."""


@dataclass(frozen=True)
class Target:
    """A file that is changed for a moment."""

    path: str
    """Absolute."""
    shown: str
    """Relative to the home folder where it lies there."""
    worked_on: bool
    """Whether the solution made or changed it; otherwise it is a bystander, beside such a file or elsewhere."""
    versioned: bool = False
    """Whether it lies in a git repository, to which every other byte is a change."""


def targets(task: Task, computer: Computer, draw: Random) -> list[Target]:
    """Return the files to change, those that the solution worked on first."""
    home = computer.home
    changed = {change.path for change in computer.changes() if change.kind != "deleted" and change.file == "file"}
    own = {
        change.path for change in unexplained_changes(computer.changes(), (), noise(task.tags.apps), home=home)
    } & changed
    looked_at = set(_looked_at(task, computer))
    worked_on = {path for path in own if _plain(path, home)} | (looked_at & changed)
    folders = sorted({path.rpartition("/")[0] for path in worked_on | looked_at})
    beside = {info.path for folder in folders for info in _files(computer, folder) if _plain(info.path, home)}
    bystanders = ((looked_at - changed) | beside) - worked_on - changed
    near = _some(bystanders, MOST_BYSTANDERS, draw)
    elsewhere = set(_own_files(computer, home, DEPTH)) - worked_on - bystanders - changed
    chosen = [*_some(worked_on, MOST_WORKED_ON, draw), *near, *_some(elsewhere, MOST_ELSEWHERE, draw)]
    return [
        Target(path, path.removeprefix(f"{home}/"), path in worked_on, _is_versioned(path, computer)) for path in chosen
    ]


def _some(paths: set[str], most: int, draw: Random) -> list[str]:
    listed = sorted(paths)
    return sorted(draw.sample(listed, most)) if len(listed) > most else listed


def _is_versioned(path: str, computer: Computer) -> bool:
    folder = path.rpartition("/")[0]
    while folder.startswith(computer.home):
        if any(entry.path.endswith("/.git") for entry in _entries(computer, folder)):
            return True
        folder = folder.rpartition("/")[0]
    return False


def _plain(path: str, home: str) -> bool:
    """Tell whether a path is among the user's own files; what programs keep for themselves is hidden."""
    inside = path.removeprefix(f"{home}/")
    return inside != path and not any(part.startswith(".") for part in inside.split("/"))


def _looked_at(task: Task, computer: Computer) -> Iterator[str]:
    """Yield the files that probes of the check look at, and those in folders that they look at."""
    checks = [task.check, *(node.check for node in (task.graph.nodes if task.graph else ()))]
    probes = {call for check in checks for _, call in walk(check) if call.kind == "probe"}
    paths = {call.arguments["path"] for call in probes if isinstance(call.arguments.get("path"), str)}
    for path in sorted(paths):
        try:
            info = computer.file_info(path)
        except (OSError, ValueError):
            continue  # nothing is there, which is a fact for the check
        if info.kind == "file":
            yield absolute(path, computer.home)
        elif info.kind == "folder":
            yield from (entry.path for entry in _files(computer, path) if _plain(entry.path, computer.home))


def _own_files(computer: Computer, folder: str, depth: int) -> Iterator[str]:
    for entry in _entries(computer, folder)[:MOST_IN_A_FOLDER]:
        if entry.path.rpartition("/")[2].startswith("."):
            continue
        if entry.kind == "file":
            yield entry.path
        elif entry.kind == "folder" and depth:
            yield from _own_files(computer, entry.path, depth - 1)


def _files(computer: Computer, folder: str) -> list[FileInfo]:
    return [entry for entry in _entries(computer, folder) if entry.kind == "file"][:MOST_IN_A_FOLDER]


def _entries(computer: Computer, folder: str) -> list[FileInfo]:
    try:
        return computer.list_files(folder)
    except OSError:
        return []
