"""Probes that run a command and tell what it prints: for tasks from elsewhere, which judge by it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.shelves import PROBES
from proctor.tasks.words import short

MOST_PRINTED = 4 * 2**20


@PROBES.register_live()
def output(
    context: ProbeContext,
    argv: Annotated[list[str], Field(min_length=1)],
    stream: Annotated[str, Field(pattern="^(out|error)$")] = "out",
) -> dict[str, object]:
    """What a command run as the user prints, and its exit status.

    Programs of an agent may stand in its way, so tasks of our own look at files in its place.
    """
    result = context.run(argv)
    printed = result.stdout if stream == "out" else result.stderr
    if len(printed) > MOST_PRINTED:
        raise CannotSee("refused", f"{argv[0]} prints more than the {MOST_PRINTED:,} characters that are looked at")
    return {"path": f"What {short(' '.join(argv[-1:]))} prints", "text": printed, "code": result.code}
