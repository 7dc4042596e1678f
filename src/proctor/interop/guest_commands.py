"""Commands and files as other runners ask for them: any user, exit codes, Python's errors."""

from __future__ import annotations

import errno
import secrets
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from proctor.computers.computer import Computer
from proctor.errors import ComputerError, ComputerLost, HostError
from proctor.home import absolute

LONGEST_SEC = 24 * 3600.0
"""For commands without a limit of their own."""
RUNUSER = "/usr/sbin/runuser"
ROOT = ("root", "0")
ROOT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Programs of administrators are not where those of the desktop are looked for."""
MOST_WORDS = 64 * 1024
"""Characters of a command; a longer one is handed over in a file."""
NOT_FOUND, NOT_STARTED = 127, 126


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left."""

    code: int
    """As a shell has it: 128 and the number of the signal for one that was killed."""
    stdout: str
    stderr: str


class CommandOptions(TypedDict, total=False):
    """How a command is run, as `run` takes it."""

    input: bytes
    cwd: str | None
    env: Mapping[str, str] | None
    user: str | None
    timeout_sec: float | None


class TooMuchOutput(Exception):
    """A command wrote more than is kept."""


def run(
    computer: Computer,
    argv: Sequence[str],
    *,
    input: bytes = b"",
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    user: str | None = None,
    timeout_sec: float | None = None,
) -> Ran:
    """Run a command as a user of the computer, the agent's own by default.

    Raises TimeoutError, PermissionError for a program that may not be started, TooMuchOutput, and ComputerError where
    the computer is gone. A program that is not there, and a folder that is not, are results.
    """
    command, root = list(argv), user in ROOT
    if user is not None and not root:
        # By its whole path, so that nobody's PATH decides what root starts.
        command, root = [RUNUSER, "-u", user, "--", *argv], True
    elif user is None and sum(len(word) + 1 for word in command) > MOST_WORDS:
        command = _from_a_file(computer, command)
    if root:
        env = {"PATH": ROOT_PATH, **(env or {})}
    where = absolute(cwd, computer.home) if cwd is not None else computer.home
    limit = LONGEST_SEC if timeout_sec is None else timeout_sec
    began = time.monotonic()
    try:
        done = computer.run(command, input=input, timeout_sec=limit, env=env, cwd=where, root=root)
    except (ComputerLost, HostError):
        raise
    except ComputerError as error:
        return _not_run(error, argv, time.monotonic() - began >= limit)
    return Ran(done.code if done.code >= 0 else 128 - done.code, done.stdout, done.stderr)


def _from_a_file(computer: Computer, argv: Sequence[str]) -> list[str]:
    """Return a command that does the same with its words in a file: requests are short.

    Only for the agent's own user, who could write another command into the file.
    """
    path = f"/tmp/.command-{secrets.token_hex(8)}"
    computer.write_file(path, f'rm -f -- "$0"\nexec {shlex.join(argv)}\n'.encode(), mode=0o600)
    return ["/bin/sh", path]


def _not_run(error: ComputerError, argv: Sequence[str], overdue: bool) -> Ran:
    cause = error.__cause__
    if isinstance(cause, PermissionError):
        raise PermissionError(errno.EACCES, f"permission denied: {error.message}", argv[0]) from error
    if isinstance(cause, FileNotFoundError | NotADirectoryError):
        return Ran(NOT_FOUND, "", f"{error.message}\n")
    if isinstance(cause, OSError):
        return Ran(NOT_STARTED, "", f"{error.message}\n")
    if overdue:
        raise TimeoutError(error.message) from error
    if "wrote more than" in error.message:
        raise TooMuchOutput(error.message) from error
    raise error


def read(computer: Computer, path: str, *, most: int) -> bytes:
    """Return a file that the agent's user may read; raises as `open` does, EFBIG beyond `most`."""
    whole = absolute(path, computer.home)
    if computer.file_info(path).kind == "folder":
        raise IsADirectoryError(errno.EISDIR, "it is a directory", path)
    # The harness reads with more rights than the agent has, so the agent's are asked for first.
    if not _may_read(computer, whole):
        raise PermissionError(errno.EACCES, "permission denied", path)
    return computer.read_file(path, most=most)


def _may_read(computer: Computer, path: str) -> bool:
    """Tell whether the agent's user may read a file; without a program to tell, everything."""
    if "shell" not in computer.capabilities:
        return True
    try:
        return computer.run(["/usr/bin/test", "-r", path]).code == 0
    except (ComputerLost, HostError):
        raise
    except ComputerError:
        return True
