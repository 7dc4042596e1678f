"""The computer of a trial of Harbor's, with the task that its folder names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proctor.interop.house_rules import house_rules, house_run
from proctor.interop.threaded import ThreadedComputer
from proctor.interop.venue import Venue
from proctor.suites import load_suite

HOUSE = "harbor"


def lend(
    spec: Mapping[str, Any],
    *,
    computer: str = "sandbox",
    look: str = "",
    steps: str = "",
    out: str = "",
    agent: str = HOUSE,
) -> ThreadedComputer:
    """Return the computer, not yet open; raises SpecError for what there is not."""
    suite = load_suite(spec["suite"])
    task = suite.task(spec["task"], int(spec.get("seed") or 0))
    venue = Venue(
        computer=computer,
        options={"look": look} if look else {},
        rules=house_rules(task, int(steps) if steps else None),
        uses=("run_code",),
        agent=agent,
        assets=suite.assets,
        run=house_run(out, HOUSE),
    )
    return ThreadedComputer(venue, task)
