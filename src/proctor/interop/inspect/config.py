"""What a sample of Inspect says about its computer, and about the task that is set on it."""

from __future__ import annotations

from pydantic import BaseModel

from proctor.interop.house_rules import house_rules, house_run
from proctor.interop.threaded import ThreadedComputer
from proctor.interop.venue import Venue
from proctor.suites import load_suite

HOUSE = "inspect"


class ProctorConfig(BaseModel, frozen=True, extra="forbid"):
    """Which computer a sample gets, and which task is set on it."""

    computer: str = "sandbox"
    """A backend."""
    image: str = ""
    """Which image, where no task says so."""
    look: str = ""
    size: tuple[int, int] | None = None
    """Of the desktop; the backend's own, or what the task wants, when None."""
    suite: str = ""
    task: str = ""
    seed: int = 0
    steps: int | None = None
    """After so many actions and commands the task ends; None for 500, or more where it allows more."""
    out: str = ""
    """Folder of a Proctor run in which samples are recorded; nowhere when empty."""

    def lend(self) -> ThreadedComputer:
        """Return the computer, not yet open; raises SpecError for what there is not."""
        options = {name: getattr(self, name) for name in ("image", "look", "size") if getattr(self, name)}
        if not self.suite:
            return ThreadedComputer(Venue(computer=self.computer, options=options))
        suite = load_suite(self.suite)
        task = suite.task(self.task, self.seed)
        venue = Venue(
            computer=self.computer,
            options=options,
            rules=house_rules(task, self.steps),
            uses=("run_code",),
            agent=HOUSE,
            assets=suite.assets,
            run=house_run(self.out, HOUSE),
        )
        return ThreadedComputer(venue, task)
