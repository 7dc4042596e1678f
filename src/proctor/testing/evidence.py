"""What every probe promises, as tests: plain data that can be kept and read again alike."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator

import pytest

from proctor.computers.computer import Computer
from proctor.tasks.call import Call
from proctor.tasks.examine import look_back, looker
from proctor.tasks.findings import Fault
from proctor.tasks.probe_context import ProbeContext


class EvidenceContract(ABC):
    """The promises of a probe; say how it is called, and on which computer."""

    @abstractmethod
    def new_computer(self) -> Computer:
        """Return a computer that is not started."""

    @abstractmethod
    def probe(self) -> Call:
        """Return a call of the probe."""

    @abstractmethod
    def prepare(self, computer: Computer) -> None:
        """Put there what the probe looks for."""

    def spoil(self, computer: Computer) -> None:
        """Put something in its place that cannot be read; override it where there is such a thing."""
        pytest.skip("nothing can be put in its place that cannot be read")

    @pytest.fixture
    def computer(self) -> Iterator[Computer]:
        """Start a computer of its own for each test."""
        with self.new_computer() as computer:
            yield computer

    def look(self, computer: Computer) -> tuple[object, dict[str, object]]:
        """Return what the probe sees, and the evidence that is kept of it."""
        evidence: dict[str, object] = {}
        return looker(ProbeContext(computer), evidence)(self.probe()), evidence

    def test_what_it_sees_is_plain_data(self, computer: Computer) -> None:
        self.prepare(computer)
        seen, evidence = self.look(computer)
        assert not isinstance(seen, Fault)
        assert json.loads(json.dumps(evidence, allow_nan=False)) == evidence

    def test_looking_twice_shows_the_same(self, computer: Computer) -> None:
        self.prepare(computer)
        assert self.look(computer) == self.look(computer)

    def test_looking_changes_nothing(self, computer: Computer) -> None:
        self.prepare(computer)
        watched = "changes" in computer.capabilities
        before = computer.changes() if watched else []
        self.look(computer)
        assert (computer.changes() if watched else []) == before
        assert computer.history == []

    def test_the_record_says_the_same_as_the_computer(self, computer: Computer) -> None:
        self.prepare(computer)
        seen, evidence = self.look(computer)
        assert look_back(json.loads(json.dumps(evidence)))(self.probe()) == seen

    def test_where_nothing_is_it_sees_nothing_or_says_why(self, computer: Computer) -> None:
        seen, evidence = self.look(computer)
        if isinstance(seen, Fault):
            self._check_fault(seen)
        assert look_back(json.loads(json.dumps(evidence)))(self.probe()) == seen

    def test_what_cannot_be_read_is_a_fact_and_no_failure(self, computer: Computer) -> None:
        self.spoil(computer)
        seen, _ = self.look(computer)
        assert isinstance(seen, Fault)
        self._check_fault(seen)

    def _check_fault(self, fault: Fault) -> None:
        assert fault.kind in ("absent", "unreadable", "refused")
        assert fault.why.strip() and "\n" not in fault.why
