"""Cases: a foreign task, files for it, a state that its words ask for, and one that a careless user would leave."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from proctor.suites.foreign.collection import ForeignTask
from proctor.suites.foreign.suite import read_tasks
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import make_moves
from tests.foreign.files import SHARED
from tests.foreign.workshop import Workshop

HERE = Path(__file__).parent
PLACES = {
    "osworld": ("osworld", SHARED / "osworld_verified" / "examples"),
    "osmap": ("osmap", SHARED / "osworld" / "examples"),
    "agentstudio": ("agentstudio", SHARED / "agentstudio" / "tasks"),
    "own": ("osworld", HERE / "cases" / "own"),
    "own studio": ("agentstudio", HERE / "cases" / "own_studio"),
}
"""Where tasks lie, and in which format; the shared ones may be absent."""

Act = Callable[[MoveContext], object]
"""Does something on a computer that a task is set up on."""


@dataclass(frozen=True)
class Case:
    """What is made for a task: its files by name, and what is done on its computer."""

    satisfied: Act
    """Brings about what the instruction asks for."""
    near_miss: Act
    """Brings about something that looks like it."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    rest: Mapping[str, bytes] = field(default_factory=dict)
    """What stands for files that the task has and nobody looks at, by their ending, such as `.pdf`."""
    one_sitting: bool = False
    """Whether all is done on one computer: what is done only leaves files, each time the same ones."""
    most: float = 0.0
    """What the near miss may score; more than nothing only where the original gives a share."""

    def with_files(self, files: Mapping[str, bytes]) -> Case:
        """Return the case with more files."""
        return replace(self, files={**self.files, **files})


@dataclass(frozen=True)
class Entry:
    """A case on the shelf: it is made when it is played."""

    place: str
    id: str
    """The task's, or as much of it as tells it from others."""
    write: Callable[[Workshop], Case]
    seed: int = 0
    """As tasks of suites have, for whoever mixes both."""

    @property
    def name(self) -> str:
        """How it is called on the command line."""
        return f"{self.place}/{self.id}"

    @property
    def file(self) -> Path | None:
        """The task's file; None where the folder is absent."""
        found = sorted(PLACES[self.place][1].rglob(f"{self.id}*.json"))
        assert len(found) <= 1, f"{self.name} stands for {len(found)} tasks"
        return found[0] if found else None

    def read(self, assets: Path) -> ForeignTask:
        """Return the task, its files resolved in a folder."""
        assert self.file is not None, f"there is no task {self.name}"
        [found] = read_tasks(PLACES[self.place][0], self.file, assets)
        return found


_ENTRIES: list[Entry] = []


def case(place: str, id: str) -> Callable[[Callable[[Workshop], Case]], Callable[[Workshop], Case]]:
    """Put a function that makes the case of a task on the shelf."""

    def add(write: Callable[[Workshop], Case]) -> Callable[[Workshop], Case]:
        _ENTRIES.append(Entry(place, id, write))
        return write

    return add


@cache
def entries() -> tuple[Entry, ...]:
    """Return every case there is."""
    for file in sorted((HERE / "cases").glob("*.py")):
        if not file.name.startswith("_"):
            importlib.import_module(f"tests.foreign.cases.{file.stem}")
    names = [entry.name for entry in _ENTRIES]
    assert len(set(names)) == len(names), "a task has two cases"
    return tuple(_ENTRIES)


def moves(*calls: Call) -> Act:
    """Return an act that makes moves."""
    return lambda hand: make_moves(calls, hand)


def then(*acts: Act) -> Act:
    """Return an act that is several, one after another."""
    return lambda hand: [act(hand) for act in acts]


def write(path: str, content: bytes) -> Act:
    """Return an act that leaves a file."""
    return lambda hand: hand.computer.write_file(path, content)


def shell(code: str) -> Act:
    """Return an act that runs code in a shell, as the agent's user."""

    def act(hand: MoveContext) -> None:
        done = hand.computer.run(["/bin/bash", "-ec", code], cwd="/home/user")
        assert not done.code, done

    return act
