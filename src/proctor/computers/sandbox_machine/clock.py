"""A clock of its own for a sandbox."""

from __future__ import annotations

import math
import os
import time
from datetime import datetime

from proctor.computers.sandbox_machine.commands import run_command
from proctor.computers.sandbox_machine.machine import SandboxMachine
from proctor.computers.sandbox_machine.script import GUEST
from proctor.errors import ComputerError

SOURCE = GUEST / "clock.c"
LIBRARY = "/run/clock.so"
PRELOAD = "/etc/ld.so.preload"
"""Read by every program that starts, whatever its environment."""
COMPILE_SEC = 60.0
"""It takes a tenth of a second; a host without time for it must not cost an episode."""


def offset_sec(clock: datetime | None) -> int:
    """Return how far a clock that is set now is from the real one; whole seconds, none of them lost."""
    return math.ceil(clock.timestamp() - time.time()) if clock else 0


def set_clock(machine: SandboxMachine, offset: int, *, image_sec: int) -> None:
    """Let every program that starts from now on see the clock this many seconds from the real one.

    Files no newer than the image keep their times: its caches remember them.
    """
    values = [f"-DOFFSET_SEC={offset}L", f"-DIMAGE_SEC={image_sec}L"]
    argv = ["tcc", "-shared", "-nostdlib", *values, "-o", LIBRARY, "-"]
    env = {"PATH": "/usr/bin:/bin"}
    source = SOURCE.read_bytes()
    remedy = "a clock needs the package tcc; rebuild the image with `proctor images build NAME --force`"
    try:
        done = run_command(machine, argv, input=source, timeout_sec=COMPILE_SEC, env=env, cwd="/", uid=0)
    except ComputerError as error:
        raise ComputerError(f"the clock could not be set: {error.message}", remedy=remedy) from error
    if done.code != 0:
        said = done.stderr.strip() or "it said nothing"
        raise ComputerError(f"the clock could not be set: tcc ended with status {done.code}: {said}", remedy=remedy)
    with machine.open(PRELOAD, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, uid=0) as preload:
        preload.write(f"{LIBRARY}\n".encode())
