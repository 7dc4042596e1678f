"""The programs of a fake computer: a handful of commands that act on its files and nothing else."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from proctor.computers.backends.fake.files import FakeFiles
from proctor.computers.values import CommandResult
from proctor.errors import CommandLate, ComputerError
from proctor.home import HOME


@dataclass(frozen=True, kw_only=True, slots=True)
class Invocation:
    """What a program gets to work with."""

    arguments: Sequence[str]
    input: bytes
    cwd: str
    env: Mapping[str, str]
    files: FakeFiles

    def path(self, argument: str) -> str:
        """Return the absolute path an argument names."""
        return self.files.absolute(argument, self.cwd)


@dataclass(frozen=True, slots=True)
class FakeOutput:
    """What a program leaves."""

    stdout: bytes = b""
    stderr: str = ""
    code: int = 0
    seconds: float = 0.0
    """How long it takes on the computer's own clock."""


def run(argv: Sequence[str], call: Invocation, timeout_sec: float) -> tuple[CommandResult, float]:
    """Run a command; return what it left and how long it took on the fake clock, or ComputerError."""
    program = PROGRAMS.get(posixpath.basename(argv[0]))
    if program is None:
        raise ComputerError(
            f"command {argv[0]!r} could not be started: there is no such program",
            remedy=f"a fake computer has: {', '.join(PROGRAMS)}",
        )
    output = program(call)
    if output.seconds > timeout_sec:
        raise CommandLate(
            f"the command {list(argv)!r} did not end within {timeout_sec:g} s", remedy="raise timeout_sec"
        )
    stdout = output.stdout.decode("utf-8", "replace")
    return CommandResult(code=output.code, stdout=stdout, stderr=output.stderr), output.seconds


def _over_files(call: Invocation, names: Sequence[str], work: Callable[[str], bytes | None]) -> FakeOutput:
    """Apply a piece of work to each named file, reporting failures as the usual tools do."""
    stdout, stderr = b"", ""
    for name in names:
        try:
            stdout += work(call.path(name)) or b""
        except OSError as error:
            stderr += f"{name}: {error.strerror}\n"
    return FakeOutput(stdout, stderr, 1 if stderr else 0)


def _echo(call: Invocation) -> FakeOutput:
    return FakeOutput((" ".join(call.arguments) + "\n").encode("utf-8", "surrogateescape"))


def _cat(call: Invocation) -> FakeOutput:
    return _over_files(call, call.arguments, call.files.read) if call.arguments else FakeOutput(call.input)


def _ls(call: Invocation) -> FakeOutput:
    names = [name for name in call.arguments if not name.startswith("-")] or ["."]
    output = _over_files(call, names, lambda path: _list_folder(call.files, path))
    return FakeOutput(output.stdout, output.stderr, 2 if output.stderr else 0)


def _list_folder(files: FakeFiles, path: str) -> bytes:
    if files.get(path).data is not None:
        return path.encode() + b"\n"
    return b"".join(posixpath.basename(info.path).encode() + b"\n" for info in files.listing(path))


def _touch(call: Invocation) -> FakeOutput:
    def work(path: str) -> None:
        if path not in call.files.entries:
            call.files.write(path, b"")

    return _over_files(call, call.arguments, work)


def _make_folder(call: Invocation) -> FakeOutput:
    names = [name for name in call.arguments if not name.startswith("-")]
    return _over_files(call, names, call.files.make_folder)


def _remove(call: Invocation) -> FakeOutput:
    names = [name for name in call.arguments if not name.startswith("-")]
    return _over_files(call, names, call.files.remove)


def _change_mode(call: Invocation) -> FakeOutput:
    mode, *names = call.arguments or ("",)
    if not mode or mode.strip("01234567"):
        return FakeOutput(stderr=f"chmod: invalid mode: {mode!r}\n", code=1)
    return _over_files(call, names, lambda path: call.files.set_mode(path, int(mode, 8)))


def _printenv(call: Invocation) -> FakeOutput:
    known = {"HOME": HOME, "USER": "user", **call.env}
    found = [known[name] for name in call.arguments if name in known]
    return FakeOutput("".join(f"{value}\n" for value in found).encode(), code=0 if found else 1)


def _sleep(call: Invocation) -> FakeOutput:
    try:
        return FakeOutput(seconds=sum(float(argument) for argument in call.arguments))
    except ValueError:
        return FakeOutput(stderr="sleep: invalid time interval\n", code=1)


PROGRAMS: dict[str, Callable[[Invocation], FakeOutput]] = {
    "cat": _cat,
    "chmod": _change_mode,
    "echo": _echo,
    "false": lambda call: FakeOutput(code=1),
    "ls": _ls,
    "mkdir": _make_folder,
    "printenv": _printenv,
    "pwd": lambda call: FakeOutput(f"{call.cwd}\n".encode()),
    "rm": _remove,
    "sleep": _sleep,
    "touch": _touch,
    "true": lambda call: FakeOutput(),
}
