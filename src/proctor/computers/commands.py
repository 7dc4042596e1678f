"""What every way to a machine's commands shares: which words are a command, and what a plain shell says of its end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from proctor.computers.values import CommandResult
from proctor.errors import SpecError

_SIGNALLED, _LAST_SIGNAL = 128, 64


def check_words(argv: Sequence[str], besides: Iterable[str] = ()) -> None:
    """Refuse what cannot be a command: nothing at all, or words with NUL, in it or in what goes along with it."""
    if not argv or any("\0" in word for word in (*argv, *besides)):
        raise SpecError(f"{list(argv)!r} is not a command", remedy="give its name and arguments, without NUL")


def shell_result(code: int, stdout: bytes, stderr: bytes) -> CommandResult:
    """Return what a command left behind; a plain shell adds 128 to the number of the signal that ended it."""
    ended = _SIGNALLED < code < _SIGNALLED + _LAST_SIGNAL
    return CommandResult(
        code=_SIGNALLED - code if ended else code,
        stdout=stdout.decode(errors="replace"),
        stderr=stderr.decode(errors="replace"),
    )
