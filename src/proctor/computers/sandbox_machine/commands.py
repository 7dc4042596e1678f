"""Run a command inside to its end, feeding and reading it without ever blocking on it."""

from __future__ import annotations

import os
import selectors
import signal
import time
from collections.abc import Mapping, Sequence

from proctor.computers.sandbox_machine.machine import AGENT_UID, READER_UID, SandboxMachine
from proctor.computers.values import CommandResult
from proctor.errors import CommandLate, ComputerError, SpecError

OUTPUT_BYTES = 64 * 1024 * 1024
ROOT_KEEPS = ("chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "net_bind_service", "sys_chroot")


def run_command(
    machine: SandboxMachine,
    argv: Sequence[str],
    *,
    input: bytes,
    timeout_sec: float,
    env: Mapping[str, str],
    cwd: str,
    uid: int = AGENT_UID,
) -> CommandResult:
    """Run a command and collect what it wrote.

    Raises ComputerError when it is overdue or writes without end.
    """
    check_command(argv)
    pipes = {at: os.pipe2(os.O_CLOEXEC) for at in (0, 1, 2)}
    theirs = {0: pipes[0][0], 1: pipes[1][1], 2: pipes[2][1]}
    ours = {0: pipes[0][1], 1: pipes[1][0], 2: pipes[2][0]}
    try:
        try:
            keep = ROOT_KEEPS if uid == 0 else ()
            pid = machine.spawn(argv, env=env, fds=theirs, cwd=cwd, uid=uid, keep=keep, view=uid == READER_UID)
        except OSError as error:
            raise not_started(argv, error) from error
        finally:
            for fd in theirs.values():
                os.close(fd)
        output = _exchange(machine, pid, argv, ours, input, timeout_sec)
    finally:
        for fd in ours.values():
            os.close(fd)
    end = machine.wait(pid, 5.0)
    if uid == READER_UID:
        # What the agent wrote may have been run, and must not meet the next one that reads.
        machine.kill(-1, signal.SIGKILL, uid=READER_UID)
    if end is None:
        raise _overdue(machine, pid, argv, timeout_sec)
    return CommandResult(
        code=end.code, stdout=output[1].decode(errors="replace"), stderr=output[2].decode(errors="replace")
    )


def check_command(argv: Sequence[str]) -> None:
    """Refuse what is not a command: nothing at all, or a line for a shell."""
    if isinstance(argv, str) or not argv or not all(isinstance(word, str) for word in argv):
        raise SpecError(
            f"{argv!r} is not a command",
            remedy="give a list: the program and its arguments, such as ['ls', '-l'] or ['sh', '-c', 'ls | wc -l']",
        )


def not_started(argv: Sequence[str], error: OSError) -> ComputerError:
    """Say why a program did not start."""
    if isinstance(error, FileNotFoundError) and error.filename == argv[0]:
        return ComputerError(
            f"there is no program {argv[0]!r} in this computer",
            remedy="choose an image that has it, such as `full`, or add its package to a recipe",
        )
    # The folder it was to start in may be at fault.
    where = f" ({error.filename})" if error.filename and error.filename != argv[0] else ""
    return ComputerError(f"{argv[0]!r} could not be started: {error.strerror}{where}")


def _exchange(
    machine: SandboxMachine, pid: int, argv: Sequence[str], ours: dict[int, int], input: bytes, timeout_sec: float
) -> dict[int, bytearray]:
    deadline = time.monotonic() + timeout_sec
    output = {1: bytearray(), 2: bytearray()}
    pending = memoryview(input)
    with selectors.DefaultSelector() as selector:
        for at, fd in ours.items():
            os.set_blocking(fd, False)
            selector.register(fd, selectors.EVENT_WRITE if at == 0 else selectors.EVENT_READ, at)
        open_outputs = {1, 2}
        # A command may leave children that hold its output open: its own end counts, then what is there is taken.
        while open_outputs:
            left = deadline - time.monotonic()
            if left <= 0:
                raise _overdue(machine, pid, argv, timeout_sec)
            ended = machine.ended(pid) is not None
            ready = selector.select(0 if ended else min(left, 0.05))
            for key, _ in ready:
                if key.data == 0:
                    pending = _feed(selector, ours, pending)
                elif part := os.read(key.fd, 1 << 20):
                    output[key.data] += part
                    if len(output[key.data]) > OUTPUT_BYTES:
                        machine.kill(pid, signal.SIGKILL, group=True)
                        raise ComputerError(f"command {argv[0]!r} wrote more than {OUTPUT_BYTES >> 20} MiB")
                else:
                    selector.unregister(key.fd)
                    open_outputs.discard(key.data)
            if ended and not any(key.data for key, _ in ready):
                break
    return output


def _feed(selector: selectors.BaseSelector, ours: dict[int, int], pending: memoryview) -> memoryview:
    try:
        rest = pending[os.write(ours[0], pending[:65536]) :] if pending else pending
    except BrokenPipeError:
        rest = memoryview(b"")  # it does not want to know
    if not rest:
        # Closing says that there is no more; a placeholder keeps the number ours until the end.
        selector.unregister(ours[0])
        null = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        os.dup2(null, ours[0], inheritable=False)
        os.close(null)
    return rest


def _overdue(machine: SandboxMachine, pid: int, argv: Sequence[str], timeout_sec: float) -> CommandLate:
    machine.kill(pid, signal.SIGKILL, group=True)
    machine.wait(pid, 5.0)
    return CommandLate(
        f"command {argv[0]!r} did not end within {timeout_sec:g} s and was killed",
        remedy="give it a larger timeout_sec, or start it with launch(..., wait=False)",
    )
