"""The shell of a machine that is reached from afar, over any way on which commands travel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol

from proctor.computers.channels.command_output import CommandOutput
from proctor.computers.values import CommandResult
from proctor.errors import ComputerError, SpecError

Who = Literal["user", "root", "reader"]
"""Who runs a command: the machine's user, its root, or somebody who owns nothing."""
_SIGNALLED, _LAST_SIGNAL = 128, 64
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


class Commands(Protocol):
    """A way on which commands travel to a machine, each run to its end."""

    def command(
        self, argv: Sequence[str], *, who: Who, cwd: str, env: Sequence[str], input: bytes, timeout_sec: float
    ) -> CommandOutput:
        """Run a command as `who`; ComputerError when it cannot be started or is ended for being late.

        It runs in the user's home unless `cwd` is given; `env` holds `NAME=value`.
        """


class RemoteShell:
    """Commands, run by the user who was named, or by root and by a user who owns nothing where the way allows it."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    def run(
        self,
        argv: Sequence[str],
        *,
        input: bytes,
        timeout_sec: float,
        env: Mapping[str, str] | None,
        cwd: str | None,
        root: bool,
        reader: bool,
    ) -> CommandResult:
        who: Who = "root" if root else "reader" if reader else "user"
        check_words(argv)
        exported = variables(env or {})
        done = self._commands.command(argv, who=who, cwd=cwd or "", env=exported, input=input, timeout_sec=timeout_sec)
        if done.missing:
            raise ComputerError(
                f"{done.missing!r} cannot be started: there is no such program", remedy="install it there"
            )
        return shell_result(done)


def check_words(argv: Sequence[str], besides: Iterable[str] = ()) -> None:
    """Refuse what cannot be a command: nothing at all, or words with NUL, in what goes along too."""
    if not argv or any("\0" in word for word in (*argv, *besides)):
        raise SpecError(f"{list(argv)!r} is not a command", remedy="give its name and arguments, without NUL")


def variables(env: Mapping[str, str]) -> list[str]:
    """Return variables as a shell takes them; raises SpecError for what cannot be one."""
    for name, value in env.items():
        if not _VARIABLE.fullmatch(name) or "\0" in value:
            raise SpecError(f"{name!r} is not the name of a variable", remedy="use letters, digits and underscores")
    return [f"{name}={value}" for name, value in env.items()]


def shell_result(done: CommandOutput) -> CommandResult:
    """Return what a command left; a plain shell adds 128 to the signal that ended it."""
    ended = _SIGNALLED < done.code < _SIGNALLED + _LAST_SIGNAL
    return CommandResult(
        code=_SIGNALLED - done.code if ended else done.code,
        stdout=done.stdout.decode(errors="replace"),
        stderr=done.stderr.decode(errors="replace"),
    )
