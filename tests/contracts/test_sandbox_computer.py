"""The sandbox keeps every promise of the contract, as whoever runs the tests."""

import pytest

from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.testing import ComputerContract


@pytest.mark.turns
@pytest.mark.sandbox
class TestSandboxComputer(ComputerContract):
    def new_computer(self) -> SandboxComputer:
        return SandboxComputer(look="light", clip_sec=5)
