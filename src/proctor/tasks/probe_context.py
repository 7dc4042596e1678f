"""What a probe may look at once the agent has ended."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass, field

from proctor.actions.action import Answer, Fail, SignalAction
from proctor.computers.computer import CommandResult, Computer, FileInfo, Performed
from proctor.errors import ComputerError
from proctor.home import printable
from proctor.tasks.deadline import Deadline
from proctor.tasks.findings import CannotSee, FaultKind
from proctor.tasks.shown import Shown

MOST_BYTES = 64 * 2**20
"""The largest file that a probe reads: what an agent may leave is not for the host to choke on."""

MOST_TEXT = 8 * 2**20
"""The largest text that a probe reads as such: what it sees is kept with the episode."""

MOST_OUTPUT = 16 * 2**20
"""Characters that a command may print which looks at something."""

COMMAND_SEC = 30.0
"""How long a command that looks at something may take."""

NOTHING_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})
"""Why a folder cannot be listed when it is just not there: missing, no folder, a circle of links, no possible name."""


@dataclass(frozen=True)
class UserExchange:
    """One question of the agent and the simulated user's answer."""

    question: str
    reply: str
    late: bool = False
    """Whether what it asks about was decided already: such a question decides nothing."""
    about: tuple[str, ...] | None = None
    """What the user took it to be about, by the first words of what it knows; None where nobody kept that."""


@dataclass(frozen=True)
class Ending:
    """How the agent ended its work."""

    signal: SignalAction | None = None
    """Its last signal; None when it was stopped or just left off."""
    asked: tuple[UserExchange, ...] = ()
    shown: Shown = Shown()
    """What stood on its screen and what it was told until then, where its task asks for that."""

    @property
    def gave_up(self) -> bool:
        """Whether it said that the task cannot be done."""
        return isinstance(self.signal, Fail)

    @property
    def answer(self) -> str | None:
        """What it answered, where it did."""
        return self.signal.text if isinstance(self.signal, Answer) else None


@dataclass(frozen=True)
class ProbeContext:
    """A computer after the agent, looked at and not touched."""

    computer: Computer
    ending: Ending = Ending()
    history: Sequence[Performed] = field(default_factory=tuple)
    """Every action that was performed, with what it hit."""
    deadline: Deadline = field(default_factory=Deadline)
    """By when all is looked at and judged."""

    def info(self, path: str) -> FileInfo | None:
        """Return what stands at a path without following it; None when nothing does."""
        self.deadline.left_to_look()
        try:
            return self.computer.file_info(path)
        except OSError as error:
            if error.errno in NOTHING_THERE:
                return None
            raise CannotSee("unreadable", f"{path} cannot be looked at: {error.strerror}") from error

    def entries(self, path: str) -> list[FileInfo]:
        """Return what a folder holds; raises CannotSee when it cannot be listed."""
        self.deadline.left_to_look()
        try:
            return self.computer.list_files(path)
        except OSError as error:
            raise _cannot_list(path, error) from error

    def read(self, path: str, *, most: int = MOST_BYTES) -> bytes:
        """Return the content of a plain file; raises CannotSee for everything else that may stand there."""
        self.deadline.left_to_look()
        try:
            return self.computer.read_file(path, most=most, follow=False)
        except OSError as error:
            raise CannotSee(*_why(path, error, most)) from error

    def read_beside(self, path: str) -> bytes:
        """Return the content of a file that need not be there, such as the log of a database.

        Empty when it is not.
        """
        try:
            return self.read(path)
        except CannotSee as error:
            if error.fault.kind == "absent":
                return b""
            raise

    def before(self, path: str, *, most: int = MOST_BYTES) -> bytes:
        """Return the content that a file had when the task began; raises CannotSee when there was none."""
        self.deadline.left_to_look()
        data = self.computer.before(path)
        if data is None:
            raise CannotSee("absent", f"there was no file {path} when the task began")
        if len(data) > most:
            raise CannotSee("refused", f"{path} had {len(data):,} bytes, more than the {most:,} that are looked at")
        return data

    def run(
        self,
        argv: Sequence[str],
        *,
        input: bytes = b"",
        timeout_sec: float = COMMAND_SEC,
        root: bool = False,
        reader: bool = False,
    ) -> CommandResult:
        """Run a command that looks at something; raises CannotSee when it prints more than is looked at.

        Raises ComputerError when it cannot be started or does not end, as `Computer.run` does: whoever judges finds out
        whose doing that is.
        """
        seconds = min(timeout_sec, self.deadline.left_to_look())
        try:
            result = self.computer.run(argv, input=input, timeout_sec=seconds, root=root, reader=reader)
        except ComputerError:
            self.deadline.left_to_look()
            raise
        if len(result.stdout) > MOST_OUTPUT:
            raise CannotSee("refused", f"there is more to see than the {MOST_OUTPUT:,} characters that are looked at")
        return result


def _why(path: str, error: OSError, most: int) -> tuple[FaultKind, str]:
    """Say why a file could not be read."""
    match error.errno:
        case errno.EISDIR:
            return "refused", f"{path} is a folder, not a file"
        case errno.ELOOP:
            return "refused", f"{path} is a link to somewhere else, not a file"
        case errno.EINVAL | errno.ENXIO:
            return "refused", f"{path} is a pipe or device, not a file"
        case errno.EXDEV:
            return "refused", f"{path} is not among the user's files"
        case errno.EFBIG:
            return "refused", f"{path} has more than the {most:,} bytes that are looked at"
        case _ if error.errno in NOTHING_THERE:
            return "absent", f"there is no file {path}"
        case _:
            return "unreadable", f"{path} cannot be read: {error.strerror}"


def _cannot_list(path: str, error: OSError) -> CannotSee:
    kind: FaultKind = "absent" if error.errno in NOTHING_THERE else "unreadable"
    return CannotSee(kind, f"the folder {printable(path)} cannot be listed: {error.strerror}")
