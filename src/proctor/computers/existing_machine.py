"""Machines that were there before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from proctor.computers.computer import Computer
from proctor.computers.fit import Fit, MachineNeeds
from proctor.errors import SpecError

NO_FILES = "it has no file access, by which the task is prepared"


def not_ours(what: str, why: str) -> str:
    """Return the sentence about something of a foreign machine that is gone, for `autopsy()["outside"]`."""
    return f"{what} no longer answers, and it is unknown what ended it ({why})"


class ForeignComputer(Computer):
    """A machine of the user's: what it has is not known, and its options are looked at before a run."""

    @classmethod
    def meet(cls, needs: MachineNeeds, given: Mapping[str, Any]) -> Fit:
        """Say how such a machine meets what a task needs, or everything that it lacks; it is not called."""
        try:
            made = cls(**given)
        except SpecError as error:
            return Fit(given, (f"{error.message} ({error.remedy})",))
        fit = super().meet(needs, given)
        if needs.prepared and "files" not in made.capabilities:
            return replace(fit, lacks=(*fit.lacks, NO_FILES))
        return fit
