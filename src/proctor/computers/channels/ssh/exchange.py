"""A program that is given something to read, and whose output is gathered within a time and a size."""

from __future__ import annotations

import os
import selectors
import subprocess
import time

from proctor.computers.channels.command_output import CommandOutput

CHUNK = 1 << 16
MOST_SAID = 1 << 20
GRACE_SEC = 1.0
"""How long the rest of the output is waited for when a program has ended; another may hold on to its pipes."""


class Late(Exception):
    """A command that took too long, or said too much."""

    def __init__(self, why: str, stderr: bytes, *, too_long: bool = False) -> None:
        super().__init__(why)
        self.why, self.stderr, self.too_long = why, stderr, too_long


def converse(
    process: subprocess.Popen[bytes], input: bytes, timeout_sec: float, most: int, *, first_sec: float = 0.0
) -> CommandOutput:
    """Feed a program and gather what it says until it ends; Late when too long or too much.

    With `first_sec`, its time begins with its first line on standard error, which may take so long.
    """
    assert process.stdin and process.stdout and process.stderr
    out, err = bytearray(), bytearray()
    kept = {process.stdout.fileno(): out, process.stderr.fileno(): err}
    left = memoryview(input)
    ends, over, begun = time.monotonic() + (first_sec or timeout_sec), False, not first_sec
    ended = os.pidfd_open(process.pid)
    try:
        with selectors.DefaultSelector() as selector:
            _watch(selector, process, ended)
            # Its pipes may stay open after its end, and its end may come after theirs.
            while not over or kept.keys() & selector.get_map().keys():
                ready = {key.fd for key, _ in selector.select(max(0.0, ends - time.monotonic()))}
                if not over and time.monotonic() > ends:
                    raise Late(f"did not finish within {timeout_sec:g} s", bytes(err))
                if not ready:
                    break
                if ended in ready:
                    over, begun, ends = True, True, time.monotonic() + GRACE_SEC
                    selector.unregister(ended)
                for descriptor in ready & kept.keys():
                    _gather(selector, descriptor, kept[descriptor])
                if len(out) > most:
                    raise Late(f"printed more than {most} bytes", bytes(err), too_long=True)
                del err[MOST_SAID:]
                if not begun and b"\n" in err:
                    begun, ends = True, time.monotonic() + timeout_sec
                if ready - kept.keys() - {ended}:
                    left = _feed(selector, process, left)
        return CommandOutput(code=process.wait(), stdout=bytes(out), stderr=bytes(err))
    finally:
        os.close(ended)


def _watch(selector: selectors.BaseSelector, process: subprocess.Popen[bytes], ended: int) -> None:
    assert process.stdin and process.stdout and process.stderr
    for pipe in (process.stdin, process.stdout, process.stderr):
        os.set_blocking(pipe.fileno(), False)
    for descriptor in (process.stdout.fileno(), process.stderr.fileno(), ended):
        selector.register(descriptor, selectors.EVENT_READ)
    selector.register(process.stdin.fileno(), selectors.EVENT_WRITE)


def _gather(selector: selectors.BaseSelector, descriptor: int, kept: bytearray) -> None:
    data = os.read(descriptor, CHUNK)
    kept += data
    if not data:
        selector.unregister(descriptor)


def _feed(selector: selectors.BaseSelector, process: subprocess.Popen[bytes], left: memoryview) -> memoryview:
    """Write as much as is taken, and return what is left; nothing is left where nobody reads."""
    assert process.stdin
    try:
        left = left[os.write(process.stdin.fileno(), left[:CHUNK]) :] if left else left
    except BlockingIOError:
        return left
    except OSError:
        left = left[:0]
    if not left:
        selector.unregister(process.stdin)
        process.stdin.close()
    return left
