"""What is said of a computer that a person has broken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from proctor.computers.blame import TROUBLE, blame
from proctor.computers.computer import Computer


class Broken:
    """Hears of a computer that fails after a person has worked on it, once for each reason."""

    def __init__(self, computer: Computer) -> None:
        self._computer = computer
        self.said: list[str] = []

    def __call__(self, error: Exception) -> None:
        """Take in a failure; raises it when the host is to blame."""
        found = blame(error, self._computer)
        if found.whose == "host":
            raise error
        said = f"{getattr(error, 'message', error)} ({found.why})"
        if said not in self.said:
            self.said.append(said)

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Take in what ends the block."""
        try:
            yield
        except TROUBLE as error:
            self(error)
