"""The fake computer keeps every promise of the contract."""

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.testing import ComputerContract


class TestFakeComputer(ComputerContract):
    def new_computer(self) -> FakeComputer:
        return FakeComputer()
