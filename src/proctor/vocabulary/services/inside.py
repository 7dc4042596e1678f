"""Scripts of ours that run inside a computer: sent there whole, with an order as their input."""

from __future__ import annotations

import json
from pathlib import Path

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext


def run_inside(context: SetupContext, script: Path, order: object, *, root: bool = False, libraries: str = "") -> None:
    """Run a script that must succeed."""
    argv = ["/usr/bin/env", f"LD_LIBRARY_PATH={libraries}"] if libraries else []
    context.command(
        [*argv, "/usr/bin/python3", "-I", "-c", script.read_text()], root=root, input=json.dumps(order).encode()
    )


def ask_inside(context: ProbeContext, script: Path, order: dict[str, object]) -> str:
    """Run a script that looks at a service and return what it printed."""
    argv = ["/usr/bin/python3", "-I", "-c", script.read_text()]
    result = context.run(argv, root=True, input=json.dumps(order).encode(), timeout_sec=60)
    if result.code != 0:
        # Agents cannot reach the service's files, but they can keep the service busy.
        raise CannotSee("unreadable", f"the service could not be looked at: {result.stderr.strip()[-300:]}")
    return result.stdout
