"""A computer that a group of visits shares, brought back to how it was between two of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Self

from proctor.actions.action import Move
from proctor.computers.computer import Computer
from proctor.errors import ComputerError, HostError
from proctor.observations.tree import Tree
from proctor.offline.harvest.catalogue import DOCUMENTS, Visit

OpenComputer = Callable[[Visit], Computer]

_LIST = (
    'for place in /proc/[0-9]*; do read -r name < "$place/comm" && echo "${place#/proc/} $name"; done 2>/dev/null; :'
)
_OF_THE_DESKTOP = ("at-spi", "dbus-", "dconf-", "gvfs", "xfconf")
"""Beginnings of the names of services that any program may have called up, and the next one needs as well."""
_RECENT = ".local/share/recently-used.xbel"
GONE_SEC = 3.0
"""How long windows may take to go when their programs are gone."""

FOLDERS = 6
_THINGS = (
    "bicycle", "budget", "choir", "garden", "guests", "holiday", "insurance", "inventory", "invoice", "kitchen",
    "letter", "minutes", "orders", "packing", "plants", "recipe", "rent", "repairs", "report", "roof", "route",
    "schedule", "speech", "survey", "tickets", "timetable", "translation", "workshop",
)  # fmt: skip
_KINDS = ("2024", "2025", "april", "autumn", "copy", "draft", "final", "ideas", "list", "old", "summer", "winter")
_ENDINGS = (".csv", ".html", ".log", ".md", ".txt")


class Host:
    """Hands out computers for visits, a fresh one where the last cannot be brought back."""

    def __init__(self, open_computer: OpenComputer) -> None:
        self._open = open_computer
        self._computer: Computer | None = None
        self._group = -1
        self._programs: dict[int, str] = {}
        self._windows: set[int] = set()
        self._pointer = (0, 0)
        self.desktop: frozenset[str] = frozenset()
        """The applications that are there before a program is: panels, and the desktop itself."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_ended: object) -> None:
        self.close()

    def ready(self, visit: Visit) -> Computer:
        """Return a started computer in the look of a visit with nothing open on it; raises ComputerError."""
        if self._computer is not None and self._group == visit.group and self._tidy_up(self._computer):
            return self._computer
        self.close()
        computer = self._open(visit)
        self._computer, self._group = computer, visit.group
        computer.start()
        lay_out(computer, random.Random(f"files/{visit.group}"))
        self._windows = {window.id for window in computer.windows()}
        self._pointer = computer.pointer_position()
        self._programs = _programs(computer)
        tree = computer.tree() if "tree" in computer.capabilities else Tree()
        self.desktop = frozenset(application.name for application in tree.applications)
        return computer

    def close(self) -> None:
        """Close the computer, if there is one."""
        computer, self._computer = self._computer, None
        if computer is not None:
            computer.close()

    def _tidy_up(self, computer: Computer) -> bool:
        """End what the last visit started and remove its document; tell whether nothing of it is left."""
        if not self._programs:
            return False
        try:
            later = {pid: name for pid, name in _programs(computer).items() if pid not in self._programs}
            ended = {str(pid) for pid, name in later.items() if not name.startswith(_OF_THE_DESKTOP)}
            # Some programs wait in the background from the start, and only show another window when they are called.
            ended |= {str(window.pid) for window in computer.windows() if window.id not in self._windows and window.pid}
            if ended:
                computer.run(["kill", "-KILL", *sorted(ended)], timeout_sec=GONE_SEC)
            computer.wait_for(
                lambda now: {window.id for window in now.windows()} <= self._windows,
                what="the end of the last program",
                timeout_sec=GONE_SEC,
            )
            present = {entry.path.rpartition("/")[2] for entry in computer.list_files()}
            for name in DOCUMENTS.keys() & present:
                computer.remove_file(name)
            _remove(computer, _RECENT)
            computer.perform(Move(x=self._pointer[0], y=self._pointer[1]))
        except HostError:
            raise
        except (ComputerError, OSError):
            # Whatever is the matter with it: a fresh one has no such trouble.
            return False
        return True


def _programs(computer: Computer) -> dict[int, str]:
    try:
        lines = computer.run(["sh", "-c", _LIST], timeout_sec=GONE_SEC).stdout.splitlines()
    except HostError:
        raise
    except ComputerError:
        return {}
    found = [line.partition(" ") for line in lines]
    return {int(pid): name for pid, _, name in found if pid.isdecimal()}


def _remove(computer: Computer, path: str) -> None:
    try:
        computer.remove_file(path)
    except FileNotFoundError:
        return


def lay_out(computer: Computer, draw: random.Random) -> None:
    """Lay out things in a home folder, others on each computer, so that lists of files show some."""
    for number, thing in enumerate(draw.sample(_THINGS, len(_THINGS))):
        if number < FOLDERS:
            computer.write_file(f"{thing.title()}/{draw.choice(_KINDS)}.txt", b"1\n")
        else:
            computer.write_file(f"{thing}-{draw.choice(_KINDS)}{draw.choice(_ENDINGS)}", f"{thing}\n".encode())
