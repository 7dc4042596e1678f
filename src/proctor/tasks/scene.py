"""The scene: what a probe may look at once the agent has ended."""

from __future__ import annotations

import errno
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, field

from proctor.actions.action import Answer, Fail, SignalAction
from proctor.computers.computer import Computer, FileInfo, Performed
from proctor.tasks.finding import CannotSee

MOST_BYTES = 64 * 2**20
"""The largest file that a probe reads: what an agent may leave is not for the host to choke on."""

NOTHING_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})
"""Why a folder cannot be listed when it is just not there: missing, no folder, a circle of links, no possible name."""


@dataclass(frozen=True)
class Exchange:
    """One question of the agent and the simulated user's answer."""

    question: str
    reply: str


@dataclass(frozen=True)
class Ending:
    """How the agent ended its work."""

    signal: SignalAction | None = None
    """Its last word to the examiner; None when it was stopped or just left off."""
    asked: tuple[Exchange, ...] = ()

    @property
    def gave_up(self) -> bool:
        """Whether it said that the task cannot be done."""
        return isinstance(self.signal, Fail)

    @property
    def answer(self) -> str | None:
        """What it answered, where it did."""
        return self.signal.text if isinstance(self.signal, Answer) else None


@dataclass(frozen=True)
class Scene:
    """A computer after the agent, looked at and not touched."""

    computer: Computer
    ending: Ending = Ending()
    history: Sequence[Performed] = field(default_factory=tuple)
    """Every action that was performed, with what it hit."""

    def info(self, path: str) -> FileInfo | None:
        """Return what stands at a path without following it; None when nothing does."""
        tidy = posixpath.normpath(path)
        if tidy in (".", "/"):
            return FileInfo(path=tidy, kind="folder", size=0, mode=0o755, modified=0.0)
        folder, name = posixpath.split(tidy)
        try:
            entries = self.computer.list_files(folder or ".")
        except OSError as error:
            if error.errno in NOTHING_THERE:
                return None
            raise
        return next((entry for entry in entries if posixpath.basename(entry.path) == name), None)

    def read(self, path: str, *, most: int = MOST_BYTES) -> bytes:
        """Return the content of a plain file; raises CannotSee for everything else that may stand there."""
        info = self.info(path)
        if info is None:
            raise CannotSee("absent", f"there is no file {path}")
        if info.kind != "file":
            names = {"folder": "a folder", "link": "a link to somewhere else", "other": "a pipe or device"}
            raise CannotSee("refused", f"{path} is {names[info.kind]}, not a file")
        if info.size > most:
            raise CannotSee("refused", f"{path} has {info.size:,} bytes, more than the {most:,} that are looked at")
        try:
            return self.computer.read_file(path)
        except OSError as error:
            # A program that the agent left running may still be at work on it.
            raise CannotSee("absent", f"{path} went away while it was read: {error.strerror}") from error
