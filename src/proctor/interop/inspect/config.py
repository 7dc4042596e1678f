"""What a sample of Inspect says about its computer, and about the task that is set on it."""

from __future__ import annotations

from pydantic import BaseModel

from proctor.interop.house import lend
from proctor.interop.loan import Loan
from proctor.interop.venue import Venue

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

    def lend(self) -> Loan:
        """Return the computer, not yet open; raises SpecError for what there is not."""
        options = {name: getattr(self, name) for name in ("image", "look", "size") if getattr(self, name)}
        if not self.suite:
            return Loan(Venue(computer=self.computer, options=options))
        return lend(
            HOUSE,
            self.suite,
            self.task,
            self.seed,
            computer=self.computer,
            options=options,
            steps=self.steps,
            out=self.out,
        )
