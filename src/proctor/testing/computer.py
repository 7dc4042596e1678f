"""What every computer promises, as tests: a backend derives from ComputerContract and says how to make one."""

from __future__ import annotations

from proctor.testing.acting import ActingContract
from proctor.testing.keeping import KeepingContract
from proctor.testing.seeing import SeeingContract


class ComputerContract(SeeingContract, ActingContract, KeepingContract):
    """All promises; make `new_computer` return a computer that is not started. Parts it does not have are skipped."""
