"""What every computer promises, as tests: a backend derives from ComputerContract."""

from __future__ import annotations

from proctor.testing.actions import ActingContract
from proctor.testing.files import KeepingContract
from proctor.testing.observations import SeeingContract


class ComputerContract(SeeingContract, ActingContract, KeepingContract):
    """All promises; `new_computer` returns one not started. Parts it does not have are skipped."""
