"""Start a script of `guest/` with the bare interpreter: isolated, standard library only."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from proctor.computers import userns

GUEST = Path(__file__).with_name("guest")


def start(name: str, arguments: Sequence[object], *, fds: Sequence[int], namespace: bool) -> subprocess.Popen[bytes]:
    """Start a script in a session of its own, so that Ctrl-C at the terminal reaches only the harness.

    Args:
        name: File in `guest/`.
        arguments: Its arguments.
        fds: Descriptors it inherits.
        namespace: Whether it is to be root of a user namespace when we are not root.
    """
    argv = [_interpreter(), "-I", "-S", str(GUEST / name), *map(str, arguments)]
    options: dict[str, Any] = {"pass_fds": tuple(fds), "start_new_session": True, "cwd": "/", "env": environment()}
    # Not our own output: whoever reads that would wait for the sandbox when we are killed.
    options |= {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return userns.popen(argv, **options) if namespace else subprocess.Popen(argv, **options)


def environment() -> dict[str, str]:
    """Return what a script is told.

    Nothing of ours, which may hold keys, but where an odd interpreter's parts lie.
    """
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", **kept}


def _interpreter() -> str:
    # The base interpreter rather than a virtual environment's: it starts faster and names no path of ours.
    base: str = getattr(sys, "_base_executable", sys.executable)
    return os.path.realpath(base)
